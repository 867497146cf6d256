"""Verbs about variants and options."""

from __future__ import annotations

import os
import sys

import click

from commands.basics import (
    JSON,
    PRESET,
    SEED,
    WITH,
    ExitCode,
    Verbs,
    Whole,
    command_line,
    findings,
    split_names,
    wants_colour,
)


@command_line.command()
@click.argument("game")
@JSON
@click.pass_obj
def variants(color: str, game: str, as_json: bool) -> ExitCode:
    """List the variants and presets of a ruleset.

    Says of each what it needs and excludes, and what it changes.
    """
    from interpreter.ui.variants import show_variants

    colour = wants_colour(sys.stdout, color)
    return findings(show_variants(game, as_json=as_json, colour=colour))


@command_line.command("options")
@click.argument("game")
@WITH
@PRESET
@click.option(
    "--matrix",
    is_flag=True,
    help="Play combinations of variants and options: all, or so many that every two values meet.",
)
@click.option("--pairs", is_flag=True, help="Play every two variants with each other.")
@click.option(
    "--games", type=Whole(0), default=20, show_default=True, help="Games of each combination."
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the first game.")
@click.option(
    "--workers", type=Whole(1), metavar="N", help="Processes. Default: as many as processors."
)
@JSON
@click.pass_obj
def list_options(
    color: str,
    game: str,
    variants: tuple[str, ...],
    preset: str | None,
    matrix: bool,
    pairs: bool,
    games: int,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> ExitCode:
    """List the options of a ruleset, or try them with each other."""
    if matrix or pairs:
        from interpreter.ui.matrix import show_matrix

        if variants or preset:
            raise click.UsageError("--matrix chooses the variants itself.")
        number = workers or os.cpu_count() or 1
        return findings(
            show_matrix(
                game, only_pairs=pairs, games=games, seed=seed, workers=number, as_json=as_json
            )
        )
    from interpreter.ui.options import show_options
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    table = settle(game, Table(variants=variants), preset)
    return findings(
        show_options(game, table, as_json=as_json, colour=wants_colour(sys.stdout, color))
    )


@command_line.command(
    epilog="\b\nrulelang diff pyrates --with more_gold\n"
    "rulelang diff pyrates --with more_gold --vs secret_cargo"
)
@click.argument("game")
@WITH
@click.option(
    "--vs",
    "others",
    multiple=True,
    metavar="VARIANT",
    callback=split_names,
    help="Compare with these variants instead of the game alone.",
)
@JSON
@click.pass_obj
def diff(
    color: str, game: str, variants: tuple[str, ...], others: tuple[str, ...], as_json: bool
) -> ExitCode:
    """Tell what variants change, with the text before and after."""
    from interpreter.ui.difference import show_difference

    colour = wants_colour(sys.stdout, color)
    return findings(show_difference(game, variants, others, as_json=as_json, colour=colour))


@command_line.command(
    epilog="\b\nrulelang tree pyrates raid_port\nrulelang tree pyrates setup.allegiances --with five_people"
)
@click.argument("game")
@click.argument("name")
@WITH
@JSON
@click.pass_obj
def tree(color: str, game: str, name: str, variants: tuple[str, ...], as_json: bool) -> ExitCode:
    """Draw a name with everything that can touch it.

    Its exceptions, needs and steps, the rules before, instead of and after it, and who uses it; NAME is written as in
    rules: `player.ship_limit`, `setup.allegiances`.
    """
    from interpreter.ui.tree import show_tree

    colour = wants_colour(sys.stdout, color)
    return findings(show_tree(game, name, variants, as_json=as_json, colour=colour))


@command_line.group(cls=Verbs)
def new() -> None:
    """Write the beginning of something."""


@new.command(epilog='\b\nrulelang new variant --of pyrates "A long evening"')
@click.argument("title")
@click.option("--of", "game", required=True, metavar="GAME", help="The game that it changes.")
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE",
    help="Where to write it. Default: a name made of TITLE.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
def variant(title: str, game: str, out: str | None, force: bool) -> ExitCode:
    """Write the file of a variant that is called TITLE.

    It changes one number, has more examples with names of the game as remarks, and a first scenario.
    """
    from interpreter.ui.writing import write_variant

    return findings(write_variant(game, title, out, force=force))


@new.command(epilog='\b\nrulelang new ruleset "Seven Seas"')
@click.argument("title")
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where to write it. Default: a name made of TITLE.",
)
@click.option("--force", is_flag=True, help="Write over files that are there already.")
def ruleset(title: str, out: str | None, force: bool) -> ExitCode:
    """Write a small ruleset that is called TITLE.

    It can be checked, tested and played at once: rules with a decision and its policy, the list of the rulebook that
    they cite, and scenarios.
    """
    from interpreter.ui.writing import write_ruleset

    return findings(write_ruleset(title, out, force=force))


@command_line.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
def pin(paths: tuple[str, ...]) -> ExitCode:
    """Note what variants change of their base, as it is now.

    Writes a small file beside each FILE of variants. When the base is another one later, `check` says which
    of the declarations that a variant is about have changed or gone.
    """
    from interpreter.ui.pins import write_pins

    return findings(write_pins(paths))
