"""Values with exceptions, and the rows of lasting blocks that bring some."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.expressions import can_be_none, cond, value
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module


def each_row(m: Module, block: int, body: list[ast.stmt]) -> ast.stmt:
    """Run ``body`` for each row in force, its values bound to the names of the block."""
    names = [m.local(name) for name in m.program.blocks[block].names]
    row = m.temp()
    bind: list[ast.stmt] = []
    if names:
        bind = [q.unpack(names, q.sub(q.name(row), q.const(1)))]
    return q.for_(row, q.state(q.const(m.layout.rows + block)), [*bind, *body])


def _applies(m: Module, clause: ir.Clause, body: list[ast.stmt]) -> list[ast.stmt]:
    """Run ``body`` when the clause applies, once for each row that it applies to."""
    if clause.cond is not None:
        body = [q.if_(cond(m, clause.cond), body)]
    for name, bound in reversed(clause.lets):
        own = m.local(name)
        body = [
            q.assign(own, value(m, bound)),
            q.if_(q.compare(q.name(own), "is not", q.const(None)), body),
        ]
    return body if clause.block is None else [each_row(m, clause.block, body)]


def exceptional(m: Module, e: ir.Exceptional) -> list[ast.stmt]:
    """The body of a function that returns a value with exceptions."""
    plain = [clause for clause in e.clauses if clause.sign == "="]
    signed = [clause for clause in e.clauses if clause.sign != "="]
    result = m.temp()
    body: list[ast.stmt] = []
    if not plain:
        body.append(q.assign(result, value(m, e.general)))
    elif len(plain) == 1 and plain[0].block is None:
        applied = _applies(m, plain[0], [q.assign(result, value(m, plain[0].value))])
        otherwise = [q.assign(result, value(m, e.general))]
        if not plain[0].lets and plain[0].cond is not None:
            test = cond(m, plain[0].cond)
            body.append(q.if_(test, [q.assign(result, value(m, plain[0].value))], otherwise))
        elif not plain[0].lets:
            body.extend(applied)
        else:
            done = q.is_none(q.name(result))
            if can_be_none(m, plain[0].value):
                return _exceptional_general(m, e, plain, signed)
            body += [q.assign(result, q.const(None)), *applied, q.if_(done, otherwise)]
    else:
        return _exceptional_general(m, e, plain, signed)
    return [*body, *_signed(m, signed, result), q.give(q.name(result))]


def _signed(m: Module, signed: list[ir.Clause], result: str) -> list[ast.stmt]:
    body: list[ast.stmt] = []
    for clause in signed:
        step = [q.augment(result, clause.sign, value(m, clause.value))]
        body.extend(_applies(m, clause, step))
    return body


def _same(one: object, two: object) -> bool:
    return one == two and type(one) is type(two)


def _any_applies(m: Module, plain: list[ir.Clause], found: str) -> list[ast.stmt]:
    """Find out whether any clause applies; all are looked at that may be a fault."""
    conds = [each.cond for each in plain if not each.lets and each.block is None]
    sure = [each for each in conds if each is not None and m.sound(each)]
    if len(sure) == len(plain):
        return [q.assign(found, q.or_([cond(m, each) for each in sure]))]
    body: list[ast.stmt] = [q.assign(found, q.const(False))]
    for each in plain:
        body += _applies(m, each, [q.assign(found, q.const(True))])
    return body


def _exceptional_general(
    m: Module, e: ir.Exceptional, plain: list[ir.Clause], signed: list[ir.Clause]
) -> list[ast.stmt]:
    """Collect what applies; ``settle_clauses`` finds the one that counts."""
    found, result = m.temp(), m.temp()
    agreed = plain[0].value
    if isinstance(agreed, ir.Const) and all(
        isinstance(each.value, ir.Const) and _same(each.value.value, agreed.value) for each in plain
    ):
        return [
            *_any_applies(m, plain, found),
            q.if_(
                q.name(found),
                [q.assign(result, value(m, agreed))],
                [q.assign(result, value(m, e.general))],
            ),
            *_signed(m, signed, result),
            q.give(q.name(result)),
        ]
    body: list[ast.stmt] = [q.assign(found, ast.List([], q.LOAD))]
    for clause in plain:
        row = q.tuple_([q.const(clause.label), q.const(clause.beats), value(m, clause.value)])
        keep: list[ast.stmt] = [q.do(q.method(q.name(found), "append", row))]
        body.extend(_applies(m, clause, keep))
    body.append(
        q.if_(
            q.name(found),
            [q.assign(result, q.call("settle_clauses", q.name(found)))],
            [q.assign(result, value(m, e.general))],
        )
    )
    return [*body, *_signed(m, signed, result), q.give(q.name(result))]
