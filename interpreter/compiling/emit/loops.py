"""Sets, lists and everything that looks at each of several: functions with early exits.

:func:`returning` makes the body of a function that returns the value of an expression. Loops are
made by :func:`stream`, which runs statements for each member of a set without building the set.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from interpreter.budget import OFFERED
from interpreter.compiling.analysis import walk
from interpreter.compiling.emit import masks
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.columns import column, values
from interpreter.compiling.emit.exceptions import each_row, exceptional
from interpreter.compiling.emit.expressions import (
    can_be_none,
    cond,
    kind_bounds,
    simple,
    value,
)
from interpreter.compiling.optimise import Chosen, NoRows
from interpreter.faultcodes import EMPTY_SET
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module


LONG = (ir.Count, ir.Fold, ir.AnyWhere, ir.CallDef, ir.Contains)
"""What takes long enough to be evaluated once for a whole loop."""


def pure_mask(m: Module, e: ir.Expr) -> tuple[int, ast.expr] | None:
    """Kind and mask of a set, if a mask says all and is not every thing of the kind."""
    if not streams(e):
        return None
    found = masks.plan(m, e)
    if found is None or found.tests or found.mask is None:
        return None
    return found.kind, found.mask


def helper(m: Module, e: ir.Expr) -> ast.expr:
    """A call of the function that returns ``e``."""
    return m.helper("value", e, lambda like: returning(m, like))


# ------------------------------------------------------------------------------------------------ loops


def stream(m: Module, e: ir.Expr, name: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that run ``body`` with the Python name ``name`` bound to each member, in order."""
    if isinstance(e, ir.Where) and m.flags.optimise:
        first, rest = _same_for_all(m, e)
        if first:
            return [q.if_(q.and_([cond(m, part) for part in first]), stream(m, rest, name, body))]
    found = masks.plan(m, e) if streams(e) else None
    if found is not None and found.mask is not None:
        for var, condition in reversed(found.tests):
            body = [*_bind(m, var, name), q.if_(cond(m, condition), body)]
        if found.constant is not None:
            base = m.program.kinds[found.kind].base
            members = tuple(
                base + bit
                for bit in range(found.constant.bit_length())
                if found.constant >> bit & 1
            )
            return [q.for_(name, q.const(members), body)]
        return [q.for_(name, m.things(found.kind, found.mask), body)]
    match e:
        case ir.Where():
            bind = _bind(m, e.var, name)
            holds = e.cond
            while isinstance(holds, ir.LetIn):
                bind.append(q.assign(m.local(holds.name), value(m, holds.value)))
                holds = holds.body
            return stream(m, e.source, name, [*bind, q.if_(cond(m, holds), body)])
        case ir.PlacedAt():
            before, test = _placed_test(m, e, name)
            return [*before, *stream(m, e.source, name, [q.if_(test, body)])]
        case ir.InBox():
            return stream(m, e.source, name, [q.if_(position_is(m, e.source.type, name, 1), body)])
        case ir.Map() if e.type.shape == "set":
            plain = attrs.evolve(e, type=attrs.evolve(e.type, shape="list"))
            return [q.for_(name, q.call("as_set", value(m, plain)), body)]
        case ir.Map() if not e.flat:
            inner = m.local(e.var)
            each: list[ast.stmt] = [q.assign(name, value(m, e.body))]
            if can_be_none(m, e.body):
                each.append(q.if_(q.compare(q.name(name), "is not", q.const(None)), body))
            else:
                each.extend(body)
            return stream(m, e.source, inner, each)
        case ir.Map():
            inner = m.local(e.var)
            return stream(m, e.source, inner, [q.for_(name, value(m, e.body), body)])
        case ir.Minus() if isinstance(e.right, ir.MakeSet) and len(e.right.items) == 1:
            other = m.temp()
            test = q.compare(q.name(name), "!=", q.name(other))
            return [
                q.assign(other, value(m, e.right.items[0])),
                *stream(m, e.left, name, [q.if_(test, body)]),
            ]
        case ir.Minus():
            without = m.temp()
            test = q.compare(q.name(name), "not in", q.name(without))
            return [
                q.assign(without, looked_through(m, e.right)),
                *stream(m, e.left, name, [q.if_(test, body)]),
            ]
        case ir.RangeSet():
            return [q.for_(name, _steps(m, e), body)]
        case _:
            pass
    return [q.for_(name, value(m, e), body)]


