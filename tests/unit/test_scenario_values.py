"""What a scenario sets below its seats: values of phases, of cards, names that steps share, and used-up rules."""

from __future__ import annotations

import pytest

from interpreter.examples.scenarios import ScenarioRunner
from rulelang.api import check_texts

RULES = """game vows "Vows":
    version "1"
    players 1
component Hero from "heroes.csv"
component Player:
    coins: 0.. = 0
    hero: Hero or none = none, acts
phase game:
    do day
phase day:
    keeps sold: 0.. = 0
    step morning: let lucky_player = first(Player)
    step evening: do reward(lucky_player)
effect reward(player): player gains 1 coins
thrift: after reward(player) once: player gains 10 coins
card knight:
    keeps deeds: 0.. = 0
    after reward(you):
        deeds becomes deeds + 1
        you gains 100 * deeds coins
    before reward(you) once: you gains 1000 coins
define sold_now = day.sold
scenario "It" of vows:
    people ann
{values}
    before: ann.hero becomes knight
    do {played}
    after:
        ann.coins is {coins}
"""


def check(values: list[str], coins: int = 0, played: str = "reward(ann)") -> list[str]:
    """The findings about a scenario; without any it is played, and what fails is given."""
    written = "\n".join(f"    {each}" for each in values)
    rules = RULES.format(values=written, coins=coins, played=played)
    result = check_texts({"x.rules": rules, "heroes.csv": "id\nknight\n"})
    if result.program is None:
        return [
            f"{each.code} {each.headline} ({each.help})"
            for each in result.diagnostics
            if each.is_error
        ]
    (result_played,) = ScenarioRunner(result.program).run_all()
    (trial,) = result_played.trials
    failed = [str(each.sides) for each in trial.checks if not each.passed]
    return [*failed, *([trial.problem] if trial.problem else [])]


@pytest.mark.parametrize(
    ("values", "coins"),
    [
        ([], 1111),
        (["knight.deeds = 3"], 1411),
        (["knight.once = yes"], 111),
        (["thrift.once = yes"], 1101),
        (["thrift.once = yes", "knight.deeds = 1", "knight.once = yes"], 201),
        (["knight.once = no"], 1111),
    ],
)
def test_cards_and_rules(values: list[str], coins: int) -> None:
    """A card's values hold although it comes into force in `before`, and a used-up rule does not act."""
    assert check(values, coins) == []
    assert check(values, coins + 1) != []


def test_names_that_steps_share() -> None:
    """A step can be played alone with what an earlier one has bound."""
    assert check(["day.lucky_player = ann"], 1111, "day.evening") == []
    assert check([], 1111, "day.evening") != []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("knigt.deeds = 1", "E0201 unknown phase, card or rule with a value `knigt` (did you mean `knight`?)"),
        ("knight.deed = 1", "E0201 unknown value that `knight` keeps `deed` (did you mean `deeds`?)"),
        ("day.solt = 1", "E0201 unknown value of `day` `solt` (did you mean `sold`?)"),
        ("thrift.deeds = 1", "E0201 unknown phase, card or rule with a value `thrift` (None)"),
        ("reward.once = yes", "E0201 unknown phase, card or rule with a value `reward` (None)"),
    ],
)  # fmt: skip
def test_mistakes(value: str, found: str) -> None:
    """What there is not is reported, with what may be meant."""
    assert check([value]) == [found]


def test_types() -> None:
    """A value must be one of its type."""
    (found,) = check(["knight.once = 3"])
    assert found.startswith("E03")
