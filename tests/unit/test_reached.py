"""What scenarios put to the test: each sort of part, its outcomes, where it stands, and what it cites."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from interpreter.examples.reached import Reached
from interpreter.examples.scenarios import ScenarioRunner
from rulelang import api
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
game stalls "Stalls":
    version "1"
    players 1
    seats 2
    citations "rules.csv"
define D6 = 1..6
define Mood = calm, angry
option mood: Mood = calm
option price: 1..9 = 2
component Hero from "heroes.csv"
component Player:
    coins: 0.. = 4
    hero: Hero or none = none, acts
define player.wage = 1 [STL-1]:
    rich: 2 when player.coins > 9 [STL-2]
table luck(n: D6):
    1..5: 0
    6: 3
may buy(player) [STL-3]:
    money: player.coins >= price
    calm: mood is calm
    automa 1
    then: player loses up to price coins
phase game:
    each player in Player: do turn(player)
effect turn(player) [STL-3]:
    let die = roll D6 by player
    player gains player.wage + luck(die) coins
    if die is 1: player loses up to 1 coins
    player may do buy else end turn
    while player.coins > 9: player loses 1 coins
after turn(player): player gains 1 coins [STL-4]
card knight:
    after turn(you): you gains 1 coins
always "no debts": not any Player where its coins < 0
"""
SCENE = """
scenario "A turn" of stalls [STL-3]:
    people ann
    automas bob
    do turn(ann):
        roll 6
        ann chooses turn.action: buy
    after:
        count(Player) is 2
"""
CITED = "id,text\nSTL-1,Wages.\nSTL-2,The rich.\nSTL-3,Turns.\nSTL-4,Bread.\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The folder of the game, with one scenario."""
    for name, text in (
        ("stalls.rules", RULES),
        ("rules.csv", CITED),
        ("heroes.csv", "id\nknight\n"),
        ("scenarios/turns.rules", SCENE + "define helper = 3\neffect help(player): do nothing\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def missing(game: Path, *more: str) -> dict[tuple[str, int], tuple[str, ...]]:
    """What is not shown, by sort and line of the rules, after more lines of scenarios."""
    if more:
        (game / "scenarios" / "more.rules").write_text("\n".join(more) + "\n", "utf-8")
    (program,) = api.scenario_programs(game, cache=False)
    runner = ScenarioRunner(program, covering=True)
    assert all(each.passed for each in runner.run_all())
    reached = Reached.of(program, runner.marks)
    return {
        (part.sort, part.place.line): reached.missing(part)
        for part in reached.outcomes
        if reached.missing(part)
    }


def line(start: str) -> int:
    """The line of the rules that begins so."""
    return next(
        number for number, text in enumerate(RULES.split("\n"), 1) if text.strip().startswith(start)
    )


def test_what_one_scenario_leaves(game: Path) -> None:
    """Each sort of part, with just the outcomes that were not there; helpers of scenarios are no parts."""
    assert missing(game) == {
        ("doings", line("phase game")): ("reached",),
        ("branches", line("each player")): ("entered",),
        ("options", line("option mood")): ("angry",),
        ("options", line("option price")): ("another value",),
        ("exceptions", line("rich")): ("applies",),
        ("rows", line("1..5")): ("looked up",),
        ("needs", line("money")): ("fails",),
        ("needs", line("calm")): ("fails",),
        ("branches", line("if die")): ("yes",),
        ("branches", line("while")): ("entered",),
        ("answers", line("player may")): ("none",),
        ("policies", line("player may")): ("asked",),
        ("rules of cards", line("after turn(you)")): ("reached",),
        ("rules", line("always")): ("reached",),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("    do turn(ann):", "        roll 1", "        ann chooses turn.action: none"),
         {("rows", "1..5"), ("branches", "if die"), ("answers", "player may")}),
        (("    price = 9", "    do turn(ann):", "        roll 3"),
         {("rows", "1..5"), ("needs", "money"), ("options", "option price")}),
        (("    mood = angry", "    do turn(bob):", "        roll 6"),
         {("needs", "calm"), ("options", "option mood")}),
        (("    before: bob.coins becomes 12", "    do turn(bob):", "        roll 6"),
         {("exceptions", "rich"), ("branches", "while"), ("policies", "player may")}),
        (("    before: ann.hero becomes knight", "    do turn(ann):", "        roll 6", "        ann chooses buy"),
         {("rules of cards", "after turn(you)")}),
        (("    before: ann.coins becomes 99", "    do nothing", "    after:", "        ann.wage is 2"),
         {("exceptions", "rich")}),
    ],
)  # fmt: skip
def test_what_another_one_shows(
    game: Path, lines: tuple[str, ...], shown: set[tuple[str, str]]
) -> None:
    """Just what it is about."""
    before = missing(game)
    end = () if "    after:" in lines else ("    after:", "        yes")
    scene = ('scenario "More" of stalls:', "    people ann", "    automas bob")
    after = missing(game, *scene, *lines, *end)
    gone = {part for part in before if part not in after}
    assert gone == {(sort, line(start)) for sort, start in shown}


