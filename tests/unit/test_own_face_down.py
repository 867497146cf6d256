"""Things that lie face down are known to those who have them, where the flag says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from interpreter.reference import Reference
from interpreter.sight.observation import HIDDEN, FaceDown, Observation
from interpreter.ui.sight import Sight
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
game purses "Purses":
    version "1"
    players 2..3
component Coin (3):
    value: 0..9 = each 4..6
    place: Player or none = none
    face_up: Flag = yes{sight}
component Player:
    last: Coin or none = none
phase game:
    each player in Player: do take(player)
    each player in Player: do give(player)
effect take(player):
    let coin = first(Coin where its place is none and its value > 0)
    move coin to player
    coin.face_up becomes no
    player.last becomes coin
effect give(player):
    each coin in Coin at player: move coin to player.left
"""
SIGHTS = [("", False), (", seen by owner", True)]


def play(folder: Path, sight: str) -> Reference:
    """Play it: at the end the first player has both coins that were taken, face down."""
    (folder / "purses.rules").write_text(TEXT.replace("{sight}", sight), encoding="utf-8")
    game = Reference(load_ruleset(folder / "purses.rules", people=2, cache=False))
    game.play()
    return game


@pytest.mark.parametrize(("sight", "known"), SIGHTS)
def test_what_is_seen(tmp_path: Path, sight: str, *, known: bool) -> None:
    """Which coin it is sees who has it, if the flag is seen by owners; nobody otherwise."""
    game = play(tmp_path, sight)
    program = game.program
    kind = next(n for n, each in enumerate(program.kinds) if each.name == "Coin")
    first = program.kinds[kind].base
    mine, others = (Observation(game.layout, game.slots, seat) for seat in (0, 1))
    assert [others.look(coin, "place") for coin in (first, first + 1, first + 2)] == [
        HIDDEN,
        HIDDEN,
        None,
    ]
    assert len(others.face_down) == 2
    assert others.look(0, "last") == FaceDown(kind)
    assert mine.look(first, "place") == (0 if known else HIDDEN)
    assert len(mine.face_down) == (0 if known else 2)
    assert mine.look(0, "last") == (first if known else FaceDown(kind))
    assert mine.look(first, "face_up") == (False if known else HIDDEN)
    assert others.look(first + 2, "face_up") is True


@pytest.mark.parametrize(("sight", "known"), SIGHTS)
def test_what_is_told(tmp_path: Path, sight: str, *, known: bool) -> None:
    """Who gives or gets a coin is told which one it is."""
    game = play(tmp_path, sight)
    moves = [event for event in game.events if event[0] == "move"]
    assert len(moves) == 5
    for viewers in ((0,), (1,)):
        told = Sight(game.program, viewers)
        seen = [told.seen(event) for event in game.events if event[0] != "begin"]
        named = [
            cast("int", each[1]) >= 0 for each in seen if each is not None if each[0] == "move"
        ]
        assert named == [True, True, known, known, known]
    both = Sight(game.program, (0, 1))
    seen = [both.seen(event) for event in game.events]
    named = [cast("int", each[1]) >= 0 for each in seen if each is not None if each[0] == "move"]
    assert named == [True, True, False, False, False]