def looked_through(m: Module, e: ir.Expr) -> ast.expr:
    """A set or list in which values other than None are looked for."""
    slots = column(m, e)
    return value(m, e) if slots is None else values(slots)


def _steps(m: Module, e: ir.RangeSet) -> ast.expr:
    """The numbers of a range, to walk over; only what can be too many is counted before."""
    low, high = value(m, e.low), value(m, e.high)
    first, last = _bounds(e.low)[0], _bounds(e.high)[1]
    if first is not None and last is not None and last - first < OFFERED:
        return q.call("range", low, q.arith(high, "+", q.const(1)))
    return q.call("steps", low, high)


def _bounds(e: ir.Expr) -> tuple[int | None, int | None]:
    """Between which numbers a value is, as far as that is easily seen."""
    if isinstance(e, ir.Const) and isinstance(e.value, int):
        return e.value, e.value
    if e.type.shape != "number" or e.type.optional:
        return None, None
    low, high = e.type.lo, e.type.hi
    if isinstance(e, ir.Arith) and e.op in ("+", "-"):
        (a, b), (c, d) = _bounds(e.left), _bounds(e.right)
        if e.op == "-":
            c, d = (None if d is None else -d), (None if c is None else -c)
        low = a + c if a is not None and c is not None else low
        high = b + d if b is not None and d is not None else high
    return low, high


def _same_for_all(m: Module, e: ir.Where) -> tuple[list[ir.Expr], ir.Expr]:
    """The first tests of a condition that are the same for every member, and the set without them.

    Only what is no fault even where there is no member, and of things, which masks may do better for,
    only what takes long.
    """
    parts = list(e.cond.parts) if isinstance(e.cond, ir.And) else [e.cond]
    first: list[ir.Expr] = []
    while parts and e.var not in m.scopes.free(parts[0]) and m.sound(parts[0]):
        first.append(parts.pop(0))
    numbers = isinstance(e.source, ir.RangeSet)
    if not numbers and not any(isinstance(node, LONG) for part in first for node in walk(part)):
        return [], e
    if not parts:
        return first, e.source
    rest = parts[0] if len(parts) == 1 else attrs.evolve(e.cond, parts=tuple(parts))  # type: ignore[call-arg]
    return first, attrs.evolve(e, cond=rest)


def streams(e: ir.Expr) -> bool:
    """Is :func:`stream` better than a loop over the value?"""
    return isinstance(e, (ir.Where, ir.PlacedAt, ir.InBox, ir.Map, ir.Minus, ir.RangeSet))


def _bind(m: Module, var: str, name: str) -> list[ast.stmt]:
    own = m.local(var)
    return [] if own == name else [q.assign(own, q.name(name))]


def _kinds(m: Module, of: ir.Type) -> tuple[int, ...]:
    elem = of.elem or of
    return elem.kinds or tuple(range(len(m.program.kinds)))


def position_is(m: Module, of: ir.Type, name: str, position: int) -> ast.expr:
    """Is the position of the thing called ``name``, of a kind of ``of``, this number?"""
    kinds = _kinds(m, of)
    movable = [kind for kind in kinds if m.layout.positions[kind] is not None]
    if not movable:
        return q.const(position == 0)
    if len(kinds) == 1:
        offset = m.layout.positions[kinds[0]]
        assert offset is not None
        slot = q.state(q.arith(q.const(offset), "+", q.name(name)))
        return q.compare(slot, "==", q.const(position))
    return q.compare(q.call("position", q.name("S"), q.name(name)), "==", q.const(position))


