"""Lines that come after the doing has been left."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.diagnostics import Label
from rulelang.linting import Lint, finding
from rulelang.source import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject


def _find(subject: Subject) -> Iterator[Diagnostic]:
    for item, _ in subject.tables.items:
        for line, below in _left_in(item):
            yield finding(
                LINT.name,
                first_line(below.span),
                "this line is never reached",
                label="what stands above does not go on here",
                secondary=(Label(first_line(line.span), "this leaves the doing"),),
                advice="take it out, or write it above",
            )


@nodes.remembered
def _left_in(item: nodes.Node) -> tuple[tuple[nodes.Stmt, nodes.Stmt], ...]:
    """Give the lines of a declaration that leave a doing, each with the one below it."""
    found = []
    for body in nodes.parts(item):
        lines = body.statements if isinstance(body, nodes.Body) else ()
        pairs = itertools.pairwise(lines)
        found += [pair for pair in pairs if _leaves(pair[0])][:1]
    return tuple(found)


def _leaves(line: nodes.Stmt) -> bool:
    """Tell whether nothing below a line is reached. A step is no such line: a variant may replace it."""
    match line:
        case nodes.EndStmt():
            return True
        case nodes.IfStmt(branches=branches, otherwise=nodes.Body() as otherwise):
            return _end(otherwise) and all(_end(branch.body) for branch in branches)
        case nodes.MayStmt(body=body, otherwise=nodes.Body() as otherwise):
            return _end(body) and _end(otherwise)
        case nodes.OptionsStmt(alternatives=alternatives):
            return all(_end(each.body) for each in alternatives)
        case nodes.WhileStmt(condition=nodes.Name(ident=ident)):
            return ident.text == "yes"  # only `end` leaves it
        case _:
            return False


def _end(body: nodes.Body) -> bool:
    return any(_leaves(line) for line in body.statements)


LINT: Final = Lint("dead-rule", _find)
