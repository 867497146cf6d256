"""Statements: what happens, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.changes import Changes
from rulelang.lowering.context import is_broken
from rulelang.ruletypes import is_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulelang.lowering.context import DoingBuilder
    from rulelang.lowering.scope import Scope

GIVEN_DOINGS = ("nothing", "shuffle", "win", "show")

_ILLEGAL_DOING: Final = "R0105"


class Statements(Changes):
    """Lowers statements; decisions are in :class:`rulelang.lowering.decisions.Decisions`."""

    def body(self, node: nodes.Body, scope: Scope) -> ir.Block:
        """Lower a block in the scope given: its names and facts stay there."""
        lowered: list[ir.Stmt] = []
        for statement in node.statements:
            lowered += self.statement(statement, scope)
        return tuple(lowered)

    def statement(self, node: nodes.Stmt, scope: Scope) -> list[ir.Stmt]:
        """Lower one statement; draws in its expressions come before it."""
        method = _METHODS.get(type(node))
        if method is None:
            return []
        draws: list[ir.Stmt] = []
        scope.before = draws if isinstance(node, nodes.LetStmt | nodes.EachStmt) else None
        made = method(self, node, scope)
        scope.before = None
        span, cites = self.ctx.span(node), self.ctx.cites(node)
        if made and cites:
            made[0] = evolve(made[0], cites=(*cites, *made[0].cites))
        return draws + [
            evolve(stmt, span=span) if stmt.span == ir.NOWHERE else stmt for stmt in made
        ]

    def _do(self, node: nodes.DoStmt, scope: Scope) -> list[ir.Stmt]:
        name = node.name.text
        if name in GIVEN_DOINGS and self.ctx.symbol(name) is None:
            return self._do_given(node, scope)
        number = self.ctx.doing_numbers.get(name)
        if number is None:
            symbol = self.ctx.symbol(name)
            if symbol is not None:
                self.ctx.error(
                    "misplaced-do",
                    node.name,
                    f"`{name}` is no doing",
                    advice="`do` runs effects, phases and actions",
                )
            else:
                self.ctx.unknown(node.name, "doing", [*self.ctx.doing_numbers, *GIVEN_DOINGS])
            return []
        doing = self.ctx.doings[number]
        args = self._doing_args(doing, node.name, node.args, scope)
        if args is None:
            return []
        scope.forget()
        out: list[ir.Stmt] = []
        if doing.permission is not None:
            held: list[ir.Expr] = []
            for arg in args:
                value, out = self._held(arg, scope, out)
                held.append(value)
            legal = ir.CallDef(doing.permission, tuple(held), type=ir.FLAG)
            self.ctx.definitions[doing.permission].used = True
            fault = ir.Fault(f"`{name}` is not legal now", _ILLEGAL_DOING, span=self.ctx.span(node))
            return [
                *out,
                ir.If(ir.Not(legal, type=ir.FLAG), (fault,)),
                ir.Call(number, tuple(held)),
            ]
        return [ir.Call(number, args)]

    def _do_given(self, node: nodes.DoStmt, scope: Scope) -> list[ir.Stmt]:
        names = {
            "nothing": (),
            "shuffle": ("pile",),
            "win": ("players",),
            "show": ("things", "players"),
        }[node.name.text]
        if len(node.args) != len(names):
            self.wrong_count(node.name, names, len(node.args))
            return []
        players = ruletypes.set_of(ruletypes.thing(0))
        match node.name.text:
            case "shuffle":
                pile = self.expr(node.args[0], scope)
                if is_broken(pile):
                    return []
                if not isinstance(pile, ir.FieldGet) or pile.type.shape != "list":
                    self.ctx.error("wrong-arguments", node.args[0], "only a pile can be shuffled")
                    return []
                self.ctx.mark_written(pile.fields)
                name = self.ctx.tables.fields[pile.fields[0]].name
                path = self.draw_path(scope, name, node)
                scope.forget()
                return [ir.Shuffle(path, pile.obj, pile.fields)]
            case "win":
                winners = self.value(node.args[0], scope, players, "the winners")
                return [] if is_broken(winners) else [ir.Win(winners)]
            case "show":
                things = self.collection(node.args[0], scope, "`show`")
                to = self.value(node.args[1], scope, players, "those it is shown to")
                return [] if is_broken(things, to) else [ir.Show(things, to)]
            case _:
                return []

    def _end(self, node: nodes.EndStmt, scope: Scope) -> list[ir.Stmt]:
        number = self.ctx.doing_numbers.get(node.name.text)
        if number is None or self.ctx.doings[number].kind == "row":
            self.ctx.error(
                "misplaced-end",
                node.name,
                f"`{node.name.text}` is nothing that can be ended",
                label="only effects, phases and actions can",
            )
            return []
        doing = self.ctx.doings[number]
        scope.ended = True
        if doing.result is None:
            if node.value is not None:
                self.ctx.error("misplaced-end", node.value, f"`{doing.name}` gives no result")
            return [ir.End(number)]
        if node.value is None:
            self.ctx.error(
                "misplaced-end",
                node,
                f"`{doing.name}` gives {self.ctx.say(doing.result)}, and no value is given here",
                advice=f"`end {doing.name} with ...`",
            )
            return []
        value = self.value(node.value, scope, doing.result, f"the result of `{doing.name}`")
        return [] if is_broken(value) else [ir.End(number, value)]

    def _if(self, node: nodes.IfStmt, scope: Scope) -> list[ir.Stmt]:
        return [self._branch(node, 0, scope)]

    def _branch(self, node: nodes.IfStmt, index: int, scope: Scope) -> ir.Stmt:
        branch = node.branches[index]
        cond = self.condition(branch.condition, scope)
        then_scope, else_scope = scope.child(), scope.child()
        then_scope.learn(cond, holds=True)
        else_scope.learn(cond, holds=False)
        then = self.body(branch.body, then_scope)
        if index + 1 < len(node.branches):
            orelse: ir.Block = (self._branch(node, index + 1, else_scope),)
        elif node.otherwise is not None:
            orelse = self.body(node.otherwise, else_scope)
        else:
            orelse = ()
        self._after_branches(scope, [then_scope, else_scope])
        cites = self.ctx.cites(branch)
        return ir.If(cond, then, orelse, cites=cites, span=self.ctx.span(branch))

    @staticmethod
    def _after_branches(scope: Scope, branches: Sequence[Scope]) -> None:
        """Go on after branches: with what is known in all that go on."""
        going = [branch for branch in branches if not branch.ended]
        if not going:
            scope.ended = True
            return
        first = going[0]
        facts = {
            key: kind
            for key, kind in first.facts.items()
            if all(branch.facts.get(key) == kind for branch in going[1:])
        }
        filled = set(first.filled)
        covers = set(first.covers)
        for branch in going[1:]:
            filled &= branch.filled
            covers &= branch.covers
        scope.facts.clear()
        scope.facts.update(facts)
        scope.filled, scope.covers = filled, covers

    def _each(self, node: nodes.EachStmt, scope: Scope) -> list[ir.Stmt]:
        source = self.expr(node.source, scope)
        draws, scope.before = scope.before, None
        del draws
        if is_broken(source):
            return []
        if node.second is not None:
            return self._each_of_bag(node, source, scope)
        if source.type.shape == "bag":
            source = ir.BagWords(source, type=ruletypes.set_of(ruletypes.word(source.type.enum)))
        if not is_collection(source.type):
            self.ctx.error(
                "wrong-arguments",
                node.source,
                "`each` goes through a set or a list",
                label=f"this is {self.ctx.say(source.type)}",
            )
            return []
        scope.forget(_changed_in(node.body, scope))
        inner = scope.child()
        elem = source.type.elem or ir.NUMBER
        target = self.bind(node.name, elem, inner)
        body = self.body(node.body, inner)
        scope.forget()
        if isinstance(target, ir.Local):
            return [ir.Each(target.name, source, body)]
        name = scope.function.fresh(f"${node.name.text}")
        return [ir.Each(name, source, (self.store(target, ir.Local(name, type=elem)), *body))]

    def _each_of_bag(self, node: nodes.EachStmt, source: ir.Expr, scope: Scope) -> list[ir.Stmt]:
        assert node.second is not None
        if source.type.shape != "bag":
            self.ctx.error(
                "wrong-arguments",
                node.source,
                "two names go through a bag",
                label=f"this is {self.ctx.say(source.type)}",
            )
            return []
        out: list[ir.Stmt] = []
        source, out = self._held(source, scope, out)
        scope.forget(_changed_in(node.body, scope))
        inner = scope.child()
        kind = ruletypes.word(source.type.enum)
        word = self.bind(node.name, kind, inner)
        number = self.bind(node.second, ir.COUNT, inner)
        name = word.name if isinstance(word, ir.Local) else scope.function.fresh("$word")
        one = ir.Local(name, type=kind)
        first: list[ir.Stmt] = [] if isinstance(word, ir.Local) else [self.store(word, one)]
        first.append(self.store(number, ir.BagItem(source, one, type=ir.COUNT)))
        body = self.body(node.body, inner)
        scope.forget()
        return [
            *out,
            ir.Each(name, ir.BagWords(source, type=ruletypes.set_of(kind)), (*first, *body)),
        ]

    def _while(self, node: nodes.WhileStmt, scope: Scope) -> list[ir.Stmt]:
        scope.forget(_changed_in(node.body, scope))
        cond = self.condition(node.condition, scope)
        inner = scope.child()
        inner.learn(cond, holds=True)
        body = self.body(node.body, inner)
        scope.forget()
        if isinstance(cond, ir.Const) and cond.value is True:
            scope.ended = True
            if not self._can_end(body):
                self.ctx.error(
                    "endless-while",
                    node,
                    "nothing inside can end this loop",
                    advice="`end NAME` leaves the doing, `end game` the game",
                )
        scope.learn(cond, holds=False)
        return [] if is_broken(cond) else [ir.While(cond, body)]

    def _can_end(self, body: ir.Block) -> bool:
        """Tell whether a block has an `end`, a decision or a call in it (silence where nothing is
        shown)."""
        for stmt in body:
            match stmt:
                case ir.End() | ir.Call() | ir.Ask() | ir.Fault():
                    return True
                case ir.If(then=then, orelse=orelse) if self._can_end(then) or self._can_end(
                    orelse
                ):
                    return True
                case ir.Each(body=inner) | ir.While(body=inner) if self._can_end(inner):
                    return True
                case ir.Match(rows=rows) if any(self._can_end(block) for _, block in rows):
                    return True
                case _:
                    pass
        return False

    def _step(self, node: nodes.StepStmt, scope: Scope) -> list[ir.Stmt]:
        phase = scope.function.doing
        number = phase.steps.get(node.name.text) if phase is not None else None
        if number is None:
            self.ctx.error(
                "unexpected-word",
                node,
                "a step can stand in a phase only",
                advice="give it an effect of its own",
            )
            return []
        self.lower_step(self.ctx.doings[number], node, scope)
        scope.forget()
        return [ir.Call(number, ())]

    def lower_step(self, step: DoingBuilder, node: nodes.StepStmt, scope: Scope) -> None:
        """Lower the body of a step; names that it binds for its phase are added to ``scope``."""
        raise NotImplementedError

    def lasting(self, node: nodes.LastingStmt, scope: Scope) -> list[ir.Stmt]:
        """Lower a block of rules with a duration."""
        raise NotImplementedError

    def decision(self, node: nodes.Stmt, scope: Scope) -> list[ir.Stmt]:
        """Lower a decision."""
        raise NotImplementedError


def _changed_in(body: nodes.Body, scope: Scope) -> tuple[str, ...]:
    """Give the locals that a loop may change: what is known of them may be over in its next
    round."""
    changed: list[str] = []
    for part in nodes.walk(body):
        if isinstance(part, nodes.BecomeStmt) and isinstance(part.place, nodes.Name):
            var = scope.vars.get(part.place.ident.text)
            if var is not None and isinstance(var.value, ir.Local):
                changed.append(var.value.name)
    return tuple(changed)


_METHODS: dict[type, Callable[[Statements, Any, Scope], list[ir.Stmt]]] = {
    nodes.LetStmt: Statements._let,
    nodes.BecomeStmt: Statements._become,
    nodes.GainStmt: Statements._gain,
    nodes.LoseStmt: Statements._gain,
    nodes.MoveStmt: Statements._move,
    nodes.DoStmt: Statements._do,
    nodes.EndStmt: Statements._end,
    nodes.IfStmt: Statements._if,
    nodes.EachStmt: Statements._each,
    nodes.WhileStmt: Statements._while,
    nodes.StepStmt: Statements._step,
    nodes.LastingStmt: lambda self, node, scope: self.lasting(node, scope),
    nodes.ChooseStmt: lambda self, node, scope: self.decision(node, scope),
    nodes.MayStmt: lambda self, node, scope: self.decision(node, scope),
    nodes.OptionsStmt: lambda self, node, scope: self.decision(node, scope),
    nodes.TakeActionStmt: lambda self, node, scope: self.decision(node, scope),
    nodes.SecretlyStmt: lambda self, node, scope: self.decision(node, scope),
}
