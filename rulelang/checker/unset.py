"""Fields and kept values that are read and never set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir
from rulelang.checker.graph import expressions, own_expressions, statements

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph


def check(graph: Graph) -> None:
    """Report what has no default and no line sets."""
    ctx = graph.ctx
    read_fields: set[int] = set()
    read_globals: set[int] = set()
    set_globals: set[int] = set()
    for doing in graph.doings:
        for stmt in statements(doing.body):
            if isinstance(stmt, ir.SetGlobal):
                set_globals.add(stmt.index)
        set_globals.update(doing.param_globals)
        for expr in own_expressions(doing):
            _note(expr, read_fields, read_globals)
    for definition in graph.definitions:
        from_body = [definition.body, *(need.cond for need in definition.needs)]
        for body in from_body:
            for expr in expressions(body):
                _note(expr, read_fields, read_globals)
    for field in ctx.tables.fields:
        node = ctx.tables.field_nodes.get(field.index)
        unset = (
            not field.pile
            and not field.type.optional
            and any(value is None for value in field.values)
        )
        if (
            node is not None
            and unset
            and field.index not in ctx.written_fields
            and field.index in read_fields
        ):
            ctx.error(
                "unset-field",
                node,
                f"`{field.name}` has no default and no line sets it",
                label="it is read, and would have no value",
                advice=f"give it a default, `{field.name}: ... = ...`, or set it in `setup`",
            )
    for made in ctx.globals:
        no_value = (
            made.shown
            and made.initial is None
            and not made.type.optional
            and made.span != ir.NOWHERE
        )
        if no_value and made.index in read_globals and made.index not in set_globals:
            ctx.error(
                "unset-field",
                graph.place(made.span),
                f"`{made.name}` has no default and no line sets it",
                label="it is read, and would have no value",
                advice="give it a default: `= ...`",
            )


def _note(expr: ir.Expr, read_fields: set[int], read_globals: set[int]) -> None:
    if isinstance(expr, ir.FieldGet):
        read_fields.update(expr.fields)
    elif isinstance(expr, ir.GlobalGet):
        read_globals.add(expr.index)
