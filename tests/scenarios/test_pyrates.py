"""All scenarios of Pyrates! pass, and every scenario of its base game is there."""

from __future__ import annotations

import csv
import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.scenarios import ScenarioResult, ScenarioRunner
from interpreter.stage import Stage
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang import ir

RULESET = Path(__file__).parents[2] / "rulesets" / "pyrates"
# Of optional rules, which come with the variants; and those that tests in this folder say.
OPTIONAL = {14, *range(66, 78), 100, 101}
ELSEWHERE = {16}
SEATS = (1, 2, 3, 4, 5, 6)
pytestmark = pytest.mark.slow
TITLES = r'(?m)^scenario "'


@functools.cache
def examples(seats: int) -> ir.Program:
    """Give the Program with the scenarios of so many seats."""
    return load_ruleset(RULESET, seats=seats, scenarios=True, cache=False)


@pytest.mark.parametrize("seats", SEATS)
def test_scenarios(seats: int) -> None:
    """Whatever is set up, played and expected for so many seats holds."""
    results = ScenarioRunner(examples(seats)).run_all()
    assert results
    assert not failures(results)


@pytest.mark.parametrize("seats", SEATS)
def test_scenarios_on_the_compiled_engine(seats: int) -> None:
    """The same on generated code; those that set no option, since each setting is a compilation."""
    program = examples(seats)
    runner = ScenarioRunner(program, Stage)
    plain = [example for example in program.scenarios if not example.options]
    assert plain
    assert not failures([runner.run(example) for example in plain])


def failures(results: Sequence[ScenarioResult]) -> dict[str, object]:
    """Say for each scenario that failed what did not hold."""
    return {
        result.title: [
            (trial.problem, [check.text for check in trial.checks if not check.passed])
            for trial in result.trials
        ]
        for result in results
        if not result.passed
    }


def test_every_scenario_of_the_base_game_is_there() -> None:
    """The ids of the checklist are cited, and no scenario has a number of seats that is not played."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(RULESET.glob("scenarios/*.rules"))]
    with (RULESET / "scenarios.csv").open(encoding="utf-8") as file:
        ids = {int(row["id"].rpartition("-")[2]) for row in csv.DictReader(file)}
    cited = {int(number) for text in texts for number in re.findall(r"PYR-SC-(\d+)", text)}
    assert cited == ids - OPTIONAL - ELSEWHERE
    played = sum(len(examples(seats).scenarios) for seats in SEATS)
    assert played == sum(len(re.findall(TITLES, text)) for text in texts)
