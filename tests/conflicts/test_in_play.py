"""Exceptions that only a game brings together: it stops, and shows both, as the checker would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game g "G":
    version "1"
    players 1
component Player:
    gold: 0.. = 0
define player.pay = 1
phase game:
    each player in Player:
        do one(player)
        do two(player)
        do earn(player)
effect one(player):
    until end of game:
        any_player.pay: 2 when any_player is player
effect two(player):
    until end of game:
        any_player.pay: 3 when any_player.gold is {gold}
effect earn(player): player gains player.pay gold
"""


def test_rivals_that_meet_in_play_are_both_shown(tmp_path: Path) -> None:
    """With their places and the line that settles it; the exit code is that of a fault."""
    place = tmp_path / "g.rules"
    place.write_text(GAME.format(gold=0), encoding="utf-8")
    code, _, said = run("run", str(place), "--seed", "1")
    assert code == 3
    assert "fault[R0104]" in said
    assert "`one` says this\n  --> g.rules:14:9" in said
    assert "`two` says this\n  --> g.rules:17:9" in said
    assert "write `after one` at the end of the other one" in said


def test_rivals_that_never_meet_stop_nothing(tmp_path: Path) -> None:
    """The same text where the second one does not apply."""
    place = tmp_path / "g.rules"
    place.write_text(GAME.format(gold=9), encoding="utf-8")
    code, _, said = run("run", str(place), "--seed", "1")
    assert (code, "fault" in said) == (0, False)
