"""The table in a real terminal, under tmux: keys go in, and what stands on the screen comes out."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.records.journal import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
TMUX = shutil.which("tmux")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(TMUX is None, reason="tmux is not there"),
]


class Terminal:
    """A terminal of 80 by 24 characters."""

    def __init__(self, name: str) -> None:
        self._name = name

    def tmux(self, *words: str) -> str:
        """Run a command of tmux."""
        assert TMUX is not None
        done = subprocess.run(
            [TMUX, "-L", self._name, *words], capture_output=True, text=True, check=False
        )
        return done.stdout

    def screen(self) -> str:
        """What stands there."""
        return self.tmux("capture-pane", "-p", "-t", "table")

    def until(self, holds: Callable[[str], object]) -> str:
        """Wait for it."""
        end = time.monotonic() + PATIENCE
        while not holds(text := self.screen()):
            assert time.monotonic() < end, text
            time.sleep(0.1)
        return text

    def press(self, *keys: str) -> None:
        """Type."""
        self.tmux("send-keys", "-t", "table", *keys)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """A terminal of its own."""
    name = f"rulelang-{uuid.uuid4().hex[:8]}"
    opened = Terminal(name)
    yield opened
    opened.tmux("kill-server")


def test_a_game_without_colours(lagoon: str, tmp_path: Path, terminal: Terminal) -> None:
    """A person plays to the end by hints, in a terminal without colours; the journal is whole."""
    journal = tmp_path / "evening.journal"
    command = f"cd {ROOT} && {sys.executable} cli.py play {lagoon} --seed 3 --journal {journal}; echo DONE $?; sleep 60"
    terminal.tmux(
        "new-session", "-d", "-s", "table", "-x", "80", "-y", "24", "-e", "NO_COLOR=1", command
    )
    first = terminal.until(lambda text: "How much do you bid?" in text)
    assert "Old Port" in first
    assert "help" in first.splitlines()[-1] or "help" in first
    raw = terminal.tmux("capture-pane", "-p", "-e", "-t", "table")
    assert "[38;2;" not in raw.replace("38;2;0;0;0", "") or _is_grey(raw)
    for _ in range(40):
        text = terminal.until(
            lambda text: "The game is over" in text or ("others play" not in text and "?" in text)
        )
        if "The game is over" in text:
            break
        terminal.press("F3")
        terminal.until(lambda text: "policy" in text or "The game is over" in text)
        answers = journal.read_text("utf-8").count("\n")
        terminal.press("Enter")
        terminal.until(lambda _: journal.read_text("utf-8").count("\n") > answers)  # noqa: B023
        time.sleep(0.3)
    terminal.until(lambda text: "The game is over" in text)
    terminal.press("C-q")
    ended = terminal.until(lambda text: "DONE" in text)
    assert "wins" in ended or "win." in ended
    assert "DONE 0" in ended
    assert read(journal).end is not None


def _is_grey(raw: str) -> bool:
    """Are all colours shades of grey?"""
    colours = re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", raw)
    return all(red == green == blue for red, green, blue in colours)


def test_leaving_says_how_to_play_on(lagoon: str, tmp_path: Path, terminal: Terminal) -> None:
    """Whoever leaves is told the command, and it goes on there."""
    journal = tmp_path / "evening.journal"
    play = f"{sys.executable} cli.py play {lagoon} --seed 3 --journal {journal}"
    resume = f"{sys.executable} cli.py resume {journal} --game {lagoon}"
    terminal.tmux(
        "new-session", "-d", "-s", "table", "-x", "100", "-y", "30",
        f"cd {ROOT} && {play}; echo LEFT; read x; {resume}; sleep 60",
    )  # fmt: skip
    terminal.until(lambda text: "How much do you bid?" in text)
    terminal.press("2", "Enter")
    terminal.until(lambda text: "sail: Old Port" in text)
    terminal.press("C-q")
    left = terminal.until(lambda text: "LEFT" in text)
    assert f"rulelang resume {journal}" in left.replace("\n", "")
    terminal.press("Enter")
    terminal.until(lambda text: "sail: Old Port" in text and "LEFT" not in text)
