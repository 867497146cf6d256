"""Which cards and counters had an effect: rules of cards that acted, data that lines about a thing have read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.examples.coverage import Coverage, game_coverage, scenario_coverage
from interpreter.ui.paint import Paint
from interpreter.ui.things import ThingsReport, designs_of
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang import ir

TEXT = """
game stalls "Stalls":
    version "1"
    players 2
component Hero (copies) from "heroes.csv":
    copies: 1..3
    text: Text
component Crate (1 each Colour) from "crates.csv":
    price: 1..9
    weight: 1..9
    sizes: list of 1..9
    place: Player or none = none
component Stall from "stalls.csv":
    rent: 1..9
component Player:
    hero: Hero or none = none, acts
    coins: 0.. = 9
define Colour = red, blue
define player.wage = 1
define worth(crate) = crate.price
phase game:
    each player in Player:
        do work(player)
        do buy(player, first(gold))
effect work(player): player gains player.wage coins
effect buy(player, crate):
    player loses up to worth(crate) coins
    move crate to player
may unpack(player, crate, size from sizes_of(crate)):
    then: player gains size coins
define sizes_of(crate) = crate.sizes
effect open_up(player):
    player may do unpack else end open_up
effect look(player):
    if any Crate where its price > 5 and its weight > 5: player gains 1 coins
card knight:
    player.wage: +2 when player is you
    after work(you): you gains 1 coins
card monk:
    after buy(you, crate) when crate.weight > 5: you gains 1 coins
    when you.coins > 100: you.coins becomes 0
scenario "Buying" of stalls:
    people ann, bob
    before:
        ann.hero becomes first(Hero)
    do buy(ann, first(Crate))
    do look(ann)
    do open_up(ann):
        ann chooses open_up.action: unpack(first(salt), 2)
    do work(ann)
    do work(bob)
    after:
        ann.coins is 13
"""
HEROES = "id,name,copies,text\nknight,The Knight,2,x\nmonk,The Monk,1,x\n"
CRATES = "id,price,weight,sizes\nsalt,3,2,1/2\ngold,8,9,3/4\n"
STALLS = "id,rent\nfirst_stall,2\n"


@pytest.fixture
def program(tmp_path: Path) -> ir.Program:
    """The ruleset."""
    (tmp_path / "stalls.rules").write_text(TEXT, encoding="utf-8")
    for name, text in (("heroes", HEROES), ("crates", CRATES), ("stalls", STALLS)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return load_ruleset(tmp_path / "stalls.rules", people=2, scenarios=True, cache=False)


def test_copies_are_one_design(program: ir.Program) -> None:
    """Copies of a row, by number or owner, are one; what cannot be moved is none."""
    found = {(each.kind, each.name): each for each in designs_of(program)}
    assert set(found) == {
        ("Hero", "knight"),
        ("Hero", "monk"),
        ("Crate", "salt"),
        ("Crate", "gold"),
    }
    assert found["Hero", "knight"].copies == ("knight_1", "knight_2")
    assert [len(found["Hero", name].rules) for name in ("knight", "monk")] == [2, 2]
    assert found["Crate", "gold"].columns == ("owner", "price", "weight", "sizes")


def test_what_had_an_effect(program: ir.Program) -> None:
    """Rules that acted and clauses that applied; data of the thing that a doing is about, and of no other."""
    report = ThingsReport.of(program, scenario_coverage([program]).things)
    assert report.effects["Crate", "salt"] == dict.fromkeys(("price", "sizes"), 'scenario "Buying"')
    assert report.effects["Crate", "gold"] == {}
    assert len(report.effects["Hero", "knight"]) == 2
    assert report.effects["Hero", "monk"] == {}
    done = {each.name for each in report.designs if report.exercised(each)}
    assert done == {"knight", "salt"}
    assert not report.complete
    lines = list(report.lines(Paint(colour=False), show_all=False))
    assert lines[0] == "Hero: 1 of 2 rows exercised"
    assert "  monk  The Monk  not exercised" in lines
    assert "Crate: 1 of 2 rows exercised (price 1 of 2, sizes 1 of 2)" in lines
    assert not any("knight" in line for line in lines)


def test_page(program: ir.Program) -> None:
    """All rows in Markdown: of one with rules, where these acted, of another, where its data were used."""
    report = ThingsReport.of(program, scenario_coverage([program]).things)
    lines = list(report.page("Stalls", "1 scenario"))
    assert lines[0] == "# Exercised cards and counters: Stalls"
    assert lines[2].endswith("From 1 scenario.")
    assert lines[4] == "## Hero: 1 of 2"
    cells = {line.split(" | ")[0]: line.split(" | ")[-1] for line in lines if "`" in line}
    assert cells == {
        "| `knight`": 'scenario "Buying" |',
        "| `monk`": "**not exercised** |",
        "| `salt`": 'scenario "Buying" |',
        "| `gold`": "**not exercised** |",
    }


def test_scenarios_come_first(program: ir.Program) -> None:
    """What a scenario and a game exercise is told of the scenario."""
    games = Coverage(
        frozenset(), frozenset(), frozenset(), 1, things={("Crate", "salt_red", "price"): "game"}
    )
    both = scenario_coverage([program]).joined(games)
    assert both.things["Crate", "salt_red", "price"] == 'scenario "Buying"'


def test_games_count(program: ir.Program) -> None:
    """They are told by seats, answers and seed."""
    things = game_coverage(program, 1, seed=7).things
    assert set(things.values()) == {"game of 2 people, automa, seed 7"}
    assert {name for kind, name, what in things if kind == "Crate"} == {"gold_red"}
