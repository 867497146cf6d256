"""Maps: what moving from thing to thing costs, as generated code asks for it.

Every function takes the state, the definition that gives the cost of one move, its leading arguments,
the first and last thing of the kind, a dictionary that remembers (None if the costs can change), the
start, and what else it needs.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from interpreter.budget import LARGEST
from interpreter.faultcodes import RANGE_LEFT
from interpreter.runtime import fault, need

if TYPE_CHECKING:
    from collections.abc import Callable

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


def _costs(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
) -> dict[int, int]:
    """The cost of the cheapest way to everything that can be reached."""
    costs = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, here = heapq.heappop(queue)
        if so_far > costs[here]:
            continue
        for there, step in _moves(state, cost, prefix, bounds, known, here).items():
            if so_far + step < costs.get(there, LARGEST):
                costs[there] = so_far + step
                heapq.heappush(queue, (so_far + step, there))
    return costs


def _step(cost: int | None) -> int | None:
    if cost is not None and cost < 0:
        fault("a move on a map costs less than 0", code=RANGE_LEFT)
    return cost


def _remembered(
    state: list[Any],
    cost: Callable[..., int | None],
    prefix: Items,
    bounds: tuple[int, int],
    known: dict[Items, Any] | None,
    start: int,
) -> dict[int, int]:
    need(start)
    if known is None:
        return _costs(state, cost, prefix, bounds, None, start)
    key = (*prefix, start)
    found = known.get(key)
    if found is None:
        found = known[key] = _costs(state, cost, prefix, bounds, known, start)
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
    costs = _remembered(state, cost, prefix, bounds, known, start)
    return None if other is None else costs.get(other)


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
    if known is not None and (found := known.get((*prefix, start, other))) is not None:
        return found  # type: ignore[no-any-return]
    costs = _remembered(state, cost, prefix, bounds, known, start)
    need(other)
    reached = tuple(sorted(there for there, way in costs.items() if way <= other))
    if known is not None:
        known[*prefix, start, other] = reached
    return reached


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
    costs = _remembered(state, cost, prefix, bounds, known, start)
    reached = [there for there in need(other) if there in costs]
    least = min([costs[there] for there in reached], default=0)
    return tuple([there for there in reached if costs[there] == least])


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
