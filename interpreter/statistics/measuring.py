"""One game, and what is noted of it."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Literal

import attrs

from interpreter.errors import BudgetExhausted, EngineError
from interpreter.machine import Match
from interpreter.providers.process import ProcessProvider, Seat
from interpreter.providers.search import SearchProvider
from interpreter.statistics.counting import Counting
from interpreter.statistics.scores import Score, find_score, number_fields
from interpreter.statistics.watching import EnoughError, Watch, Watched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.providers.protocol import DecisionProvider
    from interpreter.statistics.counting import Fired
    from interpreter.statistics.plan import Plan, Version
    from rulelang import ir

Ending = Literal["ended", "longest", "budget", "fault"]
"""How a game stopped: by its rules, after as many answers as were asked for, by the engine's limits, by a fault."""


@attrs.frozen
class Record:
    """One game.

    Attributes:
        number: Which game of the plan.
        ending: How it stopped.
        message: What the fault was; empty if there was none.
        winners: Seats from 0; empty if nobody has won.
        roles: For each seat with a person who sat there: a place in `Plan.kinds`.
        decisions: How many answers were given that others could have been, those of automas included.
        asked: How often people were asked, by seat; empty if only outcomes are measured.
        branching: The geometric mean of how many answers they could choose from; 0 if only outcomes are measured.
        rounds: Runs of the phase that begins most often directly in the main phase; 0 if only outcomes are measured.
        changes: How often the lead passed on; None without a score.
        led: At how many answers of people which seat led.
        scores: By seat; empty without a score.
        fields: Numbers of the players at the end: name to values by seat.
        fired: How often which part acted, for which seat.
    """

    number: int
    ending: Ending
    message: str
    winners: tuple[int, ...]
    roles: tuple[int, ...]
    decisions: int
    asked: tuple[int, ...] = ()
    branching: float = 0.0
    rounds: int = 0
    changes: int | None = None
    led: tuple[int, ...] = ()
    scores: tuple[float | None, ...] = ()
    fields: dict[str, tuple[float | None, ...]] = attrs.field(factory=dict)
    fired: Fired = attrs.field(factory=dict)


class Measurer:
    """Plays and measures games of one version.

    Raises:
        LookupError: The score that was asked for does not exist; says which ones there are.
    """

    def __init__(self, plan: Plan, version: Version, program: ir.Program) -> None:
        self._plan = plan
        self._version = version
        self._program = program
        self._people = len(plan.kinds)
        self._names = tuple(f"Player {seat + 1}" for seat in range(program.seats))
        self._rules = plan.measure == "rules"
        self._counting = Counting(program)
        code = self._match(0, {}).code
        self.score: Score | None = find_score(code, version.score)
        self._fields = number_fields(code)
        self._decisions = code.layout.decisions
        self._base = program.kinds[0].base

    def _match(self, seed: int, providers: Mapping[int, DecisionProvider]) -> Match:
        return Match(
            self._program,
            people=self._people,
            seed=seed,
            options=self._version.options,
            providers=providers,
            log=self._rules,
            checks=True,
            measured=True,
        )

    def play(self, number: int) -> Record:
        """Play a game of the plan to its end, if it has one."""
        plan, program = self._plan, self._program
        seed = plan.seed + number
        inner = [
            plan.players(kind, seed, Seat(program, self._version.options, seat, self._names))
            for seat, kind in enumerate(plan.seated(number))
        ]
        watch = Watch(program.seats, plan.longest)
        watched = self._rules or plan.longest is not None
        providers: dict[int, DecisionProvider] = {
            seat: Watched(each, seat, watch) if watched else each for seat, each in enumerate(inner)
        }
        match = self._match(seed, providers)
        for each in inner:
            if isinstance(each, SearchProvider):
                each.sit(match)
        if self._rules:
            watch.lead(match, match.code, self.score)
        ending: Ending = "ended"
        message = ""
        try:
            match.play()
        except EnoughError:
            ending = "longest"
        except BudgetExhausted as error:
            ending, message = "budget", f"seed {seed}: {error}"
        except EngineError as error:
            ending, message = "fault", f"seed {seed}: {error}"
        finally:
            for each in inner:
                if isinstance(each, ProcessProvider):
                    each.finish(match.winners)
        return self._record(number, match, watch, ending, message)

    def _record(
        self, number: int, match: Match, watch: Watch, ending: Ending, message: str
    ) -> Record:
        slots = match.live
        winners = match.winners if ending == "ended" else None
        scores: tuple[float | None, ...] = ()
        if self.score is not None:
            scores = tuple(self.score.of_all(match.code, slots))
        fields = {
            name: tuple([slots[slot] for slot in places]) for name, places in self._fields.items()
        }
        decisions: int = slots[self._decisions]  # type: ignore[assignment]
        roles = self._plan.roles(number)
        if not self._rules:
            return Record(
                number, ending, message, winners or (), roles, decisions, scores=scores, fields=fields  # type: ignore[arg-type]
            )  # fmt: skip
        counted = self._counting.count(match.events)
        asked = sum(watch.asked)
        return Record(
            number,
            ending,
            message,
            winners or (),
            roles,
            decisions,
            tuple(watch.asked),
            exp(watch.choices / asked) if asked else 0.0,
            counted.rounds,
            None if self.score is None else watch.changes,
            tuple(watch.led),
            scores,
            fields,  # type: ignore[arg-type]
            counted.fired,
        )
