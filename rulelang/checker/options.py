"""Options that change nothing, and numbers that are written where an option is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang import ir
    from rulelang.checker.graph import Graph

_TELLING: Final = 2  # 0 and 1 stand everywhere
_FEW: Final = 3


def check(graph: Graph) -> None:
    """Report options that no rule reads, and numbers that repeat one."""
    ctx = graph.ctx
    for option in ctx.tables.options:
        symbol = ctx.symbol(option.name)
        unread = option.index not in ctx.used_options and option.name != ctx.tables.seats_option
        if unread and symbol is not None:
            ctx.warning(
                "idle-option",
                symbol.span,
                f"the option `{option.name}` changes nothing",
                label="no rule reads it",
                advice=_meant(graph, option),
            )
    for option, number in _repeated(graph):
        ctx.warning(
            "idle-option",
            number,
            f"this number repeats the option `{option.name}`",
            label="it stays as it is when the option is changed",
            advice=f"write `{option.name}`",
        )


def _numeric(option: ir.Option) -> bool:
    return option.type.shape == "number" and not isinstance(option.default, bool)


def _meant(graph: Graph, option: ir.Option) -> str | None:
    """Point at the few numbers of rules that are equal to the default of an option that no rule reads."""
    if not (_numeric(option) and isinstance(option.default, int) and option.default >= _TELLING):
        return None
    places = [
        f"line {part.span.line}"
        if part.span.file.path == graph.ctx.tables.files[option.span.file].path
        else f"{part.span.file.path}:{part.span.line}"
        for item, _ in graph.ctx.tables.items
        if not isinstance(item, nodes.OptionDecl | nodes.ChangeOptionDecl)
        for part in nodes.walk(item)
        if isinstance(part, nodes.Number) and part.value == option.default
    ]
    if not 0 < len(places) <= _FEW:
        return None
    return f"is it meant where {option.default} stands, in {' and '.join(places)}?"


def _repeated(graph: Graph) -> Iterator[tuple[ir.Option, nodes.Number]]:
    """Give numbers with the value of an option, in rules that cite the same place of the rulebook."""
    numbers = {
        cite: option
        for option in graph.ctx.tables.options
        if _numeric(option)
        for cite in option.cites
    }
    for item, _ in graph.ctx.tables.items if numbers else ():
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
