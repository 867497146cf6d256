"""Every classic is checked, formatted, and passes its scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.sample_game import run

CLASSICS = sorted(
    {place.parent.name for place in Path(__file__).parents[2].glob("rulesets/classics/*/*.rules")}
)


SLOW = {"blackjack", "connect_four", "goofspiel"}


@pytest.mark.parametrize(
    "game",
    [pytest.param(each, marks=pytest.mark.slow if each in SLOW else ()) for each in CLASSICS],
)
def test_nothing_is_found_and_scenarios_pass(game: str) -> None:
    """The game is found by its name; it has no error, no warning and no unusual line, and its scenarios pass."""
    assert run("check", game, "--output-format", "concise") == (0, "", "")
    assert run("fmt", "--check", f"rulesets/classics/{game}")[0] == 0
    code, out, _ = run("test", game)
    assert (code, out.splitlines()[-1].endswith(" passed, 0 failed")) == (0, True), out
