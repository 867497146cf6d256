"""Looking over the shoulders of those who answer: how much there was to choose from, and who was leading."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from interpreter.decision import SetOf
from interpreter.errors import EngineError
from interpreter.statistics.scores import leader

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.compiling.compiled import Compiled
    from interpreter.decision import Decision
    from interpreter.layout import Slots
    from interpreter.machine import Match
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation
    from interpreter.statistics.scores import Score


class EnoughError(EngineError):
    """Stops a game that has lasted for as long as was asked for."""


class Watch:
    """What is seen in one game.

    Attributes:
        asked: How often somebody was asked, by seat.
        choices: Of how many legal answers they chose from the sum of the natural logarithms: sets can be many.
        changes: How often the lead passed from one seat to another.
        led: How many answers were given while this seat led, by seat.
    """

    __slots__ = ("_code", "_left", "_match", "_score", "asked", "changes", "choices", "led", "now")

    def __init__(self, seats: int, longest: int | None) -> None:
        self.asked = [0] * seats
        self.choices = 0.0
        self.changes = 0
        self.led = [0] * seats
        self.now: int | None = None
        self._left = longest
        self._match: Match | None = None
        self._score: Score | None = None
        self._code: Compiled | None = None

    def lead(self, match: Match, code: Compiled, score: Score | None) -> None:
        """Look at who leads in a match."""
        self._match, self._code, self._score = match, code, score

    def see(self, seat: int, choices: int) -> None:
        """Somebody is asked and has so many legal answers."""
        if self._left is not None:
            if self._left <= 0:
                raise EnoughError("the game lasted longer than was asked for")
            self._left -= 1
        self.asked[seat] += 1
        self.choices += log(choices) if choices > 1 else 0.0
        if self._score is not None and self._match is not None and self._code is not None:
            self._look(self._match.live, self._code, self._score)

    def _look(self, slots: Slots, code: Compiled, score: Score) -> None:
        ahead = leader(score.of_all(code, slots), highest=score.highest)
        if ahead is None:
            return
        self.led[ahead] += 1
        if self.now is not None and self.now != ahead:
            self.changes += 1
        self.now = ahead


class Watched:
    """A provider that is looked at; one that draws evenly stays one, so that the engine may draw for it."""

    def __init__(self, inner: DecisionProvider, seat: int, watch: Watch) -> None:
        self._inner = inner
        self._seat = seat
        self._watch = watch
        below: Callable[[int], int] | None = getattr(inner, "below", None)
        if below is not None:
            see = watch.see

            def seen(n: int) -> int:
                see(seat, n)
                return below(n)

            self.below: Any = seen

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Answer as the other one does."""
        options = decision.options
        self._watch.see(self._seat, options.ways() if isinstance(options, SetOf) else len(options))
        return self._inner.decide(observation, decision)
