"""State rules that leave their conditions true are found, and no others."""

from __future__ import annotations

import pytest

from tests.lints.findings import lines

GAME = """\
define Mood = calm, angry, sad
component Player:
    gold: 0.. = 0
    gems: 0..9 = 0
    fame: 0..20 = 0
    mood: Mood = calm
    rival: Player or none = none

effect work(player): player gains 1 gold
phase game:
    each player in Player: do work(player)
"""
SAD = "when player.mood is not calm:\n    if player.gold > 3: player.mood becomes sad\n"
ROLL = (
    "when player.gold >= 5:\n    let lost = roll Mood\n    if lost is sad: player.gold becomes 0\n"
)


def found(rules: str) -> list[int]:
    """Give the lines at which the lint finds something."""
    return lines("L0203", GAME, rules)


@pytest.mark.parametrize(
    "rule",
    [
        "when player.gold >= 5: player gains 1 gold",
        "when player.fame >= 5: player gains up to 1 fame",
        "when player.gold > 2 and player.mood is calm: player.mood becomes calm",
        "when player.gold < 5: player.gold becomes 3",
        "when player.gold >= 5: do work(player)",
        f"{SAD}    else: player.mood becomes angry",
        "when player.gold >= 5:\n    player gains 1 gold\n    player loses 1 gold",
    ],
)
def test_alone(rule: str) -> None:
    """What a rule does leaves its own condition true."""
    assert found(rule + "\n") == [1]


@pytest.mark.parametrize(
    "rule",
    [
        "when player.gold >= 5: player loses 5 gold",
        "when player.gold >= 5: player loses 1 gold",
        "when player.fame < 5: player gains 1 fame",
        f"{SAD}    else: player.mood becomes calm",
        "when player.gold >= 5:\n    player gains 1 gold\n    if player.gold > 9: end game",
        f"{ROLL}    else: player gains 1 gold",
        "when player.rival is not none and player.gold > 3: player.rival gains 1 gold",
        "when player.gold >= 5:\n    player gains 1 gold\n    each other_player in Player: other_player.gold becomes 0",
    ],
)
def test_it_stops(rule: str) -> None:
    """What may make its condition false, or ends the game, is not found."""
    assert found(rule + "\n") == []


def test_in_a_circle() -> None:
    """Two and three rules of which each makes the next one act."""
    assert found(
        "when player.gold >= 5:\n    player loses 5 gold\n    player gains 1 fame\n"
        "when player.fame >= 1:\n    player loses 1 fame\n    player gains 5 gold\n"
    ) == [1, 4]
    assert found(
        "when player.mood is calm: player.mood becomes angry\n"
        "when player.mood is angry: player.mood becomes sad\n"
        "when player.mood is sad: player.mood becomes calm\n"
    ) == [1, 2, 3]


def test_a_way_out_of_the_circle() -> None:
    """A rule that does not lead back, and one of another sort that may act in between, end it."""
    assert (
        found(
            "when player.mood is calm: player.mood becomes angry\n"
            "when player.mood is angry: player.mood becomes sad\n"
        )
        == []
    )
    circle = (
        "when player.mood is calm: player.mood becomes angry\n"
        "when player.mood is angry: player.mood becomes calm\n"
    )
    assert found(circle) == [1, 2]
    assert (
        found(circle + "when player.gold > 3 and player.mood is angry: player.mood becomes sad\n")
        == []
    )
    assert (
        found(
            "when player.gold >= 5: player gains 1 gold\nwhen player.gold > 8: player.gold becomes 0\n"
        )
        == []
    )


def test_an_event_that_others_listen_to() -> None:
    """What a rule about a doing changes on the way counts."""
    assert found("when player.gold >= 5: do work(player)\n") == [1]
    assert (
        found("when player.gold >= 5: do work(player)\nafter work(player): player.gold becomes 0\n")
        == []
    )


def test_things_that_are_disturbed_by_others() -> None:
    """Rules that hand something round among players are not taken for a circle."""
    assert (
        found(
            "when player.mood is calm:\n    player.mood becomes angry\n    player.left.mood becomes sad\n"
            "when player.mood is angry: player.mood becomes calm\n"
        )
        == []
    )
