"""A ruleset as written, with some variants merged: for the commands that show its text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.ui.loading import errors_shown
from interpreter.ui.paths import from_here
from rulelang.data import is_outside
from rulelang.written import read_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.source import Span
    from rulelang.symbols import Tables


def merged(game: str, variants: Sequence[str] = (), *, bare: bool = False) -> Tables:
    """Read a game and merge variants into it.

    Args:
        game: Name or path of the ruleset.
        variants: What to merge, in any order.
        bare: Whether the variants of a file without a game are not merged.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.exceptions.Exit: It has errors, or the set cannot be merged; both has been written to standard error.
    """
    with errors_shown(game, variants):
        tables, _ = read_tables(game, variants, bare=bare)
    return tables


def place_of(span: Span) -> str:
    """Write file and line of a text, as they lead from the folder of the ruleset; from here if it is elsewhere."""
    path = span.file.path
    return f"{from_here(Path(path)) if is_outside(path) else path}:{span.line}"
