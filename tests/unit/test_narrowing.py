"""What a test has shown is known until something that could change it is done."""

from __future__ import annotations

import pytest

from rulelang.api import check_text

HEAD = """component Port (2):
    gold: 0.. = 0
component Player:
    goal: Port or none = none
    rival: Player or none = none
    gold: 0..9 = 0
effect other: first(Player).goal becomes none
effect test(player):
"""

KNOWN = {
    "a change of another field": ["player.goal.gold becomes 3", "player.goal gains 1 gold"],
    "a gain of another field": ["player.goal gains 1 gold", "player.goal gains 1 gold"],
    "a value that is given": ["player.goal becomes last(Port)", "player.goal gains 1 gold"],
}
UNKNOWN = {
    "a change of the field": ["player.goal becomes none", "player.goal gains 1 gold"],
    "a change through another name": ["player.left.goal becomes none", "player.goal gains 1 gold"],
    "a doing": ["do other", "player.goal gains 1 gold"],
    "a field of what is reached": ["player.rival becomes none", "player.rival.goal.gold becomes 1"],
}


def codes(lines: list[str]) -> list[str]:
    """Check lines under a test, and give the errors."""
    body = "".join(f"        {line}\n" for line in lines)
    text = f"{HEAD}    if player.goal is not none and player.rival is not none:\n{body}"
    return [found.code for found in check_text(text) if found.is_error]


@pytest.mark.parametrize("lines", KNOWN.values(), ids=KNOWN)
def test_it_is_still_known(lines: list[str]) -> None:
    """A change that cannot touch it leaves it known."""
    assert codes(lines) == []


@pytest.mark.parametrize("lines", UNKNOWN.values(), ids=UNKNOWN)
def test_it_is_known_no_more(lines: list[str]) -> None:
    """A change that may touch it makes the checker ask for a test again."""
    assert "E0304" in codes(lines)


def test_a_missing_value_is_filled_in() -> None:
    """A branch that gives a value where there was none makes it known for both."""
    text = f"{HEAD}    if player.goal is none: player.goal becomes first(Port)\n    player.goal gains 1 gold\n"
    assert [found.code for found in check_text(text) if found.is_error] == []
