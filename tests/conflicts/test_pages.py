"""What the pages about conflicts show is really found, and the other way round; exceptions of one text."""

from __future__ import annotations

import re

import pytest

from rulelang.api import check_text, check_texts
from rulelang.codes import explanation

BLOCK = re.compile(r"^```rules\n(.*?)^```$", re.DOTALL | re.MULTILINE)
VARIANT = re.compile(r"^variant (\w+)", re.MULTILINE)


@pytest.mark.parametrize("code", ["E0702", "E0706"])
def test_pages(code: str) -> None:
    """The first example is found when its variants are chosen, the second one is not."""
    example, instead = BLOCK.findall(explanation(code))
    for text, codes in ((example, {code}), (instead, set())):
        found = check_texts({"x.rules": text}, variants=VARIANT.findall(text)).diagnostics
        assert {each.code for each in found} == codes


TEXT = """
component Player:
    gold: 0..99 = 3
    hero: Hero or none = none, acts
component Hero from "heroes.csv"
define player.limit = 5:
    rich: 7 when player.gold > 30
CASE
phase game:
    each player in Player: do turn(player)
phase turn(player):
    do rest(player)
    if player.limit > player.gold: player gains up to 1 gold
effect rest(player):
    until end of turn(player):
        any_player.limit: 1 when any_player is player
card knight:
    player.limit: 6 when player is you
"""
HEROES = "id,name\nknight,The Knight\nmonk,The Monk\n"


def severities(case: str) -> list[tuple[bool, str | None]]:
    """Check a game with one more exception; gives for each finding whether it is an error, and its help."""
    found = check_text(TEXT.replace("CASE", case), "x.rules", {"heroes.csv": HEROES})
    return [(each.is_error, each.help) for each in found if each.code == "E0404"]


def test_cards_and_lasting_blocks_may_meet() -> None:
    """What may never be in force together is a warning; the name of what stands elsewhere is no advice."""
    assert [is_error for is_error, _ in severities("")] == [False, False, False]
    advice = [text for _, text in severities("")]
    assert all(text is not None and "rest.until" not in text for text in advice)


@pytest.mark.parametrize(
    ("case", "is_error"),
    [
        ("    poor: 3 when player.gold < 40", True),
        ("    poor: 3 when player.gold < 40 after rich", False),
        ("    poor: 3 when player.gold < 31", False),
        ("    poor: 7 when player.gold < 40", False),
        ("    poor: +3 when player.gold < 40", False),
        ("player.limit: 3 when player.gold < 40", True),
        ("player.limit: 3 when player.gold < 40 after rich", False),
    ],
)
def test_one_text(case: str, *, is_error: bool) -> None:
    """Of what is always in force it is an error, unless they are apart, alike, added, or one wins."""
    assert any(error for error, _ in severities(case)) is is_error
