"""The verb `docs`: a ruleset as a rulebook for people."""

from __future__ import annotations

import click

from commands.basics import WITH, ExitCode, command_line, findings, written_as


@command_line.command(
    epilog="\b\nrulelang docs pyrates --out pyrates.html\n"
    "rulelang docs pyrates --with more_gold --out pyrates.md"
)
@click.argument("game")
@WITH
@written_as("html", "markdown")
def docs(game: str, variants: tuple[str, ...], form: str | None, out: str | None) -> ExitCode:
    """Write a ruleset as a rulebook that people can read.

    Chapters follow the course of the game, what variants change is marked, citations lead to what the rulebook says,
    and each rule has its lines as written. HTML is one file; it and the drawings in it need the extra `docs`:
    pip install 'rulelang[docs]'.
    """
    from interpreter.ui.rulebook import write_rulebook

    return findings(write_rulebook(game, variants, form, out))
