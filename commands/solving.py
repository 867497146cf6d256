"""Verbs that look at whole games: how large they are, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from commands.basics import (
    JSON,
    PEOPLE,
    PRESET,
    WITH,
    ExitCode,
    Whole,
    command_line,
    findings,
    set_options,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _whole_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which game is meant and how much of it is looked at."""
    for option in (
        JSON,
        click.option(
            "--states",
            type=Whole(1),
            default=200_000,
            show_default=True,
            metavar="N",
            help="Give up where more states differ.",
        ),
        click.option(
            "--nodes",
            type=Whole(1),
            default=200_000,
            show_default=True,
            metavar="N",
            help="Give up where the tree has more nodes.",
        ),
        click.option(
            "--automa",
            "automas",
            type=Whole(1),
            multiple=True,
            metavar="SEAT",
            help="A seat that plays by the ruleset's policies. May be repeated.",
        ),
        PRESET,
        WITH,
        set_options,
        PEOPLE,
        click.argument("game"),
    ):
        command = option(command)
    return command


@command_line.command(epilog="\b\nrulelang count kuhn\nrulelang count tic_tac_toe --turns 4")
@_whole_game
@click.option(
    "--turns", type=Whole(1), metavar="N", help="Count the histories after 1 to N completed turns."
)
def count(
    game: str,
    people: int | None,
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    automas: tuple[int, ...],
    nodes: int,
    states: int,
    as_json: bool,
    turns: int | None,
) -> ExitCode:
    """Count what a game consists of.

    Nodes where chance moves, where somebody decides and where the game ends; states that differ; information sets of
    each seat, where the tree is not too large. A decision with one legal answer counts as one. With --turns only the
    histories after so many completed turns are counted: a turn ends where somebody else is asked.
    """
    from interpreter.ui.solving import Asked, show_size
    from interpreter.ui.table import Table

    asked = Asked(game, Table(people, {}, options, variants), preset, automas, nodes, states)
    return findings(show_size(asked, turns, as_json=as_json))


@command_line.command(
    epilog="\b\nrulelang solve craps\nrulelang solve leduc --method regret --rounds 100"
)
@_whole_game
@click.option(
    "--payoff",
    metavar="NAME",
    help="The field or property of players that says what the end is worth to them."
    "  [default: `payoff` if there is one, else who wins]",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "random", "best", "regret", "program"]),
    default="auto",
    show_default=True,
    help="How people play: each answer equally often; the best way, for one player or two with open cards; an"
    " equilibrium of two by counterfactual regret, or by a linear program (needs the extra `solve`).",
)
@click.option(
    "--rounds",
    type=Whole(1),
    default=200,
    show_default=True,
    metavar="N",
    help="So often the game is played against itself, with --method regret.",
)
def solve(
    game: str,
    people: int | None,
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    automas: tuple[int, ...],
    nodes: int,
    states: int,
    as_json: bool,
    payoff: str | None,
    method: str,
    rounds: int,
) -> ExitCode:
    """Say what a small game is worth, exactly if it can.

    A game without decisions has an exact expectation. One player against chance, and two players with open cards, have
    a best way to play. Two players with hidden cards, of whom one loses what the other wins, have an equilibrium.
    """
    from interpreter.ui.solving import Asked, show_value
    from interpreter.ui.table import Table

    asked = Asked(
        game, Table(people, {}, options, variants), preset, automas, nodes, states, payoff
    )
    return findings(show_value(asked, method, rounds, as_json=as_json))
