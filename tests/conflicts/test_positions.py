"""Positions in which two rules meet: found by playing, the same every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.ui.positions import with_positions
from rulelang import api

HERE = Path(__file__).parent / "conflicting"
MET = {
    "exception_ranges": "both applied in `spend` in a random game (seed 3, after 10 decisions): "
    "`player` is seat_2, `player.gold` is 17, `player.fame` is 3",
    "instead_sums": "both applied in `earn` in a random game (seed 0, after 12 decisions): "
    "`player` is seat_1, `player.gold` is 8, `player.fame` is 6",
    "instead_step": "both applied in `turn.income` in a random game (seed 0, after 0 decisions)",
}
NEVER = ("instead_gain", "name_effect")


def notes(name: str) -> list[str]:
    """Give the notes of the conflict in a file."""
    path = HERE / f"{name}.rules"
    found = api.load(path, variants=("one", "two")).diagnostics
    met = with_positions(found, str(path), ("one", "two"))
    return [note for each in met if each.code == "E0702" for note in each.notes]


@pytest.mark.parametrize("name", MET)
def test_a_position(name: str) -> None:
    """Seed, decision, arguments and what both conditions read are told."""
    assert notes(name) == [MET[name]]


@pytest.mark.parametrize("name", NEVER)
def test_no_position(name: str) -> None:
    """Nothing is said where the two never met, or where there is nothing to play."""
    assert not any("random game" in note for note in notes(name))
