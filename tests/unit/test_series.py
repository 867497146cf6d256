"""Many games in a row are the games that would be played one by one."""

from __future__ import annotations

import pytest

from interpreter.errors import IllegalChoice, RuleFault
from interpreter.machine import play
from interpreter.providers.random import RandomProvider
from interpreter.series import series
from rulelang import load_ruleset
from tests.solving.test_positions import compiled


def test_series_plays_what_play_plays() -> None:
    """The same providers, asked on and on: the same states, and the same winners."""
    program = load_ruleset("kuhn", people=3)
    ours = {seat: RandomProvider(seat) for seat in range(3)}
    theirs = {seat: RandomProvider(seat) for seat in range(3)}
    options: dict[str, object] = {}
    for seed, game in enumerate(series(program, ours, range(50), options=options)):
        match = play(program, theirs, seed=seed)
        size = match.layout.decisions + 1
        assert game.slots[:size] == match.standing_slots()[:size]
        assert game.winners is not None
        base = program.kinds[0].base
        assert tuple(each - base for each in game.winners) == match.winners


FAULTY = """
component Player:
    coins: 0..1 = 0
phase game:
    each player in Player:
        player chooses "Go on?":
            "Yes": player gains 2 coins
            "No": do nothing
"""


def test_faults_and_missing_providers() -> None:
    """Both are told as in single games."""
    program = compiled(FAULTY)
    with pytest.raises(IllegalChoice, match="nobody answers"):
        list(series(program, {}, range(3)))
    with pytest.raises(RuleFault, match="coins"):
        list(series(program, {0: RandomProvider(0)}, range(30)))
