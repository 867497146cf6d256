"""What the command line asks for, made a plan: versions of a game, who sits where, how many games, who plays them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.statistics.batches import prime
from interpreter.statistics.plan import Plan, Version, batch_size, packed
from interpreter.statistics.stopping import Until
from interpreter.ui.bots import player_for
from interpreter.ui.loading import load_for
from interpreter.ui.table import option_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.statistics.backends import Kind
    from interpreter.statistics.plan import Measure
    from interpreter.ui.table import Table
    from rulelang.ir import Program

UNTIL_MOST = 1_000_000
"""So many games are the end of `--until` where `--games` says nothing."""


@attrs.frozen
class Wish:
    """What was asked for, beside the games themselves.

    Attributes:
        games: How many; None: 1000, or with `until` as many as it takes.
        seed: Of the first game.
        until: Half of the width of the intervals at which it is enough, as a share; None: play all games.
        rotate: Whether who answers moves on by one seat from game to game.
        workers: How many play at a time.
        kind: Where they are.
        address: Of a cluster.
        measure: How much is noted.
        longest: After so many answers a game counts as unfinished.
        score: By what is told who leads.
        checkpoint: The file from which a stopped run goes on.
        rows: The file for the figures of single games.
    """

    games: int | None = None
    seed: int = 1
    until: float | None = None
    rotate: bool = False
    workers: int = 1
    kind: Kind = "local"
    address: str | None = None
    measure: Measure = "rules"
    longest: int | None = None
    score: str | None = None
    checkpoint: str | None = None
    rows: str | None = None

    @property
    def most(self) -> int:
        """How many games are played at most."""
        if self.games is not None:
            return self.games
        return 1000 if self.until is None else UNTIL_MOST

    @property
    def stop(self) -> Until | None:
        """The rule for stopping."""
        return None if self.until is None else Until(self.until)


@attrs.frozen
class Asked:
    """One version of a game that takes part.

    Attributes:
        label: What it is called.
        table: Its variants and options.
    """

    label: str
    table: Table


@attrs.frozen
class Prepared:
    """Everything that a run needs.

    Attributes:
        plan: What is played.
        packed: Packed Programs by hash.
        programs: Those of the versions, in order.
        people: How many seats have a person.
    """

    plan: Plan
    packed: dict[str, bytes]
    programs: tuple[Program, ...]
    people: int


def prepare(
    game: str, asked: Sequence[Asked], pairs: Sequence[tuple[int, int]], wish: Wish
) -> Prepared:
    """Load the versions for the same people and make a plan.

    Raises:
        RulesetNotFoundError: There is no such ruleset or variant.
        click.exceptions.Exit: One has errors; they have been written to standard error.
        click.UsageError: The versions cannot be played by the same number of people; an option, a seat or a score does
            not exist.
    """
    people = _people(game, asked)
    loaded: list[Program] = []
    versions: list[Version] = []
    bodies: dict[str, bytes] = {}
    known: dict[tuple[str, ...], tuple[Program, str]] = {}
    for each in asked:
        table = attrs.evolve(each.table, people=people)
        found = known.get(table.variants)
        # An option may say how many seats there are; such programs are loaded for each of its values.
        if found is None or found[0].seats_option >= 0:
            program, _ = load_for(game, table)
            name, body = packed(program)
            bodies[name] = body
            found = known[table.variants] = program, name
        program, name = found
        given = option_values(program, table)
        values = tuple(given.get(option.name, option.default) for option in program.options)
        loaded.append(program)
        versions.append(Version(each.label, name, values, wish.score))
    kinds = tuple(asked[0].table.who(seat + 1) for seat in range(people))
    if "human" in kinds:
        raise click.UsageError(
            "Nobody wants to be asked that often: a seat can be automa, random, search or process:COMMAND."
        )
    plan = Plan(
        tuple(versions),
        tuple(pairs),
        kinds,
        wish.seed,
        wish.most,
        batch_size(wish.most if wish.until is None else min(wish.most, 64 * 256)),
        partial(player_for, bots=asked[0].table.bots),
        rotate=wish.rotate,
        measure=wish.measure,
        longest=wish.longest,
        rows=wish.rows is not None,
    )
    for key, program in zip([each.program for each in versions], loaded, strict=True):
        prime(key, program)
    return Prepared(plan, bodies, tuple(loaded), people)


def _people(game: str, asked: Sequence[Asked]) -> int:
    """How many people all versions can be played by: what was said, or what the most particular one takes."""
    found = [load_for(game, each.table)[1] for each in asked]
    return max(found)
