"""What is lowered once for several sets of variants is what lowering it again would give."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import pytest

from rulelang import api
from rulelang.gathering import gather
from rulelang.lowering.memo import Memo
from rulelang.lowering.program import Lowering
from rulelang.texts import Group, Texts
from tests.variants.test_known_findings import edited

if TYPE_CHECKING:
    from rulelang import ir
    from rulelang.lowering.context import DefinitionBuilder

MARKET: Final = Path(__file__).parent / "market"

BASE: Final = """\
game fair "The Fair":
    players 1..3
    seats 2
define Mood = calm, angry
define Side = heads, tails
option style: plain or fancy = plain
option goal: 1..9 = 5
component Player:
    coins: 0.. = 3
    mood: Mood = calm
    purse: bag of Mood = {}
component Ware from "wares.csv":
    price: 0..9
    worth: 0..9 = 1
component Booth (2 each Player):
    rent: 0..9 = 1
component Fountain (1):
    depth: 1..9 = 3
define best = Ware with highest price
define dearest = first(Ware by highest price)
define cheap(ware) = ware.price < goal
define moody(player) = player.mood is calm
define pearl_price = pearl.price
define player.rich = player.coins > 3
define player.friend = player.left
define player.luck = 1:
    more: 2 when player.rich
define bargain(ware) = cheap(ware) and ware.price is not pearl_price
define usual = calm
define deep = fountain.depth + 1
define open_now = during(trade)
define spent = trade.spent
define moods = count(Mood)
define empty(player) = player.purse is {}
define all_booths = count(Booth) + count(Player.coins)
define fancy_one = style is fancy
define given(side: Side) = toll(side) + 1
table toll(side: Side):
    heads: 1
    tails: 2
table seatwise(player):
    else: 4
may buy(player, ware):
    cheap: cheap(ware) "too dear"
    money: player.coins >= ware.price "too poor"
phase game:
    do trade
    do win(Player with highest coins)
phase trade:
    keeps spent: 0.. = 0
    each player in Player:
        if may buy(player, dearest): player loses up to dearest.price coins
    if open_now and spent > 0: do pay(first(Player), given(heads) + deep)
effect pay(player, n: Number):
    if moody(player): player gains n + player.luck coins
    each other in Player where its coins < goal:
        other gains count(Ware where its price < goal and it is not dearest) coins
    if any Player where it is player.friend and its mood is calm: player loses up to toll(heads) coins
after pay(player, n) when n > goal and open_now: player loses up to moods + n coins
instead of pay(player, n) when player.purse is {angry} and n > deep:
    player gains count(Booth where its owner is player) coins
