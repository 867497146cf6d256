"""What is expected of a provider, put to the test: by `rulelang conformance`, or in the tests of whoever writes one.

In a test: `assert not check_provider(lambda seat, seed: MyProvider(seed), program)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import attrs

from interpreter.errors import EngineError, IllegalChoice, Reason
from interpreter.machine import Match
from interpreter.providers.process import GRACE, ProcessProvider, Seat
from interpreter.providers.random import RandomProvider
from interpreter.sight.offers import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interpreter.decision import Decision, Option
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

Check = Literal["legal", "in time", "same again", "reads only", "asked again", "stops"]

CHECKS: Final[dict[Check, str]] = {
    "legal": "every answer is legal",
    "in time": "every answer comes in time",
    "same again": "the same seed gives the same answers",
    "reads only": "neither the game nor what is shown of it is changed",
    "asked again": "a question that is put once more is answered again",
    "stops": "it stops when the game is over",
}

LONGEST: Final = 2000
"""A game is played for so many decisions."""


@attrs.frozen
class Finding:
    """What a provider did that it must not.

    Attributes:
        check: Which expectation it does not meet.
        where: The game, and the decision.
        what: What it did.
    """

    check: Check
    where: str
    what: str

    def __str__(self) -> str:
        """All of it on one line."""
        return f"{CHECKS[self.check]}: {self.what} ({self.where})"


class _GivenUpError(Exception):
    """It makes no sense to go on with this game."""


def check_provider(
    make: Callable[[Seat, str], DecisionProvider],
    program: ir.Program,
    *,
    people: int | None = None,
    options: Mapping[str, object] | None = None,
    games: int = 2,
    seed: int = 1,
    seconds: float = 10.0,
    clock: Callable[[], float] | None = None,
) -> list[Finding]:
    """Let a provider play, each game from another seat and twice, and look what it does. The others play at random.

    Args:
        make: Makes the provider for a seat, from a seed. One that has a `finish`, as a program at the table, is told
            the winners at the end.
        program: What is played.
        people: How many seats have a person; None: all.
        options: Values of options of the ruleset.
        games: How many games.
        seed: Of the first; the others follow.
        seconds: For an answer.
        clock: Reads seconds, `time.perf_counter` say; None: how long an answer takes is not looked at.

    Returns:
        What is wrong, the first finding of each check in each game; empty if nothing is.
    """
    found: list[Finding] = []
    seats = program.seats if people is None else people
    for number in range(games):
        courses: list[list[object]] = []
        for _ in range(2):
            patience = seconds, clock or (lambda: 0.0)
            course = _Course(
                make, program, seats, options, seed + number, number % seats, *patience
            )
            try:
                course.play()
            except _GivenUpError:
                pass
            except EngineError as error:
                course.note("legal", str(error))
            courses.append(course.answers)
            found += course.found.values()
            if course.found:
                break
        else:
            if courses[0] != courses[1]:
                place = next(
                    (n for n, pair in enumerate(zip(*courses, strict=False)) if pair[0] != pair[1]),
                    min(map(len, courses)),
                )
                where = f"game {seed + number}, seat {number % seats + 1}"
                found.append(Finding("same again", where, f"answer {place + 1} differs"))
    return found


class _Course:
    """One game of a provider."""

    def __init__(
        self,
        make: Callable[[Seat, str], DecisionProvider],
        program: ir.Program,
        people: int,
        options: Mapping[str, object] | None,
        seed: int,
        seat: int,
        seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self.match = Match(program, people=people, seed=seed, options=options)
        self.answers: list[object] = []
        self.found: dict[Check, Finding] = {}
        self._seed = seed
        self._seat = seat
        self._seconds = seconds
        self._clock = clock
        self._where = f"game {seed}, seat {seat + 1}"
        names = [f"Player {number + 1}" for number in range(program.seats)]
        self._others = {
            each: RandomProvider(f"{seed}/{each}") for each in range(people) if each != seat
        }
        self._provider = make(Seat(program, self.match.options, seat, names), f"{seed}/{seat}")
        sit = getattr(self._provider, "sit", None)
        if sit is not None:  # who looks ahead is told in which match
            sit(self.match)

    def note(self, check: Check, what: str) -> None:
        self.found.setdefault(check, Finding(check, self._where, what))

    def play(self) -> None:
        try:
            for _ in range(LONGEST):
                decision = self.match.next()
                if decision is None:
                    break
                seat = decision.seat
                answering = self._others.get(seat)
                self.match.apply(
                    self._asked(decision)
                    if answering is None
                    else answering.decide(lambda: self.match.observation(seat), decision)  # noqa: B023
                )
        finally:
            self._finish()

    def _asked(self, decision: Decision) -> object:
        self._where = f"game {self._seed}, seat {self._seat + 1}, {decision.path}"
        before = self._picture(decision)
        first = not self.answers
        answer = self._answer(decision)
        if first:
            again = self._answer(decision)  # as after an answer that was refused
            if not decision.options.contains(again):
                self.note("asked again", f"{again!r:.60} is not legal")
        if self._picture(decision) != before:
            self.note("reads only", "something differs after it has answered")
        if not decision.options.contains(answer):
            self.note("legal", f"{answer!r:.60} is not among the answers")
            raise _GivenUpError
        self.answers.append(decision.options.normal(answer))
        return answer

    def _answer(self, decision: Decision) -> object:
        began = self._clock()
        try:
            answer = self._provider.decide(lambda: self.match.observation(self._seat), decision)
        except EngineError as error:
            self.note("in time" if "within" in str(error) else "legal", str(error))
            raise _GivenUpError from None
        except Exception as error:  # noqa: BLE001 - whatever it does
            self.note("legal", f"it raised {type(error).__name__}: {error}"[:200])
            raise _GivenUpError from None
        took = self._clock() - began
        if took > self._seconds:
            self.note("in time", f"an answer took {took:.1f} of {self._seconds:g} seconds")
        return answer

    def _picture(self, decision: Decision) -> tuple[Any, ...]:
        """All that it can see and must not change."""
        seen = self.match.observation(self._seat)
        return (
            self.match.state(),
            seen.slots,
            tuple(decision.options.groups),
            shown(lambda: seen, decision),
        )

    def _finish(self) -> None:
        finish = getattr(self._provider, "finish", None)
        if finish is not None:
            began = self._clock()
            finish(self.match.winners)
            if self._clock() - began >= GRACE:
                self.note("stops", f"it still ran {GRACE:g} seconds after the end")


class RefusedOnce(ProcessProvider):
    """A program at the table whose first answer is refused, legal or not: it must give another one."""

    _refused = False

    def _taken(
        self, message: dict[str, Any], decision: Decision, options: Sequence[Option]
    ) -> object:
        answer = super()._taken(message, decision, options)
        if not self._refused:
            self._refused = True
            raise IllegalChoice(Reason.CONDITION, "this is a test of what follows a refusal")
        return answer


__all__ = ["CHECKS", "Check", "Finding", "RefusedOnce", "check_provider"]
