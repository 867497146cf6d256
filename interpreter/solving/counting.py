"""How large games are: histories, states, and what there is after so many turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import attrs

from interpreter.solving.chances import TooManyError
from interpreter.solving.markov import STATES, circles
from interpreter.solving.positions import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.solving.markov import Graph
    from interpreter.solving.positions import Tree


@attrs.frozen
class Size:
    """How large a game is.

    Attributes:
        states: Positions that differ.
        chance: Histories after which chance moves.
        decision: Histories after which somebody decides.
        end: Whole histories.
        longest: Most draws and decisions in one of them.
    """

    states: int
    chance: int
    decision: int
    end: int
    longest: int


def size(states: Graph) -> Size | None:
    """Count the histories of a game; None if there is no end of them, because positions repeat."""
    reached = [0] * len(states)
    reached[0] = 1
    depth = [0] * len(states)
    counts = {"chance": 0, "decision": 0, "end": 0}
    for part in reversed(circles(states)):
        here = part[0]
        ways = states[here].ways
        if len(part) > 1 or any(target == here for _, target in ways):
            return None
        counts[states[here].kind] += reached[here]
        for place, (_, target) in enumerate(ways):
            reached[target] += reached[here] * states[here].counts[place]
            depth[target] = max(depth[target], depth[here] + 1)
    return Size(len(states), counts["chance"], counts["decision"], counts["end"], max(depth))


def perft(game: Tree, turns: int, most: int = STATES) -> Iterator[int]:
    """Count the histories after one completed turn, after two, and so on.

    A turn ends where somebody else is asked, and with the game; what chance does meanwhile belongs to it.

    Raises:
        TooManyError: More than so many different positions follow from one turn.
        RuleFault: A rule asked for something impossible.
    """
    level: Level = {}
    _add(level, game.root(), 1, -1, most)
    for _ in range(turns):
        after: Level = {}
        while level:
            within: Level = {}
            for position, count, mover in level.values():
                owner = position.seat if position.kind == "decision" else mover
                for branch in position.branches():
                    then = branch.position
                    over = then.kind == "end" or (
                        then.kind == "decision" and -1 < owner != then.seat
                    )
                    _add(after if over else within, then, count, -1 if over else owner, most)
            level = within
        yield sum(count for _, count, _ in after.values())
        level = {key: each for key, each in after.items() if each[0].kind != "end"}


Level: TypeAlias = dict[object, tuple[Position, int, int]]
"""Positions by key and owner of the turn (-1 while nobody has decided), each with how many histories lead there."""


def _add(level: Level, position: Position, count: int, owner: int, most: int) -> None:
    key = (owner, position.key())
    known = level.get(key)
    if known is None and len(level) >= most:
        raise TooManyError(f"more than {most:,} positions follow from one turn")
    level[key] = (position, count if known is None else known[1] + count, owner)
