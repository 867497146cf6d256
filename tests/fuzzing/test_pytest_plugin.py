"""The plugin for pytest: rulesets of somebody else are tested like ours, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = "interpreter.ui.pytest_plugin"

GAME = """\
game race "The Race":
    version "1.0"
    players 1..2
define D6 = 1..6
component Player:
    steps: 0..20 = 0
phase game:
    each n in 1..3:
        each player in Player: do run(player)
    do win(Player with highest steps)
effect run(player):
    let die = roll D6 by player
    player gains die steps
"""
FASTER = """\
variant faster "Faster" of race:
    after run(player): player gains 1 steps
"""
SCENARIOS = """\
scenario "A run" of race:
    people ann
    do run(ann):
        roll 4
    after:
        ann.steps is 4

scenario "A fast run" of race with faster:
    people ann, bob
    do run(bob):
        roll 4
    after:
        bob.steps is 5
"""


@attrs.frozen
class Ran:
    """How a run of pytest ended."""

    code: int
    shown: str

    def counts(self, words: str) -> bool:
        """Does the last line say so?"""
        return words in self.shown.rstrip().splitlines()[-1]


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A ruleset in a folder of its own, with a variant and scenarios."""
    folder = tmp_path / "race"
    for name, text in (
        ("race.rules", GAME),
        ("variants/faster.rules", FASTER),
        ("scenarios/runs.rules", SCENARIOS),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def run(folder: Path, *words: str) -> Ran:
    """Run pytest in a folder with this plugin and no other: not all of them know tests that are no functions."""
    own = {"PYTHONPATH": str(ROOT), "COLUMNS": "120", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", PLUGIN, *words],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    return Ran(done.returncode, done.stdout + done.stderr)


def test_scenarios_and_games_are_tests(race: Path) -> None:
    """Each is one test; without being asked, the plugin does nothing."""
    ran = run(race.parent, "--rulelang", "--rulelang-games", "4", "-v")
    assert ran.code == 0, ran.shown
    for name in ("check", "A run", "A fast run", "4 games of 1", "4 games of 2"):
        assert f"race.rules::{name} PASSED" in ran.shown
    assert ran.counts("5 passed")
    assert run(race.parent).code == pytest.ExitCode.NO_TESTS_COLLECTED


def test_it_is_asked_for_in_the_configuration(race: Path) -> None:
    """The same in `pytest.ini`."""
    (race / "pytest.ini").write_text("[pytest]\nrulelang = true\nrulelang_games = 2\n")
    ran = run(race)
    assert ran.code == 0, ran.shown
    assert ran.counts("5 passed")


def test_what_fails_is_told(race: Path) -> None:
    """A scenario that does not hold and a game that goes wrong, each as the commands tell it; no traceback."""
    rules = race / "race.rules"
    rules.write_text(GAME.replace("0..20", "0..12"))
    scenarios = race / "scenarios" / "runs.rules"
    scenarios.write_text(SCENARIOS.replace("is 4", "is 3"))
    ran = run(race, "--rulelang", "--rulelang-games", "30")
    assert ran.code == 1
    assert ran.counts("3 failed, 2 passed")
    assert "expected: ann.steps is 3" in ran.shown
    assert "actual: ann.steps is 4" in ran.shown
    assert 'scenario "range-left (game ' in ran.shown
    assert "Traceback" not in ran.shown


def test_an_error_is_told(race: Path) -> None:
    """A ruleset with a mistake fails with the finding."""
    (race / "race.rules").write_text(GAME.replace("die steps", "dice steps"))
    ran = run(race, "--rulelang", "-k", "check")
    assert ran.code == 1
    assert "error[E0201]" in ran.shown
    assert "Traceback" not in ran.shown


def test_a_file_of_scenarios_alone(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tested with the game that it names, wherever games are found by name."""
    other = race.parent / "more"
    other.mkdir()
    (race / "scenarios" / "runs.rules").rename(other / "some.rules")
    ran = run(other, "--rulelang")
    assert ran.code == pytest.ExitCode.INTERRUPTED
    assert "no ruleset of that name can be found" in ran.shown
    assert "Traceback" not in ran.shown
    monkeypatch.setenv("RULELANG_PATH", str(race.parent))
    ran = run(other, "--rulelang", "-v")
    assert "some.rules::A run PASSED" in ran.shown, ran.shown
    assert ran.counts("3 passed")


def test_it_is_an_entry_point() -> None:
    """Who installs the package has the plugin."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"rulelang": PLUGIN}
