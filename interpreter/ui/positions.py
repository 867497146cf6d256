"""Conflicts with a position in which the two rules meet, where one is found by playing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang import api
from rulelang.checker import RIVALS
from rulelang.ir import Span as Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.diagnostics import Diagnostic
    from rulelang.ir import Program
    from rulelang.source import Span

_MOST = 3
"""For so many conflicts a position is looked for."""


def with_positions(
    found: Iterable[Diagnostic], game: str, variants: Sequence[str] = ()
) -> Iterator[Diagnostic]:
    """Add to each conflict, the first few at least, a position in which both rules apply.

    Args:
        found: Findings.
        game: Name or path of the ruleset.
        variants: What was merged into it.
    """
    looked = 0
    for each in found:
        if each.code not in RIVALS or not each.is_error or looked == _MOST:
            yield each
            continue
        looked += 1
        note = _met(each, game, variants)
        yield each if note is None else attrs.evolve(each, notes=(*each.notes, note))


def _met(found: Diagnostic, game: str, variants: Sequence[str]) -> str | None:
    from interpreter import witness

    program = api.contested(game, found, variants)
    if program is None or not found.secondary:
        return None
    first = _place(found.secondary[0].span, program)
    second = _place(found.span, program)
    if first is None or second is None:
        return None
    position = witness.find(program, witness.Contest(first, second))
    return str(position) if position is not None else None


def _place(span: Span, program: Program) -> Place | None:
    """Give a place as the program knows it."""
    if span.file.path not in program.files:
        return None
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    return Place(program.files.index(span.file.path), line, column - 1, end_line, end_column - 1)
