"""Things that nobody can tell apart: one notion for choices, subsets and scripts.

Things of a kind whose things are only numbered are interchangeable when they are equal in place and
every field and no field, shown value or lasting rule names one of them. What a phase lends or keeps
is gone when it has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.layout import Layout, Slots
    from rulelang import ir


class Alike:
    """Finds interchangeable things in states of one layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        program = layout.program
        self._fields = tuple(
            tuple(each.index for each in program.fields if each.kind == kind)
            for kind in range(len(program.kinds))
        )
        self._running: dict[int, int] = {  # a lent field -> the slot that says whether it exists
            each.index: layout.global_slot(running)
            for each in program.fields
            if each.lent_by is not None
            and (running := program.doings[each.lent_by].running) is not None
        }
        self.kinds = frozenset(number for number, kind in enumerate(program.kinds) if kind.alike)
        self._keepers: dict[int, int] = {  # the slot of a kept value -> that of whether it exists
            layout.global_slot(each.index): layout.global_slot(running)
            for each in program.globals
            if each.phase is not None
            and (running := program.doings[each.phase].running) is not None
        }
        self._namers: dict[int, tuple[int, ...]] = {
            kind: self._slots_naming(kind) for kind in self.kinds
        }

    def concerns(self, of: ir.Type) -> bool:
        """Can values of this type be interchangeable at all?"""
        return of.shape == "thing" and not self.kinds.isdisjoint(of.kinds)

    def groups(
        self, slots: Slots, items: tuple[object, ...], of: ir.Type
    ) -> tuple[tuple[object, ...], ...]:
        """The items (of type ``of``) in groups of interchangeable ones, first members in order.

        Items that are no things, or of kinds with named things, are groups of one.
        """
        if not self.concerns(of):
            return tuple((item,) for item in items)
        layout = self._layout
        found: dict[object, list[object]] = {}
        named: dict[int, set[object]] = {}
        for item in items:
            key: object = (False, item)
            if isinstance(item, int) and (kind := layout.kind_of[item]) in self.kinds:
                if kind not in named:
                    named[kind] = self._named(slots, kind)
                if item not in named[kind]:
                    key = (True, kind, *self._look(slots, kind, item))
            found.setdefault(key, []).append(item)
        return tuple(tuple(group) for group in found.values())

    def _look(self, slots: Slots, kind: int, thing: int) -> tuple[object, ...]:
        """Everything that could set a thing apart by itself."""
        layout = self._layout
        values = [layout.where(slots, thing)]
        fields: list[object] = []
        for field in self._fields[kind]:
            declared = layout.program.fields[field]
            if field in self._running and not slots[self._running[field]]:
                continue  # what a phase lends is gone with it
            fields.extend(
                layout.read(slots, field, thing, declared.key_low + key)
                for key in range(declared.keys)
            )
        return (*values, *fields)

    def _slots_naming(self, kind: int) -> tuple[int, ...]:
        """Slots of fields and shown globals that can hold a thing of a kind; piles do not name."""
        layout = self._layout
        program = layout.program
        found: list[int] = []
        for declared in program.fields:
            if declared.pile or not _holds(declared.type, kind):
                continue
            owner = program.kinds[declared.kind]
            if layout.offsets[declared.index] is not None:
                start = layout.slot(declared.index, owner.base, declared.key_low)
                found.extend(range(start, start + owner.count * declared.keys))
        found.extend(
            layout.global_slot(each.index)
            for each in program.globals
            if each.shown and _holds(each.type, kind)
        )
        return tuple(found)

    def _named(self, slots: Slots, kind: int) -> set[object]:
        """The things of a kind that something names."""
        layout = self._layout
        named: set[object] = set()
        for slot in self._namers[kind]:
            if slot not in self._keepers or slots[self._keepers[slot]]:
                _add(named, slots[slot])
        for declared in layout.program.fields:
            if layout.offsets[declared.index] is None and _holds(declared.type, kind):
                _add(named, declared.values)
        for block in layout.program.blocks:
            rows = slots[layout.rows + block.index]
            if isinstance(rows, tuple):
                for _, values, _ in rows:
                    for of, value in zip(block.types, values, strict=True):
                        if _holds(of, kind):
                            _add(named, value)
        return named


def _holds(of: ir.Type, kind: int) -> bool:
    """Can a value of this type name a thing of the kind?"""
    if of.elem is not None:
        return _holds(of.elem, kind)
    return of.shape == "thing" and kind in of.kinds


def _add(named: set[object], value: object) -> None:
    if isinstance(value, tuple):
        for each in value:
            _add(named, each)
    elif value is not None:
        named.add(value)
