"""Sets of things of one kind as bit masks: bit ``i`` is the kind's thing number ``i``.

Conditions on data become constant masks or tables of masks by the values they are compared with;
where things are is kept in derived slots, one mask for each place. What no mask can say stays as a
test for each member of the mask.
"""

from __future__ import annotations

import ast
from itertools import product
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.expressions import by_thing, can_be_none, cond, simple, value
from interpreter.compiling.emit.tables import (
    LARGEST_TABLE,
    NotATable,
    domain,
    evaluate,
    holes,
    lookup,
)
from interpreter.compiling.optimise import NoRows
from interpreter.errors import RuleFault
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module

LARGEST_KIND = 128


@attrs.frozen
class Plan:
    """A set as a mask and what is left to test.

    Attributes:
        kind: Of which kind its things are.
        mask: The mask as a Python expression; None for all things.
        constant: The mask if it is a constant.
        tests: Name of a local and a condition on it, in order.
    """

    kind: int
    mask: ast.expr | None
    constant: int | None
    tests: tuple[tuple[str, ir.Expr], ...]


def complement(m: Module, kind: int, mask: ast.expr) -> ast.expr:
    """All things of a kind but those of a mask; twice is none."""
    everything = full(m, kind)
    match mask:
        case ast.BinOp(ast.Constant(value=known), ast.BitXor(), right) if known == everything:
            return right
    return q.arith(q.const(everything), "^", mask)


def full(m: Module, kind: int) -> int:
    """The mask of all things of a kind."""
    return (1 << m.program.kinds[kind].count) - 1


def set_kind(m: Module, e: ir.Expr) -> int | None:
    """The one kind of a set's things, if masks are used for it."""
    of = e.type
    if of.shape != "set" or of.elem is None or of.elem.shape != "thing":
        return None
    if len(of.elem.kinds) != 1:
        return None
    kind = of.elem.kinds[0]
    return kind if m.program.kinds[kind].count <= LARGEST_KIND else None


def plan(m: Module, e: ir.Expr) -> Plan | None:
    """How to find the members of ``e``; None if masks are of no use."""
    if not m.flags.optimise:
        return None
    match e:
        case ir.KindAll():
            if m.program.kinds[e.kind].count > LARGEST_KIND:
                return None
            return Plan(e.kind, None, full(m, e.kind), ())
        case ir.Where():
            inner = plan(m, e.source)
            return None if inner is None else _narrowed(m, inner, e.var, e.cond)
        case ir.PlacedAt():
            inner = plan(m, e.source)
            if inner is None:
                return None
            placed = at_place(m, inner.kind, e.place, nowhere=True)
            return None if placed is None else _with(inner, placed)
        case _:
            pass
    kind = set_kind(m, e)
    if kind is None:
        return None
    found = mask_table(m, e, kind)
    if found is not None:
        return Plan(kind, found, None, ())
    match e:
        case ir.Minus():
            left, right = plan(m, e.left), plan(m, e.right)
            if left is None or right is None or right.tests or right.kind != left.kind:
                return None
            without = q.arith(as_mask(m, left), "&", q.invert(as_mask(m, right)))
            return attrs.evolve(left, mask=without, constant=None)
        case ir.Union():
            left, right = plan(m, e.left), plan(m, e.right)
            if left is None or right is None or right.tests or left.tests:
                return None
            if left.kind != right.kind:
                return None
            return Plan(left.kind, q.arith(as_mask(m, left), "|", as_mask(m, right)), None, ())
        case ir.Case() if len(e.arms) == 1:
            then, orelse = plan(m, e.arms[0][1]), plan(m, e.otherwise)
            if then is None or orelse is None or then.tests or orelse.tests:
                return None
            if then.kind != orelse.kind:
                return None
            test = cond(m, e.arms[0][0])
            return Plan(then.kind, q.if_else(test, as_mask(m, then), as_mask(m, orelse)), None, ())
    return None


def as_mask(m: Module, found: Plan) -> ast.expr:
    """The mask of a plan without tests."""
    return found.mask if found.mask is not None else q.const(full(m, found.kind))


