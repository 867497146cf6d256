"""Options that change nothing, and words that mean the same."""

from __future__ import annotations

import pytest

from rulelang import api

GAME = """\
game market "The Market":
    version "1"
    players {players}
{option}
component Player:
    gold: 0.. = 0
phase game:
    each player in Player: do work(player)
effect work(player):
    player gains 1 gold
    {line}
"""
WORDS = "option style: plain or fancy or grand = plain"
NUMBER = "option goal: 5..50 = 20"
GOLD = "player gains 2 gold"


def found(option: str, line: str, players: str = "2..4", more: str = "") -> list[str]:
    """Give the headlines about options."""
    text = GAME.format(players=players, option=option, line=line) + more
    return [each.headline for each in api.check_text(text) if each.code == "E0704"]


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (NUMBER, f"if goal > 3: {GOLD}"),
        (NUMBER, f"if 4 < goal and player.gold > 3: {GOLD}"),
        (NUMBER, f"if goal not in 1..50: {GOLD}"),
        (WORDS, f"if style in {{plain, fancy, grand}}: {GOLD}"),
        (NUMBER, GOLD),
    ],
)
def test_an_option_whose_tests_never_differ_is_idle(option: str, line: str) -> None:
    """Whatever it is set to, every question about it has one answer."""
    name = option.split()[1].rstrip(":")
    assert found(option, line) == [f"the option `{name}` changes nothing"]


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (NUMBER, f"if goal > 5: {GOLD}"),
        (NUMBER, "player gains goal gold"),
        (NUMBER, f"if goal > player.gold: {GOLD}"),
        (NUMBER, f"if goal is 50: {GOLD}"),
        (NUMBER + "\noption end_at: 5..50 = 20", f"if goal is end_at: {GOLD}"),
        (NUMBER, 'player may "Up to {goal}?" automa no: player gains 2 gold'),
        ("option fast: Flag = no", f"if fast: {GOLD}"),
        ("option limit: 0.. = 3", f"if limit > 2: {GOLD}"),
    ],
)
def test_an_option_that_is_told_apart_is_not(option: str, line: str) -> None:
    """One value of it is enough."""
    assert found(option, line) == []


def test_a_word_without_a_rule_of_its_own_is_found() -> None:
    """At its place, with the word that means the same."""
    line = f"if style is plain: {GOLD}"
    text = GAME.format(players="2..4", option=WORDS, line=line)
    (only,) = [each for each in api.check_text(text) if each.code == "E0704"]
    assert only.headline == "`grand` of the option `style` changes nothing"
    assert (only.span.text, only.primary.text) == ("grand", "no rule tells it from `fancy`")
    assert found(WORDS, f"if style is plain: {GOLD}\n    else if style is not fancy: {GOLD}") == []


def test_a_word_that_a_variant_tells_apart_is_not_found() -> None:
    """Nor an option that only a variant reads."""
    variant = (
        'variant rich "Rich" of market:\n    after work(player) when {}: player gains 1 gold\n'
    )
    line = f"if style is plain: {GOLD}"
    assert found(WORDS, line, more=variant.format("style is grand")) == []
    assert found(WORDS, GOLD, more=variant.format("style is grand")) == []
    assert len(found(WORDS, line, more=variant.format("player.gold > 3"))) == 1


def test_an_option_may_say_how_many_can_play() -> None:
    """Where the settings of the game name it."""
    assert found("option size: 2..5 = 4", GOLD, players="1..size - 1") == []
