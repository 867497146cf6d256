"""Defaults and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.binder.conftest import Binder

SYMBOLS = "define Symbol = LR, CQ, REP, plus_2\n"


@pytest.mark.parametrize(
    ("declared", "values"),
    [
        ("1.. = 2 * (3 + 4) - 10 / 3", 11),
        ("Flag = yes", True),
        ("Colour = blue", 1),
        ("Colour = Colour.blue", 1),
        ("Colour or none = none", None),
        ("set of Colour = {blue, red}", (0, 1)),
        ("set of Colour = Colour - {red}", (1, 2)),
        ("list of Colour = (blue, red, blue)", (1, 0, 1)),
        ("set of Number = 2..4", (2, 3, 4)),
        ("bag of Colour = {red, red} + 2 * {green}", (2, 0, 2)),
        ("bag of Colour = {red} - {red, blue}", (0, 0, 0)),
        ("bag of Colour", (0, 0, 0)),
        ("set of Colour = {}", ()),
        ("set of Colour = none", ()),
        ("Card = ace", 3),
        ("set of Card = Card - {ace}", (4, 5)),
        ("pile of Card = Card", (3, 4, 5)),
        ("pile of Card = (joker, ace)", (5, 3)),
        ("Board = board", 2),
    ],
)
def test_constants(bound: Binder, declared: str, values: object) -> None:
    """A default is any constant of the type."""
    text = (
        f"define Colour = red, blue, green\ncomponent Hand (1):\n    x: {declared}\n"
        'component Board (1)\ncomponent Card from "cards.csv"\n'
    )
    result = bound(text, {"cards.csv": "id\nace\nking\njoker\n"}, seats=1)
    assert not result.found
    assert result.values("Hand", "x") == (values,)


@pytest.mark.parametrize(
    ("declared", "number"),
    [
        ("1..3 = 4", 22),
        ("1..3 = none", 24),
        ("1..3 = yes", 14),
        ("1..3 = best", 14),
        ("1..3 = 4 / 0", 22),
        ("Colour = rde", 5),
        ("Card = acee", 5),
        ("Card = Card", 14),
        ("set of Card = ace", 14),
        ("set of Card = {ace, 1}", 14),
        ("Number = count(Card)", 14),
        ("bag of Colour = 3", 14),
        ("Flag = no, hiden", 3),
        ("Flag = no, hidden, seen by owner", 3),
        ("Number = each (1, 2, 3)", 14),
        ('Number from "size"', 18),
    ],
)
def test_wrong_defaults(bound: Binder, declared: str, number: int) -> None:
    """Each mistake is reported once, under its code."""
    text = (
        f"define Colour = red, blue\ndefine best = 3\ncomponent Hand (2):\n    x: {declared}\n"
        'component Card from "cards.csv"\n'
    )
    result = bound(text, {"cards.csv": "id\nace\nking\n"})
    assert result.numbers == [number]


def test_each_gives_one_value_a_copy(bound: Binder) -> None:
    """For all copies, or for the copies of each owner."""
    text = (
        "component Chest (3):\n    size: 1..3 = each (1, 2, 3)\n"
        "component Marker (2 each Player):\n    worth: Number = each (5, 7)\n"
    )
    result = bound(text, seats=2)
    assert result.values("Chest", "size") == (1, 2, 3)
    assert result.values("Marker", "worth") == (5, 7, 5, 7)


def test_two_piles_cannot_hold_one_thing(bound: Binder) -> None:
    """Every component begins in one place."""
    text = "component Board (1):\n    a, b: pile of Card = Card\ncomponent Card (2)\n"
    assert bound(text).numbers == [28]


@pytest.mark.parametrize(
    ("declared", "cell", "value"),
    [
        ("0..9", "7", 7),
        ("Number", "-3", -3),
        ("0..9 or none", "", None),
        ("0..9 = 4", "", 4),
        ("Flag", "no", False),
        ("Symbol", "plus_2", 3),
        ("Text", "any thing", "any thing"),
        ("Text", "", ""),
        ("bag of Symbol", "LR1+CQ2", (1, 2, 0, 0)),
        ("bag of Symbol", "LR:plus_2", (1, 0, 0, 1)),
        ("bag of Symbol", "REP-1", (0, 0, -1, 0)),
        ("list of bag of Symbol", "LR/CQ2+LR", ((1, 0, 0, 0), (1, 2, 0, 0))),
        ("list of Symbol", "CQ/LR/CQ", (1, 0, 1)),
        ("list of Symbol", "", ()),
        ("set of Symbol", "CQ; LR", (0, 1)),
        ("set of Symbol", "CQ/LR", (0, 1)),
        ("Card", "two", 2),
        ("set of Card", "two one", (1, 2)),
    ],
)
def test_cells(bound: Binder, declared: str, cell: str, value: object) -> None:
    """A cell is read by the type of its field."""
    text = f'{SYMBOLS}component Card from "cards.csv":\n    x: {declared}\n'
    result = bound(text, {"cards.csv": f'id,x\none,"{cell}"\ntwo,"{cell}"\n'}, seats=1)
    assert not result.found
    assert result.values("Card", "x") == (value, value)


@pytest.mark.parametrize(
    ("declared", "cell", "legal", "near"),
    [
        ("0..9", "ten", "0..9", None),
        ("0..9", "10", "0..9", None),
        ("0..9", "", "0..9", None),
        ("Flag", "true", "`yes` or `no`", None),
        ("Symbol", "plus2", "`LR`, `CQ`", "`plus_2`"),
        ("bag of Symbol", "LR1+plus_3", "`LR`, `CQ`", "`plus_2`"),
        ("Card", "secnod", "the id of a Card", "`second`"),
        ("set of Card", "one seconb", "the id of a Card", "`second`"),
    ],
)
def test_wrong_cells(bound: Binder, declared: str, cell: str, legal: str, near: str | None) -> None:
    """The finding stands at the cell, says what is legal and what is near."""
    text = f'{SYMBOLS}component Card from "cards.csv":\n    x: {declared}\n'
    result = bound(text, {"cards.csv": f"id,x\none,{cell}\nsecond,{cell}\n"})
    assert result.numbers == [19, 19]
    first = result.found[0]
    assert str(first.span) == "cards.csv:2:5"
    assert first.primary.text == "row 2, column `x` of `cards.csv`"
    assert any(legal in note for note in first.notes)
    assert near is None or (first.help is not None and near in first.help)
    assert first.secondary[0].span.text == declared


def test_one_column_for_each_word(bound: Binder) -> None:
    """`#` stands for the word."""
    text = (
        'define D2 = 1..2\ncomponent Row from "r.csv":\n    prize: 0.. by D2 from "prize_#"\n'
        "    used: Flag by D2 = no\n"
    )
    result = bound(text, {"r.csv": "id,prize_1,prize_2\na,3,4\nb,5,6\n"})
    assert not result.found
    prize = result.field("Row", "prize")
    assert (prize.values, prize.keys, prize.key_low) == ((3, 4, 5, 6), 2, 1)
    assert result.values("Row", "used") == (False, False, False, False)


def test_a_set_from_several_columns(bound: Binder) -> None:
    """`from a and b`, with one of them empty."""
    text = 'component Row from "r.csv":\n    near: set of Row from a and b\n'
    result = bound(text, {"r.csv": "id,a,b\none,two,one\ntwo,,one\n"}, seats=1)
    assert result.values("Row", "near") == ((1, 2), (1,))


@pytest.mark.parametrize(
    ("field", "number"),
    [
        ("x: Number", 18),
        ("x: Number from prise", 18),
        ("x: Number by D2 from prize_1", 18),
        ('x: Number by D2 from "cost_#"', 18),
        ("x: Number from prize_1 and prize_2", 14),
    ],
)
def test_columns_that_are_not_there(bound: Binder, field: str, number: int) -> None:
    """A field names columns that exist."""
    text = f'define D2 = 1..2\ncomponent Row from "r.csv":\n    {field}\n    p: 0.. by D2 from "prize_#"\n'
    assert bound(text, {"r.csv": "id,prize_1,prize_2\na,3,4\n"}).numbers == [number]


def test_a_column_that_one_file_lacks(bound: Binder) -> None:
    """Its default stands there, or nothing."""
    text = 'component Row from "a.csv" and "b.csv":\n    x: Number or none\n    y: Number = 9\n'
    result = bound(text, {"a.csv": "id,x\none,1\n", "b.csv": "id,y\ntwo,2\n"})
    assert not result.found
    assert result.values("Row", "x") == (1, None)
    assert result.values("Row", "y") == (9, 2)


def test_unread_columns_are_warned_of_where_they_stand(bound: Binder) -> None:
    """Once for a file, and not if a Text field reads them."""
    text = 'component Row from "r.csv":\n    note: Text\n'
    result = bound(text, {"r.csv": "id,name,note,weight\na,A,n,3\n"})
    assert result.numbers == [21]
    assert str(result.found[0].span) == "r.csv:1:14"
    assert not result.errors
    assert result.tables.unread_columns == [("r.csv", "weight")]
