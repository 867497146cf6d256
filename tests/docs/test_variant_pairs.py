"""The tables of all pairs of variants: they name every variant, and say what the command says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang import files
from rulelang.variants.catalogue import read_catalogue
from tests.cli.sample_game import run

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
@pytest.mark.parametrize("game", GAMES)
def test_the_command_says_the_same(game: str) -> None:
    """With as many games as the page says."""
    text = page(game)
    found = re.search(r"(\d+) random games? each.* seeds from (\d+)", text)
    assert found is not None
    _, out, _ = run("options", game, "--pairs", "--games", found[1], "--seed", found[2])
    assert out == text
