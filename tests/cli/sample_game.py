"""The game of the guide's first page, for tests of the commands."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import cli

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "first-game.md"
_BLOCK = re.compile(r"^```rules[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FOUND = _BLOCK.search(_PAGE.read_text("utf-8"))
assert _FOUND is not None
PIG = _FOUND[1]


def run(*arguments: str) -> tuple[int, str, str]:
    """Run one command in this process; give exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run_command_line(arguments)
    return code, out.getvalue(), err.getvalue()
