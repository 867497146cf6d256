"""The pages of exercised cards and counters: they name every row, and each row is exercised, as is every id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.coverage import scenario_coverage
from interpreter.ui.things import ThingsReport, designs_of
from interpreter.ui.tracing import Report, excuses_of
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
def test_every_row_and_every_id_is_exercised(game: str) -> None:
    """By scenarios alone, whatever games would add."""
    scenes = [*api.scenario_programs(game)]
    covered = scenario_coverage(scenes)
    program = api.load_ruleset(game, people=2)
    things = ThingsReport.of(program, covered.things)
    assert [each.name for each in things.designs if not things.exercised(each)] == []
    ids = Report.of(program, excuses_of(api.find_ruleset(game)), covered, scenes)
    assert [each.id for each in (*ids.without_rule, *ids.unreached)] == []
