"""Enumerations, unions, types and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang import ir

if TYPE_CHECKING:
    from tests.binder.conftest import Binder


def test_numbers_are_a_numeric_enumeration(bound: Binder) -> None:
    """`1..6` makes an enumeration whose type is a range."""
    tables = bound("define D6 = 1..6\n").tables
    assert tables.enums == [ir.Enum("D6", ("1", "2", "3", "4", "5", "6"), numeric=True, low=1)]
    assert tables.type_names["D6"] == ir.Type("number", lo=1, hi=6, enum=0)


def test_words_and_numbers_mixed_are_words(bound: Binder) -> None:
    """A die with a symbol beside numbers has words only."""
    tables = bound("define Die = 1..2, star\n").tables
    assert tables.enums == [ir.Enum("Die", ("1", "2", "star"))]
    assert tables.words["star"] == [(0, 2)]


def test_kinds_make_a_union_whatever_the_order(bound: Binder) -> None:
    """A union may name kinds and unions that are declared below it."""
    text = "define All = Both, Ship\ndefine Both = Port, Sea\n"
    text += "component Port (2)\ncomponent Sea (1)\ncomponent Ship (1)\n"
    result = bound(text)
    assert not result.found
    assert result.tables.type_names["All"] == ir.Type("thing", kinds=(1, 2, 3))
    assert result.tables.type_by_name("other_both") == ir.Type("thing", kinds=(1, 2))


def test_inline_words_make_an_enumeration_of_the_option(bound: Binder) -> None:
    """`a or b` as the type of an option."""
    tables = bound('option tie: shared or broken = broken "Ties"\n').tables
    assert tables.enums == [ir.Enum("tie", ("shared", "broken"))]
    (option,) = tables.options
    assert (option.name, option.default, option.text) == ("tie", 1, "Ties")
    assert "tie" not in tables.type_names
    assert tables.words["broken"] == [(0, 1)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("define Colour = red, red\n", 13),
        ("define Colour = red, box\n", 13),
        ("define Die = 6..1\n", 22),
        ("component Port (1)\ndefine Port = a, b\n", 13),
        ("component Port (1)\ndefine Place = Port, Prot\n", 5),
        ("component Port (1)\ndefine Place = Port, b\n", 13),
        ("component Port (1):\n    size: Nmber = 1\n", 5),
        ("component Port (1):\n    size: 3..1 = 1\n", 22),
        ("component Port (1):\n    size: Number or Port = 1\n", 14),
        ("component Port (1):\n    size: bag of Port\n", 14),
        ("component Port (1):\n    size: pile of Number\n", 14),
        ("component Port (1):\n    size: Number by Port = 1\n", 5),
        ("option size: 1..3 = 4\n", 22),
        ("option size: 1..3 = big\n", 5),
        ("option size: small or big = bg\n", 5),
        ("option fast: Flag = 1\n", 14),
        ("option a: 1..3 = 1\noption b: 1..3 = a\n", 14),
    ],
)
def test_reported(bound: Binder, text: str, number: int) -> None:
    """Each mistake is reported once, under its code."""
    assert bound(text).numbers == [number]


def test_numeric_type_keeps_its_enumeration_beside_none(bound: Binder) -> None:
    """`D6 or none` is still rolled with D6."""
    result = bound("define D6 = 1..6\ncomponent Port (1):\n    roll: D6 or none = none\n")
    assert result.field("Port", "roll").type == ir.Type("number", lo=1, hi=6, enum=0, optional=True)
