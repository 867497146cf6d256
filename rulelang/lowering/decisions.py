"""Decisions: what somebody is asked, what can be answered, and what an automa answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import evolve, fields

from rulelang import ir, nodes, ruletypes
from rulelang.binding.context import BROKEN
from rulelang.lowering.context import is_broken
from rulelang.lowering.scope import Scope, Var
from rulelang.lowering.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.ir import Type

_HOLE = re.compile(r"\{([^{}]*)\}")
_PATH = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
PLAYER = ruletypes.thing(0)


class Decisions(Statements):
    """Lowers the statements that ask somebody."""

    def decision(self, node: nodes.Stmt, scope: Scope) -> list[ir.Stmt]:
        """Lower a decision."""
        match node:
            case nodes.ChooseStmt():
                return self._choose(node, scope)
            case nodes.MayStmt():
                return self._may(node, scope)
            case nodes.OptionsStmt():
                return self._options(node, scope)
            case nodes.TakeActionStmt():
                return self._take_action(node, scope)
            case nodes.SecretlyStmt():
                return self._secretly(node, scope)
            case _:
                return []

    def chooser(self, node: nodes.Expr, scope: Scope) -> ir.Expr:
        """Lower who is asked."""
        return self.value(node, scope, PLAYER, "who is asked")

    def path(self, scope: Scope, name: str) -> str:
        """Give the path of a decision."""
        return f"{scope.function.path}.{name}" if scope.function.path else name

    def prompt(self, text: nodes.Text | None, scope: Scope) -> ir.Prompt:
        """Lower a text; `{n}` and `{port.name}` in it stand for values."""
        if text is None:
            return ir.Prompt()
        parts: list[str | ir.Expr] = []
        at = 0
        for hole in _HOLE.finditer(text.value):
            parts.append(text.value[at : hole.start()])
            at = hole.end()
            inside = hole.group(1)
            if not _PATH.fullmatch(inside):
                self.ctx.error(
                    "unexpected-word",
                    text,
                    f"`{{{inside}}}` is no name",
                    advice="in a text one name or path may stand in braces: `{n}`, `{port.goods}`",
                )
                continue
            value = self._path_value(inside, text, scope)
            if not is_broken(value):
                parts.append(value)
        parts.append(text.value[at:])
        return ir.Prompt(tuple(part for part in parts if part != ""))

    def _path_value(self, path: str, text: nodes.Text, scope: Scope) -> ir.Expr:
        first, *rest = path.split(".")
        if rest and rest[-1] == "name":
            rest.pop()  # a thing is shown by its name
        found: nodes.Expr = nodes.Name(text.span, nodes.Ident(text.span, first))
        for name in rest:
            found = nodes.Prop(text.span, found, nodes.Ident(text.span, name))
        return self.expr(found, scope)

    # ----------------------------------------------------------------------------------- one, a set

    def _choose(self, node: nodes.ChooseStmt, scope: Scope) -> list[ir.Stmt]:
        chooser = self.chooser(node.who, scope)
        asked = self._ask(node.choice, chooser, scope, node)
        if asked is None:
            self.bind(node.choice.name, BROKEN, scope, changes=True)
            return []
        ask, kind, offered = asked
        if node.otherwise is not None:
            inner = scope.child()
            otherwise = tuple(self.statement(node.otherwise, inner))
            ask = evolve(ask, otherwise=otherwise)
            if not inner.ended:
                kind = ruletypes.or_none(kind)
                scope.forget()
        elif not offered:
            self._warn_empty(node, ask, scope)
        target = self.bind(node.choice.name, kind, scope, changes=True)
        return self._bound(ask, target)

    def _warn_empty(self, node: nodes.ChooseStmt, ask: ir.Ask, scope: Scope) -> None:
        source = ask.options
        if source is None or scope.is_filled(source):
            return
        if isinstance(source, ir.MapOp) and source.op == "within":
            return  # the place itself is always within reach
        if isinstance(source, ir.Const) and source.value == ():
            self.ctx.error(
                "optionless-decision",
                node,
                "there is never anything to choose from here",
                label="this set is always empty",
                advice="add `else ...`, or choose from another set",
            )
            return
        self.ctx.warning(
            "optionless-decision",
            node,
            "there may be nothing to choose from here",
            label="nothing above shows that there is an option",
            advice="add `else ...` to say what happens then, or test it first",
        )

    @staticmethod
    def _bound(ask: ir.Ask, target: ir.Expr) -> list[ir.Stmt]:
        if isinstance(target, ir.Local):
            renamed = evolve(ask, name=target.name)
            if ask.whole is not None:
                renamed = evolve(renamed, whole=_rename_local(ask.whole, ask.name, target.name))
            return [_empty_without_answer(renamed, target.type)]
        assert isinstance(target, ir.GlobalGet)
        ask = _empty_without_answer(ask, target.type)
        return [ask, ir.SetGlobal(target.index, ir.Local(ask.name, type=target.type))]

    def _ask(
        self,
        choice: nodes.Choice,
        chooser: ir.Expr,
        scope: Scope,
        node: nodes.Cited,
        *,
        secret: bool = False,
    ) -> tuple[ir.Ask, Type, bool] | None:
        """Lower a choice. Gives the question, the type of the answer, and whether there is surely
        one."""
        source = self.collection(choice.source, scope, "`from`")
        if is_broken(source, chooser):
            return None
        elem = source.type.elem or ir.NUMBER
        at_least, at_most = self._how_many(choice.count, scope)
        single = choice.count is None
        kind = elem if single else ruletypes.set_of(elem)
        name = scope.function.fresh(f"${choice.name.text}")
        whole: ir.Expr | None = None
        if choice.condition is not None:
            inner = scope.child()
            inner.vars[choice.name.text] = Var(
                choice.name.text, ir.Local(name, type=kind), choice.name.span
            )
            whole = self.condition(choice.condition, inner)
            if is_broken(whole):
                return None
        if single and whole is not None:  # a condition on a single answer is one on each option
            var = scope.function.fresh("it")
            cond = _rename_local(whole, name, var)
            source = ir.Where(source, var, cond, type=source.type)
            whole = None
        cites = self.ctx.cites(node)
        number = self.ctx.new_decision(
            self.path(scope, choice.name.text),
            "one" if single else "set",
            elem,
            node,
            cites,
            secret=secret,
        )
        ask = ir.Ask(
            number,
            chooser,
            name,
            prompt=self.prompt(choice.text, scope),
            options=source,
            at_least=at_least,
            at_most=at_most,
            whole=whole,
            policy=self.policy(choice, source, scope, single=single),
            span=self.ctx.span(choice),
        )
        none_needed = not single and (
            at_least is None or (isinstance(at_least, ir.Const) and at_least.value == 0)
        )
        offered = (none_needed and whole is None) or _is_full(source)
        return ask, kind, offered

    def _how_many(
        self, count: nodes.Count | None, scope: Scope
    ) -> tuple[ir.Expr | None, ir.Expr | None]:
        match count:
            case None:
                return None, None
            case nodes.CountExact(value=value):
                number = self.number(value, scope, "the number chosen")
                return number, number
            case nodes.CountRange(low=low, high=high):
                return self.number(low, scope, "the least number"), self.number(
                    high, scope, "the greatest number"
                )
            case nodes.CountAtLeast(value=value):
                return self.number(value, scope, "the least number"), None
            case _:
                return ir.Const(0, type=ir.COUNT), None

    def policy(
        self, choice: nodes.Choice, source: ir.Expr, scope: Scope, *, single: bool
    ) -> ir.Policy | None:
        """Lower an automa's policy for a choice."""
        ordering = choice.policy
        if ordering is None:
            return None
        wanted: ir.Key | None = None
        if choice.wanted is not None:
            if single:
                self.ctx.error(
                    "wrong-policy", choice.wanted, "`where` is for a choice of several only"
                )
            var, inner = self._looking(source, scope)
            cond = self.condition(choice.wanted, inner)
            if not is_broken(cond):
                wanted = ir.Key(var, cond, highest=True)
        first = ordering.keys[0]
        if first.order is None and len(ordering.keys) == 1 and first.name.text == "all":
            if single:
                self.ctx.error("wrong-policy", first, "`all` answers a choice of several only")
            return ir.Policy(all=True, wanted=wanted)
        keys, chance = self.keys(ordering, source, scope, policy=True)
        path = self.draw_path(scope, "automa", chance) if chance is not None else ""
        return ir.Policy(keys, random=chance is not None, path=path, wanted=wanted)

    # ------------------------------------------------------------------------------------ yes or no

    def _may(self, node: nodes.MayStmt, scope: Scope) -> list[ir.Stmt]:
        chooser = self.chooser(node.who, scope)
        cond = self.condition(node.condition, scope) if node.condition is not None else None
        inner, other = scope.child(), scope.child()
        if cond is not None:
            inner.learn(cond, holds=True)
        name = scope.function.fresh("$may")
        ask = self.question(chooser, node.text, node.policy, inner, node, name)
        body = self.body(node.body, inner)
        orelse = self.body(node.otherwise, other) if node.otherwise is not None else ()
        self._after_branches(scope, [inner, other])
        if is_broken(chooser) or (cond is not None and is_broken(cond)):
            return []
        answer = ir.Local(name, type=ir.FLAG)
        if cond is None:
            return [ask, ir.If(answer, body, orelse)]
        asked = ir.If(cond, (ask,), (ir.Let(name, ir.Const(False, type=ir.FLAG)),))
        return [asked, ir.If(answer, body, orelse)]

    def question(
        self,
        chooser: ir.Expr,
        text: nodes.Text | None,
        policy: nodes.Expr | None,
        scope: Scope,
        node: nodes.Cited,
        name: str,
        path: str = "may",
    ) -> ir.Ask:
        """Lower a yes-or-no question."""
        number = self.ctx.new_decision(
            self.path(scope, path), "yes", ir.FLAG, node, self.ctx.cites(node)
        )
        yes_when = self.condition(policy, scope) if policy is not None else None
        return ir.Ask(
            number,
            chooser,
            name,
            prompt=self.prompt(text, scope),
            yes_when=None if yes_when is not None and is_broken(yes_when) else yes_when,
            span=self.ctx.span(text if text is not None else node),
        )

    # ------------------------------------------------------------------------- several things to do

    def _options(self, node: nodes.OptionsStmt, scope: Scope) -> list[ir.Stmt]:
        chooser = self.chooser(node.who, scope)
        name = scope.function.fresh("$choice")
        number = self.ctx.new_decision(
            self.path(scope, "options"), "label", ir.TEXT, node, self.ctx.cites(node)
        )
        alternatives: list[ir.Alternative] = []
        bodies: list[ir.Block] = []
        scopes: list[Scope] = []
        labels: dict[str, nodes.Text] = {}
        for alternative in node.alternatives:
            inner = scope.child()
            cond = (
                self.condition(alternative.condition, inner)
                if alternative.condition is not None
                else None
            )
            if cond is not None:
                inner.learn(cond, holds=True)
            automa = (
                self.condition(alternative.policy, inner)
                if alternative.policy is not None
                else None
            )
            self._same_label(alternative.label, labels)
            alternatives.append(ir.Alternative(self.prompt(alternative.label, inner), cond, automa))
            body = self.body(alternative.body, inner)
            cites = self.ctx.cites(alternative)
            if cites:
                body = (
                    ir.Let("$cited", ir.Const(0), cites=cites, span=self.ctx.span(alternative)),
                    *body,
                )
            bodies.append(body)
            scopes.append(inner)
        self._after_branches(scope, scopes)
        if is_broken(chooser):
            return []
        ask = ir.Ask(
            number,
            chooser,
            name,
            prompt=self.prompt(node.text, scope),
            alternatives=tuple(alternatives),
            span=self.ctx.span(node.text if node.text is not None else node),
        )
        if all(
            alternative.cond is not None for alternative in alternatives
        ) and not self._covers_all(alternatives):
            self.ctx.warning(
                "optionless-decision",
                node.text if node.text is not None else node,
                "there may be nothing to choose from here",
                label="every alternative has a condition",
                advice="give one alternative no `when`",
            )
        answer = ir.Local(name, type=ir.COUNT)
        chain: ir.Block = bodies[-1]
        for position in range(len(bodies) - 2, -1, -1):
            here = ir.Compare("==", answer, ir.Const(position, type=ir.COUNT), type=ir.FLAG)
            chain = (
                ir.If(
                    here, bodies[position], chain, span=self.ctx.span(node.alternatives[position])
                ),
            )
        return [ask, *chain]

    @staticmethod
    def _covers_all(alternatives: Sequence[ir.Alternative]) -> bool:
        conds = [alternative.cond for alternative in alternatives if alternative.cond is not None]
        return any(ir.Not(cond, type=ir.FLAG) in conds for cond in conds)

    def _same_label(self, label: nodes.Text, labels: dict[str, nodes.Text]) -> None:
        first = labels.setdefault(label.value, label)
        if first is not label:
            self.ctx.warning("repeated-option", label, "two alternatives have the same label")

    # -------------------------------------------------------------------------------------- actions

    def _take_action(self, node: nodes.TakeActionStmt, scope: Scope) -> list[ir.Stmt]:
        chooser = self.chooser(node.who, scope)
        name = scope.function.fresh("$action")
        instances: list[ir.Instance] = []
        doings: list[int] = []
        for ident in node.actions:
            number = self.ctx.doing_numbers.get(ident.text)
            doing = self.ctx.doings[number] if number is not None else None
            if number is None or doing is None or doing.permission is None:
                actions = [found.name for found in self.ctx.doings if found.permission is not None]
                symbol = self.ctx.symbol(ident.text)
                bare = symbol is not None and symbol.form == "permission"
                self.ctx.unknown(
                    ident,
                    "action",
                    actions,
                    advice="an action is a permission with `then:`",
                    meant=f"`{ident.text}` is a permission: give it a `then:`" if bare else None,
                )
                continue
            doing.used = True
            made = self._instance(number, ident, scope)
            if made is not None:
                instances.append(made)
                doings.append(number)
        decision = self.ctx.new_decision(
            self.path(scope, "action"), "action", ir.TEXT, node, self.ctx.cites(node)
        )
        inner = scope.child()
        otherwise = (
            tuple(self.statement(node.otherwise, inner)) if node.otherwise is not None else ()
        )
        scope.forget()
        if is_broken(chooser):
            return []
        answer = ir.Local(name, type=ir.Type("list", elem=ir.COUNT))
        taken = ir.Item(answer, ir.Const(0, type=ir.COUNT), type=ir.COUNT)
        chain: ir.Block = ()
        for position in range(len(doings) - 1, -1, -1):
            params = self.ctx.doings[doings[position]].params
            args = tuple(
                ir.Item(answer, ir.Const(place, type=ir.COUNT), type=params[place].type)
                for place in range(1, len(params))
            )
            call = ir.Call(doings[position], (chooser, *args))
            here = ir.Compare("==", taken, ir.Const(position, type=ir.COUNT), type=ir.FLAG)
            chain = (ir.If(here, (call,), chain),)
        nothing = ir.Compare(
            "==",
            ir.Local(name, type=ir.Type("list", elem=ir.COUNT, optional=True)),
            ir.Const(None, type=ir.NONE),
            type=ir.FLAG,
        )
        ask = ir.Ask(
            decision,
            chooser,
            name,
            instances=tuple(instances),
            otherwise=(),
            span=self.ctx.span(node),
        )
        return [ask, ir.If(nothing, otherwise, chain)]

    def _instance(self, number: int, ident: nodes.Ident, scope: Scope) -> ir.Instance | None:
        doing = self.ctx.doings[number]
        node = doing.node
        assert isinstance(node, nodes.MayDecl)
        assert doing.permission is not None
        if not doing.params or doing.params[0].type != PLAYER:
            self.ctx.error(
                "wrong-arguments",
                ident,
                "an action's first parameter must be the player who takes it",
            )
            return None
        inner = scope.child()
        inner.before = None
        names: list[str] = []
        sources: list[ir.Expr] = []
        for param, declared in zip(doing.params, node.params, strict=True):
            local = scope.function.fresh(f"{doing.name}.{param.name}")
            names.append(local)
            if len(names) > 1:
                source = self._source(param, declared, inner)
                if is_broken(source):
                    return None
                sources.append(source)
            inner.vars[param.name] = Var(param.name, ir.Local(local, type=param.type))
        self.ctx.definitions[doing.permission].used = True
        utility: ir.Expr | None = None
        if node.utility is not None:
            utility = self.number(node.utility.value, inner, "what an automa wants")
            if is_broken(utility):
                return None
        return ir.Instance(number, doing.permission, tuple(names), tuple(sources), utility)

    def _source(self, param: ir.Param, declared: nodes.Param, scope: Scope) -> ir.Expr:
        if declared.source is not None:
            return self.collection(declared.source, scope, "`from`", param.type)
        return self.everything(param.type, declared)

    def everything(self, kind: Type, node: nodes.Node) -> ir.Expr:
        """Give the set of all values of a type."""
        whole = ruletypes.set_of(kind)
        if kind.shape == "thing":
            found: ir.Expr = ir.KindAll(
                kind.kinds[0], type=ruletypes.set_of(ruletypes.thing(kind.kinds[0]))
            )
            for number in kind.kinds[1:]:
                more = ir.KindAll(number, type=ruletypes.set_of(ruletypes.thing(number)))
                found = ir.Union(found, more, type=whole)
            return found
        if kind.shape == "flag":
            return ir.MakeList(
                (ir.Const(False, type=ir.FLAG), ir.Const(True, type=ir.FLAG)),
                type=ruletypes.list_of(kind),
            )
        if kind.shape == "word":
            return ir.Const(tuple(range(len(self.ctx.tables.enums[kind.enum].words))), type=whole)
        if kind.shape == "number" and kind.lo is not None and kind.hi is not None:
            return ir.Const(tuple(range(kind.lo, kind.hi + 1)), type=whole)
        self.ctx.error(
            "wrong-arguments",
            node,
            "it is not known what this parameter runs over",
            advice="add `from ...`",
        )
        return ir.Const((), type=BROKEN)

    # ------------------------------------------------------------------------------- secret choices

    def _secretly(self, node: nodes.SecretlyStmt, scope: Scope) -> list[ir.Stmt]:
        source = self.value(node.source, scope, ruletypes.list_of(PLAYER), "those who choose")
        if is_broken(source):
            return []
        scope.forget()
        inner = scope.child()
        who = self.bind(node.name, PLAYER, inner)
        asks: list[ir.Stmt] = []
        answers: list[tuple[str, Type, str]] = []
        choosing = inner.child()
        for choice in node.choices:
            asked = self._ask(choice, who, choosing, node, secret=True)
            if asked is None:
                return []
            ask, kind, _offered = asked
            choosing.vars[choice.name.text] = Var(
                choice.name.text, ir.Local(ask.name, type=kind), choice.name.span
            )
            asks.append(ask)
            answers.append((choice.name.text, kind, ask.name))
        whole = ir.Type("list", elem=ir.Type("list", elem=ir.COUNT))
        people = scope.function.fresh("$choosers")
        sealed = scope.function.fresh("$answers")
        everybody = ir.Local(people, type=source.type)
        collected = ir.Local(sealed, type=whole)
        row = ir.MakeList(
            tuple(ir.Local(name, type=kind) for _, kind, name in answers),
            type=ir.Type("list", elem=ir.COUNT),
        )
        collect = ir.Let(sealed, ir.Concat(collected, ir.MakeList((row,), type=whole), type=whole))
        who_name = who.name if isinstance(who, ir.Local) else scope.function.fresh("$who")
        bind_who = (
            [] if isinstance(who, ir.Local) else [self.store(who, ir.Local(who_name, type=PLAYER))]
        )
        number = scope.function.fresh("$n")
        reveal_scope = inner.child()
        opened: list[ir.Stmt] = []
        mine = ir.Item(
            collected, ir.Local(number, type=ir.COUNT), type=ir.Type("list", elem=ir.COUNT)
        )
        for position, choice in enumerate(node.choices):
            _, kind, _ = answers[position]
            target = self.bind(choice.name, kind, reveal_scope)
            opened.append(
                self.store(target, ir.Item(mine, ir.Const(position, type=ir.COUNT), type=kind))
            )
        reveal = self.body(node.body, reveal_scope)
        scope.forget()
        return [
            ir.Let(people, source),
            ir.Let(sealed, ir.Const((), type=whole)),
            ir.Each(who_name, everybody, (*bind_who, *asks, collect)),
            ir.Each(who_name, everybody, (*bind_who, *opened, *reveal), index=number),
        ]


