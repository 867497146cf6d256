"""The command `trace`: from the rulebook to the rules and back.

An id is *cited* by every place of the rules that names it in brackets, and *exercised* when such a place does its
work in a scenario or a game (see `interpreter.examples.coverage`). A ruleset may have a file `uncited.csv` (columns
`id`, `reason`) with ids that need no rule: advice, the definition of a word, a component that nothing moves. An id that
ends with `*` stands for all that begin so. Ids of kind `example` and `scenario` need no rule either, if a scenario
cites them.
"""

from __future__ import annotations

import csv
import itertools
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.compiling.analysis import walk
from interpreter.examples.coverage import Coverage, game_coverage, scenario_coverage
from interpreter.ui.exercising import unexercised
from interpreter.ui.loading import load, load_for, programs_with_scenarios
from interpreter.ui.paint import Paint
from interpreter.ui.paths import shown_from_here
from interpreter.ui.table import Table
from interpreter.ui.things import ThingsReport
from rulelang import api, ir, rendering
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMED_DOINGS = {"phase", "effect", "action"}
_EXAMPLES = {"example", "scenario"}
_PLAYED = "an example that a scenario plays"
_SHARE = 40  # of the games that are played without variants, so many are played with each


@attrs.frozen
class Place:
    """One place that cites: what stands there, for people, and where."""

    what: str
    where: str


