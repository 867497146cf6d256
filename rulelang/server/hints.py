"""What is written between the lines: types that names do not say, and the odds of dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rulelang import nodes, ruletypes
from rulelang.server.hovering import written_type
from rulelang.server.odds import odds_in
from rulelang.server.places import position_at
from rulelang.server.views import view, view_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from rulelang.server.index import Index


def hints(index: Index, module: nodes.Module, start: int, end: int) -> list[types.InlayHint]:
    """Give the hints between two characters of a text."""
    found: list[types.InlayHint] = []
    for item in module.items:
        if item.span.end >= start and item.span.start <= end:
            found.extend(_kinds(index, item))
            found.extend(_odds(index, item))
    first, last = position_at(module.file, start), position_at(module.file, end)
    return [
        each
        for each in found
        if (first.line, first.character)
        <= (each.position.line, each.position.character)
        <= (last.line, last.character)
    ]


def _kinds(index: Index, item: nodes.Item) -> Iterator[types.InlayHint]:
    """Tell the types of names that are bound without one and are not called after it."""
    scenario = isinstance(item, nodes.ScenarioDecl)
    known = view(index.snapshot) if scenario else view_of(index.snapshot, item)
    for node in nodes.walk(item):
        match node:
            case (
                nodes.LetStmt(name=name)
                | nodes.EachStmt(name=name)
                | nodes.Choice(name=name)
                | nodes.Param(name=name, type=None)
            ):
                kind = known.types.get(name)
            case _:
                continue
        if kind is None or known.tables.type_by_name(name.text) == ruletypes.required(kind):
            continue
        yield types.InlayHint(
            position_at(name.span.file, name.span.end),
            f": {written_type(index, kind)}",
            kind=types.InlayHintKind.Type,
            padding_right=True,
        )


def _odds(index: Index, item: nodes.Item) -> Iterator[types.InlayHint]:
    for condition, odds in odds_in(item, index.base.tables):
        yield types.InlayHint(
            position_at(condition.span.file, condition.span.end),
            _written(odds),
            padding_left=True,
            tooltip="How likely this is when the dice have just been rolled.",
        )


def _written(odds: Fraction) -> str:
    return (
        f"{odds.numerator}/{odds.denominator} = {float(odds):.1%}"
        if odds.denominator > 1
        else ("always" if odds else "never")
    )
