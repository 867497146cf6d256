"""How many things there are, how they are numbered and named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang import ir

if TYPE_CHECKING:
    from tests.binder.conftest import Binder

PORTS = "id,name,seas\nfar,Far Away,east west\nnear,Near By,west\n"
SEAS = "id,name\neast,East\nwest,West\n"


def test_player_is_first_and_has_its_own_fields(bound: Binder) -> None:
    """Kind 0, one thing a seat, in a ring."""
    result = bound("component Port (2)\n", seats=3)
    player, port = result.tables.kinds
    assert (player.name, player.base, player.count) == ("Player", 0, 3)
    assert (port.base, port.count, port.ids) == (3, 2, ("port_1", "port_2"))
    assert result.tables.field_numbers[0, "automa"] == 0
    assert result.values("Player", "automa") == (False, False, False)
    assert result.values("Player", "left") == (1, 2, 0)
    assert result.values("Player", "right") == (2, 0, 1)
    assert result.values("Player", "seat") == (1, 2, 3)


def test_one_of_a_kind_is_read_by_its_name(bound: Binder) -> None:
    """`(1)` makes a singleton."""
    tables = bound("component CardMarket (1)\n").tables
    assert tables.kinds[1].singleton
    symbol = tables.symbols["card_market"]
    assert (symbol.form, symbol.number) == ("singleton", 1)


def test_so_many_for_each_player(bound: Binder) -> None:
    """Owners in seat order, a field `owner`, names by owner and number."""
    result = bound("component Ship (2 each Player)\n", seats=2)
    assert result.tables.kinds[1].ids == ("ship_1_1", "ship_1_2", "ship_2_1", "ship_2_2")
    assert result.values("Ship", "owner") == (0, 0, 1, 1)
    assert not result.field("Ship", "owner").mutable


def test_rows_for_each_word(bound: Binder) -> None:
    """Every row once for each word; its id means all copies."""
    text = 'define Deck = red, blue\ncomponent Card (1 each Deck) from "cards.csv"\n'
    result = bound(text, {"cards.csv": "id\nace\nking\n"}, seats=1)
    assert result.tables.kinds[1].ids == ("ace_red", "ace_blue", "king_red", "king_blue")
    assert result.values("Card", "owner") == (0, 1, 0, 1)
    assert result.tables.ids["king"] == [(1, (3, 4))]


def test_copies_stand_in_a_column(bound: Binder) -> None:
    """`(copies)` reads the column of that name; 0 is allowed."""
    text = 'component Card (copies) from "cards.csv"\n'
    result = bound(text, {"cards.csv": "id,copies\nace,2\njoker,0\nking,1\n"}, seats=1)
    assert result.tables.kinds[1].ids == ("ace_1", "ace_2", "king")
    assert result.tables.ids["joker"] == [(1, ())]
    assert not result.found


def test_kinds_may_count_each_other_forward(bound: Binder) -> None:
    """Some for each thing of a kind that is declared below."""
    result = bound("component Token (2 each Port)\ncomponent Port (3)\n", seats=1)
    assert result.tables.kinds[1].count == 6
    assert result.values("Token", "owner") == (7, 7, 8, 8, 9, 9)


def test_files_follow_each_other_and_cells_name_things_of_later_files(bound: Binder) -> None:
    """Two files for one kind, and ids of a kind declared below."""
    text = (
        'component Port from "a.csv" and "b.csv":\n    seas: set of Sea\n'
        'component Sea from "seas.csv"\n'
    )
    result = bound(
        text, {"a.csv": PORTS, "b.csv": "id,seas\nlast,west;east\n", "seas.csv": SEAS}, seats=1
    )
    east, west = result.thing("east"), result.thing("west")
    assert result.values("Port", "seas") == ((east, west), (west,), (east, west))
    assert result.tables.kinds[1].titles == ("Far Away", "Near By", "last")


def test_positions_are_known(bound: Binder) -> None:
    """What has a `place` or fits in a pile can move."""
    text = (
        "component Ship (2):\n    place: Port or none = none\n"
        "component Port (1):\n    stack: pile of Card\n"
        "component Card (3)\n"
    )
    result = bound(text)
    ship, port, card = result.tables.kinds[1:]
    assert (ship.movable, port.movable, card.movable) == (True, False, True)
    assert ship.place == result.field("Ship", "place").index


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("component Port\n", 18),
        ("component Port (30000)\n", 22),
        ("component Player (2)\n", 28),
        ("component A (2 each B)\ncomponent B (1 each A)\n", 32),
        ("component A (2 each Number)\n", 14),
        ("component A (2 each Nobody)\n", 5),
        ("component A (copies)\n", 18),
        ('component A from "nowhere.csv"\n', 18),
        ('component A (count) from "a.csv"\n', 18),
        ('component A (many) from "a.csv"\n', 19),
        ("component A (1)\ncomponent A (2)\n", 13),
    ],
)
def test_reported(bound: Binder, text: str, number: int) -> None:
    """Each mistake is reported once, under its code."""
    result = bound(text, {"a.csv": "id,many\nx,few\n"})
    assert [each for each in result.numbers if each != 21] == [number]


@pytest.mark.parametrize(
    ("rows", "number"), [("x\nx\n", 20), (",1\n", 20), ("Big Ship\n", 19), ("x\ny\n", None)]
)
def test_ids(bound: Binder, rows: str, number: int | None) -> None:
    """Ids are there, once, and names."""
    result = bound('component A from "a.csv":\n    size: Number = 1\n', {"a.csv": f"id\n{rows}"})
    assert result.numbers == ([] if number is None else [number if "," not in rows else 19])


def test_unset_is_none(bound: Binder) -> None:
    """A field without a default is not set; sets and piles begin empty."""
    text = (
        "component Player:\n    captain: Card\n    hand: pile of Card, seen by owner, acts\n"
        "    passed: set of Card\ncomponent Card (2)\n"
    )
    result = bound(text, seats=2)
    assert result.values("Player", "captain") == (None, None)
    assert result.values("Player", "hand") == ((), ())
    assert result.values("Player", "passed") == ((), ())
    hand = result.field("Player", "hand")
    assert (hand.pile, hand.sight, hand.acts) == (True, "owner", "self")
    assert hand.type == ir.Type("list", elem=ir.Type("thing", kinds=(1,)))
