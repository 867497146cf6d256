"""Rules about a doing, compiled into its function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit import writes
from interpreter.compiling.emit.asks import order_question, question
from interpreter.compiling.emit.expressions import can_be_none, cond, value
from interpreter.compiling.emit.statements import RESULT, call_doing
from interpreter.compiling.emit.steps import Branch, Loop, Native, Question, Run, Step, Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.compiling.emit.module import Module
    from rulelang import ir

G, S = "g", "S"
END = "$end"
REPLACED = "$replaced"
HOW = "$how"


class Hooks:
    """Makes the steps of the rules about one doing."""

    def __init__(self, m: Module, doing: ir.Doing) -> None:
        self.m = m
        self.doing = doing

    def _native(
        self,
        hook: ir.Hook,
        make: Callable[[], list[ast.stmt]],
        reads: frozenset[str] = frozenset(),
        written: tuple[str, ...] = (),
    ) -> Step:
        return Native(
            make=make, reads=reads, writes=frozenset(written), span=hook.span, cites=hook.cites
        )

    def _branch(
        self,
        hook: ir.Hook,
        test: Callable[[], ast.expr],
        reads: frozenset[str],
        then: Steps,
        orelse: Steps = (),
    ) -> Step:
        return Branch(
            test=test, reads=reads, then=then, orelse=orelse, span=hook.span, cites=hook.cites
        )

    # ------------------------------------------------------------------------------------ moments

    def stills(self) -> Steps:
        """Who has which card when the event begins."""
        steps: list[Step] = []
        for number, hook in enumerate(self.doing.after):
            still = hook.still
            if still is not None:
                steps.append(
                    self._native(
                        hook,
                        lambda number=number, still=still: [  # type: ignore[misc]
                            q.assign(self.m.local(f"$still{number}"), value(self.m, still))
                        ],
                        self.m.scopes.free(still),
                        (f"$still{number}",),
                    )
                )
        return tuple(steps)

    def before(self) -> Steps:
        """The ``before`` rules, in order; one that ends the doing skips the rest."""
        steps: Steps = ()
        for number, hook in reversed(list(enumerate(self.doing.before))):
            own = self._rule(hook, number, "before", END)
            if steps and self.m.calls.escapes[hook.doing]:
                test = lambda: q.is_none(q.name(self.m.local(END)))  # noqa: E731
                steps = (*own, self._branch(hook, test, frozenset((END,)), steps))
            else:
                steps = (*own, *steps)
        return steps

    def after(self, *, given_always: bool) -> Steps:
        """The ``after`` rules, in order."""
        steps: list[Step] = []
        for number, hook in enumerate(self.doing.after):
            own = self._rule(hook, number, "after", END)
            if hook.needs_result and not given_always:
                # While something further out ends there is no result, unless the body gave it.
                test = lambda: q.is_none(q.name(self.m.local(GIVEN_END)))  # noqa: E731
                steps.append(self._branch(hook, test, frozenset((GIVEN_END,)), own))
            else:
                steps.extend(own)
        if given_always or not any(hook.needs_result for hook in self.doing.after):
            return tuple(steps)
        keep = Native(
            make=lambda: [q.assign(self.m.local(GIVEN_END), q.name(self.m.local(END)))],
            reads=frozenset((END,)),
            writes=frozenset((GIVEN_END,)),
        )
        return (keep, *steps)

    def instead(self) -> Steps:
        """What replaces the doing."""
        m, doing = self.m, self.doing
        start: list[ast.stmt] = [q.assign(m.local(REPLACED), q.const(False))]
        first = Native(make=lambda: list(start), writes=frozenset((REPLACED,)))
        if len(doing.instead) == 1 and doing.instead[0].block is None:
            return (first, *self._rule(doing.instead[0], 0, "instead", END))
        return (first, *self._several())

    # ------------------------------------------------------------------------------------ one rule

    def _rule(self, hook: ir.Hook, number: int, when: str, ends: str) -> Steps:
        """One rule at its turn: for each row, or once."""
        m = self.m
        row, serial = f"$row_{when}{number}", f"$serial_{when}{number}"
        steps = self._tests(
            hook, number, when, self._ask_and_act(hook, number, when, ends, serial), row
        )
        if hook.block is None:
            return steps
        block = hook.block
        slot = q.const(m.layout.rows + block)
        names = m.program.blocks[block].names

        def bind() -> list[ast.stmt]:
            return (
                [
                    q.unpack(
                        [m.local(name) for name in names], q.sub(q.name(m.local(row)), q.const(1))
                    )
                ]
                if names
                else []
            )

        inner: Steps = (
            self._native(
                hook,
                lambda: [
                    q.assign(
                        m.local(row), q.call("row_now", q.state(slot), q.name(m.local(serial)))
                    )
                ],
                frozenset((serial,)),
                (row,),
            ),
            self._branch(
                hook,
                lambda: q.compare(q.name(m.local(row)), "is not", q.const(None)),
                frozenset((row,)),
                (self._native(hook, bind, frozenset((row,)), tuple(names)), *steps),
            ),
        )
        left = f"$left_{when}{number}"
        escapes = bool(m.calls.escapes[hook.doing])
        before: Steps = ()
        if escapes:
            before = (
                self._native(
                    hook,
                    lambda: [q.assign(m.local(left), q.const(False))],
                    frozenset(),
                    (left,),
                ),
            )
            inner = (
                self._branch(
                    hook, lambda: q.not_(q.name(m.local(left))), frozenset((left,)), inner
                ),
            )
        loop = Loop(
            name=serial,
            source=lambda into: [q.assign(into, q.call("serials", q.state(slot)))],
            body=inner,
            span=hook.span,
            cites=hook.cites,
        )
        return (*before, loop)

    def _tests(self, hook: ir.Hook, number: int, when: str, then: Steps, row: str) -> Steps:
        """Bind its names and test whether it applies."""
        m = self.m
        reads = m.scopes.free(hook.guard)
        tests: list[Callable[[], ast.expr]] = []
        if hook.once is not None:
            once = hook.once
            if hook.block is not None and once < 0:
                tests.append(lambda: q.not_(q.sub(q.name(m.local(row)), q.const(2))))
                reads |= {row}
            else:
                slot = q.const(m.layout.globals + once)
                tests.append(lambda: q.not_(q.state(slot)))
        if hook.busy is not None and when == "instead":
            busy = q.const(m.layout.globals + hook.busy)
            tests.insert(0, lambda: q.not_(q.state(busy)))
        if hook.guard is not None:
            guard = hook.guard
            tests.append(lambda: cond(m, guard))
        steps = then
        if tests:
            steps = (self._branch(hook, lambda: q.and_([test() for test in tests]), reads, steps),)
        for name, expr in reversed(hook.lets):
            still = f"$still{number}" if when == "after" and expr == hook.still else None
            steps = self._let(hook, name, expr, still, steps)
        return steps

    def _let(
        self, hook: ir.Hook, name: str, expr: ir.Expr, still: str | None, then: Steps
    ) -> Steps:
        m = self.m
        own = m.local(name)
        reads = m.scopes.free(expr)

        def make() -> list[ast.stmt]:
            made: list[ast.stmt] = [q.assign(own, value(m, expr))]
            if still is not None:
                made.append(q.if_(q.is_none(q.name(own)), [q.assign(own, q.name(m.local(still)))]))
            return made

        bind = self._native(
            hook, make, reads | (frozenset((still,)) if still else frozenset()), (name,)
        )
        if not can_be_none(m, expr):
            return (bind, *then)
        return (
            bind,
            self._branch(
                hook,
                lambda: q.compare(q.name(own), "is not", q.const(None)),
                frozenset((name,)),
                then,
            ),
        )

    def _ask_and_act(self, hook: ir.Hook, number: int, when: str, ends: str, serial: str) -> Steps:
        act = self._act(hook, number, when, ends, serial)
        if hook.ask is None:
            return act
        m, name = self.m, hook.ask.name
        return (
            *question(m, hook.ask, (), ()),
            self._branch(hook, lambda: q.name(m.local(name)), frozenset((name,)), act),
        )

    def _act(self, hook: ir.Hook, number: int, when: str, ends: str, serial: str) -> Steps:
        """Use it up, run its body, take over what it gives back."""
        m, doing = self.m, self.doing
        escapes = bool(m.calls.escapes[hook.doing])
        given = f"$given_{when}{number}"
        row = q.name(m.local(serial)) if hook.block is not None else q.const(0)
        reads = frozenset((serial,)) if hook.block is not None else frozenset()

        def use() -> list[ast.stmt]:
            made: list[ast.stmt] = []
            if hook.once is not None:
                if hook.block is not None and hook.once < 0:
                    made.append(
                        q.do(q.method(q.name(G), "use_row", q.name(S), q.const(hook.block), row))
                    )
                else:
                    slot = q.const(m.layout.globals + hook.once)
                    made.append(q.set_slot(slot, q.const(True)))
                    made += writes.mark(m, globals_=(hook.once,))
            if hook.busy is not None and when == "instead":
                made.append(q.add_slot(q.const(m.layout.globals + hook.busy), "+", q.const(1)))
            made.append(q.do(q.method(q.name(G), "fire")))
            made += writes.log(
                m, q.const("hook"), q.const(doing.index), q.const(when), q.const(number), row
            )
            if when == "instead":
                made.append(q.assign(m.local(REPLACED), q.const(True)))
                if m.flags.log:
                    made.append(q.assign(m.local(HOW), q.const("replaced")))
            return made

        written = (REPLACED, HOW) if when == "instead" else ()
        run = Run(
            make=lambda: call_doing(m, hook.doing, hook.args),
            reads=m.scopes.free(hook.args),
            result=given,
            suspends=m.calls.suspends[hook.doing],
            escapes=escapes,
            ends=ends if escapes else None,
            merge=doing.index if when == "after" else -1,
            deep=m.calls.deep[hook.doing],
            left=f"$left_{when}{number}" if escapes and hook.block is not None else None,
            span=hook.span,
            cites=hook.cites,
        )
        steps: list[Step] = [self._native(hook, use, reads, written)]
        if when == "after" and escapes:
            steps.append(
                self._native(
                    hook,
                    lambda: [q.assign(m.local(given), q.const(None))],
                    frozenset(),
                    (given,),
                )
            )
        steps.append(run)
        if hook.busy is not None and when == "instead":
            busy = q.const(m.layout.globals + hook.busy)
            steps.append(self._native(hook, lambda: [q.add_slot(busy, "-", q.const(1))]))
        if escapes and when != "after" and m.flags.log:
            steps.append(
                self._native(
                    hook,
                    lambda: [
                        q.if_(
                            q.compare(q.name(m.local(END)), "is not", q.const(None)),
                            [q.assign(m.local(HOW), q.const("left"))],
                        )
                    ],
                    frozenset((END, HOW)),
                    (HOW,),
                )
            )
        if hook.writes:
            steps.append(self._take_over(hook, given))
        return tuple(steps)

    def _take_over(self, hook: ir.Hook, given: str) -> Step:
        """The parameters that the rule changed."""
        m, doing = self.m, self.doing
        types = {param.name: param.type for param in doing.params}
        names = [RESULT if name == "$result" else name for name in hook.writes]
        value_of = q.name(m.local(given))

        def make() -> list[ast.stmt]:
            fresh = [m.temp() for _ in names]
            made: list[ast.stmt] = [q.unpack(fresh, value_of)]
            for new, name in zip(fresh, names, strict=True):
                of = types.get(name)
                made_value: ast.expr = q.name(new)
                if of is not None:
                    made_value = writes.tested(m, made_value, of, f"{name} of {doing.name}")
                made.append(q.assign(m.local(name), made_value))
            return [q.if_(q.compare(value_of, "is not", q.const(None)), made)]

        # Where nothing is given back the old values stay: they are read too.
        return self._native(hook, make, frozenset((given, *names)), tuple(names))

    # ------------------------------------------------------------------------------------ several

    def _several(self) -> Steps:
        """Collect the replacements that apply; somebody may pick which comes first."""
        m, doing = self.m, self.doing
        found = "$candidates"
        start: list[ast.stmt] = [q.assign(m.local(found), q.const(()))]
        steps: list[Step] = [
            Native(make=lambda: list(start), writes=frozenset((found,)), span=doing.span)
        ]
        for number, hook in enumerate(doing.instead):
            steps += self._candidate(hook, number, found)
        if any(hook.yields for hook in doing.instead):
            rank = q.call("ranked", q.name(m.local(found)), self._yields())
            steps.append(
                Native(
                    make=lambda: [q.assign(m.local(found), rank)],
                    reads=frozenset((found,)),
                    writes=frozenset((found,)),
                    span=doing.span,
                )
            )
        if doing.concerned is not None and doing.order_decision is not None:
            steps += self._order(found)
        each = "$candidate"
        row = "$row_instead"
        chain: Steps = ()
        for number, hook in reversed(list(enumerate(doing.instead))):
            chain = (
                self._branch(
                    hook,
                    lambda number=number: q.compare(  # type: ignore[misc]
                        q.sub(q.name(m.local(each)), q.const(0)), "==", q.const(number)
                    ),
                    frozenset((each,)),
                    self._bound_candidate(hook, number, each),
                    chain,
                ),
            )
        del row
        body = Branch(
            test=lambda: q.not_(q.name(m.local(REPLACED))),
            reads=frozenset((REPLACED,)),
            then=chain,
            span=doing.span,
        )
        steps.append(
            Loop(
                name=each,
                source=lambda into: [q.assign(into, q.name(m.local(found)))],
                reads=frozenset((found,)),
                body=(body,),
                span=doing.span,
            )
        )
        return tuple(steps)

    def _names(self, hook: ir.Hook) -> list[str]:
        rows = self.m.program.blocks[hook.block].names if hook.block is not None else ()
        return [*rows, *(name for name, _ in hook.lets)]

    def _candidate(self, hook: ir.Hook, number: int, found: str) -> Steps:
        m = self.m
        names = self._names(hook)
        serial = f"$serial_instead{number}"
        label = q.const(hook.label)

        def add() -> list[ast.stmt]:
            row = q.name(m.local(serial)) if hook.block is not None else q.const(0)
            values = q.tuple_([q.name(m.local(name)) for name in names])
            entry = q.tuple_([q.const(number), row, values, label])
            old = ast.Starred(q.name(m.local(found)), q.LOAD)
            return [q.assign(m.local(found), ast.Tuple([old, entry], q.LOAD))]

        reads = frozenset((found, *names))
        if hook.block is not None:
            reads |= {serial}
        keep = self._native(hook, add, reads, (found,))
        row = f"$row_instead{number}"
        steps = self._tests(hook, number, "instead", (keep,), row)
        if hook.block is None:
            return steps
        slot = q.const(m.layout.rows + hook.block)
        block_names = m.program.blocks[hook.block].names

        def bind() -> list[ast.stmt]:
            made: list[ast.stmt] = [
                q.assign(m.local(row), q.call("row_now", q.state(slot), q.name(m.local(serial))))
            ]
            if block_names:
                made.append(
                    q.unpack(
                        [m.local(name) for name in block_names],
                        q.sub(q.name(m.local(row)), q.const(1)),
                    )
                )
            return made

        return (
            Loop(
                name=serial,
                source=lambda into: [q.assign(into, q.call("serials", q.state(slot)))],
                body=(
                    self._native(hook, bind, frozenset((serial,)), (row, *block_names)),
                    *steps,
                ),
                span=hook.span,
            ),
        )

    def _bound_candidate(self, hook: ir.Hook, number: int, each: str) -> Steps:
        m = self.m
        names = self._names(hook)
        serial = f"$serial_instead{number}"

        def bind() -> list[ast.stmt]:
            entry = q.name(m.local(each))
            made: list[ast.stmt] = [q.assign(m.local(serial), q.sub(entry, q.const(1)))]
            if names:
                made.append(q.unpack([m.local(name) for name in names], q.sub(entry, q.const(2))))
            return made

        return (
            self._native(hook, bind, frozenset((each,)), (serial, *names)),
            *self._ask_and_act(hook, number, "instead", END, serial),
        )

    def _yields(self) -> ast.expr:
        """For each replacement the numbers of those that it yields to."""
        return q.const(tuple(hook.yields for hook in self.doing.instead))

    def _order(self, found: str) -> Steps:
        m, doing = self.m, self.doing
        assert doing.concerned is not None
        assert doing.order_decision is not None
        decision = doing.order_decision
        concerned = doing.concerned
        number = order_question(m, decision, doing.span)
        player, answer = "$concerned", "$first"
        candidates = q.name(m.local(found))
        free = q.call("len", candidates)
        if any(hook.yields for hook in doing.instead):
            free = q.call("free_of", candidates, self._yields())
        who = q.name(m.local(player))
        automa = q.state(q.arith(q.const(m.layout.offsets[m.program.automa_field] or 0), "+", who))

        def ask() -> ast.expr:
            options = q.call("tuple", q.call("range", free))
            labels = q.call("labels_of", candidates)
            return q.method(q.name(G), "choose", q.name(S), q.const(number), who, options, labels)

        question_ = Question(
            prepare=list,
            some=None,
            alone=lambda asked: asked(),
            ask=ask,
            name=answer,
            decision=decision,
            reads=frozenset((found, player)),
            then=(),
            span=doing.span,
            cites=doing.cites,
        )
        reorder = Native(
            make=lambda: [
                q.assign(m.local(found), q.call("first_of", candidates, q.name(m.local(answer))))
            ],
            reads=frozenset((found, answer)),
            writes=frozenset((found,)),
        )
        several = q.compare(free, ">", q.const(1))
        return (
            Branch(
                test=lambda: several,
                reads=frozenset((found,)),
                span=doing.span,
                then=(
                    Native(
                        make=lambda: [q.assign(m.local(player), value(m, concerned))],
                        reads=m.scopes.free(concerned),
                        writes=frozenset((player,)),
                    ),
                    Branch(
                        test=lambda: q.and_(
                            [q.compare(who, "is not", q.const(None)), q.not_(automa)]
                        ),
                        reads=frozenset((player,)),
                        then=(question_, reorder),
                        span=doing.span,
                    ),
                ),
            ),
        )


GIVEN_END = "$given_end"
