"""State rules: letting them act until none holds, and finding the next that does; promises."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import writes
from interpreter.compiling.emit.columns import values
from interpreter.compiling.emit.expressions import cond, value
from interpreter.compiling.emit.function import Function
from interpreter.compiling.emit.loops import stream
from interpreter.compiling.emit.statements import call_doing
from interpreter.compiling.emit.steps import Branch, Native, Repeat, Run, Step, Steps
from interpreter.faultcodes import BROKEN_PROMISE
from rulelang import ir

if TYPE_CHECKING:
    from interpreter.compiling.analysis import Reads
    from interpreter.compiling.emit.module import Module

G, S = "g", "S"
END = "$end"
FOUND = "$found"


def settle_step(m: Module, span: ir.Span) -> Step:
    """Settle state rules if there is a mark."""
    run = Run(
        make=lambda: q.call("settle", q.name(G), q.name(S)),
        suspends=m.calls.settle_suspends,
        escapes=bool(m.calls.settle_escapes),
        span=span,
    )
    return Branch(test=lambda: q.state(q.const(m.derived.dirty)), then=(run,), span=span)


def make_settle(m: Module) -> None:
    """The function that lets state rules act until none holds, and one that finds the next."""
    if not m.program.state_rules:
        return
    layout = m.layout
    dirty = q.const(m.derived.dirty)
    key = "$acting"
    chain: Steps = (Native(make=lambda: [q.give(None)], leaves=True),)
    for number, rule in reversed(list(enumerate(m.program.state_rules))):
        _make_finder(m, number, rule)
        names = [name for name, _ in rule.vars]
        row_names = m.program.blocks[rule.block].names if rule.block is not None else ()
        let_names = [name for name, _ in rule.lets]
        everything = (*row_names, *names, *let_names)

        def bind(
            rule: ir.StateRule = rule, everything: tuple[str, ...] = everything
        ) -> list[ast.stmt]:
            made: list[ast.stmt] = []
            values = q.sub(q.name(m.local(FOUND)), q.const(1))
            if everything:
                made.append(q.unpack([m.local(name) for name in everything], values))
            serial = q.sub(q.name(m.local(FOUND)), q.const(0))
            if rule.once is not None:
                if rule.block is not None and rule.once < 0:
                    made.append(
                        q.do(q.method(q.name(G), "use_row", q.name(S), q.const(rule.block), serial))
                    )
                else:
                    made.append(q.set_slot(q.const(layout.globals + rule.once), q.const(True)))
            made.append(q.do(q.method(q.name(G), "fire")))
            own = q.tuple_([q.name(m.local(name)) for name, _ in rule.vars])
            entry = q.tuple_([q.const(rule.index), serial, own])
            made += writes.log(m, q.const("rule"), q.const(rule.index), own, serial)
            made.append(q.assign(m.local(key), q.state(q.const(layout.acting))))
            now = ast.Tuple([ast.Starred(q.name(m.local(key)), q.LOAD), entry], q.LOAD)
            made.append(q.set_slot(q.const(layout.acting), now))
            return made

        act: Steps = (
            Native(
                make=bind,
                reads=frozenset((FOUND,)),
                writes=frozenset((*everything, key)),
                span=rule.span,
                cites=rule.cites,
            ),
            Run(
                make=lambda rule=rule: call_doing(m, rule.doing, rule.args),  # type: ignore[misc]
                reads=m.scopes.free(rule.args),
                suspends=m.calls.suspends[rule.doing],
                escapes=bool(m.calls.escapes[rule.doing]),
                ends=END if m.calls.escapes[rule.doing] else None,
                span=rule.span,
                cites=rule.cites,
            ),
            Native(
                make=lambda: [
                    q.set_slot(q.const(layout.acting), q.name(m.local(key))),
                    *(
                        [
                            q.if_(
                                q.compare(q.name(m.local(END)), "is not", q.const(None)),
                                [
                                    q.set_attribute(q.name(G), "ending", q.name(m.local(END))),
                                    q.give(q.name("ENDING")),
                                ],
                            )
                        ]
                        if m.calls.settle_escapes
                        else []
                    ),
                ],
                reads=frozenset((key, END) if m.calls.settle_escapes else (key,)),
                span=rule.span,
            ),
        )
        bit = q.const(1 << number)

        def test(number: int = number, bit: ast.expr = bit) -> ast.expr:
            find = q.walrus(m.local(FOUND), q.call(f"find{number}", q.name(S)))
            return q.and_(
                [q.arith(q.state(dirty), "&", bit), q.compare(find, "is not", q.const(None))]
            )

        chain = (Branch(test=test, then=act, orelse=chain, span=rule.span, cites=rule.cites),)
    start: Steps = ()
    if m.calls.settle_escapes:
        start = (
            Native(make=lambda: [q.assign(m.local(END), q.const(None))], writes=frozenset((END,))),
        )
    body = Repeat(test=lambda: q.const(True), body=chain, rounds="$rounds", weight=0)
    Function(m, "settle", -1, (), ir.NOWHERE).make((*start, body))


def _make_finder(m: Module, number: int, rule: ir.StateRule) -> None:
    """``find``: (row serial, values bound) of the first combination that acts now, or None.

    The mark is taken away where there is none, but for what was passed over because it acts.
    """
    layout = m.layout
    keep = m.temp()
    values = [q.name(m.local(name)) for name, _ in rule.vars]
    row_names = m.program.blocks[rule.block].names if rule.block is not None else ()
    bound = [*row_names, *(name for name, _ in rule.vars), *(name for name, _ in rule.lets)]
    serial: ast.expr = q.name("serial") if rule.block is not None else q.const(0)
    found = q.give(q.tuple_([serial, q.tuple_([q.name(m.local(name)) for name in bound])]))
    body: list[ast.stmt] = [q.if_(cond(m, rule.cond), [found])]
    for name, expr in reversed(rule.lets):
        own = m.local(name)
        body = [
            q.assign(own, value(m, expr)),
            q.if_(q.compare(q.name(own), "is not", q.const(None)), body),
        ]
    entry = q.tuple_([q.const(rule.index), serial, q.tuple_(values)])
    acting = q.state(q.const(layout.acting))
    passed = q.and_([acting, q.compare(entry, "in", acting)])
    body = [q.if_(passed, [q.assign(keep, q.const(True))], body)]
    if rule.once is not None and not (rule.block is not None and rule.once < 0):
        unused = q.not_(q.state(q.const(layout.globals + rule.once)))
        body = [q.if_(unused, body)]
    for name, source in reversed(rule.vars):
        body = stream(m, source, m.local(name), body)
    if rule.block is not None:
        bind: list[ast.stmt] = [q.unpack(("serial", "values", "used"), q.name("row"))]
        if row_names:
            bind.append(q.unpack([m.local(name) for name in row_names], q.name("values")))
        if rule.once is not None and rule.once < 0:
            body = [q.if_(q.not_(q.name("used")), body)]
        body = [q.for_("row", q.state(q.const(layout.rows + rule.block)), [*bind, *body])]
    clean = q.arith(q.state(q.const(m.derived.dirty)), "&", q.const(~(1 << number)))
    m.function(
        f"find{number}",
        [S],
        [
            q.assign(keep, q.const(False)),
            *body,
            q.if_(q.not_(q.name(keep)), [q.set_slot(q.const(m.derived.dirty), clean)]),
            q.give(q.const(None)),
        ],
        rule.span,
    )


def make_promises(m: Module) -> None:
    """The function that tests the promises.

    It runs at the end of each step and phase, so what a promise read when it last held is remembered,
    and it is tested again only where some of that has changed.
    """
    body: list[ast.stmt] = []
    remembered = m.slots_held(len(m.program.always))
    for number, promise in enumerate(m.program.always):
        text = f"a promise does not hold: {promise.text}"
        refuse = q.do(q.call("fault", q.const(text), q.const(BROKEN_PROMISE)))
        test = q.if_(q.not_(cond(m, promise.cond)), [refuse])
        found = m.temp()
        read = _slots_read(m, m.dependencies.reads(promise.cond))
        now = [q.state(q.const(each[0])) if len(each) == 1 else values(each) for each in read]
        last = q.sub(q.name(remembered), q.const(number))
        keep = ast.Assign([q.sub_store(q.name(remembered), q.const(number))], q.name(found))
        body += [
            q.locate(each, promise.span)
            for each in (
                q.assign(found, now[0] if len(now) == 1 else q.tuple_(now)),
                q.if_(q.compare(q.name(found), "!=", last), [test, keep]),
            )
        ]
    m.function("promises", [S], body, ir.NOWHERE)


def _slots_read(m: Module, reads: Reads) -> list[range]:
    """The slots that hold what is read, those next to each other together."""
    layout, program = m.layout, m.program
    slots = {layout.global_slot(index) for index in reads.globals}
    slots.update(layout.rows + block for block in reads.blocks)
    for index in reads.fields:
        found = layout.slots_of(program.fields[index])
        slots.update(range(found.start, found.stop))
    for index in reads.places:
        kind, offset = program.kinds[index], layout.positions[index]
        if offset is not None:
            slots.update(range(offset + kind.base, offset + kind.base + kind.count))
    together: list[range] = []
    for slot in sorted(slots):
        if together and together[-1].stop == slot:
            together[-1] = range(together[-1].start, slot + 1)
        else:
            together.append(range(slot, slot + 1))
    return together
