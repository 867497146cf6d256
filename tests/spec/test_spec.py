"""The language reference by example: every scenario of every game here holds on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.examples.scenarios import ScenarioRunner, Start
from interpreter.examples.stage import Stage
from rulelang import api

RULES = Path(__file__).parent / "rules"
GAMES = sorted(path.name for path in RULES.glob("*.rules"))


@pytest.mark.parametrize("start", [None, Stage])
@pytest.mark.parametrize("name", GAMES)
def test_language_by_example(name: str, start: Start | None) -> None:
    """Every scenario passes, and every one is run for its seats and variants."""
    ran = 0
    titles: set[str] = set()
    for program in api.scenario_programs(RULES / name, cache=False):
        for result in ScenarioRunner(program, start).run_all():
            ran += 1
            titles.add(result.title)
            assert result.passed, result
    written = (RULES / name).read_text(encoding="utf-8").count("\nscenario ")
    assert (ran, len(titles)) == (written, written)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_found(name: str) -> None:
    """No error, in no variant."""
    (result,) = api.check_path([RULES / name])
    assert [str(each.span) for each in result.diagnostics if each.is_error] == []
