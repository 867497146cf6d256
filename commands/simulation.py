"""Verbs that play many games and compare them."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import click

from commands.basics import (
    SEED,
    ExitCode,
    Whole,
    command_line,
    findings,
    match_options,
    seat_problem,
    split_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from interpreter.statistics.backends import Kind
    from interpreter.ui.simulation.asking import Wish
    from interpreter.ui.simulation.simulating import Shown
    from interpreter.ui.table import Bots


def _width(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """Read a share of games, plus or minus: `0.5%`, `±0.5%` or `0.005`."""
    del context
    if value is None:
        return None
    found = re.fullmatch(r"(?:±|\+-|\+/-)?\s*(\d*\.?\d+)\s*(%?)", value.strip())
    width = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < width < 0.5:
        raise click.BadParameter(f"{value!r} is no width such as 0.5% or 0.005.", param=parameter)
    return width


def many_games(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of verbs that play many games; the command is called with `wish`, `shown` and the rest."""

    @functools.wraps(command)
    def called(
        *args: Any,  # noqa: ANN401 - click's
        games: int | None,
        seed: int,
        until: float | None,
        rotate: bool,
        workers: int,
        backend: Kind,
        address: str | None,
        outcomes_only: bool,
        longest: int | None,
        score: str | None,
        checkpoint: str | None,
        rows: str | None,
        rules: int,
        as_json: bool,
        report: str | None,
        sitting: tuple[str, ...],
        **more: Any,  # noqa: ANN401 - click's
    ) -> Any:  # noqa: ANN401 - click's
        from interpreter.ui.simulation.asking import Wish
        from interpreter.ui.simulation.simulating import Shown

        if address is not None and backend == "local":
            raise click.UsageError("--address is that of a cluster: --backend dask or ray.")
        if sitting:
            if more["seats"]:
                raise click.UsageError("--seats says for every seat what --seat says for one.")
            more["seats"] = dict(enumerate(sitting, 1))
            if more["people"] is None:
                more["people"] = len(sitting)
        wish = Wish(
            games, seed, until, rotate, workers, backend, address,
            "outcomes" if outcomes_only else "rules", longest, score, checkpoint, rows,
        )  # fmt: skip
        return command(*args, wish=wish, shown=Shown(as_json, report, rules), **more)

    found: Callable[..., Any] = called
    for option in reversed(_OPTIONS):
        found = option(found)
    return found


