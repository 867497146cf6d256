"""`new ruleset`: what it writes can be checked, tested, played, documented and varied at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commands.basics import ExitCode
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path


def test_everything_works_at_once(tmp_path: Path) -> None:
    """No finding, in the one style, scenarios pass and reach every id; it is played, told and varied."""
    folder = tmp_path / "seas"
    code, out, _ = run("new", "ruleset", "Seven Seas", "--out", str(folder))
    assert code == 0
    assert f"rulelang check {folder}" in out
    written = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert written == ["rules.csv", "scenarios/turns.rules", "seven_seas.rules"]
    assert run("check", str(folder), "--output-format", "concise")[:2] == (0, "")
    assert run("fmt", "--check", str(folder))[0] == 0
    assert "3 passed, 0 failed" in run("test", str(folder))[1]
    code, out, _ = run("trace", str(folder), "--games", "0")
    assert code == 0, out
    assert run("run", str(folder), "--seed", "1", "--log", "quiet")[0] == 0
    assert run("docs", str(folder), "--out", str(tmp_path / "seas.md"))[0] == 0
    assert "SEV-2" in (tmp_path / "seas.md").read_text("utf-8")
    assert run("new", "variant", "--of", str(folder), "Longer")[0] == 0
    assert run("test", str(folder / "variants" / "longer.rules"))[0] == 0


def test_the_policy_plays(tmp_path: Path) -> None:
    """A seat can be left to the policy, which takes its chances until it has half of what it needs."""
    folder = tmp_path / "seas"
    assert run("new", "ruleset", "Seven Seas", "--out", str(folder))[0] == 0
    seats = ("--people", "2", "--seat", "1=automa", "--seat", "2=automa")
    code, out, _ = run("run", str(folder), "--seed", "1", "--log", "full", *seats)
    assert code == 0
    assert "yes" in out
    assert "no" in out


def test_nothing_is_lost(tmp_path: Path) -> None:
    """Files that are there stay as they are, unless `--force` is said; other rules are never joined."""
    folder = tmp_path / "seas"
    assert run("new", "ruleset", "Seven Seas", "--out", str(folder))[0] == 0
    rules = folder / "seven_seas.rules"
    before = rules.read_text("utf-8")
    rules.write_text("# mine\n", "utf-8")
    code, _, err = run("new", "ruleset", "Seven Seas", "--out", str(folder))
    assert code == ExitCode.USAGE
    assert "is there already. --force writes over it." in err
    assert rules.read_text("utf-8") == "# mine\n"
    assert run("new", "ruleset", "Seven Seas", "--out", str(folder), "--force")[0] == 0
    assert rules.read_text("utf-8") == before
    code, _, err = run("new", "ruleset", "Another", "--out", str(folder), "--force")
    assert code == ExitCode.USAGE
    assert "seven_seas.rules" in err


@pytest.mark.parametrize(
    "title", ["Turn", "Points", "goal", "X", "3 Crowns", "\u6d77", 'A "b" {c}']
)
def test_any_title(title: str, tmp_path: Path) -> None:
    """Whatever it is called: no finding, and the scenarios pass."""
    folder = tmp_path / "game"
    assert run("new", "ruleset", title, "--out", str(folder))[0] == 0
    assert run("check", str(folder), "--output-format", "concise")[:2] == (0, "")
    assert run("test", str(folder))[0] == 0