def _empty_without_answer(ask: ir.Ask, kind: Type) -> ir.Ask:
    """Where nobody is asked, a name for a set stands for the empty set."""
    if ask.otherwise is None or not ruletypes.is_collection(kind):
        return ask
    empty = ir.Let(ask.name, ir.Const((), type=kind), span=ask.span)
    return evolve(ask, otherwise=(empty, *ask.otherwise))


def _is_full(source: ir.Expr) -> bool:
    """Tell whether a set surely has a member: an enumeration, all of a kind, a constant."""
    match source:
        case ir.Const(value=value):
            return bool(value)
        case ir.KindAll():
            return True
        case ir.MakeSet(items=items) | ir.MakeList(items=items):
            return any(not item.type.optional for item in items)
        case ir.Best(source=inner) | ir.Sorted(source=inner) | ir.AsSet(source=inner):
            return _is_full(inner)
        case _:
            return False


def _rename_local(expr: ir.Expr, old: str, new: str) -> ir.Expr:
    """Let an expression read another local."""
    if isinstance(expr, ir.Local):
        return evolve(expr, name=new) if expr.name == old else expr
    changes: dict[str, Any] = {}
    for attribute in fields(type(expr)):
        value = getattr(expr, attribute.name)
        replaced = _rename_in(value, old, new)
        if replaced is not value:
            changes[attribute.name] = replaced
    return evolve(expr, **changes) if changes else expr


def _rename_in(value: object, old: str, new: str) -> object:
    if isinstance(value, ir.Expr):
        return _rename_local(value, old, new)
    if isinstance(value, ir.Key):
        body = _rename_local(value.body, old, new)
        return value if body is value.body else evolve(value, body=body)
    if isinstance(value, tuple):
        parts = tuple(_rename_in(part, old, new) for part in value)
        return parts if any(a is not b for a, b in zip(parts, value, strict=True)) else value
    return value
