"""A ruleset by name or path, compiled for the table that plays it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from interpreter.compiling.compiler import use_store
from interpreter.ui.codecache import CodeCache
from interpreter.ui.table import option_values, people_of
from rulelang import api, files
from rulelang.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.ui.table import Table
    from rulelang.ir import Program
    from rulelang.presenting import Hints

_FEW = 3


def load_for(game: str, table: Table) -> tuple[Program, int]:
    """Load a ruleset for as many people as sit at the table.

    Returns:
        The program, and how many seats have a person.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.exceptions.Exit: It has errors; they have been written to standard error.
        click.UsageError: It is for another number of people.
    """
    # How many may play stands in the ruleset, and how many play decides how it is compiled: guess first.
    guess = table.people or max(2, *table.seats, 0)
    program = load(game, people=guess, variants=table.variants)
    seats = _seats(program, table)
    if seats != program.seats:
        program = load(game, seats=seats, variants=table.variants)
    people = people_of(table, program)
    if people != guess and program.seats == guess and program.seats_option < 0:
        program = load(game, people=people, variants=table.variants)
    if people > program.seats:
        raise click.UsageError(
            f"There are {program.seats} seats, too few for {people} people:"
            f" see the option {program.options[program.seats_option].name!r}."
        )
    return program, people


def _seats(program: Program, table: Table) -> int:
    """Say how many seats there are, where an option says it."""
    if program.seats_option < 0:
        return program.seats
    if table.recorded_seats is not None:
        return table.recorded_seats
    option = program.options[program.seats_option]
    chosen = option_values(program, table).get(option.name, option.default)
    return chosen if isinstance(chosen, int) else program.seats


def load(
    game: str,
    *,
    people: int | None = None,
    seats: int | None = None,
    scenarios: bool = False,
    variants: Sequence[str] = (),
) -> Program:
    """Load a ruleset, or write its errors and stop; see `rulelang.api.load_ruleset`.

    Code that is generated for it comes from the cache, and goes there.
    """
    use_store(CodeCache())
    with errors_shown(game, variants):
        return api.load_ruleset(
            game, people=people, seats=seats, scenarios=scenarios, variants=variants
        )


def hints_for(game: str, program: Program) -> Hints:
    """Read how a table of a game is best shown, or write what is wrong with it and stop.

    Raises:
        click.exceptions.Exit: The file has mistakes; they have been written to standard error.
    """
    with errors_shown(game):
        return api.table_hints(game, program)


def programs_with_scenarios(
    game: str, variants: Sequence[str] = (), only: str | None = None
) -> Iterator[Program]:
    """Compile a ruleset for every set of variants and number of seats that one of its scenarios is for.

    Args:
        game: Name or path of the ruleset.
        variants: If there are any, only scenarios for at least one of them count.
        only: If given, only those count with this text in their title or citations.
    """
    use_store(CodeCache())
    with errors_shown(game, variants):
        yield from api.scenario_programs(game, variants, only=only)


@contextmanager
def errors_shown(game: str, variants: Sequence[str] = ()) -> Iterator[None]:
    """Write the errors of a ruleset to standard error and stop, if it turns out to have some.

    Args:
        game: Name or path of the ruleset.
        variants: What is merged into it.

    Raises:
        RulesetNotFoundError: There is no such ruleset; says which folder was meant.
        click.exceptions.Exit: It has errors.
    """
    place = api.find_ruleset(game)
    if place.is_dir() and (below := files.rulesets_under(place)) != (place,):
        meant = listed([repr(str(each)) for each in below[:_FEW]], "or")
        raise files.RulesetNotFoundError(
            f"There is no {files.SUFFIX} file in {game!r} itself. Did you mean {meant}?"
        )
    try:
        yield
    except api.RulesetError as error:
        from interpreter.ui.checking import render
        from interpreter.ui.paths import shown_from_here
        from interpreter.ui.positions import with_positions

        met = with_positions(error.diagnostics, game, variants)
        found = met if error.root is None else shown_from_here(met, error.root)
        colour = bool(click.get_current_context().color)
        click.echo(render([*found], "full", colour=colour), nl=False, err=True)
        raise click.exceptions.Exit(1) from None
