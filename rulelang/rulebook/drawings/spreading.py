"""Places without coordinates, spread out by what joins them.

Places push each other apart and ways pull them together, for a fixed number of rounds. Only sums, products, quotients
and square roots of floats are used, which every machine rounds alike: the same map always gets the same drawing.
"""

from __future__ import annotations

from math import isqrt, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNIT: Final = 100.0
_WORK: Final = 1_500_000
_ROUNDS: Final = 150


def spread(things: Sequence[int], pairs: Sequence[tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Give each thing a place such that joined ones lie near each other."""
    count = len(things)
    if not count:
        return {}
    order = _by_nearness(things, pairs)
    side = isqrt(count - 1) + 1
    # Rows are shifted against each other, so that no two forces cancel out.
    spots = {
        thing: [(at % side) * _UNIT + (at // side) * 7.0, (at // side) * _UNIT + (at % side) * 3.0]
        for at, thing in enumerate(order)
    }
    rounds = min(_ROUNDS, _WORK // (count * count))
    for number in range(rounds):
        _one_round(list(things), pairs, spots, _UNIT * (rounds - number) / rounds)
    left = min(x for x, _ in spots.values())
    top = min(y for _, y in spots.values())
    return {thing: (round(x - left), round(y - top)) for thing, (x, y) in spots.items()}


def _by_nearness(things: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Order things so that joined ones follow each other."""
    near: dict[int, list[int]] = {thing: [] for thing in things}
    for first, second in pairs:
        near[first].append(second)
        near[second].append(first)
    found: dict[int, None] = {}
    for start in things:
        waiting = [start]
        while waiting:
            here = waiting.pop(0)
            if here not in found:
                found[here] = None
                waiting.extend(near[here])
    return list(found)


def _one_round(
    things: list[int], pairs: Sequence[tuple[int, int]], spots: dict[int, list[float]], most: float
) -> None:
    moves = {thing: [0.0, 0.0] for thing in things}
    for at, one in enumerate(things):
        for other in things[at + 1 :]:
            dx, dy = spots[one][0] - spots[other][0], spots[one][1] - spots[other][1]
            square = max(dx * dx + dy * dy, 1.0)
            push = _UNIT * _UNIT / square
            moves[one][0] += dx * push
            moves[one][1] += dy * push
            moves[other][0] -= dx * push
            moves[other][1] -= dy * push
    for one, other in pairs:
        dx, dy = spots[one][0] - spots[other][0], spots[one][1] - spots[other][1]
        pull = sqrt(dx * dx + dy * dy) / _UNIT
        moves[one][0] -= dx * pull
        moves[one][1] -= dy * pull
        moves[other][0] += dx * pull
        moves[other][1] += dy * pull
    for thing in things:
        dx, dy = moves[thing]
        length = max(sqrt(dx * dx + dy * dy), 1.0)
        step = min(length, most) / length
        spots[thing][0] += dx * step
        spots[thing][1] += dy * step