always "nobody has too much": not any Player where its coins > 900
"""
WARES: Final = "id,price\npearl,4\nrope,1\n"
CHANGES: Final = {
    "another_definition": "define extra(player) = player.rich",
    "other_exceptions": "player.luck: +1 when player.coins > 7",
    "more_words": "change Mood = sad",
    "more_rows": 'change component Ware from "more.csv"',
    "more_things": "change component Booth (3 each Player)",
    "more_fields": "change component Player:\n        weight: 0..9 = 1",
    "a_field_of_an_old_name": "change component Booth:\n        price: 0..99 = 1",
    "a_kind": "component Lamp (3):\n        light: 1..3 = 1",
    "a_kind_of_an_old_word": "component Calm (1):\n        depth: 1..9 = 2",
    "an_option": "option hurry: calm or wild = wild",
    "a_default": "change option goal = 7",
    "a_dropped_need": "drop buy.cheap",
    "a_dropped_need_at_times": "drop buy.money when dearest.price > 3",
    "table_rows": "change table toll:\n        heads: 8",
    "a_property_of_an_old_name": "define booth.friend = booth.owner",
    "a_doing_of_an_old_word": "effect rope(player): player gains 1 coins",
    "a_definition_of_an_old_word": "define rope = 4",
    "a_seat": "change game:\n        seats 3",
    "a_phase": "phase evening:\n        keeps spent: 0.. = 0\n        do nothing",
    "a_hook": "after pay(player, n) when open_now: player loses up to moods coins",
    "a_wrong_name": "define lost = nothing_of_the_sort",
    "a_circle": "define player.late = player.later\n    define player.later = player.late",
}


def fair(*, remembering: bool) -> Texts:
    """Parse the fair with a variant for each change."""
    variants = "".join(
        f'variant {name} "Another fair" of fair:\n    {text}\n' for name, text in CHANGES.items()
    )
    given = {
        "fair.rules": BASE,
        "variants/all.rules": variants,
        "wares.csv": WARES,
        "more.csv": "id,price\ncalm,2\nsilk,9\n",
    }
    texts = api.texts_in_memory(given)
    texts.memo = Memo() if remembering else None
    return texts


def parts(value: object) -> object:
    """Give a program with all its places, which its own comparison leaves out."""
    kind = type(value)
    if attrs.has(kind):
        return kind.__name__, *(parts(getattr(value, each.name)) for each in attrs.fields(kind))
    if isinstance(value, tuple):
        return tuple(map(parts, value))
    return value


def both(texts: Texts, group: Group, memo: Memo | None) -> tuple[ir.Program | None, bool]:
    """Compile a group with what is remembered and without; gives the program, and whether both are the same."""
    made = []
    for remembered in (memo, None):
        texts.memo = remembered
        program, bag = texts.compile(
            group.variants, seats=group.seats, scenarios=True, first=False, linted=True
        )
        made.append((program, parts(program), [repr(each) for each in bag]))
    return made[0][0], made[0][1:] == made[1][1:]


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note which definitions are lowered, and not taken from what is remembered."""
    noted: list[str] = []
    before = Lowering.lower_definition

    def noting(self: Lowering, builder: DefinitionBuilder) -> None:
        noted.append(builder.name)
        before(self, builder)

    monkeypatch.setattr(Lowering, "lower_definition", noting)
    return noted


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_variant_changes_is_lowered_again(name: str) -> None:
    """Whatever a variant declares, definitions of the base become what they become without a memory of it."""
    texts, memo = fair(remembering=True), Memo()
    assert both(texts, Group((), None), memo)[1]
    assert both(texts, Group((name,), None), memo)[1]
    assert both(texts, Group((name,), 1), memo)[1]
    program, same = both(texts, Group((), None), memo)
    assert same
    assert program is not None


def test_definitions_that_mean_the_same_are_lowered_once(lowered: list[str]) -> None:
    """A variant that changes a word has what reads it lowered, and what calls that as far as it gives another type."""
    texts = fair(remembering=True)
    assert texts.compile(first=False)[0] is not None
    assert "player.luck" in lowered
    lowered.clear()
    assert texts.compile(first=False)[0] is not None
    assert lowered == []
    texts.compile(("another_definition",), first=False)
    assert lowered == ["extra"]
    lowered.clear()
    texts.compile(("a_field_of_an_old_name",), first=False)
    assert "cheap" in lowered
    assert "moody" not in lowered
    assert "given" not in lowered


def test_nothing_is_remembered_of_mistakes(lowered: list[str]) -> None:
    """What has a finding is looked at again in each set."""
    texts = fair(remembering=True)
    for _ in range(2):
        lowered.clear()
        _, bag = texts.compile(("a_wrong_name",), first=False)
        assert lowered.count("lost") == 1
        assert [each.code for each in bag] == ["E0201"]


def compare(folder: Path, draw: random.Random, edits: int, groups: int) -> int:
    """Edit a game at random and compile sets of its variants; gives how many had no error."""
    right = 0
    for path in edited(folder, draw, edits):
        gathered = gather(folder, everything=True)
        texts = Texts(gathered.read.sources, gathered.read.read, alone=True)
        known = [*texts.groups(), *(Group(names, None) for names in texts.variant_sets())]
        memo = Memo()
        for group in (Group((), None), *draw.sample(known, min(groups, len(known)))):
            program, same = both(texts, group, memo)
            assert same, (path, group)
            right += program is not None
    return right


def test_edited_texts_become_the_same(tmp_path: Path) -> None:
    """Random edits of a small game, with mistakes and without."""
    folder = tmp_path / "market"
    shutil.copytree(MARKET, folder)
    assert 5 < compare(folder, random.Random(3), 7, 3) < 28  # noqa: S311 - edits