def _with(found: Plan, mask: ast.expr) -> Plan:
    if found.mask is None:
        return attrs.evolve(found, mask=mask, constant=None)
    return attrs.evolve(found, mask=q.arith(found.mask, "&", mask), constant=None)


def _narrowed(m: Module, found: Plan, var: str, test: ir.Expr) -> Plan:
    """A plan with one more condition."""
    whole = _constant(m, var, test, found.kind)
    if whole is not None:
        return _with_constant(found, whole)
    parts = test.parts if isinstance(test, ir.And) else (test,)
    masks: list[ast.expr] = []
    scalars: list[ast.expr] = []
    left: list[ir.Expr] = []
    for part in parts:
        if var not in m.scopes.free(part):
            if not left and harmless(part):
                scalars.append(cond(m, part))
            else:
                left.append(part)
            continue
        constant = _constant(m, var, part, found.kind)
        if constant is not None:
            found = _with_constant(found, constant)
            continue
        made = condition(m, var, part, found.kind)
        if made is None:
            left.append(part)
        else:
            masks.append(made)
    for made in masks:
        found = _with(found, made)
    if scalars:
        guarded = q.if_else(q.and_(scalars), as_mask(m, found), q.const(0))
        found = attrs.evolve(found, mask=guarded, constant=None)
    if left:
        rest = (
            left[0] if len(left) == 1 else ir.And(parts=tuple(left), type=ir.FLAG, span=test.span)
        )
        found = attrs.evolve(found, tests=(*found.tests, (var, rest)))
    return found


def _with_constant(found: Plan, mask: int) -> Plan:
    if found.constant is not None:
        both = found.constant & mask
        return attrs.evolve(found, mask=q.const(both), constant=both)
    assert found.mask is not None
    return attrs.evolve(found, mask=q.arith(found.mask, "&", q.const(mask)))


def harmless(e: ir.Expr) -> bool:
    """Can it be evaluated at any time without a fault?"""
    match e:
        case ir.Const() | ir.Local() | ir.GlobalGet() | ir.During():
            return not e.type.optional
        case ir.FieldGet():
            return e.key is None and isinstance(e.obj, (ir.Const, ir.Local, ir.GlobalGet))
        case ir.Compare():
            return e.op in ("==", "!=") and _readable(e.left) and _readable(e.right)
        case ir.IsKind():
            return _readable(e.value)
        case ir.Not():
            return harmless(e.value)
        case ir.And() | ir.Or():
            return all(map(harmless, e.parts))
        case ir.AnyRow():
            return True  # looked at only while there are rows
        case _:
            pass
    return False


def _readable(e: ir.Expr) -> bool:
    match e:
        case ir.Const() | ir.Local() | ir.GlobalGet() | ir.HolderOf():
            return True
        case ir.FieldGet():
            return e.key is None and _readable(e.obj)
        case _:
            pass
    return harmless(e)


# ------------------------------------------------------------------------------------------------ conditions


def _constant(m: Module, var: str, test: ir.Expr, kind: int) -> int | None:
    """The mask of a condition on data alone."""
    found = _mask_of(m, var, test, kind)
    if found is None or found[0].names:
        return None
    return int(found[1][()])


def _mask_of(m: Module, var: str, test: ir.Expr, kind: int) -> Any:  # noqa: ANN401
    known = m.known_masks.get((id(test), var))
    if known is not None and known[0] is test:
        return known[1]
    made = _made_mask(m, var, test, kind)
    m.known_masks[id(test), var] = (test, made)
    return made


