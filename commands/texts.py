"""Verbs about what is written: mistakes, scenarios, the rulebook, and what a name means."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from commands.basics import (
    OUTPUT_FORMAT,
    SEED,
    WITH,
    ExitCode,
    Whole,
    command_line,
    findings,
    nearest,
    wants_colour,
)


@command_line.command(
    epilog="\b\nrulelang check pyrates\nrulelang check --fix --diff .\nrulelang check --output-format sarif ."
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@WITH
@OUTPUT_FORMAT
@click.option("--fix", is_flag=True, help="Mend what can be mended without a change of meaning.")
@click.option(
    "--unsafe-fixes",
    "unsafe",
    is_flag=True,
    help="With --fix or --diff: mend also where that may change what the rules mean.",
)
@click.option("--diff", is_flag=True, help="Change nothing, show what --fix would change.")
@click.option(
    "--no-cache", is_flag=True, help="Check everything anew, and keep nothing of what is found."
)
@click.pass_obj
def check(
    color: str,
    paths: tuple[str, ...],
    variants: tuple[str, ...],
    output_format: str,
    fix: bool,
    unsafe: bool,
    diff: bool,
    no_cache: bool,
) -> ExitCode:
    """Find mistakes in rulesets, variants and scenarios.

    A PATH is a folder, a file, or the name of a ruleset that comes with the program. With --with only
    the game with just these variants is checked.

    --fix changes files until nothing more can be mended, and writes what is left. Only files in the folder of the
    ruleset are changed, and what is not mended stays as it is.
    """
    from interpreter.ui.checking import Wanted, check_paths

    if unsafe and not fix and not diff:
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff.")
    colour = wants_colour(sys.stdout, color)
    wanted = Wanted(output_format, colour, fix, unsafe, diff, cache=not no_cache)
    return findings(check_paths(paths, variants, wanted))


@command_line.command(
    epilog="\b\nrulelang test pyrates --coverage\nrulelang test pyrates --mutate --sample 100"
)
@click.argument("game")
@click.option(
    "--only",
    metavar="TEXT",
    help="Only scenarios with this text in their title or citations; with --mutate only rules with it in their name"
    " or citations.",
)
@click.option(
    "--coverage", is_flag=True, help="Report what of the rules the scenarios put to the test."
)
@click.option(
    "--mutate",
    is_flag=True,
    help="Change rules one by one, and report the changes that no scenario notices.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="With --coverage: fail if less is covered; with --mutate: if less is noticed.",
)
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="TEXT",
    help="With --mutate: only rules in files with this text in their path. May be repeated.",
)
@click.option("--sample", type=Whole(1), metavar="N", help="With --mutate: so many changes only.")
@click.option("--seed", type=SEED, help="With --mutate: says which these are. Default: 1.")
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="With --mutate: stop after this time.",
)
@click.option(
    "--jobs",
    type=Whole(1),
    metavar="N",
    help="How many processes share the work. Default: as many as there are processors.",
)
@click.option("--policies", is_flag=True, help="With --mutate: change the policies of automas too.")
@click.option(
    "--readings",
    is_flag=True,
    help="With --mutate: change rules behind options that are not at their default too.",
)
@click.option(
    "--record",
    "recorded",
    type=click.Path(),
    metavar="FILE",
    help="Write a scenario of a recorded game instead.",
)
@click.option("--from", "first", type=Whole(1), metavar="A", help="With --record: from answer A.")
@click.option("--to", "last", type=Whole(1), metavar="B", help="With --record: to answer B.")
@click.option("--title", metavar="TEXT", help="With --record: what the scenario is called.")
@click.option(
    "--shorten", is_flag=True, help="With --record: leave out what the scenario passes without."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="With --record: where to write it. Default: to standard output.",
)
@WITH
@OUTPUT_FORMAT
@click.pass_obj
def test(
    color: str,
    /,
    game: str,
    only: str | None,
    recorded: str | None,
    first: int | None,
    last: int | None,
    title: str | None,
    shorten: bool,
    out: str | None,
    coverage: bool,
    mutate: bool,
    fail_under: float | None,
    variants: tuple[str, ...],
    output_format: str,
    **more: Any,  # noqa: ANN401 - what goes with --mutate
) -> ExitCode:
    """Play the scenarios of a ruleset and compare.

    With --coverage it also lists what no scenario puts to the test: doings, rules, exceptions, needs, rows, branches,
    answers, policies and options, each with its place and the ids of the rulebook that it belongs to.

    With --mutate it changes numbers, comparisons, conditions, needs, exceptions, rows of tables, lines and their order,
    one at a time, and plays the scenarios that may notice. Listed are the changes on which none fails.
    """
    colour = wants_colour(sys.stdout, color)
    if mutate:
        return _mutated(game, variants, only, coverage, fail_under, output_format, colour, more)
    for name, given in more.items():
        if given and name != "jobs":
            raise click.UsageError(
                f"--{name.removesuffix('s') if name == 'files' else name} goes with --mutate."
            )
    if recorded is not None:
        from interpreter.ui.scene_writing import Piece, record_scenario

        piece = Piece(recorded, first or 1, last, title, shorten)
        return findings(record_scenario(game, variants, piece, out))
    from interpreter.ui.scenarios import Wanted, test_scenarios

    if (first, last, title, out) != (None,) * 4 or shorten:
        raise click.UsageError("--from, --to, --title, --shorten and --out go with --record.")
    if fail_under is not None and not coverage:
        raise click.UsageError("--fail-under goes with --coverage or --mutate.")
    jobs = more["jobs"] or os.cpu_count() or 1
    wanted = Wanted(only, output_format, coverage, fail_under, colour, jobs)
    return findings(test_scenarios(game, variants, wanted))


def _mutated(
    game: str,
    variants: tuple[str, ...],
    only: str | None,
    coverage: bool,
    fail_under: float | None,
    output_format: str,
    colour: bool,
    more: dict[str, Any],
) -> ExitCode:
    from interpreter.mutation.plan import Choice
    from interpreter.ui.mutating import MutationWish, mutate

    if coverage:
        raise click.UsageError("--coverage and --mutate do not go together.")
    if output_format not in ("full", "json"):
        raise click.UsageError(f"--mutate does not write {output_format}: choose full or json.")
    choice = Choice(
        policies=more["policies"],
        readings=more["readings"],
        files=more["files"],
        only=only or "",
        seed=1 if more["seed"] is None else more["seed"],
        sample=more["sample"],
    )
    wish = MutationWish(
        choice,
        more["minutes"],
        more["jobs"] or os.cpu_count() or 1,
        output_format == "json",
        fail_under,
        colour,
    )
    return findings(mutate(game, variants, wish))


@command_line.command()
@click.argument("game")
@click.option(
    "--games",
    type=Whole(0),
    default=40,
    show_default=True,
    help="Games to play as well, over all numbers of people.",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the first of them.")
@click.option(
    "--all",
    "show_all",
    is_flag=True,
    help="List every id with its rules and how often it was exercised.",
)
@click.option(
    "--things",
    is_flag=True,
    help="Of the cards and counters that data name: which had an effect, and where.",
)
@click.option("--page", is_flag=True, help="With --things: all of them, as a page of Markdown.")
@WITH
@click.pass_obj
def trace(
    color: str,
    game: str,
    games: int,
    seed: int,
    show_all: bool,
    things: bool,
    page: bool,
    variants: tuple[str, ...],
) -> ExitCode:
    """Compare a rulebook with its rules.

    Lists ids that no rule cites, citations of unknown ids, and ids that neither scenarios nor random games reach.
    """
    from interpreter.ui.tracing import trace_citations

    if page and not things:
        raise click.UsageError("--page goes with --things.")
    colour = wants_colour(sys.stdout, color)
    return findings(
        trace_citations(
            game,
            variants,
            games=games,
            seed=seed,
            show_all=show_all,
            things=things,
            page=page,
            colour=colour,
        )
    )


@command_line.command(
    epilog="\b\nrulelang explain E0501\nrulelang explain raid_port --game pyrates"
)
@click.argument("what", metavar="CODE|NAME")
@click.option("--game", "--of", metavar="GAME", help="The ruleset in which NAME is looked up.")
@WITH
@click.pass_obj
def explain(color: str, what: str, game: str | None, variants: tuple[str, ...]) -> ExitCode:
    """Explain a code of a finding, or a name of a game.

    Of a name it shows the text, what the rulebook says there, and everything that can touch it.
    """
    if game is not None:
        from interpreter.ui.tree import explain_name

        colour = wants_colour(sys.stdout, color)
        return findings(explain_name(game, what, variants, colour=colour))
    from rulelang import codes

    known = codes.lookup(what)
    if known is None:
        near = nearest(what.upper(), codes.CODES)
        hint = near or f" For a name of a game, say which: rulelang explain {what} --game GAME"
        raise click.UsageError(f"There is no code {what!r}.{hint}")
    click.echo(codes.explanation(known.code))
    return ExitCode.FINE
