"""How a world is played on from where the tree ends: quickly, and not further than is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.machine import LATER

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Below, Decision
    from interpreter.machine import Match
    from interpreter.sight.observation import Observation

PARTS = 1024
"""Shares are counted in these."""


class Rollout:
    """Answers for all seats: as the ruleset's policies would, at random now and then, for so long.

    Args:
        below: Draws from 0 to n - 1.
        random: The share of answers at random, from 0 to 1. Where a ruleset has no policy all are.
        depth: So many decisions are answered; None: all.
    """

    def __init__(self, below: Below, random: float, depth: int | None = None) -> None:
        self._draw = below
        self._random = round(random * PARTS)
        self._left = depth

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give an answer, or none any more."""
        del observation
        if self._left is not None:
            if self._left <= 0:
                return LATER
            self._left -= 1
        policy = decision.policy
        if policy is None or (self._random and self._draw(PARTS) < self._random):
            return decision.options.sample(self._draw)
        answer = policy(self._draw)
        return answer if decision.options.contains(answer) else decision.options.sample(self._draw)


class _Dice:
    """Answers evenly at random; the engine draws by itself, see `RandomProvider`."""

    def __init__(self, below: Below) -> None:
        self.below = below

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Draw a legal answer."""
        del observation
        return decision.options.sample(self.below)


def play_on(world: Match, below: Below, random: float, depth: int | None = None) -> None:
    """Play a world to its end, or until so many decisions have been answered.

    Raises:
        EngineError: A rule stops it.
    """
    player = _Dice(below) if random >= 1 and depth is None else Rollout(below, random, depth)
    world.provide(dict.fromkeys(range(world.program.kinds[0].count), player))
    asked = world.pending
    if asked is not None:
        seat = asked.seat
        answer = player.decide(lambda: world.observation(seat), asked)
        if answer is LATER:
            return
        world.apply(answer)
    world.next()
