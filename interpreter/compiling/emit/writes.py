"""Writing fields and globals, moving things: statements that change the state."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from interpreter.budget import LARGEST
from interpreter.compiling.analysis import renamed
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.expressions import (
    can_be_none,
    cond,
    key_offset,
    simple,
    slot_index,
    twice,
    value,
)
from interpreter.faultcodes import RANGE_LEFT
from interpreter.layout import admits
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interpreter.compiling.emit.module import Module

SMALL = 1_000
G, S = "g", "S"


# ------------------------------------------------------------------------------------------------ ranges


def surely(m: Module, e: ir.Expr, of: ir.Type) -> bool:
    """Is the value of ``e`` one of type ``of``, whatever the state?"""
    if isinstance(e, ir.Const):
        return admits(m.program, of, e.value)
    if not of.optional and can_be_none(m, e):
        return False
    if e.type.shape == "none":
        return of.optional
    if isinstance(e, ir.Fold) and e.op != "sum" and isinstance(e.source, ir.Map):
        return surely(m, e.source.body, of)
    copied = isinstance(e, (ir.FieldGet, ir.GlobalGet, ir.Local))
    if of.shape == "bag":  # its counts may have grown too large, also in a local
        copied = isinstance(e, (ir.FieldGet, ir.GlobalGet, ir.MakeBag))
    return _within(m, e.type, of, copied=copied)


def _within(m: Module, a: ir.Type, of: ir.Type, *, copied: bool) -> bool:
    match of.shape:
        case "number":
            if a.shape == "word" and m.program.enums[a.enum].numeric:
                enum = m.program.enums[a.enum]
                low, high = enum.low, enum.low + len(enum.words) - 1
                return (of.lo is None or of.lo <= low) and (of.hi is None or high <= of.hi)
            if a.shape != "number":
                return False
            low_fits = of.lo is None or (a.lo is not None and a.lo >= of.lo)
            high_fits = a.hi is not None and (of.hi is None or a.hi <= of.hi)
            if of.hi is None and a.hi is None:
                high_fits = copied
            return low_fits and high_fits
        case "word":
            if a.shape == "word":
                return a.enum == of.enum
            enum = m.program.enums[of.enum]
            if a.shape != "number" or not enum.numeric or a.lo is None or a.hi is None:
                return False
            return enum.low <= a.lo and a.hi < enum.low + len(enum.words)
        case "thing":
            return a.shape == "thing" and bool(a.kinds) and set(a.kinds) <= set(of.kinds)
        case "set" | "list":
            if a.shape not in (("set",) if of.shape == "set" else ("set", "list")):
                return False
            if a.elem is None or of.elem is None:
                return False
            return _within(m, a.elem, of.elem, copied=True)
        case "bag":
            return copied and a.shape == "bag" and a.enum == of.enum
        case _:
            pass
    return a.shape == of.shape


def checked(m: Module, e: ir.Expr, of: ir.Type, name: str) -> ast.expr:
    """The value of ``e``, tested to be one of type ``of`` where that is not sure."""
    if surely(m, e, of):
        return value(m, e)
    if not of.optional and surely(m, e, attrs.evolve(of, optional=True)):
        # All that can be wrong is that there is none.
        given, again = twice(m, e)
        refuse = q.call("fault", q.const(f"{name} cannot be None"), q.const(RANGE_LEFT))
        return q.if_else(q.compare(given, "is not", q.const(None)), again, refuse)
    if of.shape == "number" and not of.optional:
        low = -LARGEST if of.lo is None else of.lo
        high = LARGEST if of.hi is None else of.hi
        bounds = q.const(low), q.const(high)
        if can_be_none(m, e):
            return q.call("ranged", value(m, e), *bounds, q.const(name))
        given, again = twice(m, e)
        refuse = q.call("ranged", again, *bounds, q.const(name))
        return q.if_else(q.between(bounds[0], given, bounds[1]), again, refuse)
    return q.call("admitted", value(m, e), type_of(m, of), q.const(name))


def tested(m: Module, given: ast.expr, of: ir.Type, name: str) -> ast.expr:
    """A value of which nothing is known, tested to be one of type ``of``."""
    if of.shape == "number" and not of.optional:
        low, high = _bounds(of)
        return q.call("ranged", given, q.const(low), q.const(high), q.const(name))
    return q.call("admitted", given, type_of(m, of), q.const(name))


def type_of(m: Module, of: ir.Type) -> ast.expr:
    """A type as generated code knows it."""
    return m.kept("type", packed(of))


def packed(of: ir.Type) -> tuple[object, ...]:
    """A type as plain data."""
    elem = None if of.elem is None else packed(of.elem)
    return (of.shape, of.lo, of.hi, of.enum, of.kinds, elem, of.optional)


# ------------------------------------------------------------------------------------------------ marks


def mark(
    m: Module,
    *,
    fields: Iterable[int] = (),
    places: Iterable[int] = (),
    globals_: Iterable[int] = (),
    blocks: Iterable[int] = (),
) -> list[ast.stmt]:
    """Mark the state rules that depend on what has been written."""
    bits = m.rules_reading(set(fields), set(places), set(globals_), set(blocks))
    if not bits:
        return []
    return [q.add_slot(q.const(m.derived.dirty), "|", q.const(bits))]


def log(m: Module, *parts: ast.expr) -> list[ast.stmt]:
    """Add to the event log, if there is one."""
    if not m.flags.log:
        return []
    return [q.do(q.method(q.attribute(q.name(G), "log"), "append", q.tuple_(list(parts))))]


def into(m: Module, made: ast.expr, body: list[ast.stmt]) -> ast.expr:
    """The expression, bound to a new name first unless it is a constant."""
    if isinstance(made, (ast.Constant, ast.Name)):
        return made
    name = m.temp()
    body.append(q.assign(name, made))
    return q.name(name)


def bound(m: Module, e: ir.Expr, body: list[ast.stmt]) -> ast.expr:
    """The value of ``e``, evaluated once."""
    return value(m, e) if simple(e) else into(m, value(m, e), body)


def needed(m: Module, e: ir.Expr, body: list[ast.stmt]) -> ast.expr:
    """The value of ``e``, evaluated once, where None is a fault."""
    if can_be_none(m, e):
        return into(m, q.call("need", value(m, e)), body)
    return bound(m, e, body)


def limits(m: Module, until: tuple[ir.Limit, ...]) -> ast.expr:
    """The limits of a duration as of now."""
    rows = [
        q.tuple_(
            [
                q.const(each.doing),
                q.tuple_([value(m, one) for one in each.values]),
                q.const(each.start),
            ]
        )
        for each in until
    ]
    return q.method(q.name(G), "limits", q.name(S), q.tuple_(rows))


def note_write(m: Module, slot: ast.expr) -> list[ast.stmt]:
    """Somebody wrote a slot for good that other lines write for a time."""
    test = q.state(q.const(m.layout.durations))
    return [q.if_(test, [q.do(q.method(q.name(G), "wrote", q.name(S), slot))])]


# ------------------------------------------------------------------------------------------------ fields


def set_global(m: Module, line: ir.SetGlobal) -> list[ast.stmt]:
    """Write a global."""
    declared = m.program.globals[line.index]
    slot = q.const(m.layout.globals + line.index)
    body: list[ast.stmt] = []
    new = checked(m, line.value, declared.type, declared.name)
    body += _write(m, slot, new, line.until, temporary=declared.temporary)
    return [*body, *mark(m, globals_=(line.index,))]


def _write(
    m: Module, slot: ast.expr, new: ast.expr, until: tuple[ir.Limit, ...], *, temporary: bool
) -> list[ast.stmt]:
    if not until:
        body: list[ast.stmt] = [q.set_slot(slot, new)]
        return [*body, *note_write(m, slot)] if temporary else body
    old, made = m.temp(), m.temp()
    lasting = q.method(q.name(G), "add_value", q.name(S), slot, q.name(old), q.name(made))
    return [
        q.assign(old, q.state(slot)),
        q.assign(made, limits(m, until)),
        q.set_slot(slot, new),
        q.do(lasting),
    ]


def set_field(m: Module, line: ir.SetField) -> list[ast.stmt]:
    """Write a field of a thing."""
    program = m.program
    body: list[ast.stmt] = []
    first = program.fields[line.fields[0]]
    obj = needed(m, line.obj, body)
    key = None
    if line.key is not None:
        key = into(m, _key(m, first, line.key), body)
    one = len(line.fields) == 1
    if one:
        new = checked(m, line.value, first.type, first.name)
    elif all(surely(m, line.value, program.fields[index].type) for index in line.fields):
        new = value(m, line.value)
    else:
        new = q.method(q.name(G), "fits", q.const(line.fields), obj, value(m, line.value))
    if m.flags.log:
        new = into(m, new, body)
    slot = slot_index(m, line.fields, obj, key)
    temporary = any(program.fields[index].temporary for index in line.fields)
    summed = any(index in m.sums for index in line.fields)
    if temporary or line.until or m.flags.log or summed:
        slot = into(m, slot, body)
    old = m.temp()
    if m.flags.log or summed:
        body.append(q.assign(old, q.state(slot)))
    acts = any(program.fields[index].acts for index in line.fields)
    write = _write(m, slot, new, line.until, temporary=temporary)
    if acts and one and first.type.shape == "thing" and not line.until:
        held = m.temp()
        body.append(q.assign(held, q.state(slot)))
        body += cards_around(m, write, [q.name(held), q.state(slot)])
    else:
        body += cards_around(m, write) if acts else write
    body += totals(m, line.fields, obj, q.name(old), q.state(slot))
    if len(line.fields) == 1 and first.index in m.masked_flags:
        body += flag_bit(m, first, obj, slot, line.value)
    body += m.forget_orders(line.fields)
    body += mark_one(m, line.fields, obj)
    if m.flags.log:
        number = q.const(first.index) if one else q.call("field_of", q.const(line.fields), obj)
        keyed = key if key is not None else q.const(0)
        body += log(m, q.const("set"), obj, number, keyed, q.name(old), new)
    return body


def totals(
    m: Module, fields: tuple[int, ...], obj: ast.expr, old: ast.expr, new: ast.expr
) -> list[ast.stmt]:
    """Keep the totals that depend on a field that goes from old to new."""
    bodies: dict[ir.Expr, dict[int, int]] = {}
    for index in fields:
        for total in m.sums.get(index, ()):
            bodies.setdefault(total.body, {})[index] = total.slot
    made: list[ast.stmt] = []
    for body, known in bodies.items():
        if len(fields) == 1:
            slot: ast.expr = q.const(known[fields[0]])
        else:
            # Kinds whose field is in no such total change a slot that nobody reads.
            slots = [m.derived.dirty + 1] * len(m.layout.kind_of)
            for index, at in known.items():
                kind = m.program.kinds[m.program.fields[index].kind]
                slots[kind.base : kind.base + kind.count] = [at] * kind.count
            slot = q.sub(m.table(tuple(slots)), obj)
        change = q.arith(_at(m, body, new), "-", _at(m, body, old))
        made.append(q.add_slot(slot, "+", change))
    return made


def _at(m: Module, body: ir.Expr, x: ast.expr) -> ast.expr:
    """What is summed for one value, which is a name or a slot."""
    if isinstance(body, ir.Local):
        return x
    made = value(m, body)
    own = m.local("$x")

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return x if node.id == own else node

    return Put().visit(made)  # type: ignore[no-any-return]


def flag_bit(
    m: Module, field: ir.Field, obj: ast.expr, slot: ast.expr, given: ir.Expr
) -> list[ast.stmt]:
    """Keep the mask of a Flag that has just been written."""
    kind = m.program.kinds[field.kind]
    last = kind.base + kind.count
    bits = tuple(1 << (each - kind.base) if each >= kind.base else 0 for each in range(last))
    masks = q.const(m.derived.flag(field.index))
    bit = q.sub(m.table(bits), obj)
    without = q.arith(q.state(masks), "&", q.invert(bit))
    if isinstance(given, ir.Const):
        if given.value is True:
            return [q.add_slot(masks, "|", bit)]
        return [q.set_slot(masks, without)]
    return [q.if_(q.state(slot), [q.add_slot(masks, "|", bit)], [q.set_slot(masks, without)])]


def _key(m: Module, field: ir.Field, key: ir.Expr) -> ast.expr:
    made = key_offset(m, field, key)
    assert made is not None
    return made


def keepers(m: Module, kinds: tuple[int, ...] = ()) -> list[tuple[int, tuple[int, ...]]]:
    """The cards with kept values, with these: all of them, or those of some kinds."""
    kind_of = m.layout.kind_of
    return [each for each in m.program.card_keeps if not kinds or kind_of[each[0]] in kinds]


def card_around(
    m: Module, write: list[ast.stmt], card: ast.expr, kinds: tuple[int, ...]
) -> list[ast.stmt]:
    """A write that may bring one card of some kinds into force or out of it."""
    if m.derived.holders is None:
        return write
    find = q.do(q.method(q.name(G), "hold_card", q.name(S), card))
    kept = keepers(m, kinds)
    if not kept:
        return [*write, find]
    before = m.temp()
    return [
        q.assign(before, q.state(q.arith(q.const(m.derived.holders), "+", card))),
        *write,
        find,
        q.do(q.method(q.name(G), "fresh_card", q.name(S), card, q.name(before))),
        *mark(m, globals_=[index for _, keeps in kept for index in keeps]),
    ]


def cards_around(
    m: Module, write: list[ast.stmt], cards: Sequence[ast.expr] = ()
) -> list[ast.stmt]:
    """A write that may bring cards into force or out of it: these cards, or any."""
    after: list[ast.stmt] = []
    before: list[ast.stmt] = []
    if m.program.card_keeps:
        name = m.temp()
        before = [q.assign(name, q.method(q.name(G), "in_force", q.name(S)))]
        after = [q.do(q.method(q.name(G), "fresh", q.name(S), q.name(name)))]
        after += mark(m, globals_=[index for _, keeps in m.program.card_keeps for index in keeps])
    if m.derived.holders is not None:
        if cards:
            find = [q.do(q.method(q.name(G), "hold_card", q.name(S), card)) for card in cards]
        else:
            find = [q.do(q.method(q.name(G), "hold", q.name(S)))]
        after = [*find, *after]
    return [*before, *write, *after]


# ------------------------------------------------------------------------------------------------ amounts


def _bounds(of: ir.Type) -> tuple[int, int]:
    return (
        -LARGEST if of.lo is None else of.lo,
        LARGEST if of.hi is None else of.hi,
    )


def _range_of(m: Module, fields: tuple[int, ...], obj: ast.expr) -> tuple[ast.expr, ast.expr]:
    """The lowest and highest value, as constants if the fields agree."""
    found = {_bounds(m.program.fields[index].type) for index in fields}
    if len(found) == 1:
        low, high = found.pop()
        return q.const(low), q.const(high)
    lows: dict[int | None, object] = {}
    highs: dict[int | None, object] = {}
    for index in fields:
        declared = m.program.fields[index]
        kind = m.program.kinds[declared.kind]
        low, high = _bounds(declared.type)
        for thing in range(kind.base, kind.base + kind.count):
            lows[thing], highs[thing] = low, high
    return q.sub(m.table(lows), obj), q.sub(m.table(highs), obj)


def _shift(
    m: Module, slot: ast.expr, sign: int, amount: ast.expr, edge: ast.expr, *, small: bool
) -> list[ast.stmt]:
    """Change a number by an amount, as far as its range allows, else a fault."""
    op = "+" if sign > 0 else "-"
    if small and isinstance(edge, ast.Constant) and edge.value in (LARGEST, -LARGEST):
        return [q.add_slot(slot, op, amount)]
    new = m.temp()
    test = q.compare(q.name(new), ">" if sign > 0 else "<", edge)
    signed = amount if sign > 0 else q.negative(amount)
    refuse = q.do(q.method(q.name(G), "refuse", q.name(S), slot, signed))
    return [
        q.assign(new, q.arith(q.state(slot), op, amount)),
        q.if_(test, [refuse]),
        q.set_slot(slot, q.name(new)),
    ]


def adjust(m: Module, line: ir.Adjust) -> list[ast.stmt]:
    """Gains and losses."""
    program = m.program
    body: list[ast.stmt] = []
    obj = needed(m, line.obj, body)
    other = needed(m, line.other, body) if line.other is not None else None
    amount = needed(m, line.amount, body)
    constant = line.amount.value if isinstance(line.amount, ir.Const) else None
    small = isinstance(constant, int) and 0 < constant <= SMALL
    low, high = _range_of(m, line.fields, obj)
    slot = into(m, slot_index(m, line.fields, obj, None), body)
    edge = high if line.sign > 0 else low
    body_sides = [(slot, line.sign, edge, line.fields, obj)]
    if other is not None:
        other_low, other_high = _range_of(m, line.other_fields, other)
        other_slot = into(m, slot_index(m, line.other_fields, other, None), body)
        other_edge = other_low if line.sign > 0 else other_high
        body_sides.append((other_slot, -line.sign, other_edge, line.other_fields, other))
    lowest = line.amount.type.lo
    if not (isinstance(constant, int) and constant >= 0) and (lowest is None or lowest < 0):
        body.append(
            q.if_(
                q.compare(amount, "<", q.const(0)),
                [q.do(q.call("negative_amount", amount))],
            )
        )
    if line.up_to:
        name = m.temp()
        body.append(q.assign(name, amount))
        for each, sign, bound_, _, _ in body_sides:
            room = m.temp()
            left, right = (bound_, q.state(each)) if sign > 0 else (q.state(each), bound_)
            body.append(q.assign(room, q.arith(left, "-", right)))
            body.append(
                q.if_(q.compare(q.name(room), "<", q.name(name)), [q.assign(name, q.name(room))])
            )
        amount = q.name(name)
        small = False
    made = ""
    if line.until:
        made = m.temp()
        body.append(q.assign(made, limits(m, line.until)))
    change: list[ast.stmt] = []
    for each, sign, bound_, fields, holder in body_sides:
        if any(program.fields[index].temporary for index in fields):
            change += note_write(m, each)
        summed = any(index in m.sums for index in fields)
        was, now = m.temp(), m.temp()
        if summed:
            change.append(q.assign(was, q.state(each)))
        change += _shift(m, each, sign, amount, bound_, small=small)
        if summed:
            change.append(q.assign(now, q.state(each)))
            change += totals(m, fields, holder, q.name(was), q.name(now))
        change += m.forget_orders(fields)
        change += mark_one(m, fields, holder)
    if m.flags.log:
        signed = amount if line.sign > 0 else q.negative(amount)
        mine = field_number(line.fields, obj)
        its = field_number(line.other_fields, other) if other is not None else q.const(-1)
        given = other if other is not None else q.const(None)
        change += log(m, q.const("gain"), obj, mine, signed, given, its)
    if small:
        body += change
    else:
        body.append(q.if_(amount, change))
    if line.until:
        signed = amount if line.sign > 0 else q.negative(amount)
        body.append(q.do(q.method(q.name(G), "add_gain", q.name(S), slot, signed, q.name(made))))
    if line.result is not None:
        body.append(q.assign(m.local(line.result), amount))
    return body


def mark_one(m: Module, fields: tuple[int, ...], obj: ast.expr) -> list[ast.stmt]:
    """Mark the state rules that depend on a field of one thing that has just been written.

    A rule about single things that reads nothing but their own fields is marked only if its
    condition holds for this one: it held for none before.
    """
    everything = m.rules_reading(set(fields), set(), set(), set())
    if not m.flags.optimise:
        return mark(m, fields=fields)
    made: list[ast.stmt] = []
    for number, rule in enumerate(m.program.state_rules):
        if not everything >> number & 1:
            continue
        of = m.single_rule(number)
        if of is None:
            continue
        everything &= ~(1 << number)
        kind = m.program.kinds[of]
        # A name of its own: what the rule calls the thing may be a local of the doing.
        name = f"{rule.vars[0][0]}~"
        own = m.local(name)
        holds: list[ast.stmt] = [
            q.if_(
                cond(m, renamed(rule.cond, rule.vars[0][0], name)),
                [q.add_slot(q.const(m.derived.dirty), "|", q.const(1 << number))],
            )
        ]
        holds = [q.assign(own, obj), *holds]
        if any(m.program.fields[index].kind != of for index in fields):
            inside = q.between(q.const(kind.base), obj, q.const(kind.base + kind.count - 1))
            holds = [q.if_(inside, holds)]
        made += holds
    if everything:
        made.append(q.add_slot(q.const(m.derived.dirty), "|", q.const(everything)))
    return made


def field_number(fields: tuple[int, ...], obj: ast.expr) -> ast.expr:
    """Number of the one of several fields that a thing has."""
    if len(fields) == 1:
        return q.const(fields[0])
    return q.call("field_of", q.const(fields), obj)


def adjust_global(m: Module, line: ir.AdjustGlobal) -> list[ast.stmt]:
    """Gains and losses of a kept value."""
    declared = m.program.globals[line.index]
    body: list[ast.stmt] = []
    amount = needed(m, line.amount, body)
    slot = q.const(m.layout.globals + line.index)
    low, high = _bounds(declared.type)
    edge = high if line.sign > 0 else low
    body.append(
        q.if_(q.compare(amount, "<", q.const(0)), [q.do(q.call("negative_amount", amount))])
    )
    if line.up_to:
        name = m.temp()
        left, right = (
            (q.const(edge), q.state(slot)) if line.sign > 0 else (q.state(slot), q.const(edge))
        )
        body.append(q.assign(name, q.call("least", amount, q.arith(left, "-", right))))
        amount = q.name(name)
    change = note_write(m, slot) if declared.temporary else []
    change += _shift(m, slot, line.sign, amount, q.const(edge), small=False)
    change += mark(m, globals_=(line.index,))
    body.append(q.if_(amount, change))
    if line.result is not None:
        body.append(q.assign(m.local(line.result), amount))
    return body
