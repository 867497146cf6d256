"""All scenarios of the shipped games and their variants pass on generated code, and those of the checklists are there.

On the reference interpreter they are played in `tests/docs/test_exercised.py`, which looks at what they reach.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from interpreter.examples.scenarios import ScenarioResult, ScenarioRunner
from interpreter.examples.stage import Stage
from rulelang.api import scenario_programs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang import ir

RULESETS = Path(__file__).parents[2] / "rulesets"
TITLES = r'(?m)^scenario "'
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@attrs.frozen
class Checklist:
    """Where the scenarios of a game come from.

    Attributes:
        game: The folder.
        prefix: Of the ids of the scenarios.
        seats: Every number of seats that base scenarios have.
        elsewhere: Numbers of scenarios that tests in this folder say.
        files: The files in which the ids stand.
    """

    game: str
    prefix: str
    seats: tuple[int, ...]
    elsewhere: frozenset[int]
    files: tuple[str, ...] = ("scenarios.csv",)

    @property
    def folder(self) -> Path:
        """The folder of the ruleset."""
        return RULESETS / self.game

    @property
    def variants(self) -> list[str]:
        """The names of the variants shipped with it."""
        return sorted(
            name
            for path in self.folder.glob("variants/*.rules")
            for name in re.findall(r"(?m)^variant (\w+)", path.read_text(encoding="utf-8"))
        )


CHECKLISTS = (
    Checklist("pyrates", "PYR-SC", (1, 2, 3, 4, 5, 6), frozenset((16,))),
    Checklist("pirates", "PIR-SC", (2, 3, 4, 5, 6), frozenset((69, 84, 85))),
    Checklist("pirates", "PIR-VSC", (2, 3, 4, 5, 6), frozenset(), ("variants.csv",)),
    Checklist("pirate_republic", "REP-SC", (1, 2, 3), frozenset()),
)
# The largest game takes many minutes on generated code.
GAMES = {each.game: each for each in CHECKLISTS if each.game != "pirate_republic"}
SEATS = [(game, seats) for game, each in GAMES.items() for seats in each.seats]
VARIANTS = [(game, name) for game, each in GAMES.items() for name in each.variants]


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_scenarios(game: str, seats: int) -> None:
    """Whatever is expected for so many seats holds; those that set an option are left out: each is a compilation."""
    (program,) = (each for each in programs(game) if (each.variants, each.seats) == ((), seats))
    results = on_the_compiled_engine(program)
    assert results
    assert not failures(results)


@cache
def programs(game: str) -> list[ir.Program]:
    """Compile a game for all its scenarios."""
    return list(scenario_programs(RULESETS / game))


def on_the_compiled_engine(program: ir.Program) -> list[ScenarioResult]:
    """Play the scenarios that set no option on generated code."""
    runner = ScenarioRunner(program, Stage)
    return [runner.run(example) for example in program.scenarios if not example.options]


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


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_scenarios_of_variants(game: str, variant: str) -> None:
    """Whatever is expected with a variant alone holds."""
    for program in programs(game):
        if program.variants == (variant,):
            assert not failures(on_the_compiled_engine(program))


@pytest.mark.parametrize("checklist", CHECKLISTS, ids=lambda each: each.prefix)
def test_every_scenario_of_the_checklist_is_there(checklist: Checklist) -> None:
    """The ids of the checklist are cited."""
    ids: set[int] = set()
    for name in checklist.files:
        with (checklist.folder / name).open(encoding="utf-8") as file:
            rows = [row["id"].rpartition("-") for row in csv.DictReader(file)]
        ids |= {int(number) for prefix, _, number in rows if prefix == checklist.prefix}
    cited = {
        int(number)
        for text in texts(checklist.folder)
        for number in re.findall(checklist.prefix + r"-(\d+)", text)
    }
    assert ids
    assert cited == ids - checklist.elsewhere


@pytest.mark.parametrize("game", GAMES)
def test_every_scenario_is_played(game: str) -> None:
    """Each has variants and a number of seats that are played, and each variant has one."""
    folder = RULESETS / game
    played = sum(len(program.scenarios) for program in programs(game))
    assert played == sum(len(re.findall(TITLES, text)) for text in texts(folder))
    assert {name for each in programs(game) for name in each.variants} == set(GAMES[game].variants)


def texts(folder: Path) -> list[str]:
    """Read the scenario files of a ruleset."""
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("scenarios/*.rules"))]
