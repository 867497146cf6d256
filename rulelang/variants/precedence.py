"""Whose rule counts: a variant wins over the base, and over every variant that it says to come `after`.

The engine knows nothing of variants: an exception that wins names those that it wins over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang import ir
    from rulelang.symbols import Tables


def origin_of(tables: Tables, span: ir.Span) -> str:
    """Give the chosen variant that a place is in; empty for the base."""
    if not tables.chosen or not span.line:
        return ""
    file = tables.files[span.file]
    at = file.line_start(max(1, min(span.line, file.line_count))) + span.column
    for variant in tables.variants:
        if variant.span.file is file and variant.span.start <= at < variant.span.end:
            return variant.name.text
    return ""


def wins(tables: Tables, one: str, two: str) -> bool:
    """Tell whether what one variant says counts where another one, or the base (empty), disagrees."""
    return (one, two) in tables.later or (bool(one) and not two)


def ranked_clauses(tables: Tables, clauses: Sequence[ir.Clause]) -> tuple[ir.Clause, ...]:
    """Let unsigned exceptions win over those of the base and of variants that come earlier, and over
    all that those win over."""
    if not tables.chosen:
        return _through(clauses)
    origins = [origin_of(tables, clause.span) for clause in clauses]
    foreign = {clause.label for clause, origin in zip(clauses, origins, strict=True) if not origin}
    labels = [
        f"variant {clause.label}" if origin and clause.label in foreign else clause.label
        for clause, origin in zip(clauses, origins, strict=True)
    ]
    ranked: list[ir.Clause] = []
    for clause, origin, label in zip(clauses, origins, labels, strict=True):
        beaten = (
            other
            for other, whose, loser in zip(labels, origins, clauses, strict=True)
            if clause.sign == loser.sign == "=" and wins(tables, origin, whose)
        )
        beats = tuple(dict.fromkeys((*clause.beats, *beaten)))
        ranked.append(evolve(clause, label=label, beats=beats))
    return _through(ranked)


def _through(clauses: Sequence[ir.Clause]) -> tuple[ir.Clause, ...]:
    """Let each exception win over what those win over that it wins over."""
    if not any(clause.beats for clause in clauses):
        return tuple(clauses)
    beaten: dict[str, tuple[str, ...]] = {}
    for clause in clauses:
        beaten[clause.label] = (*beaten.get(clause.label, ()), *clause.beats)
    closed: list[ir.Clause] = []
    for clause in clauses:
        found = dict.fromkeys(clause.beats)
        waiting = list(found)
        while waiting:
            more = [each for each in beaten.get(waiting.pop(), ()) if each not in found]
            found.update(dict.fromkeys(more))
            waiting += more
        closed.append(evolve(clause, beats=tuple(found)))
    return tuple(closed)
