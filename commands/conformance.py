"""The verb that puts providers to the test."""

from __future__ import annotations

import click

from commands.basics import (
    JSON,
    PEOPLE,
    SEED,
    ExitCode,
    Whole,
    command_line,
    findings,
    seat_problem,
)


def _provider(context: click.Context, parameter: click.Parameter, value: str) -> str:
    del context
    problem = "a person is not put to the test" if value == "human" else seat_problem(value)
    if problem:
        raise click.BadParameter(problem, param=parameter)
    return value


@command_line.command(
    epilog="\b\nrulelang conformance 'process:python bot.py' --game pig --game leduc\n"
    "rulelang conformance automa --game pirates --games 5"
)
@click.argument("provider", callback=_provider)
@click.option(
    "--game",
    "games_of",
    multiple=True,
    metavar="GAME",
    required=True,
    help="A ruleset that it plays; may be repeated.",
)
@PEOPLE
@click.option(
    "--games",
    type=Whole(1),
    default=2,
    show_default=True,
    help="How many games of each, each from another seat and twice.",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the first game.")
@click.option(
    "--bot-time",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long an answer may take.",
)
@JSON
def conformance(
    provider: str,
    games_of: tuple[str, ...],
    people: int | None,
    games: int,
    seed: int,
    bot_time: float,
    as_json: bool,
) -> ExitCode:
    """Check that a provider keeps to what is expected of it.

    PROVIDER is what `--seat` takes: process:COMMAND, the name of a provider of another package, automa, random or
    search. It plays against seats that answer at random. Checked are: every answer is legal and in time, the same seed
    gives the same answers, nothing is changed by looking, a question that is put once more is answered, and it stops
    when the game is over.
    """
    from interpreter.ui.conforming import Trial, try_provider

    trial = Trial(provider, games_of, people, games, seed, bot_time)
    return findings(try_provider(trial, as_json=as_json))
