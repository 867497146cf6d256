"""From steps to the two Python bodies of a function.

The first body is plain structured code. Where a call or a question is suspended it leaves a frame
``(function, point, locals ...)`` with the game and returns. The second body is entered with such a
frame: ``rs`` is the number of the point as long as the way back to it is being found, 0 from then on.
Points are numbered in the order of the text, so "is reached now, or the point lies inside me" is
``rs <= last point inside``. Both bodies come from the same methods.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.compiling.built import Point
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.steps import (
    Branch,
    Loop,
    Names,
    Native,
    Question,
    Repeat,
    Run,
    Step,
    Steps,
    live,
    live_before,
    points,
)

if TYPE_CHECKING:
    from interpreter.compiling.emit.module import Module
    from rulelang import ir

G = "g"
S = "S"


class Function:
    """Makes one function.

    Args:
        m: The module.
        name: Its Python name.
        doing: Number of the doing that it belongs to, -1 for the settling of state rules.
        params: Names of its parameters (locals of the ruleset).
        span: Where it stands.
    """

    def __init__(
        self, m: Module, name: str, doing: int, params: tuple[str, ...], span: ir.Span
    ) -> None:
        self.m = m
        self.name = name
        self.doing = doing
        self.params = params
        self.span = span
        self._resume = False
        self._point = 0
        self._number = -1
        self._carried: list[tuple[str, ast.expr]] = []

    def make(self, steps: Steps) -> None:
        """Add the function, and its second body if it can be suspended."""
        params = [G, S, *(self.m.local(name) for name in self.params)]
        able = any(map(points, steps))
        if able:
            self._number = self.m.resumable(self.name, self.doing)
        self.m.function(self.name, params, self._block(steps, frozenset()), self.span)
        if able:
            self._resume = True
            self._point = 0
            body = self._block(steps, frozenset())
            self.m.function(
                self.m.reentry(self._number), [G, S, "frame"], [*self._restore(), *body], self.span
            )

    def _restore(self) -> list[ast.stmt]:
        """Take the locals out of a frame: each point has its own, those next to it often the same."""
        found = self.m.resumables[self._number].points
        rs = q.assign("rs", q.sub(q.name("frame"), q.const(1)))
        chain: list[ast.stmt] = []
        for number in range(len(found), 0, -1):
            names = found[number - 1].names
            if number < len(found) and names == found[number].names:
                continue
            own = ["_", "_", *(self.m.local(name) for name in names)]
            take = q.unpack(own, q.name("frame"))
            last = q.compare(q.name("rs"), "<=", q.const(number))
            chain = [q.if_(last, [take], chain)] if chain else [take]
        return [rs, *chain]

    # -------------------------------------------------------------------------------- blocks

    def _block(self, steps: Steps, after: Names) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        plain: list[ast.stmt] = []
        for place, step in enumerate(steps):
            needed = live(steps[place + 1 :], after)
            if isinstance(step, Native) and step.only_writes and not step.writes & needed:
                continue
            plain_step = self._resume and not points(step)
            made = self._plainly(step, needed) if plain_step else self._step(step, needed)
            for each in made:
                q.locate(each, step.span)
            if points(step) or not self._resume:
                self._flush(plain, result)
                _charge_once(result, made)
            else:
                _charge_once(plain, made)
        self._flush(plain, result)
        return result

    def _flush(self, plain: list[ast.stmt], result: list[ast.stmt]) -> None:
        """Straight code is skipped while the way back is being found."""
        if plain:
            result.append(q.locate(q.if_(q.not_(q.name("rs")), list(plain)), self.span))
            plain.clear()

    def _step(self, step: Step, after: Names) -> list[ast.stmt]:
        match step:
            case Native():
                return step.make()
            case Run():
                return self._run(step, after)
            case Branch():
                return self._branch(step, after)
            case Loop():
                return self._loop(step, after)
            case Repeat():
                return self._repeat(step, after)
            case Question():
                return self._question(step, after)
            case _:
                pass
        raise AssertionError(step)

    def _around(self, made: list[ast.stmt]) -> list[ast.stmt]:
        """A compound step is entered when reached, or when the point lies inside."""
        if not self._resume:
            return made
        return [q.if_(q.compare(q.name("rs"), "<=", q.const(self._point)), made)]

    # -------------------------------------------------------------------------------- suspending

    def _new_point(self, step: Step, after: Names, decision: int) -> int:
        """Number a point; in the first pass its frame is described too."""
        self._point += 1
        if not self._resume:
            names = (*sorted(after), *(name for name, _ in self._carried))
            found = self.m.resumables[self._number].points
            found.append(Point(step.span, step.cites, names, decision))
        return self._point

    def _suspend(self, value: str, after: Names, point: int) -> list[ast.stmt]:
        """Leave a frame behind if the value says so."""
        frame = q.tuple_(
            [
                q.const(self._number),
                q.const(point),
                *(q.name(self.m.local(name)) for name in sorted(after)),
                *(made for _, made in self._carried),
            ]
        )
        push = q.do(q.method(q.attribute(q.name(G), "frames"), "append", frame))
        test = q.compare(q.name(value), "is", q.name("SUSPENDED"))
        return [q.if_(test, [push, q.give(q.name("SUSPENDED"))])]

    # -------------------------------------------------------------------------------- steps

    def _run(self, step: Run, after: Names) -> list[ast.stmt]:
        if not (step.suspends or step.escapes or step.deep):
            if step.result is not None and step.result in after:
                return [q.assign(self.m.local(step.result), step.make())]
            return [q.do(step.make())]
        value = self.m.temp()
        needed = after - {step.result}
        made: list[ast.stmt] = [q.assign(value, step.make())]
        point = 0
        if step.suspends:
            point = self._new_point(step, needed, -1)
            if self._resume:
                frame = self.m.temp()
                popped = q.method(q.attribute(q.name(G), "todo"), "pop")
                enter = q.sub(q.name("REENTRY"), q.sub(q.name(frame), q.const(0)))
                again = q.assign(value, q.call(enter, q.name(G), q.name(S), q.name(frame)))
                made = [
                    q.if_(
                        q.compare(q.name("rs"), "==", q.const(point)),
                        [q.assign("rs", q.const(0)), q.assign(frame, popped), again],
                        made,
                    )
                ]
        if step.deep:
            deeper = q.add_attribute(q.name(G), "depth", "+", q.const(1))
            back = q.add_attribute(q.name(G), "depth", "-", q.const(1))
            made = [deeper, *made, back]
        if step.suspends:
            made += self._suspend(value, needed, point)
        keep: list[ast.stmt] = []
        if step.result is not None and step.result in after:
            keep = [q.assign(self.m.local(step.result), q.name(value))]
        if step.escapes:
            ended = q.compare(q.name(value), "is", q.name("ENDING"))
            if step.ends is None:
                made.append(q.if_(ended, [q.give(q.name("ENDING"))]))
                made += keep
            else:
                ends = self.m.local(step.ends)
                if step.merge >= 0:
                    take = q.method(q.name(G), "merge", q.name(ends), q.const(step.merge))
                else:
                    take = q.attribute(q.name(G), "ending")
                nothing: list[ast.stmt] = []
                if step.result is not None and step.result in after:
                    nothing = [q.assign(self.m.local(step.result), q.const(None))]
                if step.left is not None:
                    nothing.append(q.assign(self.m.local(step.left), q.const(True)))
                made.append(q.if_(ended, [q.assign(ends, take), *nothing], keep))
        else:
            made += keep
        return self._around(made) if step.suspends else made

    def _branch(self, step: Branch, after: Names) -> list[ast.stmt]:
        test = step.test()
        then = self._block(step.then, after)
        last = self._point
        orelse = self._block(step.orelse, after)
        if not self._resume or not points(step):
            if not then and not orelse:
                return [] if step.sound else [q.do(test)]
            return self._plain_branch(test, then, orelse)
        inside = q.compare(q.name("rs"), "<=", q.const(last))
        return self._around([q.if_(q.if_else(q.name("rs"), inside, test), then, orelse)])

    @staticmethod
    def _plain_branch(
        test: ast.expr, then: list[ast.stmt], orelse: list[ast.stmt]
    ) -> list[ast.stmt]:
        if not then:
            return [q.if_(q.not_(test), orelse)]
        return [q.if_(test, then, orelse)]

    def _loop(self, step: Loop, after: Names) -> list[ast.stmt]:
        m = self.m
        own = m.local(step.name)
        inside = any(map(points, step.body))
        around = after | (live(step.body, after) - {step.name, step.index})
        around |= live(step.body, around) - {step.name, step.index}
        if step.index is not None:
            around |= {step.index}
        items = m.temp()
        start: list[ast.stmt] = step.source(items)
        walked: ast.expr = q.name(items)
        constant = _constant(start)
        if constant is not None:
            start, walked = [], q.const(constant)
        if step.weight:
            cost = q.call("len", walked)
            if constant is not None:
                cost = q.const(len(constant) * step.weight)
            elif step.weight > 1:
                cost = q.arith(cost, "*", q.const(step.weight))
            start.append(q.add_attribute(q.name(G), "lines", "-", cost))
            if not step.few:
                start += self._exhausted()
        count: list[ast.stmt] = []
        if step.index is not None:
            start.append(q.assign(m.local(step.index), q.const(-1)))
            count = [q.augment(m.local(step.index), "+", q.const(1))]
        if not inside:
            body = self._block_plain(step.body, around)
            return [*start, q.for_(own, walked, [*count, *body])]
        rest = f"$rest{self._point + 1}_{len(self._carried)}"
        walk = m.temp()
        saved = ast.Tuple([q.name(own), ast.Starred(q.name(walk), q.LOAD)], q.LOAD)
        self._carried.append((rest, saved))
        body = self._block(step.body, around)
        self._carried.pop()
        start.append(q.assign(walk, q.call("iter", walked)))
        if not self._resume:
            return [*start, q.for_(own, q.name(walk), [*count, *body])]
        again = q.assign(walk, q.call("iter", q.name(m.local(rest))))
        if count:
            count = [q.if_(q.not_(q.name("rs")), count)]
        return self._around(
            [
                q.if_(q.name("rs"), [again], start),
                q.for_(own, q.name(walk), [*count, *body]),
            ]
        )

    def _plainly(self, step: Step, after: Names) -> list[ast.stmt]:
        """A step that cannot be suspended is the same in both bodies."""
        self._resume = False
        made = self._step(step, after)
        self._resume = True
        return made

    def _block_plain(self, steps: Steps, after: Names) -> list[ast.stmt]:
        """A block that cannot be suspended, in either body."""
        resume, self._resume = self._resume, False
        made = self._block(steps, after)
        self._resume = resume
        return made

    def _exhausted(self) -> list[ast.stmt]:
        test = q.compare(q.attribute(q.name(G), "lines"), "<", q.const(0))
        return [q.if_(test, [q.do(q.method(q.name(G), "out_of_lines"))])]

    def _repeat(self, step: Repeat, after: Names) -> list[ast.stmt]:
        m = self.m
        rounds = m.local(step.rounds)
        around = live_before(step, after)
        inside = any(map(points, step.body))
        test = step.test()
        charge: list[ast.stmt] = self._exhausted()
        if step.weight:  # settling is no loop of the ruleset: what acts in it is counted
            charge = [
                q.augment(rounds, "+", q.const(1)),
                q.if_(
                    q.compare(q.name(rounds), ">", q.const(10_000)),
                    [q.do(q.call("exhausted", q.const("more than 10,000 rounds of one while")))],
                ),
                q.add_attribute(q.name(G), "lines", "-", q.const(step.weight)),
                *charge,
            ]
        start = q.assign(rounds, q.const(0))
        if not inside:
            return [start, q.while_(test, [*charge, *self._block_plain(step.body, around)])]
        self._carried.append((step.rounds, q.name(rounds)))
        body = self._block(step.body, around)
        self._carried.pop()
        if not self._resume:
            return [start, q.while_(test, [*charge, *body])]
        return self._around(
            [
                q.if_(q.not_(q.name("rs")), [start]),
                q.while_(q.or_([q.name("rs"), test]), [q.if_(q.not_(q.name("rs")), charge), *body]),
            ]
        )

    def _question(self, step: Question, after: Names) -> list[ast.stmt]:
        m = self.m
        name = m.local(step.name)
        chosen = live(step.then, after)
        needed = (chosen - {step.name}) | step.reads
        point = self._new_point(step, needed, step.decision)
        value = m.temp()

        def asked() -> list[ast.stmt]:
            return [
                q.assign(value, step.ask()),
                *self._suspend(value, needed, point),
                q.assign(name, q.name(value)),
            ]

        made = step.alone(asked)
        prepare = step.prepare()
        if not self._resume:
            then = [*made, *self._block(step.then, after)]
            if step.some is None:
                return [*prepare, *then]
            nothing = q.assign(name, q.const(None))
            return [
                *prepare,
                q.if_(step.some(), then, [nothing, *self._block(step.otherwise, after)]),
            ]
        rs = q.name("rs")
        here = q.compare(rs, "==", q.const(point))
        take: list[ast.stmt] = [
            q.assign("rs", q.const(0)),
            q.assign(name, q.method(q.name(G), "take", q.name(S))),
        ]
        answered = q.and_([here, q.attribute(q.name(G), "answered")])
        # Without an answer (a game just read from a file) the question is put again.
        then_block = self._block(step.then, after)
        last = self._point
        again = [q.if_(here, [q.assign("rs", q.const(0))])]
        ask_now = [q.if_(answered, take, [*again, q.if_(q.not_(rs), made)])]
        if step.some is None:
            ask = [q.if_(answered, take, [*again, q.if_(q.not_(rs), [*prepare, *made])])]
            return self._around([*ask, *then_block])
        unanswered = [q.if_(q.not_(rs), [q.assign(name, q.const(None))])]
        otherwise = self._block(step.otherwise, after)
        fresh = q.if_(q.or_([q.not_(rs), q.and_([here, q.not_(self._answered())])]), prepare)
        inside = q.if_else(
            rs,
            q.or_(
                [
                    q.and_([here, q.or_([self._answered(), step.some()])]),
                    q.and_(
                        [
                            q.compare(rs, ">", q.const(point)),
                            q.compare(rs, "<=", q.const(last)),
                        ]
                    ),
                ]
            ),
            step.some(),
        )
        return self._around(
            [fresh, q.if_(inside, [*ask_now, *then_block], [*again, *unanswered, *otherwise])]
        )

    def _answered(self) -> ast.expr:
        return q.attribute(q.name(G), "answered")


def _charge_once(block: list[ast.stmt], made: list[ast.stmt]) -> None:
    """Add statements; what they charge at their start is charged together with what was charged just before."""
    before, now = _charged(block[-1:]), _charged(made[:1])
    if before and now:
        block[-1] = q.add_attribute(q.name(G), "lines", "-", q.const(before + now))
        made = made[1:]
    block.extend(made)


def _charged(statement: list[ast.stmt]) -> int:
    """How many lines a statement charges that does nothing else; 0 for all others."""
    match statement:
        case [
            ast.AugAssign(target=ast.Attribute(attr="lines"), value=ast.Constant(value=int(cost)))
        ]:
            return cost
        case _:
            return 0


def _constant(start: list[ast.stmt]) -> tuple[object, ...] | None:
    """The constant tuple that is walked over, if nothing else is worked out."""
    last = start[-1]
    if len(start) == 1 and isinstance(last, ast.Assign) and isinstance(last.value, ast.Constant):
        value: object = last.value.value
        return value if isinstance(value, tuple) else None
    return None
