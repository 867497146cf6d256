"""Slots that follow from the others: never saved, made again when a state is read.

They stand behind the slots of :class:`interpreter.layout.Layout`. Which ones there are depends on
what generated code asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from interpreter.layout import Layout


@attrs.define
class Derived:
    """Which derived slots a generated module uses.

    Attributes:
        size: Number of all slots, derived ones included.
        dirty: Slot of the state rules (one bit each) that must be looked at; the one behind it is
            written where there is nothing to write, and never read.
        holders: Start of one slot for each thing: who holds it as a card; None if nobody asks.
        places: For a kind: the number so that the mask of its things at a place is in slot
            ``number + place``; the slot of the mask of all that have a place; for each kind of
            place the slot of the mask of those at one.
        flags: For a mutable Flag the slot of the mask of the things for which it is yes.
    """

    size: int
    dirty: int
    holders: int | None = None
    places: dict[int, tuple[int, int, dict[int, int]]] = attrs.Factory(dict)
    flags: dict[int, int] = attrs.Factory(dict)

    def holder(self, layout: Layout) -> int:
        """The start of the holders, which are asked for from now on."""
        if self.holders is None:
            self.holders = self.size
            self.size += len(layout.kind_of)
        return self.holders

    def place(self, layout: Layout, kind: int) -> tuple[int, int, dict[int, int]]:
        """The masks of where the things of a kind are, which are kept from now on."""
        if kind not in self.places:
            field = layout.program.kinds[kind].place
            assert field is not None  # noqa: S101 - only asked for kinds that have a place
            kinds = layout.program.fields[field].type.kinds
            lowest = min(layout.program.kinds[each].base for each in kinds)
            highest = max(
                layout.program.kinds[each].base + layout.program.kinds[each].count for each in kinds
            )
            start = self.size - lowest
            self.size += highest - lowest
            placed = self.size
            self.size += 1
            at_kind: dict[int, int] = {}
            for each in kinds:
                at_kind[each] = self.size
                self.size += 1
            self.places[kind] = (start, placed, at_kind)
        return self.places[kind]

    def more(self) -> int:
        """One more slot."""
        self.size += 1
        return self.size - 1

    def flag(self, field: int) -> int:
        """The mask of a Flag, which is kept from now on."""
        if field not in self.flags:
            self.flags[field] = self.size
            self.size += 1
        return self.flags[field]


def first(layout: Layout) -> Derived:
    """The derived slots that there always are."""
    return Derived(size=layout.size + 2, dirty=layout.size)


def rebuild(derived: Derived, layout: Layout, slots: list[Any]) -> None:
    """Fill the derived slots of a state; adds them if they are not there yet."""
    del slots[layout.size :]
    slots.extend([None] * (derived.size - layout.size))
    slots[derived.dirty + 1] = 0
    slots[derived.dirty] = (1 << len(layout.program.state_rules)) - 1
    if derived.holders is not None:
        hold(derived.holders, layout, slots)
    for kind in derived.places:
        place(derived, layout, slots, kind)
    for field in derived.flags:
        flag(derived, layout, slots, field)


def refresh(derived: Derived, layout: Layout, slots: list[Any], kinds: frozenset[int]) -> None:
    """Fill the derived slots of a state that were right before things of these kinds were changed."""
    slots[derived.dirty + 1] = 0
    slots[derived.dirty] = (1 << len(layout.program.state_rules)) - 1
    if derived.holders is not None:
        hold(derived.holders, layout, slots)
    for kind in derived.places:
        if kind in kinds:
            place(derived, layout, slots, kind)
    for field in derived.flags:
        if layout.program.fields[field].kind in kinds:
            flag(derived, layout, slots, field)


def place(derived: Derived, layout: Layout, slots: list[Any], kind: int) -> None:
    """Find out where the things of a kind are."""
    start, placed, at_kind = derived.places[kind]
    declared = layout.program.kinds[kind]
    for each in at_kind:
        other = layout.program.kinds[each]
        slots[start + other.base : start + other.base + other.count] = [0] * other.count
        slots[at_kind[each]] = 0
    slots[placed] = 0
    for number in range(declared.count):
        where = layout.where(slots, declared.base + number)[1]
        if where is not None:
            slots[start + where] |= 1 << number
            slots[placed] |= 1 << number
            slots[at_kind[layout.kind_of[where]]] |= 1 << number


def flag(derived: Derived, layout: Layout, slots: list[Any], field: int) -> None:
    """Find out for which things a Flag is yes."""
    kind = layout.program.kinds[layout.program.fields[field].kind]
    slots[derived.flags[field]] = sum(
        bool(layout.read(slots, field, kind.base + number)) << number
        for number in range(kind.count)
    )


def acting_slots(layout: Layout, kind: int) -> list[tuple[int, int]]:
    """The slots in which a card of a kind can be in force, each with who then holds it."""
    program = layout.program
    seats = program.kinds[0]
    found: list[tuple[int, int]] = []
    for field in program.fields:
        of = field.type.elem or field.type
        if not field.acts or kind not in of.kinds or layout.offsets[field.index] is None:
            continue
        owners = program.kinds[field.kind]
        for owner in range(owners.base, owners.base + owners.count):
            player = owner
            if field.acts == "left" and seats.base <= owner < seats.base + seats.count:
                player = seats.base + (owner - seats.base + 1) % seats.count
            found.extend(
                (layout.slot(field.index, owner, field.key_low + key), player)
                for key in range(field.keys)
            )
    return found


def hold(start: int, layout: Layout, slots: list[Any]) -> None:
    """Find out who holds which card."""
    count = len(layout.kind_of)
    slots[start : start + count] = [None] * count
    program = layout.program
    seats = program.kinds[0]
    for field in reversed(program.fields):
        if not field.acts:
            continue
        kind = program.kinds[field.kind]
        for owner in range(kind.base + kind.count - 1, kind.base - 1, -1):
            player = owner
            if field.acts == "left" and seats.base <= owner < seats.base + seats.count:
                player = seats.base + (owner - seats.base + 1) % seats.count
            for key in range(field.keys):
                held = layout.read(slots, field.index, owner, field.key_low + key)
                for card in held if isinstance(held, tuple) else (held,):
                    if isinstance(card, int):
                        slots[start + card] = player