def _sitting(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[str, ...]:
    del context
    words = tuple(word.strip() for word in value.split(",")) if value else ()
    for word in words:
        problem = seat_problem(word)
        if problem:
            raise click.BadParameter(problem, param=parameter)
    return words


_OPTIONS = (
    click.option(
        "--games",
        type=Whole(1),
        metavar="N",
        help="How many games. Default: 1000; with --until at most a million.",
    ),
    click.option(
        "--until",
        callback=_width,
        metavar="±SHARE",
        help="Stop as soon as every share of wins is known to this width, such as ±0.5%.",
    ),
    click.option(
        "--seed",
        type=SEED,
        default=1,
        show_default=True,
        help="Seed of the first; the others follow.",
    ),
    click.option(
        "--seats",
        "sitting",
        metavar="WHO,WHO...",
        callback=_sitting,
        help="Who answers in each seat, in order, as for --seat; also says how many people there are.",
    ),
    click.option(
        "--rotate", is_flag=True, help="Who answers moves on by one seat from game to game."
    ),
    click.option(
        "--workers",
        type=Whole(1, 10_000),
        default=1,
        show_default=True,
        metavar="N",
        help="How many processes play. The figures are the same however many.",
    ),
    click.option(
        "--backend",
        type=click.Choice(["local", "dask", "ray"]),
        default="local",
        show_default=True,
        help="Where they are: on this machine, or in a cluster.",
    ),
    click.option(
        "--address", metavar="ADDRESS", help="Of the cluster. Default: one made for the occasion."
    ),
    click.option(
        "--longest",
        type=Whole(1),
        metavar="N",
        help="A game in which people have given so many answers is stopped, and counts as unfinished.",
    ),
    click.option(
        "--score",
        metavar="NAME",
        help="A number of players, or a definition of one, by which is told who leads. Default: what the rules find"
        " the winner by.",
    ),
    click.option(
        "--outcomes-only",
        is_flag=True,
        help="Note who wins, decisions, scores and what players have at the end, but not what rules did: faster.",
    ),
    click.option(
        "--checkpoint",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Keep how far it is in FILE, and go on from there if it exists.",
    ),
    click.option(
        "--rows",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write the figures of each game to FILE: .csv, or .parquet.",
    ),
    click.option(
        "--rules",
        type=Whole(0),
        default=20,
        show_default=True,
        metavar="N",
        help="How many parts of the rules are listed, those that act most first.",
    ),
    click.option(
        "--report",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write a report in HTML too, with pictures.",
    ),
    click.option(
        "--json", "as_json", is_flag=True, help="Write one JSON document instead of tables."
    ),
)


@command_line.command(
    epilog="\b\nrulelang simulate pyrates --games 500\n"
    "rulelang simulate pyrates --seats automa,random,random --rotate --until ±3%"
)
@click.argument("game")
@match_options
@click.option(
    "--closely",
    type=Whole(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Look at the first N games rule by rule too, slowly: how often each row of a table, exception, need and"
    " answer came up, and for whom.",
)
@many_games
def simulate(
    game: str,
    people: int | None,
    seats: dict[int, str],
    bots: Bots,
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    closely: int,
    wish: Wish,
    shown: Shown,
) -> ExitCode:
    """Play many games: who wins, how long they last.

    Every figure has an interval that holds the true value in 95 of 100 such runs. Games that do not end are counted and
    reported. A run is stopped with Ctrl-C and, with --checkpoint, goes on when the command is repeated.
    """
    from interpreter.ui.settings import settle
    from interpreter.ui.simulation.simulating import simulate as simulated
    from interpreter.ui.table import Table

    table = settle(game, Table(people, seats, options, variants, bots=bots), preset)
    return findings(simulated(game, table, wish, shown, closely))


@command_line.command(
    epilog="\b\nrulelang compare pyrates --with more_gold --games 2000 --workers 2\n"
    "rulelang compare pyrates --options winning_score=4..6 --games 500"
)
@click.argument("game")
@match_options
@click.option(
    "--vs",
    multiple=True,
    metavar="VARIANT",
    callback=split_names,
    help="A variant of what it is compared with. Default: the base game.",
)
@click.option(
    "--rulings",
    is_flag=True,
    help="Compare every reading of what the rulebook leaves open with the one that is played: which of them matter?",
)
@click.option(
    "--options",
    "scans",
    multiple=True,
    metavar="NAME=VALUES",
    help="Compare values of an option: NAME=2..5, NAME=a,b or NAME. May be repeated.",
)
@many_games
def compare(
    game: str,
    people: int | None,
    seats: dict[int, str],
    bots: Bots,
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    vs: tuple[str, ...],
    rulings: bool,
    scans: tuple[str, ...],
    wish: Wish,
    shown: Shown,
) -> ExitCode:
    """Say what a change of the rules changes, with error bars.

    Both versions play the same seeds, and each draw has a stream of its own: dice that the change does not touch stay
    the same. A verdict is given only where it can be believed; otherwise the number of games that would tell.
    """
    from interpreter.ui.settings import settle
    from interpreter.ui.simulation.comparing import Change
    from interpreter.ui.simulation.comparing import compare as compared
    from interpreter.ui.table import Table

    table = settle(game, Table(people, seats, options, variants, bots=bots), preset)
    return findings(compared(game, table, Change(vs, rulings, scans), wish, shown))
