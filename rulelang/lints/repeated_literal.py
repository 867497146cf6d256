"""Numbers that are written where an option is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang import ir
    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject


def _find(subject: Subject) -> Iterator[Diagnostic]:
    for option, number in _repeated(subject):
        yield finding(
            LINT.name,
            number,
            f"this number repeats the option `{option.name}`",
            label="it stays as it is when the option is changed",
            advice=f"write `{option.name}`",
        )


def _numeric(option: ir.Option) -> bool:
    return option.type.shape == "number" and not isinstance(option.default, bool)


def _repeated(subject: Subject) -> Iterator[tuple[ir.Option, nodes.Number]]:
    """Give numbers with the value of an option, in rules that cite the same place of the rulebook."""
    numbers = {
        cite: option
        for option in subject.tables.options
        if _numeric(option)
        for cite in option.cites
    }
    for item, _ in subject.tables.items if numbers else ():
        if isinstance(item, nodes.OptionDecl | nodes.ChangeOptionDecl):
            continue
        if numbers.keys().isdisjoint(nodes.cited_in(item)):
            continue
        for node in nodes.walk(item):
            if not isinstance(node, nodes.Cited) or not node.citations:
                continue
            options = {
                numbers[each.id].index: numbers[each.id]
                for each in node.citations
                if each.id in numbers
            }
            if not options:
                continue
            counted = _first_numbers(node)
            for part in nodes.walk(node):
                if isinstance(part, nodes.Number) and part not in counted:
                    for option in options.values():
                        if part.value == option.default:
                            yield option, part


def _first_numbers(node: nodes.Node) -> list[nodes.Expr]:
    """Give the lower ends of ranges: where something is counted from is no figure of the rulebook."""
    return [part.low for part in nodes.walk(node) if isinstance(part, nodes.RangeExpr)]


LINT: Final = Lint("repeated-literal", _find)
