"""Durations on a bare state: what returns, what lies on top, what is undone, whom limits name."""

from __future__ import annotations

from interpreter import durations
from interpreter.layout import Layout
from tests.unit.ir_samples import SAMPLES

LAYOUT = Layout(SAMPLES["durations"])
TURN = next(each.index for each in LAYOUT.program.doings if each.name == "turn")
LIMIT = next(each.index for each in LAYOUT.program.fields if each.name == "limit")
SLOT = LAYOUT.slot(LIMIT, 0)


def temporary(slots: list[object], value: object, limit: durations.Limit) -> None:
    old, slots[SLOT] = slots[SLOT], value
    durations.add_value(slots, LAYOUT, SLOT, old, (limit,))


def opened(slots: list[object], *args: object) -> int:
    return durations.opened(slots, LAYOUT, TURN, args)[0]


def limit(slots: list[object], *values: object, start: bool = False) -> durations.Limit:
    return durations.limit(slots, LAYOUT, TURN, values, start=start)


def test_the_old_value_returns() -> None:
    slots = LAYOUT.initial(1)
    turn = opened(slots, 0)
    temporary(slots, 9, limit(slots, 0))
    assert durations.closed(slots, LAYOUT, turn) == [(SLOT, 9, 3)]
    assert slots[LAYOUT.open] == slots[LAYOUT.durations] == ()


def test_what_was_written_since_stays() -> None:
    slots = LAYOUT.initial(1)
    turn = opened(slots, 0)
    temporary(slots, 9, limit(slots, 0))
    slots[SLOT] = 5
    durations.wrote(slots, LAYOUT, SLOT)
    assert durations.closed(slots, LAYOUT, turn) == []
    assert slots[SLOT] == 5


def test_an_old_value_goes_below_a_later_one() -> None:
    slots = LAYOUT.initial(1)
    outer = opened(slots, 0)
    inner = opened(slots, 1)
    temporary(slots, 9, limit(slots, 1))
    temporary(slots, 12, limit(slots, 0))
    durations.closed(slots, LAYOUT, inner)
    assert slots[SLOT] == 12
    durations.closed(slots, LAYOUT, outer)
    assert slots[SLOT] == 3


def test_a_gain_is_undone_within_the_range_and_below_later_values() -> None:
    slots = LAYOUT.initial(1)
    turn = opened(slots, 0)
    slots[SLOT] = 8
    durations.add_gain(slots, LAYOUT, SLOT, 5, (limit(slots, 0),))
    slots[SLOT] = 2
    durations.closed(slots, LAYOUT, turn)
    assert slots[SLOT] == 0
    outer, inner = opened(slots, 1), opened(slots, 0)
    slots[SLOT] = 4
    durations.add_gain(slots, LAYOUT, SLOT, 4, (limit(slots, 0),))
    temporary(slots, 20, limit(slots, 1))
    durations.closed(slots, LAYOUT, inner)
    assert slots[SLOT] == 20
    durations.closed(slots, LAYOUT, outer)
    assert slots[SLOT] == 0


def test_a_limit_means_the_innermost_open_doing_of_these_values_or_the_next() -> None:
    slots = LAYOUT.initial(1)
    other = opened(slots, 1)
    temporary(slots, 9, limit(slots, 0))
    durations.closed(slots, LAYOUT, other)
    assert slots[SLOT] == 9, "another one's turn"
    mine = opened(slots, 0)
    assert slots[SLOT] == 9
    durations.closed(slots, LAYOUT, mine)
    assert slots[SLOT] == 3


def test_until_a_doing_begins_means_the_next_one() -> None:
    slots = LAYOUT.initial(1)
    mine = opened(slots, 0)
    temporary(slots, 9, limit(slots, 0, start=True))
    durations.closed(slots, LAYOUT, mine)
    opened(slots, 1)
    assert slots[SLOT] == 9
    _, changes = durations.opened(slots, LAYOUT, TURN, (0,))
    assert changes == [(SLOT, 9, 3)]


def test_rows_are_in_force_until_one_of_their_limits() -> None:
    slots = LAYOUT.initial(1)
    turn = opened(slots, 0)
    limits = (limit(slots, 1), limit(slots, 0))
    durations.add_row(slots, LAYOUT, 0, (0, 2), limits)
    durations.add_row(slots, LAYOUT, 0, (1, 2), (limit(slots, 1),))
    rows = slots[LAYOUT.rows]
    assert isinstance(rows, tuple)
    durations.use_row(slots, LAYOUT, 0, rows[0][0])
    assert [row[1:] for row in slots[LAYOUT.rows]] == [((0, 2), True), ((1, 2), False)]  # type: ignore[attr-defined]
    durations.closed(slots, LAYOUT, turn)
    assert [row[1] for row in slots[LAYOUT.rows]] == [(1, 2)]  # type: ignore[attr-defined]
