"""A ruleset as written, with some variants merged: for the commands that show its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulelang import api
from rulelang.written import read_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.source import Span
    from rulelang.symbols import Tables


def merged(game: str, variants: Sequence[str] = ()) -> Tables:
    """Read a game and merge variants into it.

    Args:
        game: Name or path of the ruleset.
        variants: What to merge, in any order.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.exceptions.Exit: It has errors, or the set cannot be merged; both has been written to standard error.
    """
    try:
        tables, _ = read_tables(game, variants)
    except api.RulesetError as error:
        from interpreter.ui.checking import render, shown_from_here

        place = api.find_ruleset(game)
        found = shown_from_here(error.diagnostics, place if place.is_dir() else place.parent)
        colour = bool(click.get_current_context().color)
        click.echo(render([*found], "full", colour=colour), nl=False, err=True)
        raise click.exceptions.Exit(1) from None
    return tables


def place_of(span: Span) -> str:
    """Write file and line of a text, as they lead from the folder of the ruleset."""
    return f"{span.file.path}:{span.line}"
