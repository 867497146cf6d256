"""Positions in which two rules meet: found by playing, the same every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.ui.positions import with_positions
from rulelang import api
from rulelang.rendering import render_full

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


def test_the_example_of_the_page(tmp_path: Path) -> None:
    """The page about conflicts shows what is really said."""
    page = (Path(__file__).parents[2] / "docs" / "explain" / "conflicts.md").read_text("utf-8")
    rules = page.split("```rules\n")[1].split("```")[0]
    shown = page.split("```text\n")[1].split("```")[0]
    path = tmp_path / "market.rules"
    path.write_text(rules, encoding="utf-8")
    found = api.load(path, variants=("burden", "renown")).diagnostics
    met = with_positions((each for each in found if each.is_error), str(path))
    assert render_full(met).strip() == shown.strip()
