"""Recorded games: enough to play a game again, and to find where one differs first.

A replay names the ruleset by its hash, seats, options and seed, and holds every answer that a
provider gave, with the path of its decision and a hash of the state in which it was asked, then a
hash of the final state. Policies' answers and sole answers follow from the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from interpreter.decision import Decision, plain
from interpreter.errors import IllegalChoice, ReplayError, RuleFault
from interpreter.providers.protocol import DecisionProvider
from interpreter.providers.replay import REAL, SEEDED, Answered, Drawn
from interpreter.records.codes import DAMAGED, OTHER_FORMAT, UNREADABLE
from interpreter.records.heading import (
    Heading,
    check_heading,
    converter,
    first_reason,
    heading_of,
    read_object,
    seen_digest,
    state_digest,
)

if TYPE_CHECKING:
    from interpreter.layout import Layout
    from interpreter.sight.observation import Observation
    from rulelang import ir

FORMAT = 1
UNFINISHED = ""


@attrs.frozen
class Replay(Heading):
    """A recorded game.

    Attributes:
        seed: Of chance.
        answers: Every answer of a provider, in order.
        states: For each answer the hash of the state in which it was asked.
        final: Hash of the final state; empty for a game that did not end.
        winners: The seats that won, from 0; None if nobody said so.
        dice: `seed`, or `table` if the draws were read off a real table; then the hashes are of what is seen.
        draws: What was read off it, in order.
    """

    seed: int | str
    answers: list[Answered]
    states: list[str]
    final: str = UNFINISHED
    winners: list[int] | None = None
    dice: str = SEEDED
    draws: list[Drawn] = attrs.Factory(list)

    def first(self, count: int) -> Replay:
        """The same game as far as its first answers, unfinished."""
        return attrs.evolve(
            self,
            answers=self.answers[:count],
            states=self.states[:count],
            draws=[each for each in self.draws if each.after <= count],
            final=UNFINISHED,
            winners=None,
        )


class Playing(Protocol):
    """What recording and verifying need of an engine."""

    @property
    def layout(self) -> Layout:
        """Which slot of the state holds what."""
        ...

    @property
    def slots(self) -> list[Any]:
        """The state; the first ``layout.size`` slots count."""
        ...

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won."""
        ...

    def play(self) -> object:
        """Run the game to its end."""
        ...


Start = Callable[[Mapping[int, DecisionProvider]], Playing]


def fingerprint(game: Playing, dice: str = SEEDED) -> str:
    """The hash of a state that recordings hold; hidden cards of a real table are not known yet, and do not count."""
    digest = seen_digest if dice == REAL else state_digest
    return digest(game.layout, game.slots)


class Recorder:
    """Records a game while it is played.

    Wrap the provider of each seat with :meth:`wrap`, make the game, tell it to :meth:`watch`, play
    it, and ask for the :meth:`replay`.

    Args:
        dice: Where the draws come from, see :class:`Replay`.
    """

    def __init__(self, dice: str = SEEDED) -> None:
        self.dice = dice
        self.answers: list[Answered] = []
        self.states: list[str] = []
        self._game: Playing | None = None

    def watch(self, game: Playing) -> None:
        """Say which game it is whose states are noted."""
        self._game = game

    def wrap(self, provider: DecisionProvider) -> DecisionProvider:
        """A provider that answers like this one and is recorded."""
        return _Recorded(self, provider)

    def note(self, decision: Decision, answer: object) -> None:
        """Write an answer down; for those who drive a game from outside, before it is applied."""
        if self._game is not None:
            self.states.append(fingerprint(self._game, self.dice))
        self.answers.append(Answered(decision.path, decision.seat, answer))

    def replay(
        self,
        program: ir.Program,
        options: Sequence[object],
        people: Sequence[int],
        seed: int | str,
        names: Sequence[str] = (),
        *,
        finished: bool,
        draws: Sequence[Drawn] = (),
    ) -> Replay:
        """What was recorded."""
        game = self._game
        if game is None:
            raise ReplayError("no game was recorded")
        winners = game.winners
        return Replay(
            **attrs.asdict(heading_of(program, options, people, names)),
            seed=seed,
            answers=self.answers,
            states=self.states,
            final=fingerprint(game, self.dice) if finished else UNFINISHED,
            winners=list(winners) if winners is not None else None,
            dice=self.dice,
            draws=list(draws),
        )


class _Recorded:
    def __init__(self, recorder: Recorder, inner: DecisionProvider) -> None:
        self._recorder = recorder
        self._inner = inner

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        answer = self._inner.decide(observation, decision)
        if decision.options.contains(answer):
            self._recorder.note(decision, decision.options.normal(answer))
        return answer


