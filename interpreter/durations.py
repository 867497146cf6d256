"""Durations: changes and rules that end with a doing; shared by every engine, on the flat state.

A record in the slot ``durations`` is ``(serial, what, target, value, limits)``:

* ``ROW``: the row ``serial`` of lasting block ``target`` is in force until then (value None);
* ``VALUE``: slot ``target`` was written for a time, ``value`` is what returns;
* ``GAIN``: slot ``target`` gained ``value`` (below 0: lost), which is undone then.

A limit is ``(doing, values, start, bound)``: ``bound`` is the serial number of the open doing whose
end is meant, 0 as long as the next one called with these leading values is waited for. Any one of
several limits ends a duration.

A serial number is given to each tracked doing when it opens and to each record; the engine calls
:func:`opened` before the ``before`` rules of a tracked doing and :func:`closed` when its durations
end, and :func:`wrote` at each ordinary write of a slot that some ``until`` writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from interpreter.budget import LARGEST

if TYPE_CHECKING:
    from interpreter.layout import Layout, Slots

ROW: Final = 0
VALUE: Final = 1
GAIN: Final = 2

Limit = tuple[int, tuple[object, ...], bool, int]
Record = tuple[int, int, int, object, tuple[Limit, ...]]
Open = tuple[int, int, tuple[object, ...]]
Change = tuple[int, object, object]


def limit(
    slots: Slots, layout: Layout, doing: int, values: tuple[object, ...], *, start: bool
) -> Limit:
    """A limit as of now: bound to the innermost open doing called with ``values``, or waiting."""
    if not start:
        for serial, which, args in reversed(cast("tuple[Open, ...]", slots[layout.open])):
            if which == doing and args[: len(values)] == values:
                return doing, values, start, serial
    return doing, values, start, 0


def add_row(
    slots: Slots, layout: Layout, block: int, values: tuple[object, ...], limits: tuple[Limit, ...]
) -> None:
    """Put the rules of a block in force."""
    serial = _add(slots, layout, ROW, block, None, limits)
    rows = cast("tuple[object, ...]", slots[layout.rows + block])
    slots[layout.rows + block] = (*rows, (serial, values, False))


def use_row(slots: Slots, layout: Layout, block: int, serial: int) -> None:
    """Set the ``once`` mark of a row, if it is still in force."""
    rows = cast("tuple[tuple[int, tuple[object, ...], bool], ...]", slots[layout.rows + block])
    slots[layout.rows + block] = tuple(
        (number, values, used or number == serial) for number, values, used in rows
    )


def add_value(
    slots: Slots, layout: Layout, slot: int, old: object, limits: tuple[Limit, ...]
) -> None:
    """Note that ``slot`` is written for a time; ``old`` is its value before."""
    _add(slots, layout, VALUE, slot, old, limits)


def add_gain(
    slots: Slots, layout: Layout, slot: int, amount: int, limits: tuple[Limit, ...]
) -> None:
    """Note that ``slot`` gained ``amount`` (below 0: lost) for a time; 0 is not noted."""
    if amount:
        _add(slots, layout, GAIN, slot, amount, limits)


def wrote(slots: Slots, layout: Layout, slot: int) -> None:
    """Somebody wrote ``slot`` for good: no older temporary value of it returns."""
    records = cast("tuple[Record, ...]", slots[layout.durations])
    if any(record[1] == VALUE and record[2] == slot for record in records):
        slots[layout.durations] = tuple(
            record for record in records if record[1] != VALUE or record[2] != slot
        )


def opened(
    slots: Slots, layout: Layout, doing: int, args: tuple[object, ...]
) -> tuple[int, list[Change]]:
    """A tracked doing opens: what lasts until it begins is over, what waits for it is bound to it.

    Returns:
        Its serial number, and what changed: ``(slot, old, new)``.
    """
    over: set[int] = set()
    records = cast("tuple[Record, ...]", slots[layout.durations])
    for serial, _, _, _, limits in records:
        if any(
            start and which == doing and args[: len(values)] == values
            for which, values, start, _ in limits
        ):
            over.add(serial)
    changes = _finish(slots, layout, over)
    number = cast("int", slots[layout.serial]) + 1
    slots[layout.serial] = number
    records = cast("tuple[Record, ...]", slots[layout.durations])
    if records:
        slots[layout.durations] = tuple(
            (
                serial,
                what,
                target,
                value,
                tuple(
                    (which, values, start, number)
                    if not bound and not start and which == doing and args[: len(values)] == values
                    else (which, values, start, bound)
                    for which, values, start, bound in limits
                ),
            )
            for serial, what, target, value, limits in records
        )
    slots[layout.open] = (*cast("tuple[Open, ...]", slots[layout.open]), (number, doing, args))
    return number, changes


def closed(slots: Slots, layout: Layout, number: int) -> list[Change]:
    """The tracked doing with this serial number is over, and what lasted until its end.

    Returns:
        What changed: ``(slot, old, new)``.
    """
    records = cast("tuple[Record, ...]", slots[layout.durations])
    changes = _finish(
        slots,
        layout,
        {
            serial
            for serial, _, _, _, limits in records
            if any(bound == number for _, _, _, bound in limits)
        },
    )
    slots[layout.open] = tuple(
        each for each in cast("tuple[Open, ...]", slots[layout.open]) if each[0] != number
    )
    return changes


def _add(
    slots: Slots,
    layout: Layout,
    what: int,
    target: int,
    value: object,
    limits: tuple[Limit, ...],
) -> int:
    serial = cast("int", slots[layout.serial]) + 1
    slots[layout.serial] = serial
    records = cast("tuple[Record, ...]", slots[layout.durations])
    slots[layout.durations] = (*records, (serial, what, target, value, limits))
    return serial


def _finish(slots: Slots, layout: Layout, over: set[int]) -> list[Change]:
    """End the records with these serial numbers, oldest first."""
    changes: list[Change] = []
    for number in sorted(over):
        records = cast("tuple[Record, ...]", slots[layout.durations])
        record = next(each for each in records if each[0] == number)
        left = [each for each in records if each[0] != number]
        _, what, target, value, _ = record
        slot = layout.rows + target if what == ROW else target
        before = slots[slot]
        later = next(
            (
                place
                for place, each in enumerate(left)
                if each[0] > number and each[1] == VALUE and each[2] == target
            ),
            None,
        )
        if what == ROW:
            rows = cast("tuple[tuple[int, tuple[object, ...], bool], ...]", before)
            slots[slot] = tuple(row for row in rows if row[0] != number)
        elif later is not None:
            # A later temporary value lies on top: what changes is the value below it.
            below = left[later]
            under = value if what == VALUE else _less(layout, target, below[3], value)
            left[later] = (*below[:3], under, below[4])
        else:
            slots[slot] = value if what == VALUE else _less(layout, target, before, value)
        slots[layout.durations] = tuple(left)
        if slots[slot] != before:
            changes.append((slot, before, slots[slot]))
    return changes


def _less(layout: Layout, slot: int, value: object, amount: object) -> object:
    """``value - amount``, as far as the range of the slot allows."""
    if not isinstance(value, int) or not isinstance(amount, int):
        return value
    of = layout.type_at(slot)
    low = of.lo if of is not None and of.lo is not None else -LARGEST
    high = of.hi if of is not None and of.hi is not None else LARGEST
    return max(low, min(high, value - amount))
