"""Which rules of the rulebook a ruleset's scenarios and random games reach.

A rule id counts as reached when something that cites it did its work: a line was run, a doing began,
a rule acted, an exception applied, a need was tested, a field, option or definition was read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.errors import EngineError
from interpreter.examples.reached import Reached
from interpreter.examples.scenarios import ScenarioRunner
from interpreter.layout import Layout
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.random import RandomProvider
from interpreter.reference import Reference
from interpreter.reference.limits import EnoughError, stop_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from interpreter.providers.protocol import DecisionProvider
    from interpreter.reference.moves import Moves
    from rulelang import ir


Work = tuple[str, str, str]
"""Kind, id, and the field or the place of the rule."""

LONGEST = 400
"""So many decisions of a game are followed: what has not been reached by then hardly ever is."""


@attrs.frozen
class Coverage:
    """What was reached.

    Attributes:
        scenarios: Rule ids reached by scenarios.
        games: Rule ids reached by games.
        cited_by_scenarios: Rule ids that scenarios and their conditions cite.
        parts: What of the rules scenarios put to the test.
        things: For kind, id and rule or field of a thing that had an effect
            (see :mod:`interpreter.reference.works`) where it had one first: scenarios come before games.
        played: How many games were played, the long ones not to their end.
        faults: What stopped the others.
        failed: Titles of scenarios that did not pass.
    """

    scenarios: frozenset[str]
    games: frozenset[str]
    cited_by_scenarios: frozenset[str]
    played: int
    faults: tuple[str, ...] = ()
    things: Mapping[Work, str] = attrs.Factory(dict)
    parts: Reached = attrs.Factory(Reached)
    failed: tuple[str, ...] = ()

    @property
    def reached(self) -> frozenset[str]:
        """Rule ids reached at all."""
        return self.scenarios | self.games

    def joined(self, other: Coverage) -> Coverage:
        """Both together, for example of Programs for different numbers of seats."""
        return Coverage(
            self.scenarios | other.scenarios,
            self.games | other.games,
            self.cited_by_scenarios | other.cited_by_scenarios,
            self.played + other.played,
            self.faults + other.faults,
            {**other.things, **self.things},
            self.parts.joined(other.parts),
            self.failed + other.failed,
        )


def works_of(program: ir.Program, works: Iterable[tuple[int, ir.Span | int]]) -> Iterator[Work]:
    """What had an effect, by names: programs of one ruleset number things in different ways."""
    layout = Layout(program)
    for thing, what in works:
        kind = program.kinds[layout.kind_of[thing]]
        text = program.fields[what].name if isinstance(what, int) else place_of(program, what)
        yield kind.name, kind.ids[thing - kind.base], text


def place_of(program: ir.Program, span: ir.Span) -> str:
    """File and line."""
    return f"{program.files[span.file]}:{span.line}"


def scenario_coverage(programs: Iterable[ir.Program]) -> Coverage:
    """Run the scenarios of the Programs and note what they reach."""
    reached: set[str] = set()
    cited: set[str] = set()
    things: dict[Work, str] = {}
    parts = Reached()
    failed: list[str] = []
    for program in programs:
        runner = ScenarioRunner(program, covering=True)
        failed += [result.title for result in runner.run_all() if not result.passed]
        reached |= runner.cited
        parts = parts.joined(Reached.of(program, runner.marks))
        for title, works in runner.works.items():
            for work in works_of(program, works):
                things.setdefault(work, f'scenario "{title}"')
        for scenario in program.scenarios:
            cited.update(scenario.cites)
            for trial in scenario.trials:
                cited.update(*(check.cites for check in trial.checks))
    return Coverage(
        frozenset(reached),
        frozenset(),
        frozenset(cited),
        0,
        things=things,
        parts=parts,
        failed=tuple(failed),
    )


def game_coverage(
    program: ir.Program,
    games: int,
    seed: int = 0,
    people: Sequence[int] | None = None,
    options: Sequence[object] | None = None,
) -> Coverage:
    """Play games, long ones in part, and note what they reach; in every other game the automa policies answer.

    Args:
        program: The ruleset for its number of seats.
        games: How many.
        seed: Of the first; the others follow.
        people: The seats that have a person; everybody if left out.
        options: One value for each option.
    """
    reached: set[str] = set()
    faults: list[str] = []
    things: dict[Work, str] = {}
    where = f"{len(people) if people is not None else program.seats} people"
    if program.variants:
        where += f" with {', '.join(program.variants)}"
    moves: Moves | None = None
    for number in range(seed, seed + games):
        provider: DecisionProvider = (
            AutomaProvider(number) if number % 2 else RandomProvider(number)
        )
        providers = dict.fromkeys(range(program.seats), provider)
        game = Reference(program, options, number, people, providers, watch=stop_after(LONGEST))
        game.covering = True
        game.moves = moves = moves or game.moves
        try:
            game.play()
        except EnoughError:
            pass
        except EngineError as error:
            faults.append(f"seed {number}: {error}")
        reached |= game.cited
        who = "automa" if number % 2 else "random"
        for work in works_of(program, game.works.found):
            things.setdefault(work, f"game of {where}, {who}, seed {number}")
    return Coverage(
        frozenset(), frozenset(reached), frozenset(), games - len(faults), tuple(faults), things
    )