def _placed_test(m: Module, e: ir.PlacedAt, name: str) -> tuple[list[ast.stmt], ast.expr]:
    """Statements before the loop, and the test that ``name`` is at the place."""
    kinds = _kinds(m, e.source.type)
    place = m.program.kinds[kinds[0]].place if len(kinds) == 1 else None
    if len(kinds) != 1:
        at = m.temp()
        test = q.compare(q.call("place_of", q.name("S"), q.name(name)), "==", q.name(at))
        return [q.assign(at, q.tuple_([q.const(0), value(m, e.place)]))], test
    nowhere = position_is(m, e.source.type, name, 0)
    if place is None:
        at = m.temp()
        empty = q.is_none(q.name(at))
        return [q.assign(at, value(m, e.place))], q.and_([empty, nowhere])
    get = ir.FieldGet(
        obj=ir.Local(name="$", type=ir.Type("thing", kinds=kinds)),
        fields=(place,),
        type=m.program.fields[place].type,
    )
    offset = m.layout.offsets[place]
    if offset is None:
        here = q.sub(value(m, ir.Const(value=tuple(_padded(m, get)))), q.name(name))
    else:
        here = q.state(q.arith(q.const(offset), "+", q.name(name)))
    if isinstance(e.place, ir.Const) and e.place.value is None:
        return [], q.and_([nowhere, q.is_none(here)])
    before: list[ast.stmt] = []
    wanted = value(m, e.place)
    if not simple(e.place):
        at = m.temp()
        before.append(q.assign(at, wanted))
        wanted = q.name(at)
    if not can_be_none(m, e.place):
        return before, q.compare(here, "==", wanted)
    unplaced = q.or_([q.compare(wanted, "is not", q.const(None)), nowhere])
    return before, q.and_([q.compare(here, "==", wanted), unplaced])


def _padded(m: Module, get: ir.FieldGet) -> list[object]:
    declared = m.program.fields[get.fields[0]]
    return [None] * m.program.kinds[declared.kind].base + list(declared.values)


# ------------------------------------------------------------------------------------------------ bodies


def assigned(m: Module, e: ir.Expr, name: str, *, listed: bool = False) -> list[ast.stmt]:
    """Statements that give ``name`` the value of ``e``, its loop among them if it has one.

    ``listed``: a list will do as well as a tuple.
    """
    if isinstance(e, ir.Case) and len(e.arms) == 1 and isinstance(e.arms[0][0], NoRows):
        usual = assigned(m, e.arms[0][1], name, listed=listed)
        rare = q.assign(name, value(m, e.otherwise))
        return [q.locate(q.if_(cond(m, e.arms[0][0]), usual, [rare]), e.span)]
    loop = isinstance(e, (ir.Where, ir.Map, ir.Minus, ir.Best, Chosen))
    if m.flags.optimise and loop and pure_mask(m, e) is None and m.try_table(m, e) is None:
        body = returning(m, e)
        last = body[-1]
        others = [each for part in body[:-1] for each in ast.walk(part)]
        if (
            isinstance(last, ast.Return)
            and last.value is not None
            and not any(isinstance(each, ast.Return) for each in others)
        ):
            given = last.value
            if (
                listed
                and isinstance(given, ast.Call)
                and isinstance(given.func, ast.Name)
                and given.func.id == "tuple"
            ):
                given = given.args[0]
            return [*body[:-1], q.locate(q.assign(name, given), e.span)]
    return [q.assign(name, value(m, e))]


def returning(m: Module, e: ir.Expr) -> list[ast.stmt]:
    """The body of a function that returns the value of ``e``."""
    found = _returning(m, e)
    for statement in found:
        q.locate(statement, e.span)
    return found


