"""Two variants whose rules about one doing get in each other's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir
from rulelang.checker.rivals import Judge
from rulelang.diagnostics import Label
from rulelang.variants.conflicts import advice, settling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.checker.graph import Graph


def check(graph: Graph) -> None:
    """Report replacements of one doing that may apply at once (E0702), and rules of one moment that
    both set one value (E0706)."""
    if len(graph.ctx.tables.chosen) < 2:
        return
    judge = Judge(graph)
    for doing in graph.doings:
        for one, two in _pairs(judge, doing.instead):
            if _replaces(one) and _replaces(two):
                _report_replacements(judge, doing, one, two)
        for hooks in (doing.before, doing.after):
            for one, two in _pairs(judge, hooks):
                _report_writes(judge, doing, one, two)


def _pairs(judge: Judge, hooks: tuple[ir.Hook, ...]) -> Iterator[tuple[ir.Hook, ir.Hook]]:
    """Give the pairs of rules that stand in two variants of which none is to win over the other."""
    for number, two in enumerate(hooks):
        for one in hooks[:number]:
            first, second = judge.origin(one.span), judge.origin(two.span)
            if first == second or not first or not second:
                continue
            if not judge.wins(first, second) and not judge.wins(second, first):
                yield one, two


def _replaces(hook: ir.Hook) -> bool:
    """Tell whether nobody is asked: neither whether it replaces, nor which of several cards does."""
    return hook.ask is None and not hook.lets and hook.block is None


def _apart(judge: Judge, doing: ir.Doing, one: ir.Hook, two: ir.Hook) -> bool:
    return judge.apart(judge.rival(one), judge.rival(two), doing.params)


def _report_replacements(judge: Judge, doing: ir.Doing, one: ir.Hook, two: ir.Hook) -> None:
    if _apart(judge, doing, one, two):
        return
    graph = judge.graph
    first, second = judge.origin(one.span), judge.origin(two.span)
    graph.ctx.bag.error(
        "E0702",
        graph.place(two.span),
        f"`{first}` and `{second}` may both replace {_name(doing)}",
        label=f"`{second}` says this{'' if two.guard is not None else ', always'}",
        secondary=(
            Label(
                graph.place(one.span),
                f"`{first}` says this{'' if one.guard is not None else ', always'}",
            ),
        ),
        help=advice(graph.ctx.tables, first, second),
        fix=settling(graph.ctx.tables, second, first),
        citation=tuple(dict.fromkeys((*one.cites, *two.cites))),
    )


def _report_writes(judge: Judge, doing: ir.Doing, one: ir.Hook, two: ir.Hook) -> None:
    shared = _written(judge, one) & _written(judge, two)
    shared |= {("", name) for name in set(one.writes) & set(two.writes)}
    if not shared or _apart(judge, doing, one, two):
        return
    graph = judge.graph
    first, second = judge.origin(one.span), judge.origin(two.span)
    name = min(shared)[1]
    graph.ctx.bag.warning(
        "E0706",
        graph.place(two.span),
        f"`{first}` and `{second}` both set `{name.lstrip('$')}` at the same moment",
        label=f"`{second}` sets it later",
        secondary=(
            Label(graph.place(one.span), f"`{first}` sets it first, as its name comes first"),
        ),
        help=f"if that is right, say so: {advice(graph.ctx.tables, first, second).splitlines()[0].partition(': ')[2]}",
        citation=tuple(dict.fromkeys((*one.cites, *two.cites))),
    )


def _name(doing: ir.Doing) -> str:
    if doing.kind != "atomic":
        return f"`{doing.name}`"
    return f"the same change ({doing.name})"


def _written(judge: Judge, hook: ir.Hook) -> set[tuple[str, str]]:
    """Give the fields and kept values that a rule sets, itself or in a doing of its own variant.

    Gains and losses do not count: they come out the same in either order.
    """
    graph = judge.graph
    origin = judge.origin(hook.span)
    found: set[tuple[str, str]] = set()
    seen = {hook.doing}
    waiting = [hook.doing]
    while waiting:
        for stmt in graph.statements[waiting.pop()]:
            match stmt:
                case ir.SetField(fields=fields):
                    for each in fields:
                        field = graph.ctx.tables.fields[each]
                        found.add((graph.ctx.tables.kinds[field.kind].name, field.name))
                case ir.SetGlobal(index=index) if graph.ctx.globals[index].shown:
                    found.add(("", graph.ctx.globals[index].name))
                case ir.Call(doing=called) if called not in seen:
                    seen.add(called)
                    if judge.origin(graph.doings[called].span) == origin:
                        waiting.append(called)
                case _:
                    pass
    return found
