"""Every form of a change of what is not there is reported, with the nearest name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang.api import check_texts
from rulelang.rendering import render_full

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

GAME = """
game stall "Stall":
    version "1"
    players 1..4
define Mood = calm, angry
option price: 1..9 = 2
component Good from "goods.csv":
    worth: 0..9
component Crate (3)
component Player:
    coins: 0.. = 0
    mood: Mood = calm
define player.limit = 3:
    wealthy: 7 when player.coins > 3
may beg(player):
    poor: player.coins < player.limit "too rich"
    then: do earn(player)
table worth_of(mood: Mood):
    calm: 1
    angry: 2
phase game:
    each player in Player: do beg(player)
    do end_of_round
phase end_of_round:
    step counting: do nothing
effect earn(player): player gains worth_of(player.mood) + sum(Good.worth) + price coins
tithe: after earn(player): player loses up to 1 coins
always "few goods": count(Good) < 9 and count(Crate) < 9
"""
FILES = {"goods.csv": "id,worth\nbread,1\n", "more.csv": "id,worth\nwine,2\n"}

CHANGES = {
    "option": ("change option prise = 3", "E0701"),
    "option twice": ("change option price = 3\n    change option price = 4", "E0702"),
    "component": ("change component Goods:\n        stock: 0.. = 1", "E0701"),
    "rows": ('change component Goods from "more.csv"', "E0701"),
    "rows of no file": ('change component Crate from "more.csv"', "E0701"),
    "words": ("change Moods = sad", "E0701"),
    "table": ("change table worth:\n        calm: 3", "E0701"),
    "setting": ("change game:\n        player 3", "E0214"),
    "exception": ("drop limit.welthy", "E0701"),
    "exception of a property": ("drop player.limit.rich", "E0701"),
    "exception of nothing": ("drop limits.wealthy", "E0701"),
    "property of another kind": ("drop good.limit.wealthy", "E0701"),
    "need": ("drop beg.pour", "E0701"),
    "rule": ("drop tithes", "E0701"),
    "what is no rule": ("drop earn", "E0701"),
    "promise": ('drop "few good"', "E0701"),
    "clause": ("player.limits: +1", "E0201"),
    "clause of a permission": ('begs(player): no "why" when player.coins > 3', "E0201"),
    "event": ("after earns(player): player gains 1 coins", "E0213"),
    "step": ("instead of end_of_round.count: do nothing", "E0213"),
}


@pytest.mark.parametrize("form", CHANGES)
def test_it_is_reported(form: str, snapshot: SnapshotAssertion) -> None:
    """Once, where it stands."""
    change, code = CHANGES[form]
    text = f'{GAME}variant other "Other" of stall:\n    {change}\n'
    found = check_texts({"stall.rules": text, **FILES}).diagnostics
    assert [each.code for each in found] == [code]
    assert render_full(found) == snapshot


def test_the_base_is_clean() -> None:
    """So that nothing else is found."""
    assert check_texts({"stall.rules": GAME, **FILES}).diagnostics == ()


ADVICE = {
    "a word for a number": ("change option price = lots", "write a number: 1..9"),
    "a number in quotes": ('change option price = "5"', "leave the quotes out: `5`"),
    "a number for a word": ("change option pace = 5", "write `slow`, `even` or `fast`"),
    "an order of another language": (
        "allow beg",
        "to allow an action, write `action(player): yes when ...`, or `may action(player):` for a new one",
    ),
}


@pytest.mark.parametrize("form", ADVICE)
def test_what_to_write_instead(form: str) -> None:
    """The advice says what would be right."""
    change, advice = ADVICE[form]
    game = GAME.replace("option price", "option pace: slow or even or fast = even\noption price")
    text = f'{game}variant other "Other" of stall:\n    {change}\n'
    found = check_texts({"stall.rules": text, **FILES}).diagnostics
    assert [each.help for each in found if each.is_error] == [advice]
