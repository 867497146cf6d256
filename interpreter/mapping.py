"""Maps: what moving from thing to thing costs, as generated code asks for it.

Every function takes the state, the definition that gives the cost of one move, its leading arguments,
the first and last thing of the kind, a dictionary that remembers (None if the costs can change), the
start, and what else it needs.
"""

from __future__ import annotations

import heapq
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from interpreter.budget import LARGEST
from interpreter.faultcodes import RANGE_LEFT
from interpreter.runtime import fault, need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Items = tuple[Any, ...]


def _moves(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    here: int,
) -> dict[int, int]:
    """What each single move from a place costs."""
    key = (*prefix, here, "moves")
    found = None if known is None else known.get(key)
    if found is None:
        found = {}
        for there in range(bounds[0], bounds[1] + 1):
            step = _step(cost(state, *prefix, here, there)) if there != here else None
            if step is not None:
                found[there] = step
        if known is not None:
            known[key] = found
    return found


def _ways(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
) -> Iterator[tuple[int, int]]:
    """Everything that can be reached with the cost of the cheapest way there, the nearest first.

    Nothing is looked at beyond what the caller takes: costs that can change are found anew each time.
    """
    costs = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, here = heapq.heappop(queue)
        if so_far > costs[here]:
            continue
        yield here, so_far
        for there, step in _moves(state, cost, prefix, bounds, known, here).items():
            if so_far + step < costs.get(there, LARGEST):
                costs[there] = so_far + step
                heapq.heappush(queue, (so_far + step, there))


def _step(cost: int | None) -> int | None:
    if cost is not None and cost < 0:
        fault("a move on a map costs less than 0", code=RANGE_LEFT)
    return cost


def _remembered(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any],
    start: int,
) -> dict[int, int]:
    key = (*prefix, start)
    found = known.get(key)
    if found is None:
        found = known[key] = dict(_ways(state, cost, prefix, bounds, known, start))
    return found


def map_distance(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
    other: int | None,
) -> int | None:
    """What the cheapest way costs; None if there is none."""
    need(start)
    if other is None:
        return None
    if known is not None:
        return _remembered(state, cost, prefix, bounds, known, start).get(other)
    ways = _ways(state, cost, prefix, bounds, None, start)
    return next((way for there, way in ways if there == other), None)


def map_within(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
    other: int,
) -> Items:
    """Everything at most so far away."""
    need(start)
    need(other)
    if known is None:
        ways = _ways(state, cost, prefix, bounds, None, start)
        return tuple(sorted(there for there, _ in takewhile(lambda way: way[1] <= other, ways)))
    found = known.get((*prefix, start, other))
    if found is None:
        costs = _remembered(state, cost, prefix, bounds, known, start)
        found = tuple(sorted(there for there, way in costs.items() if way <= other))
        known[*prefix, start, other] = found
    return found


def map_nearest(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
    other: Items,
) -> Items:
    """Those of ``other`` at least distance."""
    need(start)
    wanted = frozenset(need(other))
    if known is not None:
        costs = _remembered(state, cost, prefix, bounds, known, start)
        least = min([costs[there] for there in wanted if there in costs], default=0)
        return tuple([there for there in other if costs.get(there) == least])
    nearest: set[int] = set()
    least = LARGEST
    for there, way in _ways(state, cost, prefix, bounds, None, start):
        if way > least:
            break
        if there in wanted:
            least = way
            nearest.add(there)
    return tuple([there for there in other if there in nearest])


def map_neighbours(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
    other: None,
) -> Items:
    """Everything one move away."""
    del other
    need(start)
    return tuple(_moves(state, cost, prefix, bounds, known, start))


class Ways(dict[Any, Any]):
    """What is remembered of a map whose costs never change.

    Under a thing are the costs of the ways from there, under a thing and a number what is at most so
    far away; both are found when they are first asked for. The functions of this module keep more.

    Args:
        bounds: First and last thing of the kind.
    """

    cost: Callable[..., int | None]

    def __init__(self, bounds: tuple[int, int]) -> None:
        super().__init__()
        self._bounds = bounds

    def __missing__(self, key: Any) -> object:  # noqa: ANN401 - a thing, or a pair
        """Find what is asked for."""
        if isinstance(key, tuple):
            return map_within([], self.cost, (), self._bounds, self, *key)
        found = self[key] = _remembered([], self.cost, (), self._bounds, self, key)
        return found


FUNCTIONS: dict[str, object] = {
    function.__name__: function
    for function in (map_distance, map_within, map_nearest, map_neighbours)
}
