"""Each fault that is planted in a ruleset is found and becomes a short scenario that fails under `test`, there only."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from cli import run_command_line
from tests.fuzzing.seeded import ALL, Seeded

if TYPE_CHECKING:
    from pathlib import Path

GAMES = 40
# All of them take minutes: every fifth is played, and all if RULELANG_ALL is set.
PLAYED = ALL if os.environ.get("RULELANG_ALL") else ALL[3::5]


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("fault", PLAYED, ids=lambda fault: fault.name)
def test_a_seeded_fault(
    fault: Seeded,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its code is one of those that fit; the scenario has fewer than 20 lines and fails with the same code."""
    monkeypatch.chdir(tmp_path)
    place = fault.plant(tmp_path)
    found = tmp_path / "found.rules"
    command = ["fuzz", str(place), *fault.words, "--games", str(GAMES), "--output", str(found)]
    assert run_command_line(command) == 1
    code = capsys.readouterr().out.partition(":")[0]
    assert code in fault.codes
    assert found.read_text("utf-8").count("\n") < 20
    broken = reasons(found, tmp_path, capsys)
    assert len(broken) == 1
    assert broken.isdisjoint(reasons(found, None, capsys))


def reasons(found: Path, folder: Path | None, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Why the scenario fails: with the ruleset in a folder, or with the one that comes with the program."""
    where = ["--rulesets", str(folder)] if folder is not None else []
    run_command_line([*where, "test", str(found), "--output-format", "json"])
    (played,) = json.loads(capsys.readouterr().out)["scenarios"]
    return {each["what"] for each in played["reasons"]}
