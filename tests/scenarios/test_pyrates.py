"""All scenarios of Pyrates! pass, those of its optional rules too, and every scenario of the checklist is there."""

from __future__ import annotations

import csv
import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.scenarios import ScenarioResult, ScenarioRunner
from interpreter.stage import Stage
from rulelang.api import load_ruleset, scenario_programs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang import ir

RULESET = Path(__file__).parents[2] / "rulesets" / "pyrates"
# What tests in this folder say.
ELSEWHERE = {16}
VARIANTS = {
    name
    for path in RULESET.glob("variants/*.rules")
    for name in re.findall(r"(?m)^variant (\w+)", path.read_text(encoding="utf-8"))
}
NEEDING = {(("more_gold", "spanish_main"), "spanish_main")}  # has no scenario without what it needs
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


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_scenarios_of_variants(variant: str) -> None:
    """Whatever is set up, played and expected with a variant holds, on generated code too, and with later ones."""
    programs = [
        program
        for program in scenario_programs(RULESET, [variant])
        if min(program.variants) == variant or (program.variants, variant) in NEEDING
    ]
    assert programs
    for program in programs:
        assert not failures(ScenarioRunner(program).run_all())
        if program.variants == (variant,):
            compiled = ScenarioRunner(program, Stage)
            plain = [example for example in program.scenarios if not example.options]
            assert not failures([compiled.run(example) for example in plain])


def test_every_scenario_of_the_checklist_is_there() -> None:
    """Its ids are cited, and every scenario has variants and a number of seats that are played."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(RULESET.glob("scenarios/*.rules"))]
    with (RULESET / "scenarios.csv").open(encoding="utf-8") as file:
        ids = {int(row["id"].rpartition("-")[2]) for row in csv.DictReader(file)}
    cited = {int(number) for text in texts for number in re.findall(r"PYR-SC-(\d+)", text)}
    assert cited == ids - ELSEWHERE
    played = sum(len(program.scenarios) for program in scenario_programs(RULESET))
    assert played == sum(len(re.findall(TITLES, text)) for text in texts)
