"""Decisions that a seat without a person can reach and that have no policy.

One bit for each local and global that holds players: may one of them be an automa? Bits start at no
and only rise; the tests of `automa` on the way keep them down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulelang import ir
from rulelang.checker.graph import blocks, parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulelang.checker.graph import Graph

Env = dict[str, bool]


def check(graph: Graph) -> None:
    """Report decisions without a policy that an automa can reach; only games with `seats` have
    automas."""
    game = graph.ctx.tables.game
    if game is None or not any(setting.name.text == "seats" for setting in game.settings):
        return
    found = _Automas(graph)
    found.solve()
    for ask, how in found.bare.values():
        graph.ctx.error(
            "missing-policy",
            graph.place(ask.span),
            "an automa can be asked this, and no policy says what it answers",
            label=f"reached by {how}",
            advice="add `automa ...` to the decision, or keep automas out: `if not player.automa:`",
        )


@define(eq=False)
class _Automas:
    graph: Graph
    params: list[dict[str, bool]] = field(factory=list)
    values: dict[int, bool] = field(factory=dict)
    definitions: dict[tuple[int, tuple[bool, ...]], bool] = field(factory=dict)
    bare: dict[int, tuple[ir.Ask, str]] = field(factory=dict)
    questions: dict[str, ir.Ask] = field(factory=dict)
    changed: bool = False
    raised: set[int] = field(factory=set)

    def solve(self) -> None:
        """Walk all doings until no bit rises."""
        self.params = [
            dict.fromkeys((param.name for param in doing.params), False)
            for doing in self.graph.doings
        ]
        reached = self._reached()
        self.changed = True
        while self.changed or self.raised:
            # What a doing does depends on its parameters and on kept values: where none of these rose it does the same.
            everything, self.changed = self.changed, False
            if everything:
                self.definitions.clear()
            for number in reached:
                if everything or number in self.raised:
                    self.raised.discard(number)
                    self._doing(self.graph.doings[number])
            self.raised.intersection_update(reached)
            if not everything:
                continue
            for rule in self.graph.state_rules:
                env: Env = {}
                for name, source in rule.vars:
                    env[name] = self.bit(source, env)
                for name, value in rule.lets:
                    env[name] = self.bit(value, env)
                self._learn(rule.cond, env, holds=True)
                self._pass(rule.doing, rule.args, env)

    def _reached(self) -> list[int]:
        reached = set(self.graph.below(0))
        return sorted(reached)

    def _raise_param(self, doing: int, name: str) -> None:
        if not self.params[doing].get(name, True):
            self.params[doing][name] = True
            self.raised.add(doing)

    def _pass(self, doing: int, args: tuple[ir.Expr, ...], env: Env) -> None:
        for param, arg in zip(self.graph.doings[doing].params, args, strict=False):
            if self.bit(arg, env):
                self._raise_param(doing, param.name)

    def _doing(self, doing: ir.Doing) -> None:
        self.questions.clear()
        env: Env = dict(self.params[doing.index])
        for param, number in zip(doing.params, doing.param_globals, strict=False):
            self._write(number, value=env[param.name])
        for hook in (*doing.before, *doing.instead, *doing.after):
            inner = dict(env)
            for name, value in hook.lets:
                inner[name] = self.bit(value, inner)
            if hook.guard is not None:
                self._learn(hook.guard, inner, holds=True)
            if hook.ask is not None:
                self._ask(hook.ask, inner, doing)
                self._declined(hook.ask, inner)
            self._pass(hook.doing, hook.args, inner)
        self._block(doing.body, env, doing)

    def _write(self, number: int, *, value: bool) -> None:
        if value and not self.values.get(number, False):
            self.values[number] = True
            self.changed = True

    def _block(self, block: ir.Block, env: Env, doing: ir.Doing) -> bool:
        """Walk a block; tells whether it surely leaves (then what follows an `if` knows more)."""
        return any(self._statement(stmt, env, doing) for stmt in block)

    def _statement(self, stmt: ir.Stmt, env: Env, doing: ir.Doing) -> bool:
        match stmt:
            case ir.Let(name=name, value=value):
                env[name] = self.bit(value, env) or (
                    env.get(name, False) and name in self.params[doing.index]
                )
            case ir.Pick(name=name, source=source):
                env[name] = self.bit(source, env)
            case ir.SetGlobal(index=index, value=value):
                self._write(index, value=self.bit(value, env))
            case ir.Call(doing=called, args=args, result=result):
                self._pass(called, args, env)
                if result is not None:
                    env[result] = True
            case ir.Ask():
                self._ask(stmt, env, doing)
                self.questions[stmt.name] = stmt
                env[stmt.name] = self.bit(stmt.options, env) if stmt.options is not None else True
                for inner in blocks(stmt):
                    self._block(inner, dict(env), doing)
            case ir.If(cond=ir.Local(name=name), then=then, orelse=orelse) if (
                name in self.questions
            ):
                yes, no = dict(env), dict(env)
                self._declined(self.questions[name], yes)
                return self._branches(env, doing, [(then, yes), (orelse, no)])
            case ir.If(cond=cond, then=then, orelse=orelse):
                yes, no = dict(env), dict(env)
                self._learn(cond, yes, holds=True)
                self._learn(cond, no, holds=False)
                return self._branches(env, doing, [(then, yes), (orelse, no)])
            case ir.Each(name=name, source=source, body=body):
                env[name] = self.bit(source, env)
                self._loop(body, env, doing)
            case ir.While(body=body):
                self._loop(body, env, doing)
            case ir.Match(rows=rows):
                for _, block in rows:
                    self._block(block, dict(env), doing)
            case ir.End():
                return True
            case _:
                pass
        return False

    def _branches(self, env: Env, doing: ir.Doing, sides: list[tuple[ir.Block, Env]]) -> bool:
        going = [side for block, side in sides if not self._block(block, side, doing)]
        if going:
            self._merge(env, going)
        return not going

    @staticmethod
    def _declined(ask: ir.Ask, env: Env) -> None:
        """An automa whose policy is `no` does not go on past a question."""
        if (
            isinstance(ask.chooser, ir.Local)
            and isinstance(ask.yes_when, ir.Const)
            and ask.yes_when.value is False
        ):
            env[ask.chooser.name] = False

    def _loop(self, body: ir.Block, env: Env, doing: ir.Doing) -> None:
        for _ in range(2):  # what the body binds may come round again
            inner = dict(env)
            self._block(body, inner, doing)
            self._merge(env, [env, inner])

    @staticmethod
    def _merge(env: Env, sides: list[Env]) -> None:
        names = {name for side in sides for name in side}
        merged = {name: any(side.get(name, False) for side in sides) for name in names}
        env.clear()
        env.update(merged)

    def _learn(self, cond: ir.Expr, env: Env, *, holds: bool) -> None:
        match cond:
            case ir.Not(value=value):
                self._learn(value, env, holds=not holds)
            case ir.And() if holds:
                for part in parts(cond):
                    self._learn(part, env, holds=True)
            case ir.Or(parts=alternatives) if not holds:
                for part in alternatives:
                    self._learn(part, env, holds=False)
            case ir.FieldGet(obj=ir.Local(name=name), fields=fields) if (
                self._is_automa(fields) and not holds
            ):
                env[name] = False
            case ir.Contains(item=ir.Local(name=name), source=source) if holds and not self.bit(
                source, env
            ):
                env[name] = False
            case ir.CallDef(definition=number, args=args) if holds:
                definition = self.graph.definitions[number]
                inner = {
                    param.name: self.bit(arg, env)
                    for param, arg in zip(definition.params, args, strict=True)
                }
                before = dict(inner)
                body = definition.body
                if not isinstance(body, ir.Exceptional):
                    self._learn(body, inner, holds=True)
                for param, arg in zip(definition.params, args, strict=True):
                    if isinstance(arg, ir.Local) and before[param.name] and not inner[param.name]:
                        env[arg.name] = False
            case _:
                pass

    def _is_automa(self, fields: tuple[int, ...]) -> bool:
        return fields == (self.graph.ctx.tables.field_numbers[0, "automa"],)

    def bit(self, expr: ir.Expr, env: Mapping[str, bool]) -> bool:
        """May this be, or hold, an automa?"""
        if not self._holds_players(expr.type):
            return False
        match expr:
            case ir.Local(name=name):
                return env.get(name, True)
            case ir.GlobalGet(index=index):
                return self.values.get(index, False)
            case ir.Where(source=source, var=var, cond=cond):
                inner = {**env, var: self.bit(source, env)}
                self._learn(cond, inner, holds=True)
                return inner[var]
            case (
                ir.Best()
                | ir.Sorted()
                | ir.AsSet()
                | ir.One()
                | ir.Take()
                | ir.PlacedAt()
                | ir.InBox()
                | ir.Item()
            ):
                return self.bit(expr.source, env)
            case ir.Minus(left=left):
                return self.bit(left, env)
            case ir.Union() | ir.Concat():
                return self.bit(expr.left, env) or self.bit(expr.right, env)
            case ir.MakeSet(items=items) | ir.MakeList(items=items):
                return any(self.bit(item, env) for item in items)
            case ir.Const(value=value):
                return value not in ((), None)
            case ir.Case(arms=arms, otherwise=otherwise):
                return self.bit(otherwise, env) or any(self.bit(value, env) for _, value in arms)
            case ir.Exceptional(general=general, clauses=clauses):
                return self.bit(general, env) or any(
                    self.bit(clause.value, {}) for clause in clauses
                )
            case ir.CallDef(definition=number, args=args):
                return self._called(number, tuple(self.bit(arg, env) for arg in args))
            case ir.LetIn(name=name, value=value, body=body):
                return self.bit(body, {**env, name: self.bit(value, env)})
            case _:
                return True

    def _called(self, number: int, bits: tuple[bool, ...]) -> bool:
        known = self.definitions.get((number, bits))
        if known is None:
            self.definitions[number, bits] = False
            definition = self.graph.definitions[number]
            env = {param.name: bit for param, bit in zip(definition.params, bits, strict=True)}
            known = self.definitions[number, bits] = self.bit(definition.body, env)
        return known

    @staticmethod
    def _holds_players(kind: ir.Type) -> bool:
        while kind.elem is not None:
            kind = kind.elem
        return (
            kind.shape == "none"
            or (kind.shape == "thing" and 0 in kind.kinds)
            or kind.shape == "number"
        )

    def _ask(self, ask: ir.Ask, env: Env, doing: ir.Doing) -> None:
        if self.bit(ask.chooser, env) and not _has_policy(ask):
            self.bare.setdefault(ask.decision, (ask, f"`{doing.name}`"))


def _has_policy(ask: ir.Ask) -> bool:
    named = any(alternative.automa is not None for alternative in ask.alternatives)
    wanted = bool(ask.instances) and all(each.utility is not None for each in ask.instances)
    return ask.policy is not None or ask.yes_when is not None or named or wanted
