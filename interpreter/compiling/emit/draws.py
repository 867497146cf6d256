"""Rolls, picks and shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.chance import INCREMENT, MASK, MULTIPLIER, WORD
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import writes
from interpreter.compiling.emit.expressions import slot_index, value
from interpreter.compiling.emit.loops import assigned, pure_mask

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from interpreter.compiling.emit.module import Module
    from rulelang import ir

G, S = "g", "S"


def roll(m: Module, line: ir.Roll) -> list[ast.stmt]:
    """Roll one die or several."""
    slot, path = _stream(m, line.path)
    by = q.const(None) if line.by is None else value(m, line.by)
    sides = line.high - line.low + 1
    args = [q.name(G), q.name(S), slot, path, q.const(line.low), q.const(sides), by]
    name = m.local(line.name)
    if line.count is not None:
        return [q.assign(name, q.call("roll_many", *args, value(m, line.count)))]
    usual = q.assign(name, q.call("roll", *args))
    if not _at_once(m) or sides < 2:
        return [usual]
    return _in_place(
        slot,
        (m.temp(), m.temp()),
        q.const(WORD - WORD % sides),
        lambda word: q.assign(
            name, q.arith(q.const(line.low), "+", q.arith(word, "%", q.const(sides)))
        ),
        usual,
    )


def pick(m: Module, line: ir.Pick) -> list[ast.stmt]:
    """Draw one of several, or several of many."""
    slot, path = _stream(m, line.path)
    name = m.local(line.name)
    args = [q.name(G), q.name(S), slot, path]
    if line.count is not None:
        many = q.call("pick_many", *args, value(m, line.source), value(m, line.count))
        return [q.assign(name, many)]
    found = pure_mask(m, line.source)
    if found is not None:
        kind, mask = found
        base = q.const(m.program.kinds[kind].base)
        return [q.assign(name, q.call("pick_bit", *args, mask, base))]
    if not _at_once(m):
        return [q.assign(name, q.call("pick", *args, value(m, line.source)))]
    items, size = m.temp(), m.temp()
    usual = q.assign(name, q.call("pick", *args, q.name(items)))
    drawn = _in_place(
        slot,
        (m.temp(), m.temp()),
        q.arith(q.const(WORD), "-", q.name(size)),
        lambda word: q.assign(name, q.sub(q.name(items), q.arith(word, "%", q.name(size)))),
        usual,
    )
    return [
        *assigned(m, line.source, items, listed=True),
        q.assign(size, q.call("len", q.name(items))),
        q.if_(q.compare(q.name(size), ">", q.const(1)), drawn, [usual]),
    ]


def shuffle(m: Module, line: ir.Shuffle) -> list[ast.stmt]:
    """Shuffle a list, or a pile where it lies."""
    slot, path = _stream(m, line.path)
    if line.name is not None and line.source is not None:
        mixed = q.call("mix", q.name(G), q.name(S), slot, path, value(m, line.source))
        return [
            q.assign(m.local(line.name), mixed),
            *writes.log(m, q.const("shuffle"), path, q.const(None), q.const(-1)),
        ]
    assert line.obj is not None
    body: list[ast.stmt] = []
    obj = writes.needed(m, line.obj, body)
    pile = writes.into(m, slot_index(m, line.fields, obj, None), body)
    mixed = q.call("mix", q.name(G), q.name(S), slot, path, q.state(pile))
    number = writes.field_number(line.fields, obj)
    return [
        *body,
        q.set_slot(pile, mixed),
        *writes.mark(m, fields=line.fields),
        *writes.log(m, q.const("shuffle"), path, obj, number),
    ]


def _stream(m: Module, path: str) -> tuple[ast.expr, ast.expr]:
    return q.const(m.layout.streams[path]), q.const(path)


def _at_once(m: Module) -> bool:
    return m.flags.optimise and not m.flags.log


def _in_place(
    slot: ast.expr,
    temps: tuple[str, str],
    limit: ast.expr,
    take: Callable[[ast.expr], ast.stmt],
    usual: ast.stmt,
) -> list[ast.stmt]:
    """One step of the generator without a call, see :mod:`interpreter.chance`.

    The usual way is gone where somebody else draws, and for the few words that are not below the limit.
    """
    at, word = temps
    state, drawn = q.name(at), q.name(word)
    mixed = q.arith(state, "^", q.arith(state, ">>", q.const(22)))
    shift = q.arith(q.const(22), "+", q.arith(state, ">>", q.const(61)))
    step = q.arith(q.arith(state, "*", q.const(MULTIPLIER)), "+", q.const(INCREMENT))
    return [
        q.assign(at, q.state(slot)),
        q.if_(q.is_none(state), [q.assign(at, q.method(q.name(G), "sow", slot))]),
        q.assign(word, q.arith(q.arith(mixed, ">>", shift), "&", q.const(WORD - 1))),
        q.if_(
            q.and_([q.attribute(q.name(G), "plain"), q.compare(drawn, "<", limit)]),
            [q.set_slot(slot, q.arith(step, "&", q.const(MASK))), take(drawn)],
            [usual],
        ),
    ]
