"""Who wins: what a variant says counts over the base, and over what it says to come after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.examples.scenarios import ScenarioRunner
from interpreter.examples.stage import Stage
from rulelang import api

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
game market "Market":
    version "1.0"
    players 2..4
define D6 = 1..6
option wage: 1..9 = 2
component Player:
    gold: 0..99 = 3
    fame: 0..99 = 0
    leads: Flag = no
define player.limit = 5:
    rich: 7 when player.gold > 2
    leader: 8 when player.leads after rich
table price(n: D6):
    1..3: 1
    4..6: 2
phase game:
    each player in Player: do earn(player)
effect earn(player):
    player gains up to wage gold
    if player.limit > price(4): player.leads becomes yes
tax: after earn(player) when player.gold > 50: player gains 9 fame
instead of earn(player) when player.gold is 0: player gains up to 1 fame

variant small "Small" of market:
    player.limit: 4 when player.gold > 1
    change option wage = 3
    change table price:
        4..6: 5
    instead of earn(player): player gains 1 gold
    drop tax
variant large "Large" of market after small:
    player.limit: 9
    change option wage = 4
    change table price:
        4: 6
    instead of earn(player) when player.fame is 0: player gains wage gold
variant anew "Anew" of market:
    drop tax
    tax: after earn(player): player gains 1 fame
"""
SCENARIOS = """
scenario "base" of market:
    people ann, bob
    before: bob.gold becomes 0
    do earn(ann)
    do earn(bob)
    after:
        ann.gold is 5 and ann.limit is 8 and price(4) is 2
        bob.gold is 0 and bob.fame is 1
        bob.limit is 5
scenario "over the base" of market with small:
    people ann, bob
    before: bob.gold becomes 0
    do earn(ann)
    do earn(bob)
    after:
        ann.gold is 4 and ann.limit is 4 and price(4) is 5
        bob.gold is 1 and bob.fame is 0 and bob.limit is 5
scenario "the later one" of market with small with large:
    people ann, bob
    before: bob.fame becomes 1
    do earn(ann)
    do earn(bob)
    after:
        ann.gold is 7 and ann.limit is 9 and price(4) is 6 and price(5) is 5
        bob.gold is 4 and bob.limit is 9
scenario "a rule anew" of market with anew:
    people ann, bob
    do earn(ann)
    after:
        ann.fame is 1
"""


@pytest.mark.parametrize("generated", [False, True])
def test_who_wins(tmp_path: Path, *, generated: bool) -> None:
    """In the reference interpreter and in generated code."""
    (tmp_path / "market.rules").write_text(GAME + SCENARIOS, encoding="utf-8")
    played = {}
    for program in api.scenario_programs(tmp_path, cache=False):
        runner = ScenarioRunner(program, Stage) if generated else ScenarioRunner(program)
        played.update({result.title: result for result in runner.run_all()})
    assert sorted(played) == ["a rule anew", "base", "over the base", "the later one"]
    for result in played.values():
        assert result.passed, result