def trace_citations(
    game: str,
    variants: Sequence[str],
    *,
    games: int,
    seed: int,
    show_all: bool,
    things: bool = False,
    page: bool = False,
    colour: bool,
) -> bool:
    """Compare ids, rules and what is reached, and write the differences.

    The rules and scenarios of all variants count, each with what it needs.

    Args:
        game: Name or path of the ruleset.
        variants: If there are any, only the game with just these counts, and scenarios for at least one of them.
        games: How many games to play besides the scenarios, over all numbers of people.
        seed: Of the first.
        show_all: List every id with its rules, and whether it was reached.
        things: Report where the rows of data had an effect, instead of ids.
        page: Write that report as a page of Markdown.
        colour: Whether escape sequences may be used.

    Returns:
        Whether every id of the rulebook has a rule and was exercised, or needs none, or may be idle by a comment; of
        things, whether every row was.
    """
    paint = Paint(colour)
    program, _ = load_for(game, Table(variants=tuple(variants)))
    if not program.citations and not things:
        click.echo(
            f"{program.title} names no files with the ids of its rulebook:"
            ' write `citations "rules.csv"` into its `game`.\n'
        )
    _tell(f"playing the scenarios and {plural(games, 'game')} ...")
    scenes = list(programs_with_scenarios(game, variants))
    covered = scenario_coverage(scenes)
    for people, share in _shares(program, games):
        base = load(game, people=people, variants=variants)
        covered = covered.joined(game_coverage(base, share, seed, range(people)))
    merged = list(scenes)
    for names in () if variants else api.variant_sets(game):
        varied, people = load_for(game, Table(variants=names))
        covered = covered.joined(game_coverage(varied, games // _SHARE, seed, range(people)))
        merged.append(varied)
    played = f"{plural(sum(len(each.scenarios) for each in scenes), 'scenario')} and {plural(covered.played, 'game')}"
    if things:
        rows = ThingsReport.of(program, covered.things)
        lines = (
            rows.page(program.title, f"{played} from seed {seed}" if covered.played else played)
            if page
            else rows.lines(paint, show_all=show_all)
        )
        complete = rows.complete
    else:
        report = Report.of(program, excuses_of(api.find_ruleset(game)), covered, merged)
        idle, root = unexercised(game, report.unreached, report.places, played)
        told = (
            rendering.render_full(shown_from_here(idle, root), color=colour).splitlines()
            if idle
            else ()
        )
        lines = itertools.chain(
            report.lines(program, paint, show_all=show_all), told and ("", *told)
        )
        complete = not report.without_rule and not idle
    for line in lines:
        click.echo(line)
    if covered.faults:
        click.echo(paint(f"\n{plural(len(covered.faults), 'game')} stopped:", "bold", "red"))
        for fault in covered.faults[:10]:
            click.echo(f"  {fault}")
    if not page:
        click.echo(f"\n{played} played")
    return complete and not covered.faults


def _tell(text: str) -> None:
    """Say what takes time, to somebody who waits at a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        click.echo(text, err=True)


@attrs.frozen
class Report:
    """The result of a comparison.

    Attributes:
        places: Where each id is cited.
        excused: Ids that need no rule, with the reason.
        without_rule: Ids that no rule cites and nothing excuses.
        unreached: Ids that a rule cites and that nothing has exercised.
        reached: Ids that were exercised.
    """

    places: Mapping[str, Sequence[Place]]
    excused: Mapping[str, str]
    without_rule: tuple[ir.Citation, ...]
    unreached: tuple[ir.Citation, ...]
    reached: frozenset[str]

    @classmethod
    def of(
        cls,
        program: ir.Program,
        excuses: Mapping[str, str],
        covered: Coverage,
        merged: Sequence[ir.Program] = (),
    ) -> Report:
        """Compare; `merged` are further programs of the same ruleset, with variants, whose rules count too."""
        places = citing_places(program, *merged)
        excused = {
            each.id: reason
            for each in program.citations
            if (reason := excuse_for(each.id, excuses)) is not None and each.id not in places
        }
        played = {cite for each in merged for scene in each.scenarios for cite in _cited(scene)}
        excused |= {
            each.id: _PLAYED
            for each in program.citations
            if each.kind in _EXAMPLES and each.id in played and each.id not in places
        }
        known = [each for each in program.citations if each.id not in excused]
        without = tuple(each for each in known if each.id not in places)
        reached = covered.reached.union(*map(declared, (program, *merged)))
        unreached = tuple(each for each in known if each.id in places and each.id not in reached)
        return cls(places, excused, without, unreached, reached)

    def lines(self, program: ir.Program, paint: Paint, *, show_all: bool) -> Iterator[str]:
        """Write it."""
        if show_all:
            yield from self._table(program, paint)
        yield from _listed("Ids of the rulebook without a rule (E0212)", self.without_rule, paint)
        bare = rules_without_id(program)
        if bare:
            yield paint(f"Rules without an id of the rulebook: {len(bare)}", "bold")
            yield from (f"  {place.what}, {place.where}" for place in bare)
            yield ""
        ids = len(program.citations)
        cited = sum(each.id in self.places for each in program.citations)
        yield (
            f"{plural(ids, 'id')}: {cited} cited by rules, {len(self.excused)} need none,"
            f" {len(self.without_rule)} without a rule, {len(self.unreached)} never exercised"
        )
        for reason, count in Counter(self.excused.values()).most_common():
            yield f"  {count} need none: {reason}"

    def _table(self, program: ir.Program, paint: Paint) -> Iterator[str]:
        for each in program.citations:
            mark = "exercised" if each.id in self.reached else "not exercised"
            reason = self.excused.get(each.id)
            yield f"{paint(each.id, 'bold')}  {f'needs no rule: {reason}' if reason else mark}"
            for place in self.places.get(each.id, ()):
                yield f"    {place.what}, {place.where}"
        yield ""


def _listed(title: str, found: Sequence[ir.Citation], paint: Paint) -> Iterator[str]:
    if not found:
        return
    yield paint(f"{title}: {len(found)}", "bold", "yellow")
    width = max(len(each.id) for each in found)
    for each in found:
        text = f"{each.kind}: {each.text}" if each.kind else each.text
        yield f"  {each.id:<{width}}  {text}"
    yield ""


def citing_places(*programs: ir.Program) -> dict[str, list[Place]]:
    """List the places that cite each id; scenarios are no rules and do not count."""
    found: dict[str, dict[Place, None]] = {}
    for program in programs:
        for part in attrs.astuple(program, recurse=False):
            for node in walk(part):
                cites: tuple[str, ...] = getattr(node, "cites", ())
                if not cites or isinstance(node, ir.Scenario | ir.Trial | ir.Check):
                    continue
                place = _place(node, program)
                for cite in cites:
                    found.setdefault(cite, {})[place] = None
    return {cite: list(places) for cite, places in found.items()}


def declared(program: ir.Program) -> frozenset[str]:
    """List the ids that kinds of components and enumerations cite: they are part of every game."""
    kinds = [cite for kind in program.kinds for cite in kind.cites]
    return frozenset([*kinds, *(cite for enum in program.enums for cite in enum.cites)])


def rules_without_id(program: ir.Program) -> list[Place]:
    """List phases, effects, actions and rules about doings in which nothing cites the rulebook."""
    found: dict[Place, None] = {}
    for doing in program.doings:
        if doing.kind in _NAMED_DOINGS and doing.span.line and not _cites_somewhere(doing):
            found[_place(doing, program)] = None
    return list(found)


def _cited(node: object) -> Iterator[str]:
    for part in walk((node,)):
        yield from getattr(part, "cites", ())


def _cites_somewhere(node: object) -> bool:
    return any(_cited(node))


def _place(node: object, program: ir.Program) -> Place:
    name = getattr(node, "name", "") or getattr(node, "label", "") or getattr(node, "path", "")
    kind = getattr(node, "kind", None)
    if isinstance(kind, str):
        what = kind
    elif isinstance(node, ir.Stmt) and not name:
        what = "line"
    else:
        what = re.sub(r"(?<!^)(?=[A-Z])", " ", type(node).__name__).lower()
    span: ir.Span = getattr(node, "span", ir.NOWHERE)
    file = program.files[span.file] if span.file < len(program.files) else program.name
    return Place(f"{what} {name}".rstrip(), f"{file}:{span.line}")


def excuse_for(citation: str, excuses: Mapping[str, str]) -> str | None:
    """Give the reason why an id needs no rule, or None."""
    if citation in excuses:
        return excuses[citation]
    return next(
        (
            reason
            for pattern, reason in excuses.items()
            if pattern.endswith("*") and citation.startswith(pattern[:-1])
        ),
        None,
    )


def excuses_of(place: Path) -> dict[str, str]:
    """Read which ids of a ruleset need no rule, with the reasons.

    Raises:
        click.UsageError: `uncited.csv` is no readable table.
    """
    file = (place if place.is_dir() else place.parent) / "uncited.csv"
    if not file.is_file():
        return {}
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
    except (csv.Error, UnicodeDecodeError) as error:
        raise click.UsageError(f"{file}: {error}") from None
    return {row["id"]: row.get("reason") or "no reason given" for row in rows if row.get("id")}


def _shares(program: ir.Program, games: int) -> Iterator[tuple[int, int]]:
    """Share games out over the numbers of people that may play."""
    low, high = program.players
    numbers = range(low, high + 1)
    for place, people in enumerate(numbers):
        share = games // len(numbers) + (place < games % len(numbers))
        if share:
            yield people, share
