"""Orders of tie-breaks that do not end."""

from __future__ import annotations

import pytest

from rulelang import api

GAME = """\
game market "The Market":
    version "1"
    players 1..2
    seats 2
component Player:
    gold: 0.. = 5
component Stall from "stalls.csv":
    name: Text
    price, worth, size: 1..9
    visits: 0.. = 0
define stall.seat = stall.visits + stall.size
phase game:
    each player in Player: do trade(player)
effect trade(player):
    {line}
    player gains up to stall.seat + stall.price + stall.worth gold
    stall gains 1 visits
"""
STALLS = {"stalls.csv": "id,name,price,worth,size\na,A,1,1,2\nb,B,1,1,3\nc,C,1,2,3\n"}
LOOP = "let stall = first(Stall)\n    "
CHOOSE = 'player chooses stall from Stall "Where?" automa '


def found(line: str) -> list[str]:
    """Give the places of orders that do not end."""
    result = api.check_text(GAME.format(line=line), "g.rules", STALLS)
    assert {each.code for each in result} <= {"L0103"}
    return [each.span.text.partition("\n")[0] for each in result]


@pytest.mark.parametrize(
    ("order", "ends"),
    [
        ("lowest price then highest worth", False),
        ("lowest price then highest worth then random", True),
        ("lowest price then highest worth then lowest size", True),
        ("lowest visits then highest size", False),
        ("lowest visits then highest worth then highest size", True),
        ("highest worth", True),
        ("lowest price then highest worth then lowest seat", True),
    ],
)
def test_orders_of_options_of_an_automa(order: str, ends: bool) -> None:
    """Complete are those with a draw at the end, and those whose keys the data tell apart."""
    assert bool(found(CHOOSE + order)) is not ends


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("let stall = first(Stall by lowest price then highest worth)", False),
        ("let stall = first(Stall with lowest price then highest worth)", False),
        ("let stall = first(Stall by lowest price then lowest size then lowest worth)", True),
        (
            LOOP
            + "each other_stall in Stall by lowest price then highest worth: other_stall gains 1 visits",
            False,
        ),
        (
            LOOP
            + "each other_stall in Stall by lowest price then random: other_stall gains 1 visits",
            True,
        ),
        (
            "let stall = first(Stall)\n    each n in 1..3 by highest it then lowest it: stall gains n visits",
            True,
        ),
    ],
)
def test_orders_of_what_is_taken_or_done_in_turn(line: str, ends: bool) -> None:
    """The first of several, and loops."""
    assert bool(found(line)) is not ends


def test_all_that_are_tied_are_no_order() -> None:
    """`with` alone gives all of them."""
    line = "let stall = last(Stall)\n    if count(Stall with lowest price then highest worth) > 1: player gains 1 gold"
    assert found(line) == []


def test_interchangeable_things_need_no_end() -> None:
    """Two that agree in all keys and all fields are one option."""
    text = GAME.replace(
        ' from "stalls.csv":\n    name: Text\n    price, worth, size: 1..9\n',
        " (3):\n    price, worth, size: 1..9 = 2\n",
    )
    same = CHOOSE + "lowest visits then lowest price"
    assert api.check_text(text.format(line=same)) == ()
    changed = text.replace("stall gains 1 visits", "stall gains 1 visits\n    stall.size becomes 3")
    assert [each.code for each in api.check_text(changed.format(line=same))] == ["L0103"]
