"""A provider that answers at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.chance import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation


class RandomProvider:
    """Answers evenly at random with a generator of its own; the game's dice are not touched.

    Attributes:
        below: Draws a number from 0 to n - 1. An engine that finds this may draw an answer itself,
            exactly as :meth:`decide` would, and need not make a Decision.
    """

    def __init__(self, seed: int | str = 0) -> None:
        self.below = Stream(seed, "random provider").below

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Draw a legal answer."""
        del observation
        return decision.options.sample(self.below)
