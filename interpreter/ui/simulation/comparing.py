"""The command `compare`: what a change of the rules changes, and how sure that is."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from interpreter.statistics.comparing import Difference, Shift, differences, shifts, verdicts
from interpreter.statistics.intervals import LEVEL
from interpreter.ui.loading import load_for
from interpreter.ui.simulation.asking import Asked, prepare
from interpreter.ui.simulation.data import summary_data
from interpreter.ui.simulation.differences import comparison_lines, scan_lines
from interpreter.ui.simulation.driving import drive
from interpreter.ui.simulation.readings import readings, scanned
from interpreter.ui.simulation.simulating import (
    plan_data,
    score_of,
    seated,
    stop_lines,
    stopped_by_faults,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.statistics.summaries import Paired, Summary
    from interpreter.ui.simulation.asking import Prepared, Wish
    from interpreter.ui.simulation.driving import Played
    from interpreter.ui.simulation.readings import Setting
    from interpreter.ui.simulation.simulating import Shown
    from interpreter.ui.table import Table

_BASE: Final = "base game"
_AT_ONCE: Final = 24
"""So many versions are played side by side; each needs generated code of its own."""


@attrs.frozen
class Change:
    """What is compared with what.

    Attributes:
        vs: Variants of the base.
        rulings: Compare every reading of what the rulebook leaves open.
        scans: Options whose values are compared, as typed.
    """

    vs: tuple[str, ...] = ()
    rulings: bool = False
    scans: tuple[str, ...] = ()


@attrs.frozen
class Compared:
    """A version, and what is known of how it differs from the base.

    Attributes:
        label: What it is called.
        changed: The version.
        base: The base.
        paired: Their differences.
        found: What can be said of each figure.
        moved: What can be said of each part of the rules.
    """

    label: str
    changed: Summary
    base: Summary
    paired: Paired
    found: list[Difference]
    moved: list[Shift]


@attrs.frozen
class Comparison:
    """All that was compared in one call.

    Attributes:
        prepared: What was played; of several parts the first one.
        played: How; of several parts the first one.
        base: What the base is called.
        compared: One for each version.
        score: By what the lead is told.
    """

    prepared: Prepared
    played: Played
    base: str
    compared: list[Compared]
    score: str | None


def compare(game: str, table: Table, change: Change, wish: Wish, shown: Shown) -> bool:
    """Play versions of a game with the same seeds, and show what differs.

    Args:
        game: Name or path of the ruleset.
        table: Who plays by which options; its variants are the change, or those of all versions where options change.
        change: What is compared.
        wish: How many games, and who plays them.
        shown: How it is shown.

    Returns:
        Always True: whatever the figures are, they are the answer.

    Raises:
        RulesetNotFoundError: There is no such ruleset or variant.
        click.UsageError: Something asked for is impossible, or nothing is compared.
        GameStoppedError: Some games were stopped by a fault; the figures have been shown.
    """
    from interpreter.ui.simulation import report

    report.ready(shown.report)
    if change.rulings or change.scans:
        base, others = _settings(game, table, change)
    else:
        base, others = _variants(table, change)
    comparison = _played(game, base, others, wish)
    if shown.as_json:
        click.echo(json.dumps(_data(comparison), indent=2))
    else:
        for line in comparison_text(comparison, wish, shown):
            click.echo(line)
    if shown.report is not None:
        report.write_comparison(shown.report, comparison, wish)
    stopped_by_faults(
        [comparison.compared[0].base, *(each.changed for each in comparison.compared)]
    )
    return True


def comparison_text(comparison: Comparison, wish: Wish, shown: Shown) -> Iterator[str]:
    """Write a comparison as lines."""
    yield heading(comparison)
    yield ""
    if len(comparison.compared) == 1:
        yield from comparison_lines(comparison.compared[0], comparison.base, shown.rules)
    else:
        yield from scan_lines(comparison.compared, comparison.base)
    yield from stop_lines(wish, comparison.played)


def heading(comparison: Comparison) -> str:
    """Say in a line what was compared."""
    plan, program = comparison.prepared.plan, comparison.prepared.programs[0]
    games = comparison.played.result.games
    what = (
        comparison.compared[0].label
        if len(comparison.compared) == 1
        else f"{len(comparison.compared)} changes"
    )
    pairs = "pair of games" if games == 1 else "pairs of games"
    return (
        f"{program.title}: {what} against {comparison.base}, {games:,} {pairs}"
        f" of the same seeds ({plan.seed} to {plan.seed + games - 1}), {comparison.prepared.people} people,"
        f" {seated(plan)}"
    )


def _variants(table: Table, change: Change) -> tuple[Asked, list[Asked]]:
    if set(table.variants) == set(change.vs):
        raise click.UsageError(
            "Nothing would differ: say what changes by --with VARIANT, --options NAME=VALUES or --rulings."
        )
    loose = table.loose | frozenset(table.options)
    names = ", ".join(change.vs) or _BASE
    base = Asked(names, attrs.evolve(table, variants=change.vs, loose=loose))
    others = Asked(", ".join(table.variants) or _BASE, attrs.evolve(table, loose=loose))
    return base, [others]


def _settings(game: str, table: Table, change: Change) -> tuple[Asked, list[Asked]]:
    if change.vs:
        raise click.UsageError(
            "With --rulings and --options the variants of --with are part of the base; --vs has no meaning."
        )
    program, _ = load_for(game, table)
    found: list[Setting] = []
    if change.rulings:
        found += readings(program, dict(table.options))
    for text in change.scans:
        found += scanned(program, text)
    if not found:
        raise click.UsageError(f"{program.title} has no options that could be read in another way.")
    names = ", ".join(table.variants) or _BASE
    others = [
        Asked(each.text, attrs.evolve(table, options={**table.options, each.option: each.value}))
        for each in found
    ]
    return Asked(names, table), others


def _played(game: str, base: Asked, others: Sequence[Asked], wish: Wish) -> Comparison:
    parts: list[tuple[Prepared, Played]] = []
    for number, start in enumerate(range(0, len(others), _AT_ONCE)):
        chosen = others[start : start + _AT_ONCE]
        pairs = [(place, 0) for place in range(1, len(chosen) + 1)]
        own = wish if not number else _numbered(wish, number)
        prepared = prepare(game, [base, *chosen], pairs, own)
        _known_options([base, *chosen], prepared)
        score_of(prepared, own)
        parts.append((prepared, drive(prepared, own)))
    rows: list[tuple[str, Paired, Summary, Summary]] = []
    for prepared, played in parts:
        result = played.result
        for place, paired in enumerate(result.pairs, 1):
            label = prepared.plan.versions[place].label
            rows.append((label, paired, result.versions[place], result.versions[0]))
    first, played = parts[0]
    found = differences([row[1:] for row in rows], first.plan.kinds)
    compared = [
        Compared(label, changed, before, paired, said, shifts(paired, changed, before))
        for (label, paired, changed, before), said in zip(rows, found, strict=True)
    ]
    return Comparison(first, played, base.label, compared, score_of(first, wish))


def _numbered(wish: Wish, number: int) -> Wish:
    """The same wish for a further part of many versions, with files of its own."""

    def own(path: str | None) -> str | None:
        if path is None:
            return None
        stem, dot, suffix = path.rpartition(".")
        return f"{stem}.{number + 1}.{suffix}" if dot else f"{path}.{number + 1}"

    return attrs.evolve(wish, checkpoint=own(wish.checkpoint), rows=own(wish.rows))


def _known_options(asked: Sequence[Asked], prepared: Prepared) -> None:
    """See that each option that was typed exists in some version.

    Raises:
        click.UsageError: One does not.
    """
    known = {option.name for program in prepared.programs for option in program.options}
    for name in asked[0].table.options:
        if name not in known:
            from commands.basics import nearest

            raise click.UsageError(f"No version has an option {name!r}.{nearest(name, known)}")


def _data(comparison: Comparison) -> dict[str, Any]:
    plan = comparison.prepared.plan
    return {
        **plan_data(comparison.prepared, comparison.played),
        "score": comparison.score,
        "level": LEVEL,
        "base": {"label": comparison.base, **summary_data(comparison.compared[0].base, plan.kinds)},
        "compared": [
            {
                "label": each.label,
                "differing": each.paired.differing,
                "differences": [_difference_data(one) for one in each.found],
                "verdicts": [one.name for one in verdicts(each.found)],
                "fired": [
                    {
                        "sort": shift.named.sort,
                        "name": shift.named.name,
                        "cites": list(shift.named.cites),
                        "base": shift.base,
                        "changed": shift.changed,
                        "corrected": shift.corrected,
                    }
                    for shift in each.moved
                ],
                "figures": summary_data(each.changed, plan.kinds)["figures"],
            }
            for each in comparison.compared
        ],
    }


def _difference_data(one: Difference) -> dict[str, Any]:
    return {
        "name": one.name,
        "share": one.share,
        "base": one.base,
        "changed": one.changed,
        "difference": one.difference,
        "interval": list(one.interval),
        "chance": one.chance,
        "corrected": one.corrected,
        "verdict": one.verdict,
        "needed": None if one.needed == inf else one.needed,
        "worth": None if one.worth == inf else one.worth,
    }
