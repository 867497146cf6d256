"""Scenarios shared among processes: the same results in the same order as in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.examples.reached import Reached
from interpreter.examples.sharing import play_shares
from rulelang import api

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang import ir

RULES = """
game stalls "Stalls":
    version "1"
    players 1
component Player:
    coins: 0.. = 4
phase game:
    each player in Player: do turn(player)
effect turn(player):
    if player.coins > 40: player loses 1 coins
    else: player gains 1 coins
"""
SCENE = """
scenario "{0} coins" of stalls:
    people ann
    before: ann.coins becomes {0}
    do turn(ann)
    after:
        ann.coins is {1}
"""
NUMBER = 45  # more than a few


def played(program: ir.Program, jobs: int) -> tuple[list[tuple[str, bool]], Reached]:
    """Title and result of each scenario, and what they reach together."""
    results: list[tuple[str, bool]] = []
    reached = Reached()
    for share, done in play_shares([program], lambda _: True, jobs, covering=True):
        assert [each.title for each in share.scenarios] == [each.title for each in done.results]
        results += [(each.title, each.passed) for each in done.results]
        reached = reached.joined(done.reached)
    return results, reached


@pytest.mark.slow
def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    """One scenario expects what is not so: the one with 41 coins is told wrongly."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "stalls.rules").write_text(RULES, "utf-8")
    (tmp_path / "scenarios" / "coins.rules").write_text(
        "\n".join(SCENE.format(coins, coins + 1) for coins in range(NUMBER - 3))
        + "\n".join(SCENE.format(coins, coins - 1) for coins in (43, 44, 45)),
        "utf-8",
    )
    (program,) = api.scenario_programs(tmp_path, cache=False)
    results, reached = played(program, 2)
    assert [title for title, passed in results if not passed] == ["41 coins"]
    assert len(results) == NUMBER
    assert (results, reached) == played(program, 1)
