"""Single values and conditions as Python expressions.

:func:`value` gives the Python expression for an expression of the IR. What needs a loop becomes a
function of its own (:meth:`Module.helper`) whose body :mod:`interpreter.compiling.emit.loops` makes, so every
value is one Python expression and conditions stop early as Python's do.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.budget import LARGEST
from interpreter.compiling.emit import quote as q
from interpreter.compiling.optimise import NoRows, Slow
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.compiling.emit.module import Module

    Emit = Callable[[Module, ir.Expr], ast.expr]

_VALUES: dict[type, Emit] = {}


def emits(*nodes: type) -> Callable[[Emit], Emit]:
    """Register the translation of node classes."""

    def register(function: Emit) -> Emit:
        for node in nodes:
            _VALUES[node] = function
        return function

    return register


def value(m: Module, e: ir.Expr) -> ast.expr:
    """The Python expression that gives exactly the value of ``e``."""
    found = m.try_table(m, e)
    if found is not None:
        return q.locate(found, e.span)
    return q.locate(_VALUES[type(e)](m, e), e.span)


def cond(m: Module, e: ir.Expr) -> ast.expr:
    """A Python expression whose truth is that of the Flag ``e``; none is a fault."""
    if can_be_none(m, e):
        return q.locate(q.call("flag", value(m, e)), e.span)
    return value(m, e)


# ------------------------------------------------------------------------------------------------ what is known


def can_be_none(m: Module, e: ir.Expr) -> bool:
    """Can the value be None?"""
    match e:
        case ir.Const():
            return e.value is None
        case ir.FieldGet():
            if e.type.shape in ("set", "list", "bag"):
                return False
            if any(None in m.program.fields[index].values for index in e.fields):
                return True
            return e.type.optional or can_be_none(m, e.obj)
        case ir.GlobalGet():
            declared = m.program.globals[e.index]
            return e.type.optional or (declared.initial is None and not _tuple(e.type))
        case ir.Case():
            return can_be_none(m, e.otherwise) or any(can_be_none(m, arm) for _, arm in e.arms)
        case ir.LetIn():
            return can_be_none(m, e.body)
        case Slow():
            return can_be_none(m, e.inner)
        case ir.CallDef():
            return e.type.optional or can_be_none(m, m.program.definitions[e.definition].body)
        case ir.Exceptional():
            return can_be_none(m, e.general) or any(
                can_be_none(m, clause.value) for clause in e.clauses
            )
        case ir.Switch():
            return any(can_be_none(m, row) for _, row in e.rows)
        case ir.HolderOf():
            return True
        case ir.One():
            return e.op == "maybe"
        case ir.MapOp():
            return e.op == "distance"
        case (
            ir.Compare()
            | ir.And()
            | ir.Or()
            | ir.Not()
            | ir.Arith()
            | ir.AnyWhere()
            | ir.Overlap()
            | ir.Contains()
            | ir.IsKind()
            | ir.Count()
            | ir.Fold()
            | ir.IndexOf()
            | ir.During()
            | ir.AnyRow()
            | NoRows()
        ):
            return False
        case _:
            pass
    return e.type.optional


def _tuple(of: ir.Type) -> bool:
    return of.shape in ("set", "list", "bag")


def kind_bounds(m: Module, kind: int) -> tuple[int, int]:
    """First and last thing of a kind."""
    declared = m.program.kinds[kind]
    return declared.base, declared.base + declared.count - 1


def simple(e: ir.Expr) -> bool:
    """Is evaluating it twice as good as once?"""
    return isinstance(e, (ir.Const, ir.Local))


def twice(m: Module, e: ir.Expr) -> tuple[ast.expr, ast.expr]:
    """The value for a first and a second use."""
    if simple(e):
        return value(m, e), value(m, e)
    name = m.temp()
    return q.walrus(name, value(m, e)), q.name(name)


# ------------------------------------------------------------------------------------------------ leaves


@emits(ir.Const)
def _const(m: Module, e: ir.Expr) -> ast.expr:
    del m
    assert isinstance(e, ir.Const)
    return q.const(e.value)


@emits(ir.Local)
def _local(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Local)
    return q.name(m.local(e.name))


@emits(ir.GlobalGet)
def _global(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.GlobalGet)
    return q.state(q.const(m.layout.globals + e.index))


@emits(ir.During)
def _during(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.During)
    running = m.program.doings[e.doing].running
    if running is None:
        return q.const(False)
    return q.compare(q.state(q.const(m.layout.globals + running)), ">", q.const(0))


@emits(NoRows)
def _no_rows(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, NoRows)
    if not e.blocks:
        return q.not_(q.state(q.const(m.layout.durations)))
    return q.not_(q.or_([q.state(q.const(m.layout.rows + block)) for block in e.blocks]))


@emits(ir.HolderOf)
def _holder(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.HolderOf)
    start = m.derived.holder(m.layout)
    return q.state(q.arith(q.const(start), "+", value(m, e.card)))


# ------------------------------------------------------------------------------------------------ fields


def key_offset(m: Module, field: ir.Field, key: ir.Expr | None) -> ast.expr | None:
    """The checked key of a keyed field; None for other fields."""
    if key is None:
        return None
    of = key.type
    safe = isinstance(key, ir.Const) or (
        not can_be_none(m, key)
        and (
            of.shape in ("word", "thing")
            or (
                of.shape == "number"
                and of.lo is not None
                and of.hi is not None
                and of.lo >= field.key_low
                and of.hi < field.key_low + field.keys
            )
        )
    )
    if safe:
        return value(m, key)
    last = field.key_low + field.keys - 1
    return q.call("key_in", value(m, key), q.const(field.key_low), q.const(last))


def slot_index(m: Module, fields: tuple[int, ...], obj: ast.expr, key: ast.expr | None) -> ast.expr:
    """The slot of a mutable field of a thing."""
    program, layout = m.program, m.layout
    first = program.fields[fields[0]]
    if len(fields) == 1:
        offset = layout.offsets[first.index]
        assert offset is not None
        if first.keys == 1 and key is None:
            return q.arith(q.const(offset), "+", obj)
        assert key is not None
        if isinstance(obj, ast.Constant) and isinstance(obj.value, int):
            start = q.const(offset + obj.value * first.keys - first.key_low)
        else:
            scaled = q.arith(obj, "*", q.const(first.keys)) if first.keys > 1 else obj
            start = q.arith(q.const(offset - first.key_low), "+", scaled)
        return q.arith(start, "+", key)
    starts: list[int | None] = [None] * len(layout.kind_of)
    for index in fields:
        declared = program.fields[index]
        offset = layout.offsets[index]
        if offset is None:
            continue
        low, high = kind_bounds(m, declared.kind)
        for thing in range(low, high + 1):
            keyed = declared.key_low if key is not None else 0
            starts[thing] = offset + thing * declared.keys - keyed
    at = q.sub(m.table(tuple(starts)), obj)
    return at if key is None else q.arith(at, "+", key)


def data_table(m: Module, fields: tuple[int, ...]) -> dict[int | None, object]:
    """Values of fields that are data, by thing; keyed ones as tuples from key 0."""
    table: dict[int | None, object] = {}
    for index in fields:
        declared = m.program.fields[index]
        base, last = kind_bounds(m, declared.kind)
        for thing in range(base, last + 1):
            start = (thing - base) * declared.keys
            if declared.keys > 1:
                padding = (None,) * max(declared.key_low, 0)
                table[thing] = padding + declared.values[start : start + declared.keys]
            else:
                table[thing] = declared.values[start]
    return table


def by_thing(m: Module, table: dict[int | None, object], *, optional: bool) -> ast.expr:
    """A table for ``table[thing]``: a dictionary where None may come, else a padded tuple."""
    if optional:
        return m.table(table)
    size = max((key for key in table if key is not None), default=-1) + 1
    return m.table(tuple(table.get(thing) for thing in range(size)))


@emits(ir.FieldGet)
def _field(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.FieldGet)
    program, layout = m.program, m.layout
    data = all(layout.offsets[index] is None for index in e.fields)
    optional = can_be_none(m, e.obj)
    first = program.fields[e.fields[0]]
    nothing: object = () if _tuple(e.type) else None
    key = key_offset(m, first, e.key)
    if data and not (first.keys > 1 and first.key_low < 0):
        table = data_table(m, e.fields)
        if isinstance(e.obj, ir.Const) and key is None:
            return q.const(table.get(e.obj.value, nothing))  # type: ignore[call-overload]
        if optional:
            if key is None:
                table[None] = nothing
            else:
                size = first.keys + max(first.key_low, 0)
                table[None] = (nothing,) * size
        found = q.sub(by_thing(m, table, optional=optional), value(m, e.obj))
        return found if key is None else q.sub(found, key)
    if not optional:
        return _slot_or_data(m, e, value(m, e.obj), key, data=data)
    test, again = twice(m, e.obj)
    return q.if_else(q.is_none(test), q.const(nothing), _slot_or_data(m, e, again, key, data=data))


def _slot_or_data(
    m: Module, e: ir.FieldGet, obj: ast.expr, key: ast.expr | None, *, data: bool
) -> ast.expr:
    layout = m.layout
    if data or (len(e.fields) > 1 and any(layout.offsets[index] is None for index in e.fields)):
        # Keys below zero, or a union of kinds for some of which the field is data.
        first = key if key is not None else q.const(0)
        return q.call("read_field", q.name("S"), q.const(e.fields), obj, first)
    return q.state(slot_index(m, e.fields, obj, key))


# ------------------------------------------------------------------------------------------------ logic


@emits(ir.Compare)
def _compare(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Compare)
    if e.op in ("==", "!="):
        for one, other in ((e.left, e.right), (e.right, e.left)):
            if isinstance(one, ir.Const) and (one.value is None or one.value is True):
                if one.value is None:
                    op = "is" if e.op == "==" else "is not"
                    return q.compare(value(m, other), op, q.const(None))
                if not can_be_none(m, other):
                    given = value(m, other)
                    return given if e.op == "==" else q.not_(given)
    return q.compare(value(m, e.left), e.op, value(m, e.right))


@emits(ir.IsKind)
def _is_kind(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.IsKind)
    optional = can_be_none(m, e.value)
    possible = set(e.value.type.kinds)
    wanted = possible & set(e.kinds) if possible else set(e.kinds)
    if possible and wanted == possible:
        return q.compare(value(m, e.value), "is not", q.const(None)) if optional else q.const(True)
    if len(wanted) == 1 and not optional:
        low, high = kind_bounds(m, next(iter(wanted)))
        if low == high:
            return q.compare(value(m, e.value), "==", q.const(low))
        return q.between(q.const(low), value(m, e.value), q.const(high))
    things = set(range(len(m.layout.kind_of)))
    kind_of = m.layout.kind_of
    table: dict[int | None, object] = {thing: kind_of[thing] in wanted for thing in things}
    table[None] = False
    return q.sub(by_thing(m, table, optional=optional), value(m, e.value))


@emits(ir.And)
def _and(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.And)
    return q.and_([cond(m, part) for part in e.parts]) if e.parts else q.const(True)


@emits(ir.Or)
def _or(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Or)
    return q.or_([cond(m, part) for part in e.parts]) if e.parts else q.const(False)


@emits(ir.Not)
def _not(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Not)
    return q.not_(cond(m, e.value))


# ------------------------------------------------------------------------------------------------ numbers


def bounded(of: ir.Type) -> bool:
    """Is this a number that is surely small enough to multiply?"""
    if of.shape != "number":
        return of.shape == "word"
    return of.lo is not None and of.hi is not None and -30_000 < of.lo <= of.hi < 30_000


@emits(ir.Arith)
def _arith(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Arith)
    if e.op in ("min", "max"):
        op = "<=" if e.op == "min" else ">="
        left, left_again = twice(m, e.left)
        right, right_again = twice(m, e.right)
        return q.if_else(q.compare(left, op, right), left_again, right_again)
    left, right = value(m, e.left), value(m, e.right)
    if e.op == "*" and not (bounded(e.left.type) and bounded(e.right.type)):
        name = m.temp()
        product = q.walrus(name, q.arith(left, "*", right))
        fits = q.between(q.const(-LARGEST), product, q.const(LARGEST))
        return q.if_else(fits, q.name(name), q.call("too_large"))
    return q.arith(left, "//" if e.op == "/" else e.op, right)


@emits(ir.Case)
def _case(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Case)
    result = value(m, e.otherwise)
    for test, arm in reversed(e.arms):
        result = q.if_else(cond(m, test), value(m, arm), result)
    return result


@emits(ir.Switch)
def _switch(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Switch)
    if len(e.keys) == 1 and all(isinstance(row, ir.Const) for _, row in e.rows):
        table = _switch_table(m, e)
        if table is not None:
            return q.sub(m.table(table), value(m, e.keys[0]))
    if all(simple(key) for key in e.keys):
        tests: list[ast.expr | None] = []
        for wanted, _ in e.rows:
            parts = [
                _among(m, key, allowed)
                for key, allowed in zip(e.keys, wanted, strict=True)
                if allowed is not None
            ]
            tests.append(q.and_(parts) if parts else None)
        result: ast.expr = q.call("fault", q.const("no row of the table fits"))
        for test, (_, row) in zip(reversed(tests), reversed(e.rows), strict=True):
            given = value(m, row)
            result = given if test is None else q.if_else(test, given, result)
        return result
    return m.helper("switch", e, lambda like: _switch_body(m, like))


def _switch_body(m: Module, e: ir.Switch) -> list[ast.stmt]:
    """Bind the keys, then choose."""
    body: list[ast.stmt] = []
    keys: list[ir.Expr] = []
    for key in e.keys:
        if simple(key):
            keys.append(key)
            continue
        name = f"${m.temp()}"
        body.append(q.assign(m.local(name), value(m, key)))
        keys.append(ir.Local(name=name, type=key.type, span=key.span))
    inner = ir.Switch(keys=tuple(keys), rows=e.rows, type=e.type, span=e.span)
    return [*body, q.give(value(m, inner))]


def _switch_table(m: Module, e: ir.Switch) -> dict[object, object] | None:
    """A dictionary for a switch of constants over one finite key."""
    table: dict[object, object] = {}
    of = e.keys[0].type
    for (wanted,), row in e.rows:
        assert isinstance(row, ir.Const)
        if wanted is None:
            if of.shape != "word":
                return None
            enum = m.program.enums[of.enum]
            low = enum.low if enum.numeric else 0
            for word in range(low, low + len(enum.words)):
                table.setdefault(word, row.value)
        else:
            for each in sorted(wanted, key=repr):
                table.setdefault(each, row.value)
    return table


def _among(m: Module, key: ir.Expr, allowed: frozenset[object]) -> ast.expr:
    """Is the key one of the values?"""
    values = sorted(allowed, key=repr)
    if len(values) == 1:
        one = values[0]
        if one is None or isinstance(one, bool):
            return q.compare(value(m, key), "is", q.const(one))
        return q.compare(value(m, key), "==", q.const(one))
    return q.compare(value(m, key), "in", q.const(tuple(values)))


# ------------------------------------------------------------------------------------------------ definitions, maps


@emits(ir.CallDef)
def _call(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.CallDef)
    params = m.program.definitions[e.definition].params
    args = [
        q.call("need", value(m, arg))
        if not param.type.optional and can_be_none(m, arg)
        else value(m, arg)
        for param, arg in zip(params, e.args, strict=True)
    ]
    return q.call(m.definition(e.definition), q.name("S"), *args)


@emits(ir.MapOp)
def _map(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.MapOp)
    definition = m.definition(e.definition)
    low, high = kind_bounds(m, e.kind)
    data = m.dependencies.definition(e.definition).data_only
    known = m.ways(f"map{e.definition}", definition, (low, high)) if data else q.const(None)
    if data and not e.prefix and e.other is not None and m.flags.optimise and m.sound(e.other):
        # Ways that never change are looked up.
        start, to = value(m, e.start), value(m, e.other)
        if e.op == "distance":
            return q.method(q.sub(known, start), "get", to)
        if e.op == "within":
            return q.sub(known, q.tuple_([start, to]))
    prefix = q.tuple_([value(m, each) for each in e.prefix])
    other = q.const(None) if e.other is None else value(m, e.other)
    return q.call(
        "map_" + e.op,
        q.name("S"),
        q.name(definition),
        prefix,
        q.const((low, high)),
        known,
        value(m, e.start),
        other,
    )


__all__ = ["LARGEST", "can_be_none", "cond", "emits", "value"]
