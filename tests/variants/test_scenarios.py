"""Scenarios are played with the variants that they name, and checked with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.examples.scenarios import ScenarioRunner
from rulelang import api
from rulelang.rendering import render_full
from tests.variants.stall import GAME as STALL

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

GAME = (
    STALL
    + """\
variant double "Double" of stall:
    after earn(player): player gains 1 coins
variant triple "Triple" of stall with double not with single:
    after earn(player): player gains 1 coins
variant single "Single" of stall:
    instead of earn(player): do nothing
"""
)
PLAY = "    people ann\n    do earn(ann)\n    after:\n        ann.coins is {}\n"
SEQUEL = "    do earn(ann)\n    after:\n        ann.coins is {}\n"


def scenario(qualifiers: str, coins: int, title: str = "S", body: str = PLAY) -> str:
    """Write a scenario that ends with so many coins."""
    return f'scenario "{title}" of stall{qualifiers}:\n{body.format(coins)}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game on disk."""
    (tmp_path / "stall.rules").write_text(
        GAME
        + scenario("", 1)
        + scenario(" with double", 2, "D")
        + scenario(' after "D"', 4, "D2", SEQUEL)
        + scenario(" with double with triple", 3, "T")
        + scenario(" with single not with double", 0, "N"),
        encoding="utf-8",
    )
    return tmp_path


def titles(folder: Path, *variants: str) -> dict[str, tuple[str, ...]]:
    """Play all scenarios; gives those that pass, each with its variants."""
    return {
        result.title: program.variants
        for program in api.scenario_programs(folder, variants, cache=False)
        for result in ScenarioRunner(program).run_all()
        if result.passed
    }


def test_each_set_once(folder: Path) -> None:
    """The base, each set, and a sequel with the set of what it goes on from."""
    assert titles(folder) == {
        "S": (),
        "D": ("double",),
        "D2": ("double",),
        "T": ("double", "triple"),
        "N": ("single",),
    }
    programs = list(api.scenario_programs(folder, cache=False))
    assert len(programs) == 4
    assert list(titles(folder, "triple", "single")) == ["N", "T"]


def test_a_file_of_ones_own(folder: Path, tmp_path: Path) -> None:
    """Only its scenarios are played, with the game that it names."""
    place = tmp_path / "home.rules"
    place.write_text(
        'variant mine "Mine" of stall:\n    before earn(player): player gains 7 coins\n'
        + scenario(" with mine", 8),
        encoding="utf-8",
    )
    del folder
    assert titles(place) == {"S": ("mine",)}


WRONG = {
    "unknown": (" with doubble", "E0703"),
    "without what it needs": (" with triple", "E0703"),
    "with what it excludes": (" with double with triple with single", "E0703"),
    "with and without": (" with double not with double", "E0703"),
    "goes on with others": (' with double after "S"', "E0901"),
}


NOBODY = "    do nothing\n    after:\n        {0} is {0}\n"
CROWD = "    people ann, bob, cat, dan, eve, fay, gus\n" + NOBODY
NEVER_PLAYED = {
    "goes on from none": scenario(' after "Markt day"', 1, "W", SEQUEL),
    "goes on from itself": scenario(' after "X"', 1, "W", SEQUEL)
    + scenario(' after "W"', 1, "X", SEQUEL),
    "nobody takes part": scenario("", 1, "W", NOBODY),
    "more people than can play": scenario("", 1, "W", CROWD),
    "one title for two": scenario("", 1, "Market day"),
}


@pytest.mark.parametrize("case", NEVER_PLAYED)
def test_a_scenario_that_would_not_be_played_is_reported(
    case: str, snapshot: SnapshotAssertion
) -> None:
    """However it is written: none is left out without a word."""
    text = GAME + scenario("", 1, "Market day")
    assert api.check_text(text, "stall.rules") == ()
    found = api.check_text(text + NEVER_PLAYED[case], "stall.rules")
    assert {each.code for each in found} <= {"E0901", "E0209"}
    assert render_full(found) == snapshot


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str, snapshot: SnapshotAssertion) -> None:
    """Reported once, at the scenario."""
    qualifiers, code = WRONG[case]
    body = SEQUEL if "after" in qualifiers else PLAY
    text = GAME + scenario("", 1) + scenario(qualifiers, 2, "W", body)
    found = api.check_text(text, "stall.rules")
    assert [each.code for each in found] == [code]
    assert render_full(found) == snapshot


def test_each_finding_once() -> None:
    """A mistake in the base, in a variant that others need, in scenarios for many sets: each is said once."""
    text = GAME + "define odd = 1\n"
    assert [each.code for each in api.check_text(text)] == ["E0210"]
    text = GAME.replace(
        "player gains 1 coins\nvariant triple", "player gains 1 coin\nvariant triple"
    )
    text += scenario(" with double", 2) + scenario(" with double with triple", 3, "T")
    found = api.check_text(text)
    assert [(each.code, each.span.line, each.notes) for each in found if each.is_error] == [
        (found[0].code, 11, found[0].notes)
    ]


def test_what_only_a_variant_uses_is_used() -> None:
    """Neither a definition of the base nor one of a variant that another uses is idle."""
    text = GAME + "define fee = 2\n"
    text += 'variant pays "P" of stall:\n    define toll = 1\n    after earn(player): player gains fee coins\n'
    text += (
        'variant more "M" of stall with pays:\n    after earn(player): player gains toll coins\n'
    )
    assert api.check_text(text) == ()


def test_a_mistake_that_a_variant_makes_in_the_base() -> None:
    """It is shown there, with the variants that make it."""
    text = GAME.replace("component", "define Mood = calm, angry\ncomponent", 1)
    text += "table worth(mood: Mood):\n    calm: 1\n    angry: 2\n"
    text += "after earn(player): player gains worth(calm) coins\n"
    text += 'variant moods "M" of stall:\n    change Mood = sad\n'
    (found,) = api.check_text(text)
    assert (found.code, found.notes) == ("E0308", ("found in the game with the variant `moods`",))