def _made_mask(m: Module, var: str, test: ir.Expr, kind: int) -> Any:  # noqa: ANN401
    """Holes and a table of masks for a condition on data; None if it is none."""
    if var not in m.scopes.free(test):
        return None
    try:
        found = holes(m, test, frozenset((var,)))
    except NotATable:
        return None
    size = 1
    for values in found.domains:
        size *= len(values)
    declared = m.program.kinds[kind]
    if size * declared.count > LARGEST_TABLE * 4:
        return None
    if len(found.names) > 2 or not all(map(_readable, found.values)):
        return None
    table: dict[Any, int] = {}
    for combination in product(*found.domains):
        env = dict(zip(found.names, combination, strict=True))
        mask = 0
        for number in range(declared.count):
            try:
                holds = evaluate(m, found.expr, env | {var: declared.base + number})
            except (RuleFault, TypeError, IndexError, KeyError, ValueError):
                if found.expected(combination):
                    return None
                # A test before it excludes these values: then nothing depends on this mask.
                holds = False
            if holds is None:
                return None
            mask |= bool(holds) << number
        table[combination] = mask
    return found, table


def condition(m: Module, var: str, test: ir.Expr, kind: int) -> ast.expr | None:
    """The mask of the things for which a condition on ``var`` holds."""
    found = _mask_of(m, var, test, kind)
    if found is not None:
        return lookup(m, found[0], found[1])
    # A mask is made of all things at once, even where the condition is asked of none.
    if not m.sound(test):
        return None
    match test:
        case ir.Not():
            inner = condition(m, var, test.value, kind)
            return None if inner is None else complement(m, kind, inner)
        case ir.And() | ir.Or():
            return _junction(m, var, test, kind)
        case ir.Compare() if test.op in ("==", "!="):
            return _comparison(m, var, test, kind)
        case ir.IsKind():
            place = _place_of(m, var, test.value, kind)
            if place is None or kind not in m.derived.places:
                return None
            return m.in_places(kind, test.kinds)
        case ir.FieldGet():
            return m.flag_mask(test, var, kind)
        case ir.AnyRow():
            rows = q.state(q.const(m.layout.rows + test.block))
            return q.if_else(rows, one_by_one(m, var, test, kind), q.const(0))
        case ir.AnyWhere() if isinstance(test.source, ir.PlacedAt):
            turned = _turned(m, var, test)
            return None if turned is None else _union_over(m, var, turned, kind)
        case ir.AnyWhere() if test.cond is not None:
            return _union_over(m, var, test, kind)
        case ir.Contains():
            if isinstance(test.item, ir.Local) and test.item.name == var:
                inner_plan = plan(m, test.source)
                if inner_plan is not None and not inner_plan.tests and inner_plan.kind == kind:
                    return as_mask(m, inner_plan)
        case ir.Case() if len(test.arms) == 1:
            first, arm = test.arms[0]
            if var in m.scopes.free(first):
                return None
            then = branch(m, var, arm, kind)
            if then is None:
                return None
            orelse = branch(m, var, test.otherwise, kind)
            if orelse is None:
                if not isinstance(first, NoRows):
                    return None
                orelse = one_by_one(m, var, test.otherwise, kind)
            return q.if_else(cond(m, first), then, orelse)
    return None


def branch(m: Module, var: str, test: ir.Expr, kind: int) -> ast.expr | None:
    """The mask of a condition that may not speak of ``var``."""
    if var not in m.scopes.free(test):
        return q.if_else(cond(m, test), q.const(full(m, kind)), q.const(0))
    return condition(m, var, test, kind)


def one_by_one(m: Module, var: str, test: ir.Expr, kind: int) -> ast.expr:
    """The mask found by testing each thing: for what is rare."""
    every = ir.KindAll(kind=kind, type=ir.Type("set", elem=ir.Type("thing", kinds=(kind,))))
    where = ir.Where(source=every, var=var, cond=test, type=every.type, span=test.span)
    return m.helper("each", where, lambda like: _one_by_one(m, like, kind))


def _one_by_one(m: Module, where: ir.Where, kind: int) -> list[ast.stmt]:
    declared = m.program.kinds[kind]
    total, bit = m.temp(), m.temp()
    return [
        q.assign(total, q.const(0)),
        q.assign(bit, q.const(1)),
        q.for_(
            m.local(where.var),
            q.const(tuple(range(declared.base, declared.base + declared.count))),
            [
                q.if_(cond(m, where.cond), [q.augment(total, "|", q.name(bit))]),
                q.augment(bit, "+", q.name(bit)),
            ],
        ),
        q.give(q.name(total)),
    ]


