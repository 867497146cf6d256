"""Hidden piles whose content shows by what lies elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import ir
from rulelang.checker.graph import expressions
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_PAIR: Final = 2


def _find(subject: Subject) -> Iterator[Diagnostic]:
    """Report the only hidden places of a kind: all that is not elsewhere is there."""
    tables = subject.tables
    for number, kind in enumerate(tables.kinds):
        if not kind.movable or kind.alike or kind.count < _PAIR:
            continue
        if any(each.kind == number and each.name == "face_up" for each in tables.fields):
            continue
        places = [
            each
            for each in tables.fields
            if (each.pile and each.type.elem is not None and number in each.type.elem.kinds)
            or (each.kind == number and each.name == "place")
        ]
        hidden = [each for each in places if each.sight != "open"]
        if len(hidden) != 1 or not hidden[0].pile:
            continue
        (pile,) = hidden
        owner = tables.kinds[pile.kind]
        if pile.sight == "hidden":
            if owner.count > 1:
                continue
            if _is_drawn_from(subject, pile.index):
                continue
        if pile.sight == "owner" and not (
            pile.kind == 0 and tables.players[1] == _PAIR == owner.count
        ):
            continue
        node = tables.field_nodes.get(pile.index)
        if node is None:
            continue
        yield finding(
            LINT.name,
            node,
            f"what lies in `{owner.name}.{pile.name}` shows by what does not",
            label=f"a {kind.name} that is nowhere else is here, and every other place is open",
            advice=(
                "leave it open, or let some of them lie in another hidden place"
                if pile.sight == "hidden"
                else "with two players it is no secret: leave it open, or put some aside unseen"
            ),
        )


def _is_drawn_from(subject: Subject, pile: int) -> bool:
    """Tell whether a pile is shuffled, or something is taken from its ends or at random."""
    graph = subject.graph
    for doing in graph.doings:
        for stmt in graph.statements[doing.index]:
            if isinstance(stmt, ir.Shuffle) and pile in stmt.fields:
                return True
            if isinstance(stmt, ir.Pick) and _reads(stmt.source, pile):
                return True
        if _takes(graph.expressions(doing), pile):
            return True
    return any(_takes(graph.within(definition.body), pile) for definition in graph.definitions)


def _takes(inside: Iterable[ir.Expr], pile: int) -> bool:
    return any(
        isinstance(expr, ir.One | ir.Take | ir.Item | ir.IndexOf) and _reads(expr.source, pile)
        for expr in inside
    )


def _reads(expr: ir.Expr, pile: int) -> bool:
    return any(isinstance(part, ir.FieldGet) and pile in part.fields for part in expressions(expr))


LINT: Final = Lint("hidden-remainder", _find, everywhere=True)