def dumps(replay: Replay) -> str:
    """A replay as JSON, one answer a line."""
    content = attrs.asdict(replay)
    answers = content.pop("answers")
    head = json.dumps(content)[:-1]
    lines = ",\n".join(json.dumps(each) for each in answers)
    return f'{head}, "answers": [\n{lines}\n]}}\n'


def loads(text: str) -> Replay:
    """Read a replay.

    Raises:
        ReplayError: it is cut off, no replay, or of another format.
    """
    content = read_object(text, "replay", ReplayError)
    if "format" not in content and "answers" not in content:
        raise ReplayError("this is no replay", code=UNREADABLE)
    if content.get("format") != FORMAT:
        raise ReplayError(
            f"this replay has format {content.get('format')!r:.20}, needed is {FORMAT}",
            code=OTHER_FORMAT,
        )
    try:
        replay = converter().structure(content, Replay)
    except Exception as error:  # noqa: BLE001 - cattrs groups errors of many classes
        raise ReplayError(f"this is no replay: {first_reason(error)}", code=UNREADABLE) from None
    if len(replay.answers) != len(replay.states):
        raise ReplayError(
            "this replay was changed: answers and states are not equally many", code=DAMAGED
        )
    return replay


def matches(replay: Replay, program: ir.Program) -> None:
    """Is this replay of this ruleset, with these variants, for this number of seats?

    Raises:
        ReplayError: it is not.
    """
    check_heading(replay, program, "replay", ReplayError)


class Follower:
    """Gives recorded answers and compares the states in which they are asked for.

    Args:
        replay: The recording.
        states: Whether the states must be those that were recorded; they are not if the rules have changed.

    Attributes:
        position: How many answers were given.
        game: Whose states are compared; None until it is made.
    """

    def __init__(self, replay: Replay, *, states: bool = True) -> None:
        self._replay = replay
        self._states = states
        self.position = 0
        self.game: Playing | None = None

    @property
    def left(self) -> int:
        """How many recorded answers were not given yet."""
        return len(self._replay.answers) - self.position

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give the next recorded answer.

        Raises:
            ReplayError: There is none, or the game is not where it was recorded.
        """
        del observation
        number = self.position
        replay = self._replay
        asked = f"{decision.path} of seat {decision.seat + 1}"
        if number == len(replay.answers):
            raise ReplayError(
                f"the game asks for more than the {number} recorded answers (next: {asked})", number
            )
        recorded = replay.answers[number]
        if (recorded.path, recorded.seat) != (decision.path, decision.seat):
            raise ReplayError(
                f"answer {number + 1} was recorded for {recorded.path:.60} of seat"
                f" {recorded.seat + 1}, but the game asks {asked}",
                number,
            )
        game = self.game if self._states else None
        if game is not None and fingerprint(game, replay.dice) != replay.states[number]:
            raise ReplayError(
                f"the state differs when answer {number + 1} is asked for ({asked})", number
            )
        answer = plain(recorded.answer)
        if not decision.options.contains(answer):
            raise ReplayError(f"answer {number + 1} is not legal ({asked}): {answer!r:.40}", number)
        self.position += 1
        return answer


def verify(replay: Replay, program: ir.Program, start: Start) -> Playing:
    """Play a recorded game again and compare it with the recording.

    Args:
        replay: The recording.
        program: Its ruleset for its number of seats.
        start: Makes the game with the replay's options, people and seed, given the providers.

    Returns:
        The game after the last recorded answer.

    Raises:
        ReplayError: at the first difference, which it tells.
    """
    matches(replay, program)
    verifier = Follower(replay)
    game = start(dict.fromkeys(range(program.seats), verifier))
    verifier.game = game
    try:
        game.play()
    except ReplayError as error:
        if (
            replay.final == UNFINISHED
            and not verifier.left
            and error.index in (None, verifier.position)
        ):
            return game  # it asks for more, answers or results of dice
        raise
    except (IllegalChoice, RuleFault) as error:
        raise ReplayError(
            f"the game stops after answer {verifier.position}: {error}", verifier.position
        ) from error
    check_end(replay, game, verifier.position)
    return game


def check_end(replay: Replay, game: Playing, given: int) -> None:
    """Compare a game that is over with its recording.

    Args:
        replay: The recording.
        game: The game; its answers are those of the recording.
        given: How many there were.

    Raises:
        ReplayError: They differ; says how.
    """
    if given < len(replay.answers):
        raise ReplayError(
            f"the game ends after {given} of {len(replay.answers)} recorded answers", given
        )
    if replay.final == UNFINISHED:
        raise ReplayError("the game ends, but the recording does not")
    if fingerprint(game, replay.dice) != replay.final:
        raise ReplayError("all answers agree, but the final state differs")
    winners = game.winners
    if replay.winners != (list(winners) if winners is not None else None):
        raise ReplayError("all answers agree, but the recorded winners differ")
