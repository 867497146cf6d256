"""`run --journal` and `resume`: a game is never lost, whatever happens to the program, the file or the rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.records.journal import Journal, read
from tests.cli.sample_game import PIG, run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game of dice."""
    path = tmp_path / "pig.rules"
    path.write_text(PIG, "utf-8")
    return path


@pytest.fixture
def journal(game: Path) -> Path:
    """Of a whole game of it."""
    path = game.with_name("evening.journal")
    code, _, err = run("run", str(game), "--seed", "3", "--log", "quiet", "--journal", str(path))
    assert (code, err) == (0, "")
    return path


def resume(journal: Path, game: Path, *more: str) -> tuple[int, str, str]:
    """Play on, quietly."""
    return run("resume", str(journal), "--game", str(game), "--log", "quiet", *more)


def test_a_game_that_is_over_is_told_again(journal: Path, game: Path) -> None:
    """And nothing is added to its journal."""
    before = journal.read_bytes()
    code, out, err = resume(journal, game)
    assert (code, err) == (0, "")
    assert "win" in out
    assert journal.read_bytes() == before


def test_it_goes_on_as_it_would_have(journal: Path, game: Path) -> None:
    """Cut off after any line, or within one, it ends in the same way: whoever answers at random draws as before."""
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (1, 2, len(lines) // 2, len(lines) - 1):
        for torn in (b"", lines[kept][:-1]):
            journal.write_bytes(b"".join(lines[:kept]) + torn)
            code, _, err = resume(journal, game)
            assert code == 0
            assert ("was not whole and is dropped" in err) == bool(torn)
            assert journal.read_bytes() == whole


def test_a_damaged_journal_is_rescued(journal: Path, game: Path) -> None:
    """The message holds the command that does it; the damaged file stays."""
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[5] = b"0" * 16 + lines[5][16:]
    journal.write_bytes(b"".join(lines))
    code, _, err = resume(journal, game)
    assert code == 2
    assert "line 6 is damaged" in err
    assert f"rulelang resume {journal} --until 4 --copy FILE" in err
    copy = journal.with_name("copy.journal")
    assert resume(journal, game, "--until", "4")[0] == 2  # not without a copy
    code, _, err = resume(journal, game, "--until", "4", "--copy", str(copy))
    assert (code, err) == (0, "")
    assert read(copy).answers[:4] == read(journal, until=4).answers
    assert read(copy).end is not None
    assert journal.read_bytes() == b"".join(lines)


def test_changed_rules_are_named_or_followed(journal: Path, game: Path) -> None:
    """A game of other rules is refused; on request it goes on from the first answer that does not fit."""
    game.write_text(PIG.replace("die is 1", "die is 2"), "utf-8")
    code, _, err = resume(journal, game)
    assert code == 2
    assert "the rules have changed (turn)" in err
    copy = journal.with_name("copy.journal")
    code, out, err = resume(journal, game, "--changed-rules", "--copy", str(copy))
    assert (code, err) == (0, "")
    assert "still fit." in out
    assert read(copy).end is not None


def test_two_processes_exclude_each_other(journal: Path, game: Path) -> None:
    """The second one says why, as a process of its own, and leaves the game to the first."""
    held, _ = Journal.resume(journal)
    words = [sys.executable, "-m", "cli", "resume", str(journal), "--game", str(game)]
    with held:
        found = subprocess.run(
            words, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
        )
    assert found.returncode == 2
    assert "another process plays this game" in found.stderr
    assert "Traceback" not in found.stderr


def test_a_journal_is_never_written_over(journal: Path, game: Path) -> None:
    """Nor is a new game begun with the journal of another."""
    before = journal.read_bytes()
    code, _, err = run("run", str(game), "--journal", str(journal))
    assert code == 2
    assert "never written over" in err
    assert journal.read_bytes() == before


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by a signal")
def test_killed_games_end_as_if_nothing_had_happened() -> None:
    """Fifty games are killed at random moments, again and again; all end as the undisturbed ones."""
    words = [sys.executable, "-m", "benchmarks.kills", "--games", "50"]
    found = subprocess.run(
        words, capture_output=True, text=True, cwd=ROOT, timeout=600, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stdout.rstrip().endswith("0 games different")
