"""The pages of exercised cards and counters: they name every row, and each row is exercised."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.coverage import scenario_coverage
from interpreter.ui.things import ThingsReport, designs_of
from rulelang import api, files

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
GAMES = [name for name in files.shipped_rulesets() if (PAGES / f"exercised-{name}.md").is_file()]


def page(game: str) -> str:
    """Read the page of a game."""
    return (PAGES / f"exercised-{game}.md").read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_there(game: str) -> None:
    """And no other; the page says of each where it was exercised."""
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.+) \|$", page(game), re.MULTILINE)
    program = api.load_ruleset(game, people=2)
    assert [name for name, _ in rows] == [each.name for each in designs_of(program)]
    assert all(told.startswith("scenario ") and "not exercised" not in told for _, told in rows)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_exercised(game: str) -> None:
    """By scenarios alone, whatever games would add."""
    covered = scenario_coverage(api.scenario_programs(game))
    report = ThingsReport.of(api.load_ruleset(game, people=2), covered.things)
    assert [each.name for each in report.designs if not report.exercised(each)] == []