def _junction(m: Module, var: str, test: ir.And | ir.Or, kind: int) -> ast.expr | None:
    op = "&" if isinstance(test, ir.And) else "|"
    result: ast.expr | None = None
    scalars: list[ast.expr] = []
    for part in test.parts:
        if var not in m.scopes.free(part):
            if not harmless(part):
                return None
            scalars.append(cond(m, part))
            continue
        made = condition(m, var, part, kind)
        if made is None:
            return None
        result = made if result is None else q.arith(result, op, made)
    if result is None:
        return None
    if scalars and op == "&":
        return q.if_else(q.and_(scalars), result, q.const(0))
    if scalars:
        return q.if_else(q.or_(scalars), q.const(full(m, kind)), result)
    return result


def _place_of(m: Module, var: str, e: ir.Expr, kind: int) -> int | None:
    """The field, if ``e`` is the place of ``var``."""
    place = m.program.kinds[kind].place
    if (
        isinstance(e, ir.FieldGet)
        and isinstance(e.obj, ir.Local)
        and e.obj.name == var
        and e.fields == (place,)
        and place is not None
        and m.layout.offsets[place] is not None
    ):
        return place
    return None


def _comparison(m: Module, var: str, test: ir.Compare, kind: int) -> ast.expr | None:
    for one, other in ((test.left, test.right), (test.right, test.left)):
        if var in m.scopes.free(other):
            continue
        if _place_of(m, var, one, kind) is not None:
            made = at_place(m, kind, other, nowhere=False)
        elif isinstance(one, ir.Local) and one.name == var:
            try:
                values = domain(m, other)
            except NotATable:
                return None
            declared = m.program.kinds[kind]
            inside = range(declared.base, declared.base + declared.count)
            table: dict[int | None, object] = {
                each: 1 << (each - declared.base) if each in inside else 0  # type: ignore[misc, operator]
                for each in values
            }
            made = q.sub(by_thing(m, table, optional=None in table), value(m, other))
        else:
            continue
        if made is None:
            return None
        return made if test.op == "==" else complement(m, kind, made)
    return None


def at_place(m: Module, kind: int, place: ir.Expr, *, nowhere: bool) -> ast.expr | None:
    """The mask of the things of a kind at a place; for None of those without a place.

    ``nowhere``: None means outside of piles and the box too.
    """
    field = m.program.kinds[kind].place
    if field is None or m.layout.offsets[field] is None:
        return None
    if kind not in m.derived.places:
        return None
    start, placed, _ = m.place_masks(kind)
    unplaced = complement(m, kind, q.state(q.const(placed)))
    if isinstance(place, ir.Const) and place.value is None:
        return None if nowhere and m.moves_out(kind) else unplaced
    kinds = set(m.program.fields[field].type.kinds)
    if not place.type.kinds or not set(place.type.kinds) <= kinds:
        return None
    if not can_be_none(m, place):
        return q.state(q.arith(q.const(start), "+", value(m, place)))
    if nowhere and m.moves_out(kind):
        positions = m.layout.positions[kind]
        if positions is None:
            return None
        declared = m.program.kinds[kind]
        base, count = q.const(positions + declared.base), q.const(declared.count)
        unplaced = q.call("lying", q.name("S"), unplaced, base, count)
    if simple(place):
        test, again = value(m, place), value(m, place)
    else:
        name = m.temp()
        test, again = q.walrus(name, value(m, place)), q.name(name)
    return q.if_else(q.is_none(test), unplaced, q.state(q.arith(q.const(start), "+", again)))


