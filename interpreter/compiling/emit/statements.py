"""Statements of the IR as steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.budget import weight
from interpreter.compiling.built import ROUNDS
from interpreter.compiling.emit import draws, writes
from interpreter.compiling.emit import quote as q
from interpreter.compiling.emit.asks import question
from interpreter.compiling.emit.expressions import cond, simple, value
from interpreter.compiling.emit.loops import assigned
from interpreter.compiling.emit.moves import move
from interpreter.compiling.emit.steps import Branch, Loop, Native, Repeat, Run, Step, Steps
from rulelang import ir

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from interpreter.compiling.emit.module import Module

G, S = "g", "S"
RESULT = "$result"


def result_name(doing: ir.Doing) -> str:
    """The local that holds what a doing gives; a rule about one has a parameter of that name."""
    taken = any(param.name == RESULT for param in doing.params)
    return "$out" if taken else RESULT


class Translator:
    """Translates the lines of one doing.

    Args:
        m: The module.
        doing: Number of the doing.
        inline: Is this the body inside the function of the doing (an ``end`` of the doing itself
            only sets its result), or a function of its own (which returns)?
    """

    def __init__(self, m: Module, doing: int, *, inline: bool) -> None:
        self.m = m
        self.doing = doing
        self.inline = inline
        self.result = result_name(m.program.doings[doing])
        self._whiles = 0

    def block(self, block: ir.Block) -> Steps:
        """Several lines. What follows a branch that ends goes into the other one."""
        steps: list[Step] = []
        for place, line in enumerate(block):
            rest = block[place + 1 :]
            if self.inline and self._may_finish(line):
                steps.extend(self._finishing(line, rest))
                return tuple(steps)
            steps.extend(self.line(line))
        return tuple(steps)

    def _may_finish(self, line: ir.Stmt) -> bool:
        return ends_itself(line, self.doing)

    def _finishing(self, line: ir.Stmt, rest: ir.Block) -> Steps:
        """A line that may end the doing, and what comes after it if it does not."""
        match line:
            case ir.End():
                return (self._result(line),)
            case ir.If():
                then = self.block(self._joined(line.then, rest))
                orelse = self.block(self._joined(line.orelse, rest))
                return (self._branch(line, line.cond, then, orelse),)
            case ir.Match():
                before, keys = self._keys(line)
                return (*before, *self._rows(line, keys, rest))
            case ir.Ask():
                otherwise = self.block(self._joined(line.otherwise or (), rest))
                return question(self.m, line, otherwise, self.block(rest))
            case _:
                pass
        raise AssertionError(line)

    def _joined(self, block: ir.Block, rest: ir.Block) -> ir.Block:
        return block if block and always_ends(block, self.doing) else block + rest

    def _result(self, line: ir.End) -> Step:
        m = self.m
        given = line.value
        reads = m.scopes.free(given)

        def make() -> list[ast.stmt]:
            result = q.const(None) if given is None else value(m, given)
            return [q.assign(m.local(self.result), result)]

        return Native(
            make=make,
            reads=reads,
            writes=frozenset((self.result,)),
            only_writes=given is None,
            span=line.span,
            cites=line.cites,
        )

    # -------------------------------------------------------------------------------- lines

    def line(self, line: ir.Stmt) -> Steps:
        """One line."""
        m = self.m
        match line:
            case ir.Let():
                return (
                    self.native(
                        line,
                        lambda: assigned(m, line.value, m.local(line.name)),
                        (line.value,),
                        (line.name,),
                    ),
                )
            case ir.SetGlobal():
                return (
                    self.native(
                        line,
                        lambda: writes.set_global(m, line),
                        (line.value, *values_of(line.until)),
                    ),
                )
            case ir.SetField():
                return (
                    self.native(
                        line,
                        lambda: writes.set_field(m, line),
                        (line.obj, line.key, line.value, *values_of(line.until)),
                    ),
                )
            case ir.Adjust():
                return (
                    self.native(
                        line,
                        lambda: writes.adjust(m, line),
                        (line.obj, line.amount, line.other, *values_of(line.until)),
                        (line.result,),
                    ),
                )
            case ir.AdjustGlobal():
                return (
                    self.native(
                        line, lambda: writes.adjust_global(m, line), (line.amount,), (line.result,)
                    ),
                )
            case ir.Move():
                return (self.native(line, lambda: move(m, line), (line.what, line.dest.obj)),)
            case ir.Roll():
                return (
                    self.native(
                        line, lambda: draws.roll(m, line), (line.count, line.by), (line.name,)
                    ),
                )
            case ir.Pick():
                return (
                    self.native(
                        line, lambda: draws.pick(m, line), (line.source, line.count), (line.name,)
                    ),
                )
            case ir.Shuffle():
                return (
                    self.native(
                        line, lambda: draws.shuffle(m, line), (line.obj, line.source), (line.name,)
                    ),
                )
            case ir.Show():
                return (self.native(line, lambda: self._show(line), (line.things, line.players)),)
            case ir.Win():
                return (self.native(line, lambda: self._win(line), (line.players,)),)
            case ir.Lasting():
                captured = tuple(each for _, each in line.captures)
                return (
                    self.native(
                        line, lambda: self._lasting(line), (*captured, *values_of(line.until))
                    ),
                )
            case ir.Fault():
                return (
                    self.native(
                        line,
                        lambda: [q.do(q.call("fault", q.const(line.text), q.const(line.code)))],
                        (),
                    ),
                )
            case ir.End():
                return (self._end(line),)
            case ir.Call():
                return (self._call(line),)
            case ir.If():
                return (
                    self._branch(line, line.cond, self.block(line.then), self.block(line.orelse)),
                )
            case ir.Match():
                before, keys = self._keys(line)
                return (*before, *self._rows(line, keys, ()))
            case ir.Each():
                return (self._each(line),)
            case ir.While():
                return (
                    Repeat(
                        test=lambda: cond(m, line.cond),
                        reads=m.scopes.free(line.cond),
                        body=self.block(line.body),
                        rounds=self._rounds(),
                        weight=max(weight(line.body), 1),
                        span=line.span,
                        cites=line.cites,
                    ),
                )
            case ir.Ask():
                return question(m, line, self.block(line.otherwise or ()), ())
            case _:
                pass
        raise AssertionError(line)

    def native(
        self,
        line: ir.Stmt,
        make: Callable[[], list[ast.stmt]],
        reads: tuple[ir.Expr | None, ...],
        writes_: tuple[str | None, ...] = (),
    ) -> Step:
        """A line that cannot be suspended."""
        return Native(
            make=make,
            reads=self.m.scopes.free(reads),
            writes=frozenset(name for name in writes_ if name is not None),
            span=line.span,
            cites=line.cites,
        )

    # -------------------------------------------------------------------------------- control

    def _rounds(self) -> str:
        """The counter of a ``while``; the same in every build, as frames hold it."""
        self._whiles += 1
        return f"{ROUNDS}{self._whiles}"

    def _branch(self, line: ir.Stmt, test: ir.Expr, then: Steps, orelse: Steps) -> Step:
        m = self.m
        return Branch(
            test=lambda: cond(m, test),
            reads=m.scopes.free(test),
            then=then,
            orelse=orelse,
            sound=m.sound(test),
            span=line.span,
            cites=line.cites,
        )

    def _keys(self, line: ir.Match) -> tuple[Steps, tuple[ir.Expr, ...]]:
        """Bind the keys of a table, so that they are evaluated once."""
        m = self.m
        before: list[Step] = []
        keys: list[ir.Expr] = []
        for number, key in enumerate(line.keys):
            if simple(key):
                keys.append(key)
                continue
            name = f"$key{number}"
            keys.append(ir.Local(name=name, type=key.type, span=key.span))
            before.append(
                self.native(
                    line,
                    lambda name=name, key=key: [q.assign(m.local(name), value(m, key))],  # type: ignore[misc]
                    (key,),
                    (name,),
                )
            )
        return tuple(before), tuple(keys)

    def _rows(self, line: ir.Match, keys: tuple[ir.Expr, ...], rest: ir.Block) -> Steps:
        result: Steps = (
            self.native(
                line, lambda: [q.do(q.call("fault", q.const("no row of the table fits")))], ()
            ),
        )
        for wanted, block in reversed(line.rows):
            body = self.block(self._joined(block, rest) if rest else block)
            tests = [
                (key, allowed)
                for key, allowed in zip(keys, wanted, strict=True)
                if allowed is not None
            ]
            if not tests:
                result = body
                continue
            parts = tuple(_among(key, allowed) for key, allowed in tests)
            test = parts[0] if len(parts) == 1 else ir.And(parts=parts, type=ir.FLAG)
            result = (self._branch(line, test, body, result),)
        return result

    def _each(self, line: ir.Each) -> Step:
        m = self.m

        def source(name: str) -> list[ast.stmt]:
            return assigned(m, line.source, name, listed=True)

        of = line.source.type
        few = of.shape == "set" and of.elem is not None and of.elem.shape in ("thing", "word")

        return Loop(
            name=line.name,
            source=source,
            reads=m.scopes.free(line.source),
            body=self.block(line.body),
            index=line.index,
            weight=weight(line.body),
            few=few,
            span=line.span,
            cites=line.cites,
        )

    def _call(self, line: ir.Call) -> Step:
        m = self.m
        return Run(
            make=lambda: call_doing(m, line.doing, line.args),
            reads=m.scopes.free(line.args),
            result=line.result,
            suspends=m.calls.suspends[line.doing],
            escapes=bool(m.calls.escapes[line.doing]),
            deep=m.calls.deep[line.doing],
            span=line.span,
            cites=line.cites,
        )

    def _end(self, line: ir.End) -> Step:
        m = self.m
        reads = m.scopes.free(line.value)

        def make() -> list[ast.stmt]:
            if line.doing == 0:
                return [q.raise_("GameEnd")]
            result = q.const(None) if line.value is None else value(m, line.value)
            if line.doing == self.doing:
                return [q.give(result)]
            pair = q.tuple_([q.const(line.doing), result])
            return [
                q.set_attribute(q.name(G), "ending", q.tuple_([pair])),
                q.give(q.name("ENDING")),
            ]

        return Native(make=make, reads=reads, leaves=True, span=line.span, cites=line.cites)

    # -------------------------------------------------------------------------------- the rest

    def _show(self, line: ir.Show) -> list[ast.stmt]:
        m = self.m
        made = [value(m, line.things), value(m, line.players)]
        return writes.log(m, q.const("show"), *made)

    def _win(self, line: ir.Win) -> list[ast.stmt]:
        m = self.m
        slot = q.const(m.layout.winners)
        return [
            q.set_slot(slot, q.call("players", value(m, line.players))),
            *writes.log(m, q.const("win"), q.state(slot)),
        ]

    def _lasting(self, line: ir.Lasting) -> list[ast.stmt]:
        m = self.m
        block = m.program.blocks[line.block]
        captured = dict(line.captures)
        values = q.tuple_([value(m, captured[name]) for name in block.names])
        call = q.method(
            q.name(G),
            "add_row",
            q.name(S),
            q.const(line.block),
            values,
            writes.limits(m, line.until),
        )
        return [q.do(call), *writes.mark(m, blocks=(line.block,))]


def values_of(until: tuple[ir.Limit, ...]) -> tuple[ir.Expr, ...]:
    """The expressions in limits."""
    return tuple(each for limit in until for each in limit.values)


def call_doing(m: Module, doing: int, args: tuple[ir.Expr, ...]) -> ast.expr:
    """Call the function of a doing, the arguments tested against its parameters."""
    declared = m.program.doings[doing]
    given = [
        writes.checked(m, arg, param.type, f"{param.name} of {declared.name}")
        for param, arg in zip(declared.params, args, strict=True)
    ]
    return q.call(f"d{doing}", q.name(G), q.name(S), *given)


def _among(key: ir.Expr, allowed: frozenset[object]) -> ir.Expr:
    parts = tuple(
        ir.Compare(
            op="==",
            left=key,
            right=ir.Const(value=each, type=key.type),
            type=ir.FLAG,
            span=key.span,
        )
        for each in sorted(allowed, key=repr)
    )
    if len(parts) == 1:
        return parts[0]
    if any(each is None or isinstance(each, bool) for each in allowed):
        return ir.Or(parts=parts, type=ir.FLAG)
    values = ir.Const(value=tuple(sorted(allowed)), type=ir.Type("set", elem=key.type))  # type: ignore[type-var]
    return ir.Contains(item=key, source=values, type=ir.FLAG, span=key.span)


def ends_itself(line: ir.Stmt, doing: int) -> bool:
    """Can this line end the doing it stands in?"""
    match line:
        case ir.End():
            return line.doing == doing != 0
        case ir.If():
            return any(ends_itself(each, doing) for each in (*line.then, *line.orelse))
        case ir.Match():
            return any(ends_itself(each, doing) for _, row in line.rows for each in row)
        case ir.Each() | ir.While():
            return any(ends_itself(each, doing) for each in line.body)
        case ir.Ask():
            return any(ends_itself(each, doing) for each in line.otherwise or ())
        case _:
            pass
    return False


def always_ends(block: ir.Block, doing: int) -> bool:
    """Does this block end the doing, whichever way it takes?"""
    for line in block:
        match line:
            case ir.End():
                return True
            case ir.If() if always_ends(line.then, doing) and always_ends(line.orelse, doing):
                return True
            case ir.Match() if all(always_ends(row, doing) for _, row in line.rows):
                return True
    return False


def structurable(block: ir.Block, doing: int) -> bool:
    """Can every ``end`` of the doing be put at the end of its text without copying lines?"""
    for place, line in enumerate(block):
        if not ends_itself(line, doing):
            continue
        last = place == len(block) - 1
        match line:
            case ir.End():
                return True
            case ir.If():
                branches = [line.then, line.orelse]
            case ir.Match():
                branches = [row for _, row in line.rows]
            case ir.Ask():
                branches = [line.otherwise or (), ()]
            case _:
                return False
        going_on = sum(not always_ends(each, doing) for each in branches)
        if going_on > 1 and not last:
            return False
        if not all(structurable(each, doing) for each in branches):
            return False
    return True


def ends_in_loop(block: ir.Block, doing: int) -> bool:
    """Does an ``end`` of the doing itself stand in a loop?"""
    for line in block:
        match line:
            case ir.Each() | ir.While():
                if ends_itself(line, doing):
                    return True
            case ir.If():
                if ends_in_loop(line.then, doing) or ends_in_loop(line.orelse, doing):
                    return True
            case ir.Match():
                if any(ends_in_loop(row, doing) for _, row in line.rows):
                    return True
            case ir.Ask():
                if ends_in_loop(line.otherwise or (), doing):
                    return True
            case _:
                pass
    return False


__all__ = ["RESULT", "Translator", "call_doing", "ends_in_loop"]
