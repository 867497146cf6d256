"""Promises are tested again only where something that they read has changed, and never too rarely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.chance import Stream
from interpreter.errors import RuleFault
from interpreter.machine import Match
from interpreter.reference import Reference
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation

RULES = """
game walk "Walk":
    players 2..2
define Action = dig, take, mark, keep, brace, spend
component Board (1):
    stock: pile of Coin
    level: 0..9 = 0
component Coin (4):
    value: 1..4 = each 1..4
component Player:
    gold: 0..9 = 0
    purse: pile of Coin
define player.worth = sum(player.purse.value) + player.gold
define player.weight = count(player.purse)
phase game:
    step setup: move Coin to board.stock
    step walk:
        each n in 1..60:
            let player = pick Player
            do turn(player)
phase turn(player):
    keeps kept: 0..9 = 0
    step work:
        player chooses action from Action "What do you do?" else end turn
        do act(player, action)
effect act(player, action: Action):
    if action is dig: player gains up to 1 gold
    if action is take and any board.stock: move top(board.stock) to player.purse
    if action is mark: do raise_level
    if action is keep: do keep_number
    if action is brace:
        until end of turn(player):
            other_player.weight: +2 when other_player is player
    if action is spend:
        player loses up to 2 gold
        if any player.purse: move top(player.purse) to box
effect raise_level:
    let number = pick 0..9
    board.level becomes number
effect keep_number:
    let number = pick 0..9
    turn.kept becomes number

always "PROMISE": CONDITION
always "the level is a digit": board.level <= 9
"""

CONDITIONS = (
    "not any Player where its gold > 3",
    "not any Player where its worth > 6",
    "count(board.stock) > 1",
    "count(Coin at box) < 2 or not during(turn)",
    "board.level < 9",
    "not during(turn) or turn.kept < 8",
    "not any Player where its weight > 3",
)


class Counting:
    """Answers at random, and counts."""

    def __init__(self, seed: int) -> None:
        self.asked = 0
        self._draw = Stream(seed, "answers")

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Draw an answer."""
        del observation
        self.asked += 1
        return decision.options.sample(self._draw)


def broken_after(player: Counting, play: Callable[[], object]) -> tuple[int, str]:
    """How many decisions there were, and what the fault says if one stopped the game."""
    try:
        play()
    except RuleFault as error:
        return player.asked, str(error)
    return player.asked, ""


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_promise_breaks_where_the_reference_says(condition: str, tmp_path: Path) -> None:
    """In one game after the other of the same code: after as many decisions with the same words, or never."""
    path = tmp_path / "walk.rules"
    path.write_text(RULES.replace("CONDITION", condition), "utf-8")
    program = load_ruleset(path)
    broken = set()
    for seed in range(30):
        first, second = Counting(seed), Counting(seed)
        game = Reference(program, seed=seed, providers=dict.fromkeys(range(2), first))
        match = Match(program, seed=seed, providers=dict.fromkeys(range(2), second), checks=True)
        said = broken_after(first, game.play)
        assert broken_after(second, match.play) == said
        broken.add(said)
    assert len(broken) > 1
    assert any(text for _, text in broken)
