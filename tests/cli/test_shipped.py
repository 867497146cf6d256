"""Every ruleset that comes with the program keeps what the commands promise of it."""

from __future__ import annotations

import re

import pytest

from rulelang import load_ruleset
from rulelang.files import shipped_rulesets
from tests.cli.sample_game import run

RULESETS = shipped_rulesets()
# The scenarios of the largest take minutes: `tests/docs/test_exercised.py` plays and traces them.
TRACED = [name for name in RULESETS if name != "pirate_republic"]

pytestmark = pytest.mark.timeout(600)


def test_there_are_rulesets() -> None:
    """At least one comes along."""
    assert RULESETS


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_found(name: str) -> None:
    """Neither an error nor a warning."""
    assert run("check", name, "--output-format", "concise") == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pirates"])
def test_scenarios_pass(name: str) -> None:
    """All scenarios pass by the command; those of the other games are played elsewhere in the tests."""
    code, out, err = run("test", name)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed", out.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", TRACED)
def test_ids_are_cited_and_exercised(name: str) -> None:
    """Every id of the rulebook is cited by a rule or needs none, and is exercised."""
    code, out, _ = run("trace", name, "--games", "0" if name == "pirates" else "5")
    assert code == 0, out
    assert "0 without a rule, 0 never exercised" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_games_end(name: str) -> None:
    """Games of random and automa seats end without a fault, few people or many."""
    low, high = load_ruleset(name).players
    for people in sorted({low, (low + high) // 2, high}):
        for seats in ((), ("--seat", "1=automa")):
            settings = ("--people", str(people), "--games", "16", "--json", *seats)
            code, out, err = run("simulate", name, *settings)
            assert (code, err) == (0, "")
            assert '"faults": []' in out
