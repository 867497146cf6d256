"""The tables of all pairs of variants: they name every variant, and say what becomes of each pair."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.ui.matrix import Combination, Task, attempt
from rulelang import files
from rulelang.variants.catalogue import read_catalogue
from rulelang.variants.selection import needed

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
GAMES = [
    name for name in files.shipped_rulesets() if (PAGES / f"variant-pairs-{name}.md").is_file()
]


def page(game: str) -> str:
    """Read the table of a game."""
    return (PAGES / f"variant-pairs-{game}.md").read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_variant_has_its_row(game: str) -> None:
    """And nothing else has one; no pair is stopped by a fault."""
    rows = re.findall(r"^\| \d+ \| `(\w+)` \|(.*)\|$", page(game), re.MULTILINE)
    names = list(read_catalogue(game).variants)
    assert [name for name, _ in rows] == names
    for number, (_, cells) in enumerate(rows):
        said = [cell.strip() for cell in cells.split("|")]
        assert said[:number] == ["·"] * number
        assert all(
            re.fullmatch(r"plays|(conflict|excluded) \(\d+\)", cell) for cell in said[number:]
        )


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES)
def test_pairs_do_what_the_table_says(game: str) -> None:
    """Every other pair is loaded, and all that are refused; some are played. The table comes from 200 games of each."""
    cells = [
        cell.strip()
        for row in re.findall(r"^\| \d+ \| `\w+` \|(.*)\|$", page(game), re.MULTILINE)
        for cell in row.split("|")
        if cell.strip() != "·"
    ]
    names = list(read_catalogue(game).variants)
    order = [(one, two) for place, one in enumerate(names) for two in names[place:]]
    by_pair = {frozenset(pair): cell for pair, cell in zip(order, cells, strict=True)}
    sets = [(one,) if one == two else (one, two) for one, two in order]
    for number, chosen in enumerate(sets):
        plays = by_pair[frozenset(chosen)] == "plays"
        if plays and number % 2:
            continue
        wanted = needed(read_catalogue(game).variants, chosen)
        games = 2 if number % 20 == 0 else 0
        tried = attempt(Task(game, Combination(tuple(sorted(wanted))), games, seed=1))
        assert (not tried.refused) is plays, chosen
        assert tried.fine, chosen
