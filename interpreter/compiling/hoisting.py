"""Taking out of a loop what is the same each time round and takes long: it is worked out before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.analysis import children, is_node, rebuild, walk
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.compiling.analysis import Dependencies, Scopes
    from interpreter.compiling.soundness import Soundness


def hoisted(
    e: ir.AnyWhere | ir.Where,
    scopes: Scopes,
    dependencies: Dependencies,
    sound: Soundness,
    fresh: Callable[[], str],
) -> ir.Expr:
    """The same with what its condition works out anew for each member in front of it."""
    if e.cond is None:
        return e
    found: list[ir.Expr] = []

    def look(node: object, bound: frozenset[str]) -> None:
        if not is_node(node) or isinstance(node, (ir.AnyRow, ir.Clause)):
            return
        if isinstance(node, (ir.Count, ir.Fold, ir.AnyWhere)) and not scopes.free(node) & bound:
            if _takes_long(node, scopes, dependencies) and sound(node):
                found.append(node)
            return
        match node:
            case ir.Where() | ir.AnyWhere() | ir.Map() | ir.Key():
                bound |= {node.var}
            case ir.LetIn():
                bound |= {node.name}
            case _:
                pass
        for child in children(node):
            look(child, bound)

    parts = list(e.cond.parts) if isinstance(e.cond, ir.And) else [e.cond]
    while parts and e.var not in scopes.free(parts[0]) and sound(parts[0]):
        parts.pop(0)  # tests that are the same for all come before the loop as they are
    for part in parts:
        look(part, frozenset((e.var,)))
    if not found:
        return e
    names = {id(node): fresh() for node in found}

    def change(node: object) -> object:
        name = names.get(id(node))
        if name is not None and isinstance(node, ir.Expr):
            return ir.Local(name=name, type=node.type, span=node.span)
        return rebuild(node, change)

    made: ir.Expr = rebuild(e, change)  # type: ignore[assignment]
    for node in reversed(found):
        made = ir.LetIn(name=names[id(node)], value=node, body=made, type=e.type, span=e.span)
    return made


def _takes_long(node: ir.Expr, scopes: Scopes, dependencies: Dependencies) -> bool:
    """Does it look at the state for each of several? What reads data can be looked up in a table."""
    bound = {
        each.var for each in walk(node) if isinstance(each, (ir.Where, ir.AnyWhere, ir.Map, ir.Key))
    }
    return any(
        isinstance(each, (ir.PlacedAt, ir.InBox)) or scopes.free(each) & bound
        for each in walk(node)
        if isinstance(each, ir.Expr) and not dependencies.own(each).data_only
    )