def _turned(m: Module, var: str, test: ir.AnyWhere) -> ir.AnyWhere | None:
    """``any S at it`` as ``any S where its place is it``: from the things, not from the places."""
    placed = test.source
    assert isinstance(placed, ir.PlacedAt)
    if not isinstance(placed.place, ir.Local) or placed.place.name != var:
        return None
    kinds = (placed.source.type.elem or placed.source.type).kinds
    place = m.program.kinds[kinds[0]].place if len(kinds) == 1 else None
    if place is None or (test.cond is not None and var in m.scopes.free(test.cond)):
        return None
    own = test.var or f"$at{id(test)}"
    there = ir.FieldGet(
        obj=ir.Local(name=own, type=ir.Type("thing", kinds=kinds)),
        fields=(place,),
        type=m.program.fields[place].type,
    )
    here = ir.Compare(op="==", left=there, right=placed.place, type=ir.FLAG, span=test.span)
    parts = (here,) if test.cond is None else (here, test.cond)
    whole = here if len(parts) == 1 else ir.And(parts=parts, type=ir.FLAG, span=test.span)
    return ir.AnyWhere(source=placed.source, var=own, cond=whole, type=ir.FLAG, span=test.span)


def _union_over(m: Module, var: str, test: ir.AnyWhere, kind: int) -> ast.expr | None:
    """``any S where C(it, var)``: the masks of C for all of S together."""
    if var in m.scopes.free(test.source):
        return None
    assert test.cond is not None
    inner = test.cond.parts if isinstance(test.cond, ir.And) else (test.cond,)
    parts = [part for part in inner if var in m.scopes.free(part)]
    if not parts:
        return None
    rest = parts[0] if len(parts) == 1 else ir.And(parts=tuple(parts), type=ir.FLAG)
    if condition(m, var, rest, kind) is None:
        return None
    every = ir.KindAll(kind=kind, type=ir.Type("set", elem=ir.Type("thing", kinds=(kind,))))
    where = ir.Where(source=every, var=var, cond=test, type=every.type, span=test.span)
    return m.helper("union", where, lambda like: _union_body(m, like, kind))


def _union_body(m: Module, where: ir.Where, kind: int) -> list[ast.stmt]:
    from interpreter.compiling.emit.loops import stream  # noqa: PLC0415 - they need each other

    test, var = where.cond, where.var
    assert isinstance(test, ir.AnyWhere)
    assert test.cond is not None
    inner = test.cond.parts if isinstance(test.cond, ir.And) else (test.cond,)
    guards = [part for part in inner if var not in m.scopes.free(part)]
    parts = tuple(part for part in inner if var in m.scopes.free(part))
    rest = parts[0] if len(parts) == 1 else ir.And(parts=parts, type=ir.FLAG)
    made = condition(m, var, rest, kind)
    assert made is not None
    total = m.temp()
    step: list[ast.stmt] = [q.augment(total, "|", made)]
    if guards:
        step = [q.if_(q.and_([cond(m, part) for part in guards]), step)]
    return [
        q.assign(total, q.const(0)),
        *stream(m, test.source, m.local(test.var), step),
        q.give(q.name(total)),
    ]


# ------------------------------------------------------------------------------------------------ sets of data


def mask_table(m: Module, e: ir.Expr, kind: int) -> ast.expr | None:
    """The mask of a set that depends on data and a few values."""
    if isinstance(e, ir.Local):
        return None
    known = m.known_masks.get((id(e), ""))
    if known is None or known[0] is not e:
        known = m.known_masks[id(e), ""] = (e, _set_table(m, e, kind))
    found = known[1]
    return None if found is None else lookup(m, found[0], found[1])


def _set_table(m: Module, e: ir.Expr, kind: int) -> Any:  # noqa: ANN401
    try:
        found = holes(m, e)
    except NotATable:
        return None
    size = 1
    for values in found.domains:
        size *= len(values)
    if size > LARGEST_TABLE or len(found.names) > 2 or not all(map(_readable, found.values)):
        return None
    base = m.program.kinds[kind].base
    table: dict[Any, int] = {}
    for combination in product(*found.domains):
        try:
            things = evaluate(m, found.expr, dict(zip(found.names, combination, strict=True)))
        except (RuleFault, TypeError, IndexError, KeyError, ValueError):
            return None
        table[combination] = sum(1 << (thing - base) for thing in things)
    return found, table
