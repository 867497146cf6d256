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
        dirty: Slot of the state rules (one bit each) that must be looked at.
        holders: Start of one slot for each thing: who holds it as a card; None if nobody asks.
    """

    size: int
    dirty: int
    holders: int | None = None

    def holder(self, layout: Layout) -> int:
        """The start of the holders, which are asked for from now on."""
        if self.holders is None:
            self.holders = self.size
            self.size += len(layout.kind_of)
        return self.holders


def first(layout: Layout) -> Derived:
    """The derived slots that there always are."""
    return Derived(size=layout.size + 1, dirty=layout.size)


def rebuild(derived: Derived, layout: Layout, slots: list[Any]) -> None:
    """Fill the derived slots of a state; adds them if they are not there yet."""
    del slots[layout.size :]
    slots.extend([None] * (derived.size - layout.size))
    slots[derived.dirty] = (1 << len(layout.program.state_rules)) - 1
    if derived.holders is not None:
        hold(derived.holders, layout, slots)


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
                    if card is not None:
                        slots[start + card] = player
