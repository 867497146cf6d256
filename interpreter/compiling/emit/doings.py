"""Doings: the function of each, with the rules about it compiled in, and the settling of state rules.

Nothing is emitted that a doing does not need: most are their lines, a charge, and one test whether
state rules must be looked at.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.budget import weight
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import writes
from interpreter.compiling.emit.function import Function
from interpreter.compiling.emit.hooks import Hooks
from interpreter.compiling.emit.rules import settle_step
from interpreter.compiling.emit.statements import (
    Translator,
    always_ends,
    ends_in_loop,
    result_name,
    structurable,
)
from interpreter.compiling.emit.steps import Branch, Names, Native, Run, Step, Steps, points
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.compiling.emit.module import Module

G, S = "g", "S"
END = "$end"
SERIAL = "$serial"
SAVED = "$saved"
REPLACED = "$replaced"
BEGUN = "$begun"
HOW = "$how"
FOUND = "$found"


class DoingMaker:
    """Makes the function of one doing."""

    def __init__(self, m: Module, doing: ir.Doing) -> None:
        self.m = m
        self.doing = doing
        self.result = result_name(doing)
        calls = m.calls
        body_calls = {node.doing for node in m.nodes_of(doing.body) if isinstance(node, ir.Call)}
        others = {
            node.doing
            for node in m.nodes_of(doing.body)
            if isinstance(node, ir.End) and node.doing not in (0, doing.index)
        }
        self.body_escapes = bool(calls.inside(body_calls)) or bool(others)
        self.hooks_escape = bool(
            calls.inside({hook.doing for hook in (*doing.before, *doing.instead)})
        )
        self.after_escape = bool(calls.inside({hook.doing for hook in doing.after}))
        leaves_at_once = not (
            doing.after
            or doing.tracked
            or doing.running is not None
            or doing.resets
            or m.flags.log
            or self._restores()
            or doing.index in calls.inside(body_calls)
        )
        self.whole = not (
            (self.body_escapes and not leaves_at_once)
            or ends_in_loop(doing.body, doing.index)
            or not structurable(doing.body, doing.index)
        )
        inside = (
            calls.inside(body_calls)
            | others
            | calls.inside({hook.doing for hook in (*doing.before, *doing.instead, *doing.after)})
        )
        self.own_ends = doing.index in inside
        self.only_own = set(inside) <= {doing.index}
        if self.whole:
            self.body_escapes = False
        self.ends = self.body_escapes or self.hooks_escape or self.after_escape
        self.gives = doing.result is not None or self._result_written()

    def _result_written(self) -> bool:
        doing = self.doing
        hooks = (*doing.before, *doing.instead, *doing.after)
        if any("$result" in hook.writes for hook in hooks) or doing.kind == "hook":
            return True
        return any(node.doing == doing.index and node.value is not None for node in self.m.all_ends)

    # ------------------------------------------------------------------------------------ pieces

    def native(
        self,
        made: Sequence[ast.stmt],
        reads: Names = frozenset(),
        writes_: Sequence[str] = (),
        *,
        only_writes: bool = False,
    ) -> Step:
        """Statements of the protocol."""
        statements = list(made)
        return Native(
            make=lambda: list(statements),
            reads=reads,
            writes=frozenset(writes_),
            only_writes=only_writes,
            span=self.doing.span,
            cites=self.doing.cites,
        )

    def simple(self) -> bool:
        """Has it no protocol around its lines but settling?"""
        doing = self.doing
        return not (
            doing.before
            or doing.instead
            or doing.after
            or doing.tracked
            or doing.running is not None
            or doing.param_globals
            or doing.keeps
            or doing.lends
            or doing.resets
            or self.m.flags.log
        )

    def settles(self) -> bool:
        """Can state rules have to be settled at its end?"""
        some = self.doing.settles and bool(self.m.program.state_rules)
        return some and self.doing.index in self.m.waiting

    def make(self) -> None:
        """Add the function."""
        m, doing = self.m, self.doing
        name = f"d{doing.index}"
        params = tuple(param.name for param in doing.params)
        function = Function(m, name, doing.index, params, doing.span)
        last = self._last_steps()
        if self.simple() and not last and doing.result is None and not self.gives:
            # Nothing comes after the lines: an `end` just returns.
            steps = Translator(m, doing.index, inline=False).block(doing.body)
            function.make((self._entry(), *steps))
            return
        function.make((self._entry(), *self._protocol(), *last, self._return()))

    def _entry(self) -> Step:
        m, doing = self.m, self.doing
        cost = q.const(1 + weight(doing.body))
        made: list[ast.stmt] = [q.add_attribute(q.name(G), "lines", "-", cost)]
        if doing.index in m.calls.cyclic:
            made.append(q.do(q.method(q.name(G), "deeper")))
        written = [END] if self.ends else []
        if written:
            made.append(q.assign(m.local(END), q.const(None)))
        return self.native(made, writes_=written)

    def _return(self) -> Step:
        m = self.m
        reads = frozenset((self.result,)) if self.gives else frozenset()
        given = q.name(m.local(self.result)) if self.gives else None
        return Native(make=lambda: [q.give(given)], reads=reads, leaves=True, span=self.doing.span)

    # ------------------------------------------------------------------------------------ protocol

    def _protocol(self) -> Steps:
        m, doing = self.m, self.doing
        hooks = Hooks(m, doing)
        steps: list[Step] = []
        if self.gives or self.ends or m.flags.log:
            steps.append(
                self.native(
                    [q.assign(m.local(self.result), q.const(None))],
                    writes_=(self.result,),
                    only_writes=True,
                )
            )
        if doing.running is not None or self._restores():
            for name, start in ((BEGUN, False), (SAVED, None)):
                steps.append(
                    self.native(
                        [q.assign(m.local(name), q.const(start))],
                        writes_=(name,),
                        only_writes=True,
                    )
                )
        if m.flags.log:
            steps.append(self.native([q.assign(m.local(HOW), q.const(""))], writes_=(HOW,)))
        if doing.tracked:
            steps.append(self._open())
        steps += hooks.stills()
        happen = self._happen(hooks)
        if doing.instead:
            run = self._unless_ended(
                happen,
                escaped=bool(m.calls.inside({hook.doing for hook in doing.instead})),
                also=REPLACED,
            )
            rest: Steps = (*hooks.instead(), *run)
        else:
            rest = happen
        before_escapes = bool(m.calls.inside({hook.doing for hook in doing.before}))
        steps += hooks.before()
        steps += self._unless_ended(rest, escaped=before_escapes)
        steps += self._close()
        steps += self._leave()
        return tuple(steps)

    def _unless_ended(self, rest: Steps, *, escaped: bool, also: str = "") -> Steps:
        """Steps that run only if nothing has ended (or replaced) the doing."""
        m = self.m
        if not escaped and not also:
            return rest
        names = ([END] if escaped else []) + ([also] if also else [])

        def test() -> ast.expr:
            parts = [q.is_none(q.name(m.local(END)))] if escaped else []
            if also:
                parts.append(q.not_(q.name(m.local(also))))
            return q.and_(parts)

        return (
            Branch(
                test=test,
                reads=frozenset(names),
                then=rest,
                span=self.doing.span,
                cites=self.doing.cites,
            ),
        )

    def _restores(self) -> bool:
        """Can it run inside itself, so that the values of the outer one must come back?"""
        doing = self.doing
        return doing.index in self.m.calls.cyclic and bool(
            doing.param_globals or doing.keeps or doing.lends
        )

    def _open(self) -> Step:
        m, doing = self.m, self.doing
        args = q.tuple_([q.name(m.local(param.name)) for param in doing.params])
        call = q.method(q.name(G), "open", q.name(S), q.const(doing.index), args)
        reads = frozenset(param.name for param in doing.params)
        layout, serial = m.layout, m.local(SERIAL)
        entry = q.tuple_([q.name(serial), q.const(doing.index), args])
        opened = q.const(layout.open)
        more = ast.Tuple([ast.Starred(q.state(opened), q.LOAD), entry], q.LOAD)
        # Without durations there is nothing to end or to bind.
        made = q.if_(
            q.state(q.const(layout.durations)),
            [q.assign(serial, call)],
            [
                q.assign(serial, q.arith(q.state(q.const(layout.serial)), "+", q.const(1))),
                q.set_slot(q.const(layout.serial), q.name(serial)),
                q.set_slot(opened, more),
            ],
        )
        return self.native([made], reads, (SERIAL,))

    def _happen(self, hooks: Hooks) -> Steps:
        """It runs: counter, fresh values, lines, ``after`` rules."""
        doing = self.doing
        steps: list[Step] = [self._begin()] if self._begin_needed() else []
        steps += self._lines()
        if doing.after:
            if self.body_escapes and self.own_ends:
                steps.append(self._caught())
            steps += hooks.after(given_always=not self.body_escapes)
        return tuple(steps)

    def _begin_needed(self) -> bool:
        doing = self.doing
        return bool(
            doing.running is not None
            or doing.param_globals
            or doing.keeps
            or doing.lends
            or self.m.flags.log
        )

    def _fresh(self) -> list[tuple[int, ast.expr]]:
        """Slots that take new values, with the values."""
        m, doing = self.m, self.doing
        layout = m.layout
        fresh: list[tuple[int, ast.expr]] = [
            (layout.globals + index, q.name(m.local(param.name)))
            for index, param in zip(doing.param_globals, doing.params, strict=False)
        ]
        fresh += [
            (layout.globals + index, q.const(m.program.globals[index].initial))
            for index in doing.keeps
        ]
        return fresh

    def _begin(self) -> Step:
        m, doing = self.m, self.doing
        layout = m.layout
        made: list[ast.stmt] = []
        lends: list[tuple[int, int]] = []
        for index in doing.lends:
            declared = m.program.fields[index]
            start = layout.slot(index, m.program.kinds[declared.kind].base, declared.key_low)
            lends.append((start, len(declared.values)))
        fresh = self._fresh()
        if self._restores() and doing.running is not None:
            old: list[ast.expr] = [q.state(q.const(slot)) for slot, _ in fresh]
            for start, size in lends:
                part = ast.Slice(q.const(start), q.const(start + size), None)
                old.append(q.call("tuple", q.state(part)))
            nested = q.state(q.const(layout.globals + doing.running))
            made.append(q.if_(nested, [q.assign(m.local(SAVED), q.tuple_(old))]))
        if doing.running is not None:
            slot = q.const(layout.globals + doing.running)
            made.append(q.add_slot(slot, "+", q.const(1)))
            if doing.instead or doing.before:
                made.append(q.assign(m.local(BEGUN), q.const(True)))
        made += [q.set_slot(q.const(slot), new) for slot, new in fresh]
        for (start, size), index in zip(lends, doing.lends, strict=True):
            part = ast.Slice(q.const(start), q.const(start + size), None)
            made.append(q.set_slot(part, m.table(m.program.fields[index].values)))
            if index in m.masked_flags:
                values = m.program.fields[index].values
                mask = sum(bool(each) << bit for bit, each in enumerate(values))
                made.append(q.set_slot(q.const(m.derived.flag(index)), q.const(mask)))
        made += self._marks()
        args = q.tuple_([q.name(m.local(param.name)) for param in doing.params])
        made += writes.log(m, q.const("begin"), q.const(doing.index), args)
        reads = frozenset(param.name for param in doing.params)
        written = (BEGUN,) if doing.running is not None else ()
        return self.native(made, reads, written)

    def _marks(self) -> list[ast.stmt]:
        doing = self.doing
        changed = {*doing.param_globals, *doing.keeps, *doing.resets}
        if doing.running is not None:
            changed.add(doing.running)
        return writes.mark(self.m, fields=doing.lends, globals_=changed)

    def _lines(self) -> Steps:
        m, doing = self.m, self.doing
        if self.whole:
            return Translator(m, doing.index, inline=True).block(doing.body)
        name = f"b{doing.index}"
        params = tuple(param.name for param in doing.params)
        steps = Translator(m, doing.index, inline=False).block(doing.body)
        Function(m, name, doing.index, params, doing.span).make(steps)
        return (
            Run(
                make=lambda: q.call(
                    name, q.name(G), q.name(S), *(q.name(m.local(each)) for each in params)
                ),
                reads=frozenset(params),
                result=self.result,
                suspends=any(map(points, steps)),
                escapes=self.body_escapes,
                ends=END if self.body_escapes else None,
                span=doing.span,
                cites=doing.cites,
            ),
        )

    def _caught(self) -> Step:
        """An end of the doing itself that came from inside it gives its result."""
        m = self.m
        end, result = m.local(END), m.local(self.result)
        if self.only_own:
            # No other end can come this way.
            own = q.sub(q.sub(q.name(end), q.const(0)), q.const(1))
            return self.native(
                [
                    q.if_(
                        q.compare(q.name(end), "is not", q.const(None)),
                        [q.assign(result, own), q.assign(end, q.const(None))],
                    )
                ],
                frozenset((END, self.result)),
                (END, self.result),
            )
        take = q.unpack(
            (end, result),
            q.method(q.name(G), "caught", q.name(end), q.const(self.doing.index), q.name(result)),
        )
        test = q.compare(q.name(end), "is not", q.const(None))
        return self.native([q.if_(test, [take])], frozenset((END, self.result)), (END, self.result))

    # ------------------------------------------------------------------------------------ the end

    def _close(self) -> Steps:
        m, doing = self.m, self.doing
        layout = m.layout
        made: list[ast.stmt] = []
        reads: set[str] = set()
        if doing.tracked:
            opened = q.const(layout.open)
            last = ast.Slice(None, q.const(-1), None)
            made.append(
                q.if_(
                    q.state(q.const(layout.durations)),
                    [q.do(q.method(q.name(G), "close", q.name(S), q.name(m.local(SERIAL))))],
                    [q.set_slot(opened, q.sub(q.state(opened), last))],
                )
            )
            reads.add(SERIAL)
        if doing.running is not None:
            slot = q.const(layout.globals + doing.running)
            back: list[ast.stmt] = [q.add_slot(slot, "-", q.const(1))]
            if doing.instead or doing.before:
                reads.add(BEGUN)
                made.append(q.if_(q.name(m.local(BEGUN)), back))
            else:
                made += back
        if self._restores():
            reads.add(SAVED)
            saved = q.name(m.local(SAVED))
            restore: list[ast.stmt] = []
            fresh = self._fresh()
            for place, (slot_number, _) in enumerate(fresh):
                restore.append(q.set_slot(q.const(slot_number), q.sub(saved, q.const(place))))
            for place, index in enumerate(doing.lends, len(fresh)):
                declared = m.program.fields[index]
                start = layout.slot(index, m.program.kinds[declared.kind].base, declared.key_low)
                part = ast.Slice(q.const(start), q.const(start + len(declared.values)), None)
                restore.append(q.set_slot(part, q.sub(saved, q.const(place))))
                if index in m.masked_flags:
                    restore.append(q.do(q.method(q.name(G), "flag", q.name(S), q.const(index))))
            made.append(q.if_(q.compare(saved, "is not", q.const(None)), restore))
        for index in doing.resets:
            initial = q.const(m.program.globals[index].initial)
            made.append(q.set_slot(q.const(layout.globals + index), initial))
        if made:
            made += self._marks()
        if not made:
            return ()
        return (self.native(made, frozenset(reads)),)

    def _leave(self) -> Steps:
        """Go on leaving if something further out has ended; else the doing has ended itself."""
        m, doing = self.m, self.doing
        steps: list[Step] = []
        if self.ends:
            end = m.local(END)
            log_left = writes.log(
                m, q.const("end"), q.const(doing.index), q.const(None), q.const("left")
            )
            caught = self._caught()
            assert isinstance(caught, Native)
            leave: list[ast.stmt] = [
                *log_left,
                q.set_attribute(q.name(G), "ending", q.name(end)),
                q.give(q.name("ENDING")),
            ]
            test = q.compare(q.name(end), "is not", q.const(None))
            made = caught.make() if self.own_ends else []
            if not self.only_own:
                made = [*made, q.if_(test, leave)]
            steps.append(self.native(made, frozenset((END, self.result)), (self.result,)))
        typed = doing.result if doing.kind != "hook" else None
        if typed is not None:
            text = f"the result of {doing.name}"
            test = writes.tested(m, q.name(m.local(self.result)), typed, text)
            if self._sure_result(typed):
                check: list[ast.stmt] = []
                given = always_ends(doing.body, doing.index) and not doing.instead
                if not typed.optional and not given:
                    check = [q.if_(q.is_none(q.name(m.local(self.result))), [q.do(test)])]
            else:
                check = [q.do(test)]
            steps.append(self.native(check, frozenset((self.result,))))
        if m.flags.log:
            made = writes.log(
                m,
                q.const("end"),
                q.const(doing.index),
                q.name(m.local(self.result)),
                q.name(m.local(HOW)),
            )
            steps.append(self.native(made, frozenset((self.result, HOW))))
        return tuple(steps)

    def _sure_result(self, typed: ir.Type) -> bool:
        doing = self.doing
        if any("$result" in hook.writes for hook in (*doing.before, *doing.instead, *doing.after)):
            return False
        return all(
            node.value is not None and writes.surely(self.m, node.value, typed)
            for node in self.m.all_ends
            if node.doing == doing.index
        )

    def _last_steps(self) -> Steps:
        """Settle, then test the promises."""
        m, doing = self.m, self.doing
        if not doing.settles:
            return ()
        steps: list[Step] = []
        if self.settles():
            steps.append(settle_step(m, doing.span))
        if doing.checks and m.flags.checks and m.program.always:
            steps.append(self.native([q.do(q.call("promises", q.name(S)))]))
        return tuple(steps)
