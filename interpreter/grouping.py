"""Finding interchangeable things quickly: the notion of :mod:`interpreter.alike`, prepared.

What a look at each thing needs is worked out once for a layout, so that grouping the few things on
offer costs a few lookups each.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from interpreter.alike import Alike, _add, _holds

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.layout import Layout, Slots
    from rulelang import ir

Items = tuple[Any, ...]


class Grouper:
    """Groups things as :meth:`Alike.groups` does."""

    def __init__(self, layout: Layout, alike: Alike) -> None:
        self._layout = layout
        self._alike = alike
        self._looks: dict[tuple[int, Items], Callable[[Slots], Any]] = {}
        self._lenders: dict[int, tuple[int, ...]] = {}
        self._data: dict[int, Items] = {}
        self._kind_of = layout.kind_of
        self._named: dict[int, frozenset[object]] = {}
        self._slots: dict[int, tuple[tuple[int, int | None], ...]] = {}
        self._rows: dict[int, list[tuple[int, list[int]]]] = {}
        for kind in alike.kinds:
            self._prepare(kind)

    def _prepare(self, kind: int) -> None:
        layout = self._layout
        program = layout.program
        declared = program.kinds[kind]
        own = [field for field in program.fields if field.kind == kind]
        for thing in range(declared.base, declared.base + declared.count):
            data: list[object] = [kind]
            for field in own:
                if layout.offsets[field.index] is None:
                    data.extend(
                        layout.read([], field.index, thing, field.key_low + key)
                        for key in range(field.keys)
                    )
            self._data[thing] = tuple(data)
        running = self._alike._running  # noqa: SLF001 - one notion, two speeds
        self._lenders[kind] = tuple(
            sorted({running[field.index] for field in own if field.index in running})
        )
        named: set[object] = set()
        for field in program.fields:
            if layout.offsets[field.index] is None and _holds(field.type, kind):
                _add(named, field.values)
        self._named[kind] = frozenset(named)
        keepers = self._alike._keepers  # noqa: SLF001 - one notion, two speeds
        self._slots[kind] = tuple(
            (slot, keepers.get(slot))
            for slot in self._alike._slots_naming(kind)  # noqa: SLF001
        )
        self._rows[kind] = [
            (layout.rows + block.index, places)
            for block in program.blocks
            if (places := [n for n, of in enumerate(block.types) if _holds(of, kind)])
        ]

    def _look(self, kind: int, thing: int, over: Items) -> Callable[[Slots], Any]:
        """What reads all that can set a thing apart; ``over``: the lending phases that are over."""
        layout = self._layout
        offset = layout.positions[kind]
        slots = [] if offset is None else [offset + thing]
        for field in layout.program.fields:
            lender = self._alike._running.get(field.index)  # noqa: SLF001
            if (
                field.kind == kind
                and layout.offsets[field.index] is not None
                and lender not in over
            ):
                slots.extend(
                    layout.slot(field.index, thing, field.key_low + key)
                    for key in range(field.keys)
                )
        look = itemgetter(*slots) if slots else _nothing
        self._looks[thing, over] = look
        return look

    def groups(self, slots: Slots, items: Items, of: ir.Type) -> tuple[Items, ...]:
        """The items in groups of interchangeable ones, first members in order."""
        if not self._alike.concerns(of):
            return tuple([(item,) for item in items])
        found: dict[Any, list[Any]] = {}
        named: dict[int, set[object]] = {}
        over: dict[int, Items] = {}
        kind_of, looks, data = self._kind_of, self._looks, self._data
        for item in items:
            key: Any = item
            if item in data:
                kind = kind_of[item]
                if kind not in named:
                    named[kind] = self._named_now(slots, kind)
                    over[kind] = tuple([at for at in self._lenders[kind] if not slots[at]])
                if item not in named[kind]:
                    look = looks.get((item, over[kind])) or self._look(kind, item, over[kind])
                    key = (data[item], look(slots))
            if key in found:
                found[key].append(item)
            else:
                found[key] = [item]
        return tuple([tuple(group) for group in found.values()])

    def _named_now(self, slots: Slots, kind: int) -> set[object]:
        named = set(self._named[kind])
        for slot, keeper in self._slots[kind]:
            held = slots[slot]
            if held is not None and (keeper is None or slots[keeper]):
                _add(named, held)
        for at, places in self._rows[kind]:
            rows: Any = slots[at]
            for _, values, _ in rows:
                for place in places:
                    _add(named, values[place])
        return named


def _nothing(slots: Slots) -> None:
    del slots
