"""Moving things: one function for each kind of thing and kind of place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import writes
from interpreter.compiling.emit.expressions import can_be_none, value
from interpreter.faultcodes import WRONG_PLACE
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module

G, S = "g", "S"


def move(m: Module, line: ir.Move) -> list[ast.stmt]:
    """Move a thing, or several in order."""
    dest = line.dest
    kinds = (line.what.type.elem or line.what.type).kinds
    body: list[ast.stmt] = []
    what = writes.needed(m, line.what, body)
    if dest.obj is None:
        goal: ast.expr = q.const(None)
    elif dest.where == "thing":
        goal = writes.into(m, _place(m, dest.obj, kinds), body)
    else:
        goal = writes.needed(m, dest.obj, body)
    if not line.many and _short(m, kinds, dest):
        x = writes.into(m, what, body)
        sure = dest.obj is not None and not can_be_none(m, dest.obj)
        return [*body, *_body(m, kinds, dest, x, goal, sure=sure)]
    name = _mover(m, kinds, dest)
    if not line.many:
        return [*body, q.do(q.call(name, q.name(G), q.name(S), what, goal))]
    whole_pile = isinstance(line.what, ir.FieldGet) and any(
        m.program.fields[index].pile for index in line.what.fields
    )
    if dest.where == "top" and whole_pile:
        what = q.sub(what, ast.Slice(None, None, q.const(-1)))
    each = m.temp()
    step = q.do(q.call(name, q.name(G), q.name(S), q.name(each), goal))
    return [*body, q.for_(each, what, [step])]


def _place(m: Module, e: ir.Expr, kinds: tuple[int, ...]) -> ast.expr:
    """The place, which the things must be able to be in."""
    if len(kinds) == 1:
        place = m.program.kinds[kinds[0]].place
        if place is not None:
            of = m.program.fields[place].type
            return writes.checked(m, e, attrs.evolve(of, optional=True), "the place")
    return value(m, e)


def _mover(m: Module, kinds: tuple[int, ...], dest: ir.Dest) -> str:
    """The function that moves things of these kinds there."""
    key = f"mv_{'_'.join(map(str, kinds))}_{dest.where}_{'_'.join(map(str, dest.fields))}"
    if m.begin_function(key):
        body = _body(m, kinds, dest, q.name("x"), q.name("p"), sure=False)
        m.function(key, [G, S, "x", "p"], body, ir.NOWHERE)
    return key


def _short(m: Module, kinds: tuple[int, ...], dest: ir.Dest) -> bool:
    """Is a move so few lines that no function is needed?"""
    return (
        m.flags.optimise
        and not m.flags.log
        and len(kinds) == 1
        and dest.where in ("thing", "none")
        and not m.piles_of(kinds[0])
        and m.layout.positions[kinds[0]] is not None
    )


def _body(
    m: Module, kinds: tuple[int, ...], dest: ir.Dest, x: ast.expr, p: ast.expr, *, sure: bool
) -> list[ast.stmt]:
    """Move ``x`` to ``p``, which is ``sure`` not None."""
    program, layout = m.program, m.layout
    if len(kinds) != 1:
        if kinds and dest.where != "thing":  # a place must suit the kind: that is tested there
            return _each_kind(m, kinds, dest, x, p)
        return _any_kind(m, kinds, dest, x, p)
    start, pile, number = m.temp(), m.temp(), m.temp()
    kind = kinds[0]
    declared = program.kinds[kind]
    positions = layout.positions[kind]
    body: list[ast.stmt] = []
    if positions is None:
        return _any_kind(m, kinds, dest, x, p)
    position = q.arith(q.const(positions), "+", x)
    place = None
    if declared.place is not None and layout.offsets[declared.place] is not None:
        place = q.arith(q.const(layout.offsets[declared.place] or 0), "+", x)
    piled = m.piles_of(kind)
    fields = set(piled) | ({declared.place} if declared.place is not None else set())
    if m.flags.log:
        inside = q.state(place) if place is not None else q.const(None)
        body.append(q.assign(start, q.tuple_([q.state(position), inside])))
    change: list[ast.stmt] = []
    if piled:
        change.append(q.assign(number, q.state(position)))
        leave = [
            q.assign(pile, q.sub(m.table(m.pile_slots()), q.name(number))),
            q.set_slot(q.name(pile), q.call("without", q.state(q.name(pile)), x)),
        ]
        change.append(q.if_(q.compare(q.name(number), ">", q.const(1)), leave))
    where: ast.expr = q.const(0)
    inside = q.const(None)
    match dest.where:
        case "box":
            where = q.const(1)
        case "thing":
            if declared.place is None:
                refuse = q.do(
                    q.call(
                        "fault", q.const(f"a {declared.name} cannot be there"), q.const(WRONG_PLACE)
                    )
                )
                change.append(q.if_(q.compare(p, "is not", q.const(None)), [refuse]))
            inside = p
        case "top" | "bottom":
            which, slot = _pile(m, dest.fields, p)
            change.append(q.assign(pile, slot))
            item = ast.Starred(q.state(q.name(pile)), q.LOAD)
            parts = [x, item] if dest.where == "top" else [item, x]
            change.append(q.set_slot(q.name(pile), ast.Tuple(parts, q.LOAD)))
            where = which
        case _:
            pass
    if m.flags.log:
        where = writes.into(m, where, change)
    if piled or dest.where != "thing" or m.moves_out(kind):
        change.append(q.set_slot(position, where))
    if place is not None and kind in m.derived.places:
        change += _masks(m, kind, place, inside, x, sure=sure)
    if place is not None:
        change.append(q.set_slot(place, inside))
    acts = any(program.fields[index].acts for index in piled)
    if (
        acts
        and not writes.keepers(m, (kind,))
        and m.derived.holders is not None
        and _only_piles(m, kind)
    ):
        by_pile: list[int | None] = [None] * (2 + len(layout.piles))
        for instance, (field, owner) in enumerate(layout.piles, 2):
            sides = program.fields[field].acts
            if sides:
                by_pile[instance] = _holder(m, owner, sides)
        holder = q.arith(q.const(m.derived.holders), "+", x)
        if dest.where in ("top", "bottom"):
            change.append(q.set_slot(holder, q.sub(m.table(tuple(by_pile)), where)))
        else:
            change.append(q.set_slot(holder, q.const(None)))
        acts = False
    body += writes.card_around(m, change, x, (kind,)) if acts else change
    body += writes.mark(m, fields=fields, places=(kind,))
    body += writes.log(m, q.const("move"), x, q.name(start), q.tuple_([where, inside]))
    return body


def _only_piles(m: Module, kind: int) -> bool:
    """Are cards of this kind in force only in piles?"""
    return not any(
        field.acts and not field.pile and kind in (field.type.elem or field.type).kinds
        for field in m.program.fields
    )


def _holder(m: Module, owner: int, acts: str) -> int:
    """Who has a card that is in force with an owner."""
    seats = m.program.kinds[0]
    if acts == "left" and seats.base <= owner < seats.base + seats.count:
        return seats.base + (owner - seats.base + 1) % seats.count
    return owner


def _masks(
    m: Module, kind: int, place: ast.expr, inside: ast.expr, x: ast.expr, *, sure: bool
) -> list[ast.stmt]:
    """Keep the masks of where the things of a kind are."""
    start, placed, at_kind = m.derived.places[kind]
    declared = m.program.kinds[kind]
    last = declared.base + declared.count
    bits = tuple(
        1 << (thing - declared.base) if thing >= declared.base else 0 for thing in range(last)
    )
    bit_name, old_name = m.temp(), m.temp()
    bit, old = q.name(bit_name), q.name(old_name)

    def switch(at: ast.expr) -> list[ast.stmt]:
        made = [q.add_slot(q.arith(q.const(start), "+", at), "^", bit)]
        if len(at_kind) > 1:
            slots = [0] * len(m.layout.kind_of)
            for thing, its in enumerate(m.layout.kind_of):
                slots[thing] = at_kind.get(its, 0)
            made.append(q.add_slot(q.sub(m.table(tuple(slots)), at), "^", bit))
        return made

    def change(*, arriving: bool) -> list[ast.stmt]:
        """Has it a place now and had none, or the other way round?"""
        is_ = "is" if arriving else "is not"
        return [
            q.if_(
                q.compare(old, is_, q.const(None)),
                [q.add_slot(q.const(placed), "^", bit)],
            )
        ]

    body: list[ast.stmt] = [
        q.assign(bit_name, q.sub(m.table(bits), x)),
        q.assign(old_name, q.state(place)),
        q.if_(q.compare(old, "is not", q.const(None)), switch(old)),
    ]
    if isinstance(inside, ast.Constant):
        return [*body, *change(arriving=False)]
    if sure:
        without_place = [q.add_slot(q.const(placed), "^", bit)]
        body[-1] = q.if_(q.compare(old, "is not", q.const(None)), switch(old), without_place)
        return [*body, *switch(inside)]
    return [
        *body,
        q.if_(
            q.compare(inside, "is not", q.const(None)),
            [*switch(inside), *change(arriving=True)],
            change(arriving=False),
        ),
    ]


def _pile(m: Module, fields: tuple[int, ...], owner: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Number and slot of a pile."""
    layout = m.layout
    if len(fields) == 1:
        number, offset = layout.pile_numbers[fields[0]], layout.offsets[fields[0]]
        assert number is not None
        assert offset is not None
        return q.arith(q.const(number), "+", owner), q.arith(q.const(offset), "+", owner)
    numbers: dict[int | None, object] = {}
    for index in fields:
        declared = m.program.fields[index]
        kind = m.program.kinds[declared.kind]
        for thing in range(kind.base, kind.base + kind.count):
            numbers[thing] = (layout.pile_numbers[index] or 0) + thing
    number_of = q.sub(m.table(numbers), owner)
    return number_of, q.sub(m.table(m.pile_slots()), number_of)


