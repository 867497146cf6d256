"""What a scenario that does not fit says: what is missing, a line that would do, and amounts as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path

RULES = """game market "Market":
    version "1"
    players 2
component Player:
    coins: 0.. = 4
component Coin (5):
    place: Player or none = none
define D6 = 1..6
phase game:
    each player in Player: do turn(player)
effect turn(player):
    player gains 3 coins
    let die = roll D6 by player
    let lucky_player = pick Player
    player chooses "What?":
        "Go on": do nothing
        "Take coins":
            player chooses 1..2 coins from Coin where its place is none
            move coins to player
"""
SCENE = """
scenario "It" of market:
    people ann, bob
    before: ann.coins becomes 20
    do turn(ann){script}
    after:
        ann.coins is 23
"""


def played(folder: Path, lines: list[str]) -> tuple[int, str]:
    """Play the scenario with a script."""
    script = "".join(f"\n        {each}" for each in lines)
    text = RULES + SCENE.format(script=f":{script}" if lines else "")
    (folder / "market.rules").write_text(text, "utf-8")
    code, out, _ = run("test", str(folder))
    return code, out


def test_each_message_says_the_next_line(tmp_path: Path) -> None:
    """Writing what is proposed, line by line, leads to a scenario that passes."""
    lines: list[str] = []
    for wanted in (
        "roll 1",
        "pick ann",
        'ann chooses turn.options: "Go on"',
    ):
        code, out = played(tmp_path, lines)
        assert code == 1
        assert f"; write for instance `{wanted}`" in out
        lines.append(wanted)
    assert played(tmp_path, lines)[0] == 0


@pytest.mark.parametrize("lines", [[], ["roll 3"]])
def test_amounts_in_the_log(tmp_path: Path, lines: list[str]) -> None:
    """They begin with what `before` has set."""
    assert "ann gains 3 coins (now 23)" in played(tmp_path, lines)[1]


def test_things_that_nobody_can_tell_apart(tmp_path: Path) -> None:
    """Are proposed as a number."""
    lines = ["roll 3", "pick bob", 'ann chooses "Take coins"']
    code, out = played(tmp_path, lines)
    assert (code, "`ann chooses turn.coins: 1`" in out) == (1, True)
    assert played(tmp_path, [*lines, "ann chooses turn.coins: 1"])[0] == 0
