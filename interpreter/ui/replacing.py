"""Files that a command changes: what would change, and the change itself."""

from __future__ import annotations

import difflib
import tempfile
from pathlib import Path

import click

from interpreter.ui.paint import Paint


def show_difference(shown: str, old: str, new: str, *, colour: bool) -> None:
    """Write a difference as `patch` and `git apply` read it.

    Args:
        shown: The path of the file.
        old: Its text.
        new: What it would become.
        colour: Whether escape sequences may be used.
    """
    paint = Paint(colour)
    colours = {"-": "red", "+": "green", "@": "cyan"}
    lines = (text.removesuffix("\n").split("\n") if text else [] for text in (old, new))
    ends = old.endswith("\n") or not old
    before, after = lines
    if not ends:
        before[-1] += "\n\\ No newline at end of file"
    for line in difflib.unified_diff(before, after, shown, shown, lineterm=""):
        style = colours.get(line[:1])
        click.echo(paint(line, style) if style else line, color=colour)


def replace_file(target: Path, text: str) -> None:
    """Write a file as a whole or not at all; it keeps its rights.

    Raises:
        OSError: It cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    made = Path(name)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123 - a handle
            file.write(text)
        made.chmod(target.stat().st_mode & 0o7777)
        made.replace(target)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
