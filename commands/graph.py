"""The verb `graph`: drawings of a ruleset."""

from __future__ import annotations

import click

from commands.basics import WITH, ExitCode, command_line, findings, written_as


@command_line.command(
    epilog="\b\nrulelang graph pyrates --out pyrates.svg\nrulelang graph pirates --what map --format mermaid"
)
@click.argument("game")
@WITH
@click.option(
    "--what",
    type=click.Choice(["phases", "map"]),
    default="phases",
    show_default=True,
    help="Phases with their steps and the rules that act on them, or the places and what joins them.",
)
@written_as("svg", "mermaid")
def graph(
    game: str, variants: tuple[str, ...], what: str, form: str | None, out: str | None
) -> ExitCode:
    """Draw the course of a game, or its map.

    Pointing at a part of an SVG drawing shows what it cites. SVG needs the extra `docs`: pip install 'rulelang[docs]'.
    """
    from interpreter.ui.rulebook import write_drawing

    return findings(write_drawing(game, variants, what, form, out))