def _returning(m: Module, e: ir.Expr) -> list[ast.stmt]:
    match e:
        case ir.LetIn():
            return [q.assign(m.local(e.name), value(m, e.value)), *returning(m, e.body)]
        case ir.Case():
            body: list[ast.stmt] = [q.if_(cond(m, test), returning(m, arm)) for test, arm in e.arms]
            return [*body, *returning(m, e.otherwise)]
        case ir.AnyWhere():
            name = m.local(e.var)
            if e.cond is not None:
                source = ir.Where(
                    source=e.source, var=e.var, cond=e.cond, type=set_of(e.source), span=e.span
                )
                yes: list[ast.stmt] = [q.give(q.const(True))]
                return [*stream(m, source, name, yes), q.give(q.const(False))]
            hit: list[ast.stmt] = [q.give(q.const(True))]
            return [*stream(m, e.source, name, hit), q.give(q.const(False))]
        case ir.Where() | ir.PlacedAt() | ir.InBox() | ir.Map() | ir.Minus():
            return _collect(m, e)
        case Chosen():
            found = m.temp()
            made: list[ast.stmt] = [q.assign(found, ast.List([], q.LOAD))]
            for item, test_ in e.pairs:
                add: ast.stmt = q.do(q.method(q.name(found), "append", value(m, item)))
                always = isinstance(test_, ir.Const) and test_.value is True
                made.append(add if always else q.if_(cond(m, test_), [add]))
            return [*made, q.give(q.call("tuple", q.name(found)))]
        case ir.Count():
            count, name = m.temp(), m.temp()
            step = [q.augment(count, "+", q.const(1))]
            return [
                q.assign(count, q.const(0)),
                *stream(m, e.source, name, step),
                q.give(q.name(count)),
            ]
        case ir.Fold():
            return _fold(m, e)
        case ir.One():
            return _one(m, e)
        case ir.Contains():
            return _contains(m, e)
        case ir.Best():
            return _best(m, e)
        case ir.Sorted():
            return _remembered(m, e) or _sorted(m, e)
        case ir.Exceptional():
            return exceptional(m, e)
        case ir.AnyRow():
            test: list[ast.stmt] = [q.if_(cond(m, e.cond), [q.give(q.const(True))])]
            return [each_row(m, e.block, test), q.give(q.const(False))]
        case _:
            pass
    return [q.give(value(m, e))]


def _collect(m: Module, e: ir.Expr) -> list[ast.stmt]:
    found, name = m.temp(), m.temp()
    if isinstance(e, ir.Map) and e.type.shape == "set":
        plain = attrs.evolve(e, type=attrs.evolve(e.type, shape="list"))
        return [q.give(q.call("as_set", value(m, plain)))]
    if isinstance(e, ir.Where):
        name = m.local(e.var)
    keep = [q.do(q.method(q.name(found), "append", q.name(name)))]
    return [
        q.assign(found, ast.List([], q.LOAD)),
        *stream(m, e, name, keep),
        q.give(q.call("tuple", q.name(found))),
    ]


def _fold(m: Module, e: ir.Fold) -> list[ast.stmt]:
    total, name = m.temp(), m.temp()
    if e.op == "sum":
        return [
            q.assign(total, q.const(0)),
            *stream(m, e.source, name, [q.augment(total, "+", q.name(name))]),
            q.give(q.name(total)),
        ]
    op = "<" if e.op == "min" else ">"
    better = q.or_(
        [q.is_none(q.name(total)), q.compare(q.name(name), op, q.name(total))],
    )
    text = f"{e.op} of nothing"
    return [
        q.assign(total, q.const(None)),
        *stream(m, e.source, name, [q.if_(better, [q.assign(total, q.name(name))])]),
        q.if_(q.is_none(q.name(total)), [q.do(q.call("fault", q.const(text), q.const(EMPTY_SET)))]),
        q.give(q.name(total)),
    ]


def _one(m: Module, e: ir.One) -> list[ast.stmt]:
    name, found = m.temp(), m.temp()
    nothing = q.do(q.call("fault", q.const(f"{e.op} of nothing"), q.const(EMPTY_SET)))
    if e.op == "first":
        return [*stream(m, e.source, name, [q.give(q.name(name))]), nothing]
    if e.op == "last":
        step: list[ast.stmt] = [q.assign(found, q.name(name))]
    else:
        several = q.do(q.call("fault", q.const(f"{e.op} of several"), q.const(EMPTY_SET)))
        step = [
            q.if_(q.compare(q.name(found), "is not", q.const(None)), [several]),
            q.assign(found, q.name(name)),
        ]
    body: list[ast.stmt] = [q.assign(found, q.const(None)), *stream(m, e.source, name, step)]
    if e.op != "maybe":
        body.append(q.if_(q.is_none(q.name(found)), [nothing]))
    return [*body, q.give(q.name(found))]


def _contains(m: Module, e: ir.Contains) -> list[ast.stmt]:
    item = m.temp()
    inside: list[ast.stmt] = [q.give(q.const(True))]
    source = e.source
    tests: list[ast.stmt] = inside
    while isinstance(source, ir.Where):
        tests = [*_bind(m, source.var, item), q.if_(cond(m, source.cond), tests)]
        source = source.source
    if isinstance(source, ir.KindAll):
        low, high = kind_bounds(m, source.kind)
        test = q.between(q.const(low), q.name(item), q.const(high))
        if can_be_none(m, e.item):
            test = q.and_([q.compare(q.name(item), "is not", q.const(None)), test])
    else:
        test = q.compare(q.name(item), "in", value(m, source))
    return [q.assign(item, value(m, e.item)), q.if_(test, tests), q.give(q.const(False))]


