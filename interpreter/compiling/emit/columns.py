"""The values of one field of all things of a kind: they stand side by side in the state."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.compiling.emit import quote as q
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module


def column(m: Module, e: ir.Expr) -> range | None:
    """The slots of ``Kind.field``, which hold None where a thing has no value; None if it is something else."""
    if (
        not m.flags.optimise
        or not isinstance(e, ir.Map)
        or e.flat
        or not isinstance(e.source, ir.KindAll)
        or not m.program.kinds[e.source.kind].count
        or not isinstance(e.body, ir.FieldGet)
        or e.body.key is not None
        or not is_of(m, e.body, e.var)
    ):
        return None
    return all_slots(m, m.program.fields[e.body.fields[0]], m.program.kinds[e.source.kind])


def is_of(m: Module, field: ir.FieldGet, var: str) -> bool:
    """Is this a field in the state of the thing that ``var`` names?"""
    return (
        isinstance(field.obj, ir.Local)
        and field.obj.name == var
        and len(field.fields) == 1
        and m.layout.offsets[field.fields[0]] is not None
    )


def all_slots(m: Module, field: ir.Field, kind: ir.Kind) -> range:
    """The slots of a field of all things of a kind, key by key where it has keys."""
    start = m.layout.slot(field.index, kind.base, field.key_low)
    return range(start, start + kind.count * field.keys)


def values(slots: range) -> ast.expr:
    """What these slots hold, as a list."""
    return q.state(ast.Slice(q.const(slots.start), q.const(slots.stop)))
