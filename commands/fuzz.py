"""The verb that tries to break a ruleset by playing it."""

from __future__ import annotations

import sys

import click

from commands.basics import (
    PRESET,
    SEED,
    WITH,
    ExitCode,
    Whole,
    command_line,
    findings,
    set_options,
    wants_colour,
)

LONGEST = 10_000
LUCK = ("fair", "low", "high", "alternating", "streaky")
PLAYERS = ("random", "first", "last", "passing", "eager", "rare", "stubborn", "policy")


@command_line.command(
    epilog="\b\nrulelang fuzz pyrates --games 50\nrulelang fuzz ./my-game --minutes 10 --jobs 4"
)
@click.argument("game")
@PRESET
@WITH
@click.option(
    "--people",
    type=Whole(1),
    metavar="N",
    help="How many take part. Default: all numbers by turns.",
)
@set_options
@click.option(
    "--games",
    type=Whole(1),
    metavar="N",
    help="How many games. Default: 100, or as many as the minutes allow.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    metavar="M",
    help="Begin no game after this time.",
)
@click.option(
    "--seed",
    type=SEED,
    default=0,
    show_default=True,
    help="Number of the first game; the others follow.",
)
@click.option(
    "--jobs", type=Whole(1), default=1, show_default=True, help="How many processes play."
)
@click.option(
    "--longest",
    type=Whole(1),
    default=LONGEST,
    show_default=True,
    metavar="N",
    help="So many decisions are too many for a game.",
)
@click.option(
    "--luck", type=click.Choice(LUCK), help="Where dice and draws come from. Default: varied."
)
@click.option("--players", type=click.Choice(PLAYERS), help="Who plays. Default: varied.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Where the scenario goes. Default: fuzz-GAME-N.rules.",
)
@click.pass_obj
def fuzz(
    color: str,
    game: str,
    preset: str | None,
    variants: tuple[str, ...],
    people: int | None,
    options: dict[str, str],
    games: int | None,
    minutes: float | None,
    seed: int,
    jobs: int,
    longest: int,
    luck: str | None,
    players: str | None,
    output: str | None,
) -> ExitCode:
    """Play games that try to break a ruleset.

    Players at random, greedy, stubborn or idle, dice as bad as can be. In every game the promises of the ruleset are
    tested, that everything offered can be done, that no question tells a secret, that saved games go on as before and
    that games end. What is wrong is made a short scenario that fails.
    """
    from interpreter.ui.hunting import Search, hunt
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    if games is None and minutes is None:
        games = 100
    table = settle(game, Table(people, {}, options, variants), preset)
    given = {name: value for name, value in (("luck", luck), ("players", players)) if value}
    seconds = None if minutes is None else 60 * minutes
    search = Search(game, table, games, seconds, seed, jobs, given, longest)
    return findings(hunt(search, output, colour=wants_colour(sys.stdout, color)))