# ------------------------------------------------------------------------------------------------ orderings


def _best(m: Module, e: ir.Best) -> list[ast.stmt]:
    if e.keys[1:] and any(can_be_none(m, key.body) for key in e.keys):
        inner = ir.Best(source=e.source, keys=e.keys[:-1], type=e.type, span=e.span)
        outer = ir.Best(source=inner, keys=e.keys[-1:], type=e.type, span=e.span)
        return _best(m, outer)
    first = e.keys[0]
    found, name, best, key = m.temp(), m.temp(), m.temp(), m.temp()
    bind = [each for one in e.keys for each in _bind(m, one.var, name)]
    single = not e.keys[1:]
    if single:
        rank = value(m, first.body)
        op = ">" if first.highest else "<"
    else:
        rank = q.tuple_(
            [
                value(m, one.body) if one.highest else q.negative(value(m, one.body))
                for one in e.keys
            ]
        )
        op = ">"
    better = q.or_([q.not_(q.name(found)), q.compare(q.name(key), op, q.name(best))])
    step: list[ast.stmt] = [
        q.if_(
            better,
            [
                q.assign(best, q.name(key)),
                q.assign(found, ast.List([q.name(name)], q.LOAD)),
            ],
            [
                q.if_(
                    q.compare(q.name(key), "==", q.name(best)),
                    [q.do(q.method(q.name(found), "append", q.name(name)))],
                )
            ],
        )
    ]
    if single and can_be_none(m, first.body):
        step = [q.if_(q.compare(q.name(key), "is not", q.const(None)), step)]
    return [
        q.assign(found, ast.List([], q.LOAD)),
        *stream(m, e.source, name, [*bind, q.assign(key, rank), *step]),
        q.give(q.call("tuple", q.name(found))),
    ]


def rank_parts(m: Module, keys: tuple[ir.Key, ...]) -> list[ast.expr]:
    """Values that sort as the keys say: the best first, None last."""
    parts: list[ast.expr] = []
    for key in keys:
        if can_be_none(m, key.body):
            name = m.temp()
            signed = q.negative(q.name(name)) if key.highest else q.name(name)
            parts.append(q.is_none(q.walrus(name, value(m, key.body))))
            parts.append(q.if_else(q.is_none(q.name(name)), q.const(0), signed))
        else:
            given = value(m, key.body)
            parts.append(q.negative(given) if key.highest else given)
    return parts


def _remembered(m: Module, e: ir.Sorted) -> list[ast.stmt] | None:
    """An order that is remembered is found once."""
    order = m.order(e)
    if order is None:
        return None
    found = m.temp()
    inner = m.helper("sorted", e, lambda like: _sorted(m, like))
    return [
        q.assign(found, inner),
        q.set_slot(q.const(order.slot), q.name(found)),
        q.give(q.name(found)),
    ]


def _sorted(m: Module, e: ir.Sorted) -> list[ast.stmt]:
    found, name = m.temp(), m.temp()
    bind = [each for one in e.keys for each in _bind(m, one.var, name)]
    number = q.call("len", q.name(found))
    row = q.tuple_([*rank_parts(m, e.keys), number, q.name(name)])
    source = e.source
    short: list[ast.stmt] = []
    if not streams(source) and isinstance(source, (ir.Local, ir.GlobalGet)):
        few = q.compare(q.call("len", value(m, source)), "<", q.const(2))
        short = [q.if_(few, [q.give(value(m, source))])]
    return [
        *short,
        q.assign(found, ast.List([], q.LOAD)),
        *stream(m, e.source, name, [*bind, q.do(q.method(q.name(found), "append", row))]),
        q.give(q.call("in_order", q.name(found))),
    ]


def set_of(source: ir.Expr) -> ir.Type:
    """The type of a set of those in ``source``."""
    of = source.type
    return of if of.shape in ("set", "list") else ir.Type("set")
