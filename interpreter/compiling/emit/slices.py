"""Keyed fields looked at for several keys at once: their slots stand side by side in the state."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.columns import all_slots, column, is_of, values
from interpreter.compiling.emit.expressions import can_be_none, cond, slot_index, value
from interpreter.compiling.emit.loops import helper
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module

FEW = 4
"""So many slots are named one by one."""


def how_many(m: Module, source: ir.Expr) -> ast.expr | None:
    """The number of those keys for which a keyed field has (or has not) a value; None if it is no such set."""
    if not isinstance(source, ir.Where):
        return None
    keys = source.source
    if isinstance(keys, ir.Case) and len(keys.arms) == 1:
        then = how_many(m, attrs.evolve(source, source=keys.arms[0][1]))
        orelse = how_many(m, attrs.evolve(source, source=keys.otherwise))
        if then is None or orelse is None:
            return None
        return q.if_else(cond(m, keys.arms[0][0]), then, orelse)
    if isinstance(keys, ir.Minus) and isinstance(keys.right, (ir.Local, ir.GlobalGet)):
        usual = how_many(m, attrs.evolve(source, source=keys.left))
        if usual is None:
            return None
        rare = helper(m, ir.Count(source=source, type=ir.NUMBER, span=source.span))
        return q.if_else(value(m, keys.right), rare, usual)
    found = _slice(m, source)
    if found is None:
        return None
    slots, wanted, count, equal = found
    hits = q.method(slots, "count", wanted)
    return hits if equal else q.arith(q.const(count), "-", hits)


def total(m: Module, e: ir.Fold) -> ast.expr | None:
    """Over all things of a kind: the sum, least or most of a number, or how many keys have a value."""
    source = e.source
    if e.op != "sum":
        return _extreme(m, e)
    if not isinstance(source, ir.Map) or source.flat or not m.flags.optimise:
        return None
    if not isinstance(source.source, ir.KindAll):
        return None
    return _total(m, source.source.kind, source.var, source.body)


def _extreme(m: Module, e: ir.Fold) -> ast.expr | None:
    """The least or most of a number that all things of a kind have."""
    numbers = column(m, e.source)
    if numbers is None or not isinstance(e.source, ir.Map) or can_be_none(m, e.source.body):
        return None
    if 1 < len(numbers) <= FEW:
        return q.call(e.op, *(q.state(q.const(slot)) for slot in numbers))
    return q.call(e.op, values(numbers))


def _total(m: Module, kind: int, var: str, body: ir.Expr) -> ast.expr | None:
    """The sum of ``body``, which speaks of the thing ``var``, over a kind."""
    declared = m.program.kinds[kind]
    match body:
        case ir.Arith() if body.op in ("+", "-"):
            left, right = _total(m, kind, var, body.left), _total(m, kind, var, body.right)
            return None if left is None or right is None else q.arith(left, body.op, right)
        case ir.Count() if isinstance(body.source, ir.Where):
            test, keys = body.source.cond, body.source.source
            if (
                not isinstance(test, ir.Compare)
                or test.op != "=="
                or not isinstance(keys, ir.Const)
            ):
                return None
            for field, wanted in ((test.left, test.right), (test.right, test.left)):
                if (
                    _is_keyed(m, field, body.source.var)
                    and isinstance(field, ir.FieldGet)
                    and is_of(m, field, var)
                    and isinstance(wanted, (ir.Const, ir.Local))
                    and not m.scopes.free(wanted) & {var, body.source.var}
                    and keys.value == _all_keys(m.program.fields[field.fields[0]])
                ):
                    slots = values(all_slots(m, m.program.fields[field.fields[0]], declared))
                    return q.method(slots, "count", value(m, wanted))
        case ir.FieldGet() if body.key is None and body.type.shape == "number":
            if is_of(m, body, var) and not can_be_none(m, body):
                return q.call(
                    "sum", values(all_slots(m, m.program.fields[body.fields[0]], declared))
                )
        case _:
            pass
    return None


def _all_keys(field: ir.Field) -> tuple[int, ...]:
    return tuple(range(field.key_low, field.key_low + field.keys))


def is_any(m: Module, e: ir.AnyWhere) -> ast.expr | None:
    """Has a keyed field this value for any of several keys? None if that is not what is asked."""
    if e.cond is None:
        return None
    source = ir.Where(source=e.source, var=e.var, cond=e.cond, type=e.source.type, span=e.span)
    found = _slice(m, source)
    if found is None:
        return None
    slots, wanted, count, equal = found
    if equal:
        return q.compare(wanted, "in", slots)
    return q.compare(q.method(slots, "count", wanted), "<", q.const(count))


def _slice(m: Module, source: ir.Where) -> tuple[ast.expr, ast.expr, int, bool] | None:
    """The slots of a field for all keys, the value they are compared with, their number, and how."""
    keys, test = source.source, source.cond
    if not m.flags.optimise or not isinstance(keys, ir.Const) or not isinstance(keys.value, tuple):
        return None
    if not isinstance(test, ir.Compare) or test.op not in ("==", "!="):
        return None
    numbers = keys.value
    if not numbers or not all(type(each) is int for each in numbers):
        return None
    first, count = numbers[0], len(numbers)
    if numbers != tuple(range(first, first + count)):
        return None
    for field, wanted in ((test.left, test.right), (test.right, test.left)):
        if source.var in m.scopes.free(wanted) or not isinstance(wanted, (ir.Const, ir.Local)):
            continue
        if not _is_keyed(m, field, source.var) or not isinstance(field, ir.FieldGet):
            continue
        declared = [m.program.fields[index] for index in field.fields]
        if any(m.layout.offsets[each.index] is None for each in declared) or any(
            first < each.key_low or first + count > each.key_low + each.keys for each in declared
        ):
            continue
        start = m.temp()
        index = slot_index(m, field.fields, value(m, field.obj), q.const(first))
        slots = ast.Subscript(
            q.name("S"),
            ast.Slice(q.walrus(start, index), q.arith(q.name(start), "+", q.const(count))),
            q.LOAD,
        )
        return slots, value(m, wanted), count, test.op == "=="
    return None


def _is_keyed(m: Module, field: ir.Expr, var: str) -> bool:
    """Is this a keyed field of something that there is, read for the key that ``var`` names?"""
    return (
        isinstance(field, ir.FieldGet)
        and isinstance(field.key, ir.Local)
        and field.key.name == var
        and var not in m.scopes.free(field.obj)
        and isinstance(field.obj, (ir.Const, ir.Local, ir.GlobalGet))
        and not can_be_none(m, field.obj)
        and all(m.program.fields[index].keys > 1 for index in field.fields)
    )
