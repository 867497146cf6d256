"""Sets, lists and bags as values: what is short enough for one Python expression, or calls a function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

import attrs

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import slices
from interpreter.compiling.emit.expressions import (
    can_be_none,
    cond,
    emits,
    kind_bounds,
    twice,
    value,
)
from interpreter.compiling.emit.loops import (
    helper,
    looked_through,
    pure_mask,
    returning,
    set_of,
    streams,
)
from interpreter.compiling.emit.tables import evaluate
from interpreter.compiling.optimise import Chosen, Rare, Slow
from interpreter.errors import RuleFault
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module


@emits(ir.Where, ir.PlacedAt, ir.InBox, ir.Map, ir.Best, ir.Sorted, ir.LetIn, ir.Fold)
def _loop(m: Module, e: ir.Expr) -> ast.expr:
    if isinstance(e, ir.Sorted):
        order = m.order(e)
        if order is not None:
            return q.or_([q.state(q.const(order.slot)), helper(m, e)])
    if isinstance(e, ir.Fold):
        total = m.total(e)
        if total is not None:
            return q.state(q.const(total.slot))
        weighed = slices.total(m, e) or _weighed(m, e)
        if weighed is not None:
            return weighed
    if isinstance(e, (ir.Where, ir.PlacedAt)):
        found = pure_mask(m, e)
        if found is not None:
            return m.things(*found)
    return helper(m, e)


def _weighed(m: Module, e: ir.Fold) -> ast.expr | None:
    """The sum of a number that is data over a set that is a mask."""
    source = e.source
    if e.op != "sum" or not isinstance(source, ir.Map) or source.flat:
        return None
    if (
        m.scopes.free(source.body) != {source.var}
        or not m.dependencies.reads(source.body).data_only
    ):
        return None
    found = pure_mask(m, source.source)
    if found is None:
        return None
    kind, mask = found
    low, high = kind_bounds(m, kind)
    try:
        numbers = [evaluate(m, source.body, {source.var: thing}) for thing in range(low, high + 1)]
    except RuleFault:
        return None
    if not all(type(number) is int for number in numbers):
        return None
    return q.sub(m.weights(tuple(numbers)), mask)


@emits(ir.AnyWhere)
def _any(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.AnyWhere)
    source = e.source
    if e.cond is not None:
        source = ir.Where(source=source, var=e.var, cond=e.cond, type=set_of(e.source), span=e.span)
    found = pure_mask(m, source)
    if found is not None:
        return q.compare(found[1], "!=", q.const(0))
    sliced = slices.is_any(m, e)
    if sliced is not None:
        return sliced
    if e.cond is None and not streams(e.source):
        return q.compare(value(m, e.source), "!=", q.const(()))
    return helper(m, e)


@emits(Slow)
def _slow(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, Slow)
    return m.helper("slow", e, lambda like: returning(m, like.inner))


@emits(Chosen)
def _chosen(m: Module, e: ir.Expr) -> ast.expr:
    return helper(m, e)


@emits(Rare)
def _rare(m: Module, e: ir.Expr) -> ast.expr:
    return helper(m, e)


@emits(ir.AnyRow)
def _any_row(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.AnyRow)
    rows = q.compare(q.state(q.const(m.layout.rows + e.block)), "!=", q.const(()))
    return q.and_([rows, helper(m, e)])


@emits(ir.Exceptional)
def _exceptions(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Exceptional)
    plain = [clause for clause in e.clauses if clause.sign == "="]
    fits = all(clause.block is None and not clause.lets for clause in e.clauses)
    if not fits or len(plain) > 1:
        return helper(m, e)
    result = value(m, e.general)
    for clause in plain:
        given = value(m, clause.value)
        result = given if clause.cond is None else q.if_else(cond(m, clause.cond), given, result)
    for clause in e.clauses:
        if clause.sign != "=":
            change = value(m, clause.value)
            if clause.cond is not None:
                change = q.if_else(cond(m, clause.cond), change, q.const(0))
            result = q.arith(result, clause.sign, change)
    return result


@emits(ir.KindAll)
def _all(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.KindAll)
    low, high = kind_bounds(m, e.kind)
    return q.const(tuple(range(low, high + 1)))


_CALLS: Final[dict[type[ir.Expr], tuple[str, ...]]] = {
    ir.RangeSet: ("span", "low", "high"),
    ir.Union: ("union", "left", "right"),
    ir.AsSet: ("as_set", "source"),
    ir.SameItems: ("same_items", "left", "right"),
    ir.Take: ("take", "source", "count"),
    ir.Overlap: ("overlap", "left", "right"),
    ir.IndexOf: ("index_of", "item", "source"),
    ir.BagLargest: ("bag_largest", "bag"),
}
"""What a function of the runtime does, with the parts that it is given."""


@emits(*_CALLS)
def _call(m: Module, e: ir.Expr) -> ast.expr:
    function, *parts = _CALLS[type(e)]
    return q.call(function, *(value(m, getattr(e, part)) for part in parts))


@emits(ir.Contains)
def _member(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Contains)
    source = e.source
    if isinstance(source, ir.RangeSet):
        if not can_be_none(m, e.item):
            return q.between(value(m, source.low), value(m, e.item), value(m, source.high))
        return q.compare(value(m, e.item), "in", value(m, source))
    if isinstance(source, (ir.Where, ir.KindAll)) and not (
        isinstance(source, ir.KindAll) and can_be_none(m, e.item)
    ):
        if isinstance(source, ir.KindAll):
            low, high = kind_bounds(m, source.kind)
            return q.between(q.const(low), value(m, e.item), q.const(high))
        return helper(m, e)
    if isinstance(source, ir.MakeSet):
        items = q.tuple_([value(m, item) for item in source.items])
        if can_be_none(m, e.item):
            first, again = twice(m, e.item)
            return q.and_(
                [q.compare(first, "is not", q.const(None)), q.compare(again, "in", items)]
            )
        return q.compare(value(m, e.item), "in", items)
    return q.compare(value(m, e.item), "in", value(m, source))


@emits(ir.MakeSet)
def _make_set(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.MakeSet)
    if len(e.items) == 1 and not can_be_none(m, e.items[0]):
        return q.tuple_([value(m, e.items[0])])
    if all(isinstance(item, ir.Const) for item in e.items):
        values = {item.value for item in e.items if isinstance(item, ir.Const)} - {None}
        return q.const(tuple(sorted(values)))  # type: ignore[type-var]
    if len(e.items) == 1:
        first, again = twice(m, e.items[0])
        one = ast.Tuple([again], q.LOAD)
        return q.if_else(q.compare(first, "is not", q.const(None)), one, q.const(()))
    return q.call("make_set", q.tuple_([value(m, item) for item in e.items]))


@emits(ir.MakeList)
def _make_list(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.MakeList)
    return q.tuple_([value(m, item) for item in e.items])


@emits(ir.Concat)
def _concat(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Concat)
    return q.arith(value(m, e.left), "+", value(m, e.right))


@emits(ir.Minus)
def _minus(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Minus)
    if streams(e.left):
        return helper(m, e)
    return q.call("minus", value(m, e.left), looked_through(m, e.right))


@emits(ir.Count)
def _count(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Count)
    found = pure_mask(m, e.source)
    if found is not None:
        return q.method(found[1], "bit_count")
    number = slices.how_many(m, e.source)
    if number is not None:
        return number
    if streams(e.source):
        return helper(m, e)
    return q.call("len", value(m, e.source))


@emits(ir.One)
def _single(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.One)
    found = pure_mask(m, e.source)
    if found is not None:
        if e.op in ("first", "last"):
            things = m.things(*found)
            return q.sub(things, q.const(0) if e.op == "first" else q.const(-1))
        return m.only_one(*found, maybe=e.op == "maybe")
    if streams(e.source) or e.op in ("only", "maybe"):
        return helper(m, e)
    return q.sub(value(m, e.source), q.const(0) if e.op == "first" else q.const(-1))


@emits(ir.Item)
def _item(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Item)
    return q.sub(value(m, e.source), value(m, e.index))


@emits(ir.Clockwise)
def _clockwise(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Clockwise)
    seats = m.program.seats
    rounds = tuple(tuple((seat + step) % seats for step in range(seats)) for seat in range(seats))
    return q.sub(m.table(rounds), value(m, e.player))


@emits(ir.Subsets)
def _subsets(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.Subsets)
    of = m.kept("type", attrs.astuple(e.source.type.elem or ir.NUMBER))
    return q.call("subsets", q.name("S"), value(m, e.source), of)


def _low(m: Module, of: ir.Type) -> int:
    """The first word of a bag."""
    enum = m.program.enums[of.enum]
    return enum.low if enum.numeric else 0


@emits(ir.BagItem)
def _bag_item(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.BagItem)
    low = _low(m, e.bag.type)
    word = value(m, e.word) if low == 0 else q.arith(value(m, e.word), "-", q.const(low))
    return q.call("bag_item", value(m, e.bag), word)


@emits(ir.MakeBag)
def _make_bag(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.MakeBag)
    size = len(m.program.enums[e.type.enum].words)
    items = q.tuple_([value(m, item) for item in e.items])
    return q.call("make_bag", items, q.const(_low(m, e.type)), q.const(size))


@emits(ir.BagArith)
def _bag_arith(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.BagArith)
    names = {"+": "bag_plus", "-": "bag_minus", "*": "bag_times"}
    size = q.const(len(m.program.enums[e.type.enum].words))
    return q.call(names[e.op], value(m, e.left), value(m, e.right), size)


@emits(ir.BagWords)
def _bag_words(m: Module, e: ir.Expr) -> ast.expr:
    assert isinstance(e, ir.BagWords)
    return q.call("bag_words", value(m, e.bag), q.const(_low(m, e.bag.type)))
