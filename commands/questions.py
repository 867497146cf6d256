"""Verbs that answer questions about a position of a game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from commands.basics import WITH, ExitCode, Whole, command_line, findings, wants_colour

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _position(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which position is meant."""
    for option in (
        WITH,
        click.option("--json", "as_json", is_flag=True, help="Write one JSON document."),
        click.option(
            "--seat", type=Whole(1), metavar="N", help="Tell only what this seat may see."
        ),
        click.option(
            "--answers",
            type=Whole(0),
            help="After so many answers of a replay or journal.  [default: all]",
        ),
        click.option(
            "--at",
            "file",
            required=True,
            metavar="FILE",
            help="A saved game, a replay or a journal, of a stopped game too.",
        ),
    ):
        command = option(command)
    return command


@command_line.command(
    epilog="\b\nrulelang why pirates 'attack_boat(seat_1, seat_2)' --at game.json --answers 40"
)
@click.argument("game")
@click.argument("question")
@_position
@click.pass_obj
def why(
    color: str,
    game: str,
    question: str,
    file: str,
    answers: int | None,
    seat: int | None,
    as_json: bool,
    variants: tuple[str, ...],
) -> ExitCode:
    """Say why a value or permission is as it is.

    The position is that of a saved game, or one of a recorded game. QUESTION is an expression of the language, such
    as the name of a permission with its arguments; the players are called seat_1, seat_2 ... Shown are each need and
    exception with whether it holds, what it reads, its citation, and the variant that it comes from.
    """
    from interpreter.ui.why import Position, show_why

    colour = wants_colour(sys.stdout, color)
    return findings(
        show_why(
            game, question, Position(file, answers, variants, seat), as_json=as_json, colour=colour
        )
    )


@command_line.command(
    "why-not", epilog="\b\nrulelang why-not pirates sea_05 --at game.json --answers 40"
)
@click.argument("game")
@click.argument("option")
@_position
@click.pass_obj
def why_not(
    color: str,
    game: str,
    option: str,
    file: str,
    answers: int | None,
    seat: int | None,
    as_json: bool,
    variants: tuple[str, ...],
) -> ExitCode:
    """Say why an option is on offer or not.

    It is about the decision that is pending in a saved game, or in a position of a
    recorded one. OPTION is a thing, a word, a label,
    or an action, perhaps with its arguments.
    """
    from interpreter.ui.why import Position, show_why_not

    colour = wants_colour(sys.stdout, color)
    return findings(
        show_why_not(
            game, option, Position(file, answers, variants, seat), as_json=as_json, colour=colour
        )
    )
