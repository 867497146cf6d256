"""Questions that tell their chooser what the chooser cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir
from rulelang.checker.graph import expressions

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph


def check(graph: Graph) -> None:
    """Report prompts, conditions and options that read hidden fields or piles, apart from the things offered."""
    for doing in graph.doings:
        for stmt in graph.statements[doing.index]:
            match stmt:
                case ir.Ask():
                    _check(graph, stmt, ())
                case ir.If(cond=cond, then=(ir.Ask() as ask,)) if _is_question(graph, ask):
                    _check(graph, ask, (cond,))  # whether it is asked at all tells the condition
                case _:
                    pass
        for hook in (*doing.before, *doing.instead, *doing.after):
            if hook.ask is not None:
                _check(graph, hook.ask, (hook.guard,) if hook.guard is not None else ())


def _is_question(graph: Graph, ask: ir.Ask) -> bool:
    return graph.ctx.decisions[ask.decision].form == "yes"


def _check(graph: Graph, ask: ir.Ask, told: tuple[ir.Expr, ...]) -> None:
    """Check a question; ``told`` are conditions that its being asked gives away."""
    shown: list[object] = [part for part in ask.prompt.parts if isinstance(part, ir.Expr)]
    shown += told
    for alternative in ask.alternatives:
        shown += [part for part in alternative.text.parts if isinstance(part, ir.Expr)]
        shown += [alternative.cond] if alternative.cond is not None else []
    offered = ask.options
    while isinstance(offered, ir.Where | ir.Best | ir.Sorted | ir.AsSet):
        # What is offered is seen by being offered; what it is chosen by is not.
        if isinstance(offered, ir.Where):
            shown.append(offered.cond)
        elif not isinstance(offered, ir.AsSet):
            shown += [key.body for key in offered.keys]
        offered = offered.source
    for part in shown:
        hidden = _hidden(graph, part, ask, set())
        if hidden is not None:
            field, span = hidden
            graph.ctx.error(
                "hidden-information",
                graph.place(span if span != ir.NOWHERE else ask.span),
                f"this question depends on `{field.name}`, which its chooser cannot see",
                label="the answer offered, or the text, would tell",
                advice="ask about what is open, or let the chooser see it first",
            )
            return


def _hidden(
    graph: Graph, part: object, ask: ir.Ask, opened: set[int]
) -> tuple[ir.Field, ir.Span] | None:
    """Find a read of a hidden field; how many lie in a hidden pile, and whether any do, may be
    known."""
    counted: set[int] = set()
    for expr in expressions(part):
        if isinstance(expr, ir.Count | ir.AnyWhere) and isinstance(expr.source, ir.FieldGet):
            known = not isinstance(expr, ir.AnyWhere) or expr.cond is None
            if known:
                counted.add(id(expr.source))
    for expr in expressions(part):
        if isinstance(expr, ir.FieldGet) and id(expr) not in counted:
            for number in expr.fields:
                field = graph.ctx.tables.fields[number]
                own = field.sight == "owner" and (
                    expr.obj == ask.chooser or not _sure(expr.obj, ask)
                )
                if field.sight == "hidden" or (field.sight == "owner" and not own):
                    return field, expr.span
        if isinstance(expr, ir.CallDef) and expr.definition not in opened:
            opened.add(expr.definition)
            found = _hidden(graph, graph.definitions[expr.definition].body, ask, opened)
            if found is not None and found[0].sight == "hidden":
                return found[0], expr.span
    return None


def _sure(obj: ir.Expr, ask: ir.Ask) -> bool:
    """Is it sure that a player is not the chooser? Only a constant against another constant is."""
    return isinstance(obj, ir.Const) and isinstance(ask.chooser, ir.Const)
