"""Fields and kept values that are read and never set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir, nodes
from rulelang.checker.graph import expressions

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph


def check(graph: Graph) -> None:
    """Report what has no default and no line sets."""
    ctx = graph.ctx
    fields = {
        field.index: node
        for field in ctx.tables.fields
        if (node := ctx.tables.field_nodes.get(field.index)) is not None
        and not field.pile
        and not field.type.optional
        and field.index not in ctx.written_fields
        and None in field.values
        and _is_named(graph, field.name)
    }
    set_globals: set[int] = set()
    for doing in graph.doings:
        set_globals.update(doing.param_globals)
        for stmt in graph.statements[doing.index]:
            if isinstance(stmt, ir.SetGlobal):
                set_globals.add(stmt.index)
    kept = [
        made
        for made in ctx.globals
        if made.shown
        and made.initial is None
        and not made.type.optional
        and made.span != ir.NOWHERE
        and made.index not in set_globals
    ]
    if not fields and not kept:
        return
    read_fields, read_globals = _read(graph)
    for index, node in fields.items():
        if index in read_fields:
            name = ctx.tables.fields[index].name
            ctx.error(
                "unset-field",
                node,
                f"`{name}` has no default and no line sets it",
                label="it is read, and would have no value",
                advice=f"give it a default, `{name}: ... = ...`, or set it in `setup`",
            )
    for made in kept:
        if made.index in read_globals:
            ctx.error(
                "unset-field",
                graph.place(made.span),
                f"`{made.name}` has no default and no line sets it",
                label="it is read, and would have no value",
                advice="give it a default: `= ...`",
            )


def _is_named(graph: Graph, name: str) -> bool:
    """Tell whether a rule names something, be it in a text: what none does need not be looked for."""
    return any(
        name in nodes.names_in(item) or name in nodes.texts_in(item)
        for item in (*(item for item, _ in graph.ctx.tables.items), *graph.ctx.tables.scenarios)
        if not isinstance(item, nodes.ComponentDecl | nodes.ChangeComponentDecl)
    )


def _read(graph: Graph) -> tuple[set[int], set[int]]:
    """Give the fields and the kept values that anything reads."""
    read_fields: set[int] = set()
    read_globals: set[int] = set()
    for doing in graph.doings:
        for expr in graph.expressions(doing):
            _note(expr, read_fields, read_globals)
    for definition in graph.definitions:
        for body in (definition.body, *(need.cond for need in definition.needs)):
            for expr in expressions(body):
                _note(expr, read_fields, read_globals)
    return read_fields, read_globals


def _note(expr: ir.Expr, read_fields: set[int], read_globals: set[int]) -> None:
    if isinstance(expr, ir.FieldGet):
        read_fields.update(expr.fields)
    elif isinstance(expr, ir.GlobalGet):
        read_globals.add(expr.index)