def test_what_prepares_the_table_shows_nothing(game: Path) -> None:
    """A value that only `before` reads is not put to the test."""
    scene = ('scenario "Set up" of stalls:', "    people ann", "    automas bob")
    before = "    before: ann.coins becomes luck(1)"
    end = ("    do nothing", "    after:", "        yes")
    assert missing(game, *scene, before, *end) == missing(game)


def test_nothing_is_noted_without_being_asked(game: Path) -> None:
    """The plain runner pays nothing."""
    (program,) = api.scenario_programs(game, cache=False)
    runner = ScenarioRunner(program)
    assert runner.run_all()[0].passed
    assert not runner.marks


def test_the_report(game: Path) -> None:
    """Sums by sort, then what is missing by id, with its place; the exit code of `--fail-under`."""
    code, out, _ = run("test", str(game), "--coverage")
    assert code == 0
    assert "Coverage of Stalls: " in out
    assert f"STL-2  The rich.\n  stalls.rules:{line('rich')}: exception rich: 2 when" in out
    assert out.splitlines()[-1] == "1 passed, 0 failed"
    percent = float(out.partition("Coverage of Stalls: ")[2].partition(" %")[0])
    assert 0 < percent < 100
    assert run("test", str(game), "--coverage", "--fail-under", str(percent))[0] == 0
    code, _, err = run("test", str(game), "--coverage", "--fail-under", str(percent + 0.2))
    assert code == 1
    assert f"{percent:g} % are covered" in err
    assert run("test", str(game), "--fail-under", "3")[0] == 2


def test_the_report_as_data(game: Path) -> None:
    """The same as one document, and a part a line."""
    code, out, _ = run("test", str(game), "--coverage", "--output-format", "json")
    assert code == 0
    document = json.loads(out)
    assert (document["passed"], document["failed"]) == (1, 0)
    covered = document["coverage"]
    assert covered["sorts"]["needs"] == {"covered": 2, "total": 4, "percent": 50.0}
    assert covered["ids"]["STL-1"]["percent"] == 100
    assert covered["ids"]["STL-2"] == {"covered": 1, "total": 2, "percent": 50.0}
    total = sum(len(each["outcomes"]) for each in covered["missing"])
    assert total == covered["total"] - covered["covered"]
    concise = run("test", str(game), "--coverage", "--output-format", "concise")[1].splitlines()
    assert len(concise) == len(covered["missing"]) + 1
    (need,) = [each for each in concise if "need money" in each]
    assert (
        need == f"stalls.rules:{line('money')}: need money: player.coins >= price: fails  [STL-3]"
    )


def test_variants_without_scenarios_count(game: Path) -> None:
    """Their parts are parts of the game; with `--with` only those of the chosen ones are."""
    (game / "variants").mkdir()
    (game / "variants" / "fair.rules").write_text(
        'variant fair "Fair" of stalls:\n    after turn(player): player gains 2 coins\n', "utf-8"
    )
    out = run("test", str(game), "--coverage", "--output-format", "concise")[1]
    assert "variants/fair.rules:2: rule after turn(player): player gains 2 coins: reached" in out


def test_failures_as_data(game: Path) -> None:
    """A failed scenario says where and why, in every format."""
    wrong = ["    people ann", "    automas bob", "    do nothing", "    after:"]
    wrong += ["        ann.coins is 5"]
    (game / "scenarios" / "wrong.rules").write_text(
        "\n".join(['scenario "Wrong" of stalls:', *wrong]) + "\n", "utf-8"
    )
    code, out, _ = run("test", str(game), "--output-format", "json")
    assert code == 1
    (found,) = [each for each in json.loads(out)["scenarios"] if not each["passed"]]
    what = "expected: ann.coins is 5; ann.coins is 4"
    assert found["reasons"] == [{"where": "scenarios/wrong.rules:6", "what": what}]
    code, out, _ = run("test", str(game), "--output-format", "concise")
    assert out.splitlines() == [f"scenarios/wrong.rules:6: Wrong: {what}", "1 passed, 1 failed"]
