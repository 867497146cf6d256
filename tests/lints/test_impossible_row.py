"""Rows that nothing looks up."""

from __future__ import annotations

import pytest

from rulelang import api

GAME = """\
component Player:
    gold: 0.. = 0
    luck: 0..3 = 0
define D6 = 1..6
table booty(n: {type}):
{rows}
phase game:
    each player in Player:
        let die = roll D6 by player
        player gains up to 1 luck
        {line}
{more}
"""
ROWS = "0: 0\n1..4: 1\n5..6: 2\n7..10: 5"


def found(line: str, rows: str = ROWS, *, kind: str = "0..10", more: str = "") -> list[str]:
    """Give the keys that nothing looks up."""
    indented = "\n".join(f"    {row}" for row in rows.splitlines())
    text = GAME.format(type=kind, rows=indented, line=line, more=more)
    assert not [each for each in api.check_text(text) if each.is_error]
    return [each.span.text for each in api.check_text(text) if each.code == "L0102"]


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("player gains booty(die) gold", ["0", "7..10"]),
        ("player gains booty(die + player.luck) gold", ["0"]),
        ("player gains booty(die - 1) gold", ["7..10"]),
        ("player gains booty(max(die, 5) + 2) gold", ["0", "1..4", "5..6"]),
        ("if booty(die) > 1 and booty(9) > 3: player gains 1 gold", ["0"]),
        ("player gains booty(min(player.gold, 10)) gold", []),
        ("player gains booty(3) gold", []),
    ],
)
def test_rows_beyond_what_can_be_asked(line: str, keys: list[str]) -> None:
    """By the sides of the dice and the ranges of fields; written numbers alone say nothing."""
    assert found(line) == keys


def test_a_table_of_doings() -> None:
    """Its arguments count too, unless a rule changes them."""
    rows = ROWS.replace(": ", ": first(Player) gains ").replace("\n", " gold\n") + " gold"
    assert found("do booty(die)", rows) == ["0", "7..10"]
    change = "before booty(number): number becomes number + 2\n"
    assert found("do booty(die)", rows, more=change) == []


def test_a_variant_may_ask_for_more() -> None:
    """Then the row of the base is looked up."""
    more = 'variant lucky "Lucky" of snippet:\n    after game: first(Player) gains booty({}) gold\n'
    line = "player gains booty(die) gold"
    assert found(line, more=more.format("9")) == ["0"]
    assert found(line, more=more.format("5")) == ["0", "7..10"]


def test_a_key_that_its_row_has_already() -> None:
    """Once is enough."""
    line = "player gains booty(die) gold"
    assert found(line, "1..4 | 3: 1\n5 | 6: 2", kind="D6") == ["3"]
    assert found(line, "1..4: 1\n5 | 6: 2", kind="D6") == []
