"""What a scenario can play and ask: steps of phases, winners, citations over lines; and what is wrong about it."""

from __future__ import annotations

from interpreter.examples.scenarios import ScenarioRunner
from rulelang.api import check_text, check_texts

GAME = """game scenes "Scenes":
    version "1"
    players 2..2

component Player:
    coins: 0.. = 0

phase game:
    do day
phase day:
    step noon: do win(Player)
    step night: end game
"""
SCENARIO = """
scenario "It" of scenes:
    people ann, bob
    do {}
    after: {}
"""


def text(played: str, check: str) -> str:
    """Give a game with one scenario."""
    return GAME + SCENARIO.format(played, "\n        " + check)


def errors(rules: str) -> list[str]:
    """Give code, place and headline of each error."""
    return [
        f"{each.code} {each.span.line}:{each.span.column} {each.headline}"
        for each in check_text(rules)
        if each.is_error
    ]


def test_winners() -> None:
    """Who has won is compared as a set, and shown where it is another."""
    for check, holds in (
        ("winners is {bob, ann}", True),
        ("winners is {ann}", False),
        ("winners is {}", False),
    ):
        program = check_texts({"x.rules": text("day.noon", check)}, seats=2).program
        assert program is not None
        (result,) = ScenarioRunner(program).run_all()
        assert result.passed is holds
        (found,) = result.trials[0].checks
        assert found.sides == (("winners", "seat_1, seat_2"),)


def test_unknown_step() -> None:
    """A step that the phase lacks, a phase that is none, and arguments are reported where they stand."""
    found = [
        errors(text(played, "winners is {}"))
        for played in ("day.nigth", "week.night", "day.night(ann)")
    ]
    assert found == [
        ["E0201 16:12 unknown step of `day` `nigth`"],
        ["E0201 16:8 unknown phase `week`"],
        ["E0301 16:12 `night` takes 0 arguments, and 1 is given"],
    ]


def test_winners_only_in_a_scenario() -> None:
    """Rules cannot ask who has won."""
    rules = GAME + "effect boast(player):\n    if winners is {player}: player gains 1 coins\n"
    assert errors(rules) == ["E0201 14:8 unknown name `winners`"]


def test_citations_over_lines() -> None:
    """Inside the brackets of citations lines join, and places below are still right."""
    rules = GAME.replace("step night:", "step night [SCN-1,\n            SCN-2]:")
    rules += "effect odd(player): player gains 1 cions\n"
    assert [each for each in errors(rules) if "SCN" not in each] == [
        "E0203 14:36 a Player has no `cions`"
    ]


def test_a_question_that_could_not_be_read_is_not_missed_in_scenarios() -> None:
    """Only the mistake itself is reported, not every answer to what it would have asked."""
    rules = text("ask(ann):\n        ann chooses ask.may: yes", "ann.coins is 1")
    asks = "effect ask(player):\n    player may {}: player gains 1 coins\n"
    assert errors(rules + asks.format('"Take?"')) == []
    assert [each[:5] for each in errors(rules + asks.format("Take"))] == ["E0103"]


def test_what_is_compared_may_be_missing() -> None:
    """An example that looks at the top of an empty pile fails; that is no mistake of a rule."""
    piles = "component Card (2)\ncomponent Board (1):\n    deck: pile of Card\n"
    rules = text("day.noon", "top(board.deck) is first(Card)") + piles
    assert [each.code for each in check_text(rules) if each.is_error] == []
    program = check_texts({"x.rules": rules}, seats=2).program
    assert program is not None
    (result,) = ScenarioRunner(program).run_all()
    assert not result.passed
