"""Every ruleset that comes with the program keeps what the commands promise of it."""

from __future__ import annotations

import pytest

from rulelang import load_ruleset
from rulelang.files import shipped_rulesets
from tests.cli.sample_game import run

RULESETS = shipped_rulesets()

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
@pytest.mark.parametrize("name", RULESETS)
def test_games_end(name: str) -> None:
    """Games of random and automa seats end without a fault, few people or many."""
    low, high = load_ruleset(name).players
    for people in sorted({low, high}):
        for seats in ((), ("--seat", "1=automa")):
            settings = ("--people", str(people), "--games", "2", "--json", *seats)
            code, out, err = run("simulate", name, *settings)
            assert (code, err) == (0, "")
            assert '"faults": []' in out
