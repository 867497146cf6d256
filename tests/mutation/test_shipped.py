"""The scenarios of the rulesets that come with the program notice as much as they did."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.sample_game import run

SAMPLE = 20
ALL = [("pyrates", 17), ("pirates", 16)]
# The second takes minutes: it is played if RULELANG_ALL is set.
PLAYED = ALL if os.environ.get("RULELANG_ALL") else ALL[:1]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "least"), PLAYED)
def test_as_much_is_noticed(game: str, least: int) -> None:
    """Of a small sample of changes so many are noticed. A new rule needs scenarios that notice changes of it."""
    code, out, err = run(
        "test", game, "--mutate", "--sample", str(SAMPLE), "--jobs", "2", "--output-format", "json"
    )
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["tried"] == SAMPLE
    assert data["killed"] >= least, data["survivors"]
