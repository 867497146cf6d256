"""The worlds that a seat may be in: states that it cannot tell from the true one, at its decision.

All of them are dealt from one state that is the same whatever the seat does not see, so what is worked out from them
depends on nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiling.analysis import walk
from interpreter.errors import EngineError
from interpreter.search.sealed import Opened, opened
from interpreter.sight.observation import ints
from interpreter.sight.redeal import Redealer
from rulelang.ir import Local

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.decision import Below
    from interpreter.layout import Layout
    from interpreter.machine import Match
    from rulelang import ir

SEEDS = 1 << 32


class Worlds:
    """Deals worlds for the seat that is asked.

    Attributes:
        own: What the seat has answered before in an open round of sealed answers, by decision.

    Args:
        match: Waits for the seat; it is not changed.
        known: Of things that are not seen, what is known all the same; see `interpreter.search.backs`.

    Raises:
        LookupError: What others have sealed cannot be left open.
    """

    def __init__(self, match: Match, known: Mapping[int, object] | None = None) -> None:
        decision = match.pending
        if decision is None:
            raise LookupError("nothing is asked")
        self.seat = decision.seat
        self._match = match.bare()
        found = opened(self._match)
        self.own: Mapping[int, object] = {} if found is None else found.own
        self._start = found or Opened(self._match.frames, self._match.state(), {})
        named = set(_named(self._match, self._start.frames))
        if found is None:
            named.update(ints(decision.options.groups))
        dealer = Redealer(match.layout, known=known)
        slots = self._start.slots
        for slot in match.layout.streams.values():
            slots[slot] = None
        deal = dealer.prepare(slots, (self.seat,), named).settled()
        self._deal = attrs.evolve(deal, slots=self._match.derived(deal.slots))
        layout = match.layout
        piles = [number for group in deal.piles for number in group]
        things = [each for group in deal.classes for each in group]
        things += [
            each for number in piles for each in layout.read_tuple(slots, *layout.piles[number])
        ]
        fields = [layout.field_at(slot) for hidden, _ in deal.values for slot in hidden[:1]]
        self._kinds = frozenset(
            [layout.kind_of[each] for each in things] + [each[0].kind for each in fields if each]
        )

    def deal(self, below: Below) -> Match | None:
        """A world that waits where this round of answers began, else at the decision; None if it is impossible."""
        slots = self._deal.deal(below)
        try:
            return self._match.dealt(slots, self._start.frames, below(SEEDS), self._kinds)
        except EngineError:
            return None


def _named(match: Match, frames: tuple[Any, ...]) -> Iterator[int]:
    """Numbers of things that a name may stand for in a doing that is open."""
    masked = match.masked()
    for number, point, *values in frames:
        doing, points = match.points(number)
        types = _types(match.layout).get(doing, {})
        for name, value in zip(points[point - 1].names, values, strict=True):
            of = types.get(name)
            if of is None or _holds_things(of):
                yield from ints(value)
                kinds = _kinds(of) if of is not None else tuple(masked)
                for each in ints(value):
                    for kind in kinds:
                        first = masked.get(kind)
                        if first is not None and (of is None or of.shape == "set"):
                            bits = range(match.program.kinds[kind].count)
                            yield from (first + bit for bit in bits if each >> bit & 1)


@lru_cache(maxsize=64)
def _types(layout: Layout) -> dict[int, dict[str, ir.Type]]:
    """The types of the names of each doing, as far as lines read them."""
    return {
        doing.index: {each.name: each.type for each in walk((doing,)) if isinstance(each, Local)}
        for doing in layout.program.doings
    }


def _holds_things(of: ir.Type) -> bool:
    return bool(_kinds(of))


def _kinds(of: ir.Type) -> tuple[int, ...]:
    if of.elem is not None:
        return _kinds(of.elem)
    return of.kinds if of.shape == "thing" else ()
