"""The pages of exercised cards and counters: they name every row, and each row is exercised, as is every id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.examples.coverage import game_coverage, scenario_coverage
from interpreter.examples.reached import SORTS
from interpreter.ui.coverage import CoverageReport
from interpreter.ui.things import ThingsReport, designs_of
from interpreter.ui.tracing import Report, excuses_of
from rulelang import api, files

PLAYED = {"pyrates": 2}  # games that are played too: no scenario is of the course of a whole game
NEAR = 12  # so many percent more than the page says are fine
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
@pytest.mark.parametrize("game", files.shipped_rulesets())
def test_what_scenarios_reach(game: str) -> None:
    """All scenarios pass; they exercise every row and id, and of each sort of part what the page says or more."""
    scenes = [*api.scenario_programs(game)]
    covered = scenario_coverage(scenes)
    assert covered.failed == ()
    program = api.load_ruleset(game, people=2)
    played = covered.joined(game_coverage(program, PLAYED.get(game, 0), people=range(2)))
    ids = Report.of(program, excuses_of(api.find_ruleset(game)), played, scenes)
    assert [each.id for each in (*ids.without_rule, *ids.unreached)] == []
    if game in GAMES:
        things = ThingsReport.of(program, covered.things)
        assert [each.name for each in things.designs if not things.exercised(each)] == []
    report = CoverageReport.of(game, (), covered.parts, {each.variants for each in scenes})
    document = report.document()
    said = figures()[game]
    assert set(said) == {*document["sorts"], "all"}
    percent = {sort: each["percent"] for sort, each in document["sorts"].items()}
    percent["all"] = document["percent"]
    assert {
        sort: percent[sort] for sort in said if not 0 <= percent[sort] - said[sort] < NEAR
    } == {}


def test_the_page_of_coverage() -> None:
    """It has a column for each game, and a number for each sort of part that there is."""
    for game, said in figures().items():
        assert set(said) <= {*SORTS, "all"}
        assert {"doings", "needs", "rows", "answers", "all"} <= set(said), game
    assert set(figures()) == set(files.shipped_rulesets())


def figures() -> dict[str, dict[str, int]]:
    """Read the page of coverage: percentages by game and sort."""
    lines = re.findall(r"^\|(.*)\|$", (PAGES / "coverage.md").read_text("utf-8"), re.MULTILINE)
    head, _, *rows = [[cell.strip(" `*") for cell in line.split("|")] for line in lines]
    return {
        game: {row[0]: int(row[place]) for row in rows if row[place].isdigit()}
        for place, game in enumerate(head)
        if place
    }