def _each_kind(
    m: Module, kinds: tuple[int, ...], dest: ir.Dest, x: ast.expr, p: ast.expr
) -> list[ast.stmt]:
    """Things of one of several kinds: each by the function of its kind."""
    ordered = sorted(kinds, key=lambda kind: m.program.kinds[kind].base)
    made: list[ast.stmt] = []
    for kind in reversed(ordered):
        here = q.do(q.call(_mover(m, (kind,), dest), q.name(G), q.name(S), x, p))
        declared = m.program.kinds[kind]
        below = q.compare(x, "<", q.const(declared.base + declared.count))
        made = [q.if_(below, [here], made)] if made else [here]
    return made


def _any_kind(
    m: Module, kinds: tuple[int, ...], dest: ir.Dest, x: ast.expr, p: ast.expr
) -> list[ast.stmt]:
    """Things of several kinds: the general way."""
    fields: set[int] = set()
    for kind in kinds or range(len(m.program.kinds)):
        fields |= set(m.piles_of(kind))
        place = m.program.kinds[kind].place
        if place is not None:
            fields.add(place)
    for each in m.program.fields:
        if each.pile and dest.where in ("top", "bottom") and each.index in dest.fields:
            fields.add(each.index)
    call = q.method(
        q.name(G),
        "move",
        q.name(S),
        x,
        q.const(dest.where),
        p,
        q.const(dest.fields),
    )
    kept = [
        q.do(q.method(q.name(G), "place", q.name(S), q.const(kind)))
        for kind in kinds or range(len(m.program.kinds))
        if kind in m.derived.places
    ]
    change: list[ast.stmt] = [q.do(call), *kept]
    if any(m.program.fields[index].acts for index in fields):
        change = writes.card_around(m, change, x, kinds)
    return [
        *change,
        *writes.mark(m, fields=fields, places=kinds or range(len(m.program.kinds))),
    ]
