"""Rules about doings: hooks, state rules, durations.

A rule is lowered in two parts. Its body becomes a doing of its own, once. Its test (pattern and
condition) is lowered in every doing that it may wait for, when all doings are known; see
:meth:`Events.attach_hooks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import AtomicEvent, OrderKey, all_of, is_broken
from rulelang.lowering.exceptions import Exceptions
from rulelang.lowering.names import RESERVED
from rulelang.lowering.patterns import PLAYER, Place, intersection, mentioned
from rulelang.lowering.scope import Function, Scope, Var
from rulelang.ruletypes import is_collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.ir import Type
    from rulelang.lowering.context import DoingBuilder


@define(eq=False)
class HookSource:
    """A hook whose body is lowered and whose test still has to be put into the doings that it waits
    for."""

    node: nodes.HookDecl
    place: Place
    order: OrderKey
    body: DoingBuilder
    names: tuple[tuple[str, Type], ...]
    ask: int | None
    once: int | None
    busy: int | None
    label: str
    writes: tuple[str, ...]
    cites: tuple[str, ...]
    name: str = ""
    attached: bool = False


class Events(Exceptions):
    """Lowers rules about doings."""

    hooks: list[HookSource]

    def until(self, node: nodes.Until | None, scope: Scope) -> tuple[ir.Limit, ...]:
        """Lower a duration."""
        limits: list[ir.Limit] = []
        for limit in node.limits if node is not None else ():
            number = self.ctx.doing_numbers.get(limit.name.text)
            if number is None:
                self.ctx.unknown(limit.name, "doing", self.ctx.doing_numbers)
                continue
            doing = self.ctx.doings[number]
            doing.tracked = True
            args = limit.args or ()
            if len(args) > len(doing.params):
                self.wrong_count(limit.name, [param.name for param in doing.params], len(args))
                continue
            values = self.args(args, doing.params[: len(args)], scope, doing.name)
            if not is_broken(*values):
                limits.append(ir.Limit(number, tuple(values), start=not limit.at_end))
        return tuple(limits)

    def lasting(self, node: nodes.LastingStmt, scope: Scope) -> list[ir.Stmt]:
        """Lower a block of rules with a duration."""
        until = self.until(node.until, scope)
        named = mentioned(node.rules)
        number = len(self.ctx.blocks)
        names: dict[str, Var] = {}
        captures: list[tuple[str, ir.Expr]] = []
        for name, var in scope.vars.items():
            if not var.by_value:
                names[name] = var
            elif name in named:
                value = scope.read(var)
                local = f"{name}@{number}"
                captures.append((local, value))
                names[name] = Var(name, ir.Local(local, type=value.type), var.span)
        self.ctx.blocks.append(
            ir.LastingBlock(
                number,
                tuple(name for name, _ in captures),
                tuple(value.type for _, value in captures),
                text=node.until.span.text,
                span=self.ctx.span(node),
                cites=self.ctx.cites(node),
            )
        )
        doing = scope.function.doing
        place = Place(
            (3, number, 0),
            scope.function.path or (doing.name if doing is not None else ""),
            block=number,
            vars=names,
            captured=tuple((name, value.type) for name, value in captures),
            this=scope.this,
        )
        for rule in node.rules:
            self.rule(rule, place)
        return [ir.Lasting(number, tuple(captures), until)]

    def rule(self, node: nodes.RuleDecl, place: Place, name: str = "") -> None:
        """Lower one rule about doings."""
        if place.you and "you" not in mentioned((node,)):
            place = evolve(place, you=False)
        match node:
            case nodes.NamedRuleDecl():
                if not self._is_dropped(node.name.text):
                    self.rule(node.rule, place, node.name.text)
            case nodes.HookDecl():
                self._hook(node, place, name)
            case nodes.StateRuleDecl():
                self._state_rule(node, place, name)
            case nodes.ClauseDecl():
                self._clause(node, place)
            case nodes.DropDecl():
                self._drop(node, place)

    def _is_dropped(self, name: str) -> bool:
        return any(
            isinstance(item, nodes.DropDecl)
            and item.condition is None
            and [p.text for p in item.path] == [name]
            for item, _ in self.ctx.tables.items
        )

    def _hook(self, node: nodes.HookDecl, place: Place, name: str) -> None:
        targets = self._targets(node.event)
        if targets is None:
            return
        if isinstance(targets, int):
            self.ctx.doings[targets].used = True
        names = self._pattern_names(node.event, targets, place)
        if names is None:
            return
        timing = node.timing
        label = ".".join(
            part for part in (place.name, name or f"{timing}.{_event_path(node.event)}") if part
        )
        body = self.ctx.new_doing(
            label,
            "hook",
            node=node,
            span=self.ctx.span(node),
            cites=self.ctx.cites(node),
            doc=node.doc,
            settles=False,
        )
        params, _ = self.body_params(place, names)
        body.params = params
        if timing == "instead" and isinstance(targets, int):
            body.result = self.ctx.doings[targets].result
        function = Function(label, body)
        scope = self.rule_scope(place, function)
        for param in params:
            function.fresh(param.name)
        result = (
            node.event.result.text
            if isinstance(node.event, nodes.NamedEvent | nodes.RollEvent) and node.event.result
            else ""
        )
        if timing == "before" and result:
            self.ctx.error("untimely-change", node.event, "before it happens there is no result")
        for known, kind in names:
            changes = timing == "before" or (timing == "after" and known == result)
            scope.vars[known] = Var(known, ir.Local(known, type=kind), changes=changes)
        if node.condition is not None:
            with self.ctx.quietly():
                scope.learn(self.condition(node.condition, scope.child()), holds=True)
        lowered = self.body(node.body, scope)
        if timing == "instead" and body.result is not None and not scope.ended:
            self.missing_result(
                node, self.ctx.doings[targets].name if isinstance(targets, int) else ""
            )
        changed = _assigned(lowered)
        writes = tuple(
            known for known, _ in names if known in changed and scope.vars[known].changes
        )
        if timing == "instead" and targets in ("gain", "lose"):  # what is replaced moves nothing
            zero = ir.MakeList((ir.Const(0, type=ir.COUNT),), type=ruletypes.list_of(ir.COUNT))
            lowered = (*lowered, ir.End(body.index, zero, span=body.span))
            body.result, writes = zero.type, ("$result",)
        elif writes:
            given = ir.MakeList(
                tuple(ir.Local(known, type=dict(names)[known]) for known in writes),
                type=ruletypes.list_of(ir.NUMBER),
            )
            lowered = (*lowered, ir.End(body.index, given, span=body.span))
            body.result = given.type
        body.body = lowered
        ask = None
        if node.ask is not None:
            ask = self.ctx.new_decision(f"{label}.may", "yes", ir.FLAG, node, self.ctx.cites(node))
        busy = (
            self.ctx.new_global(f"{label}.busy", ir.COUNT, initial=0)
            if timing == "instead"
            else None
        )
        self.hooks.append(
            HookSource(
                node,
                place,
                self.next_order(place),
                body,
                tuple(names),
                ask,
                self._once(node, place, label),
                busy,
                label,
                writes,
                self.ctx.cites(node),
                name,
            )
        )

    def _once(self, node: nodes.HookDecl, place: Place, label: str) -> int | None:
        if not node.once:
            return None
        if place.block is not None:
            return -1
        if place.card is None:
            return self.ctx.new_global(f"{label}.once", ir.FLAG, initial=False)
        if not place.once:
            place.once.append(
                self.ctx.new_global(
                    f"{place.name}.once", ir.FLAG, initial=False, shown=True, card=place.card
                )
            )
        return place.once[0]

    def _targets(self, event: nodes.Event) -> int | str | None:
        """Give the doing of a named event, or the form of an atomic one; None after a finding."""
        if not isinstance(event, nodes.NamedEvent):
            return {
                nodes.GainEvent: "gain",
                nodes.LoseEvent: "lose",
                nodes.MoveEvent: "move",
                nodes.RollEvent: "roll",
            }[type(event)]
        first, *rest = event.path
        number = self.ctx.doing_numbers.get(first.text)
        if number is None:
            known = [
                *self.ctx.doing_numbers,
                *(f"{d.name}.{s}" for d in self.ctx.doings for s in d.steps),
            ]
            self.ctx.error(
                "unknown-event",
                first,
                f"no doing is called `{first.text}`",
                advice=f"did you mean `{self.nearest(first.text, known)}`?"
                if self.nearest(first.text, known)
                else None,
            )
            return None
        doing = self.ctx.doings[number]
        if rest:
            step = doing.steps.get(rest[0].text) if len(rest) == 1 else None
            if step is None:
                close = self.nearest(rest[0].text, doing.steps)
                self.ctx.error(
                    "unknown-event",
                    rest[0],
                    f"`{first.text}` has no step `{rest[0].text}`",
                    advice=f"did you mean `{close}`?"
                    if close
                    else f"its steps are {', '.join(f'`{name}`' for name in doing.steps)}"
                    if doing.steps
                    else None,
                )
            return step
        return number

    def _pattern_names(
        self, event: nodes.Event, target: int | str, place: Place
    ) -> list[tuple[str, Type]] | None:
        """Give the new names of a pattern with their types; None after a finding."""
        names: list[tuple[str, Type]] = []
        ok = True
        for ident, kind in self._pattern_parts(event, target, place):
            if ident is None:
                ok = False
                continue
            scope = Scope(Function(), vars=dict(place.vars or {}))
            if ident.text not in RESERVED and not self.check_free(
                ident, scope, "pattern-name-in-use"
            ):
                ok = False
            elif ident.text in RESERVED:
                self.ctx.error(
                    "reserved-or-double-name", ident, f"`{ident.text}` cannot be a new name"
                )
                ok = False
            else:
                self.ctx.note(ident, kind)
                names.append((ident.text, kind))
        return names if ok else None

    def _pattern_parts(
        self, event: nodes.Event, target: int | str, place: Place
    ) -> Iterator[tuple[nodes.Ident | None, Type]]:
        match event:
            case nodes.NamedEvent():
                assert isinstance(target, int)
                yield from self._named_parts(event, self.ctx.doings[target], place)
            case nodes.GainEvent() | nodes.LoseEvent():
                other = event.source if isinstance(event, nodes.GainEvent) else event.target
                kinds = self.kinds_with(event.field.text)
                if not kinds:
                    self.ctx.unknown(
                        event.field, "field", {name for _, name in self.ctx.tables.field_numbers}
                    )
                    yield None, ir.NUMBER
                    return
                if event.who.text not in ("you", "this"):
                    yield event.who, self._narrowed(event.who, ruletypes.thing(*kinds))
                yield event.amount, ir.NUMBER
                if other is not None and other.text not in ("supply", "other", "you", "this"):
                    yield other, self._narrowed(other, ruletypes.thing(*kinds))
            case nodes.MoveEvent():
                movable = [
                    number for number, kind in enumerate(self.ctx.tables.kinds) if kind.movable
                ]
                if event.thing.text not in ("you", "this"):
                    yield event.thing, self._narrowed(event.thing, ruletypes.thing(*movable))
                if self._is_new_name(event.place, place):
                    assert isinstance(event.place, nodes.Name)
                    says = self.ctx.tables.type_by_name(event.place.ident.text)
                    everywhere = ruletypes.thing(*range(len(self.ctx.tables.kinds)))
                    yield event.place.ident, says or everywhere
            case nodes.RollEvent():
                kind = self.ctx.tables.type_names.get(event.enum.text)
                if kind is None:
                    self.ctx.unknown(event.enum, "enumeration", self.ctx.tables.enum_numbers)
                    yield None, ir.NUMBER
                    return
                if event.by is not None and self._is_new_name(event.by, place):
                    assert isinstance(event.by, nodes.Name)
                    yield event.by.ident, PLAYER
                if event.result is not None:
                    yield event.result, kind

    def _named_parts(
        self, event: nodes.NamedEvent, doing: DoingBuilder, place: Place
    ) -> Iterator[tuple[nodes.Ident | None, Type]]:
        if event.args is not None:
            if len(event.args) != len(doing.params):
                wanted = ", ".join(param.name for param in doing.params)
                self.ctx.error(
                    "unknown-event",
                    event,
                    f"`{doing.name}` has {len(doing.params)} argument{'s' if len(doing.params) != 1 else ''}",
                    label=f"{len(event.args)} given",
                    advice=f"write all of them, `{doing.name}({wanted})`, or no brackets at all"
                    if wanted
                    else "write no brackets",
                )
                yield None, ir.NUMBER
                return
            for arg, param in zip(event.args, doing.params, strict=True):
                if self._is_fixed(arg, param.type):
                    continue
                if not isinstance(arg, nodes.Name):
                    self.ctx.error(
                        "unknown-event",
                        arg,
                        "only names, ids, words and numbers can stand in a pattern",
                    )
                    yield None, ir.NUMBER
                    continue
                yield arg.ident, self._narrowed(arg.ident, param.type)
        if event.result is not None:
            if doing.result is None:
                self.ctx.error("unknown-event", event.result, f"`{doing.name}` gives no result")
                yield None, ir.NUMBER
            else:
                yield event.result, doing.result
        del place

    def attach_hooks(self) -> None:
        """Lower the test of every hook in every doing that it may wait for."""
        for source in self.hooks:
            target = self._targets(source.node.event)
            if isinstance(target, int):
                self._attach(source, self.ctx.doings[target])
                continue
            for doing in list(self.ctx.doings):
                if doing.event is not None:
                    self._attach_atomic(source, doing, doing.event)
        for source in self.hooks:
            if not source.attached and not self.ctx.bag.has_errors:
                self.ctx.warning(
                    "dead-rule",
                    source.node.event,
                    "this rule never acts",
                    label="nothing that happens in the game fits its pattern",
                )

    def _attach_atomic(self, source: HookSource, doing: DoingBuilder, atomic: AtomicEvent) -> None:
        event = source.node.event
        match event:
            case nodes.GainEvent() | nodes.LoseEvent():
                form = "gain" if isinstance(event, nodes.GainEvent) else "lose"
                other = event.source if isinstance(event, nodes.GainEvent) else event.target
                if atomic.form not in ("gain", "lose") or atomic.names[0] != event.field.text:
                    return
                swapped = atomic.form != form
                if (swapped and not atomic.transfer) or (
                    atomic.transfer and other is not None and other.text == "supply"
                ):
                    return
                if other is not None and other.text != "supply" and not atomic.transfer:
                    return
                sides = ("other", "who") if swapped else ("who", "other")
                given = {event.who.text: sides[0], event.amount.text: "n"}
                if other is not None and other.text not in ("supply", "other"):
                    given[other.text] = sides[1]
                self._attach(source, doing, given)
            case nodes.MoveEvent():
                if atomic.form == "move" and self._move_fits(event, atomic, source.place):
                    given = {event.thing.text: "thing"}
                    if self._is_new_name(event.place, source.place):
                        if atomic.dest != "thing":
                            return
                        assert isinstance(event.place, nodes.Name)
                        given[event.place.ident.text] = "place"
                    self._attach(source, doing, given)
            case nodes.RollEvent():
                if atomic.form == "roll" and self.ctx.enum_names[atomic.enum] == event.enum.text:
                    given = {}
                    if event.by is not None and isinstance(event.by, nodes.Name):
                        given[event.by.ident.text] = "by"
                    if event.result is not None:
                        given[event.result.text] = "$result"
                    self._attach(source, doing, given)
            case _:
                pass

    def _move_fits(self, event: nodes.MoveEvent, atomic: AtomicEvent, place: Place) -> bool:
        """Can a move to such a destination be what a pattern waits for?"""
        node = event.place
        if isinstance(node, nodes.Name) and node.ident.text in ("none", "box"):
            return atomic.dest == node.ident.text
        if self._is_new_name(node, place):
            return atomic.dest == "thing"
        if isinstance(node, nodes.KindName):
            return atomic.dest == "thing"
        return atomic.dest in ("thing", "top", "bottom")

    def _attach(
        self, source: HookSource, doing: DoingBuilder, given: dict[str, str] | None = None
    ) -> None:
        """Put a hook into a doing; ``given`` maps the names of its pattern to the doing's own
        parameters."""
        node, place = source.node, source.place
        function = Function(source.label)
        scope = self.rule_scope(place, function)
        for param in doing.params:
            function.fresh(param.name)
        guards: list[ir.Expr] = self._somebody(place)
        result = (
            node.event.result.text
            if isinstance(node.event, nodes.NamedEvent | nodes.RollEvent) and node.event.result
            else ""
        )
        passed: dict[str, ir.Expr] = {}
        types = {param.name: param.type for param in doing.params}
        if given is None:
            given = {}
            assert isinstance(node.event, nodes.NamedEvent)
            for arg, param in zip(node.event.args or (), doing.params, strict=False):
                if self._is_fixed(arg, param.type):
                    guards += self._fixed(arg, param, scope)
                elif isinstance(arg, nodes.Name):
                    given[arg.ident.text] = param.name
            if result:
                given[result] = "$result"
        known = dict(source.names)
        for name, own in given.items():
            if own == "$result":
                kind = doing.result if doing.result is not None else ir.NUMBER
                passed[name] = ir.Local("$result", type=kind)
                continue
            if own not in types:
                return
            kind = types[own]
            if name in ("you", "this"):
                local = ir.Local(own, type=kind)
                fixed = (
                    scope.this
                    if name == "this"
                    else scope.vars["you"].value
                    if "you" in scope.vars
                    else None
                )
                if fixed is not None and not ruletypes.overlaps(kind, fixed.type):
                    return  # it is never about this one
                if fixed is not None:
                    guards.append(self.same(local, fixed, node.event))
                continue
            wanted = known.get(name, kind)
            test = self._narrowing(own, kind, wanted)
            if test is False:
                return
            if isinstance(test, ir.Expr):
                guards.append(test)
            narrowed = intersection(kind, wanted)
            passed[name] = ir.Local(own, type=narrowed)
        for name, value in passed.items():
            scope.vars[name] = Var(name, value)
        guards += self._place_guard(node.event, scope, place)
        guards += [ir.Not(drop, type=ir.FLAG) for drop in self.rule_drops.get(source.name, ())]
        if node.condition is not None:
            cond = self.condition(node.condition, scope)
            if is_broken(cond):
                return
            scope.learn(cond, holds=True)
            guards.append(cond)
        args = [passed[name] for name, _ in source.names if name in passed]
        if len(args) != len(source.names):
            return
        _, more = self.body_params(place, ())
        guard = all_of(guards)
        lets = self._holder_lets(place)
        hook = ir.Hook(
            source.body.index,
            (*args, *more),
            lets=lets,
            guard=guard,
            once=source.once,
            ask=self._hook_ask(source, scope),
            block=place.block,
            writes=tuple(given.get(name, name) for name in source.writes),
            needs_result=bool(result),
            still=lets[0][1] if lets and node.timing == "after" else None,
            busy=source.busy,
            label=source.label,
            span=self.ctx.span(node),
            cites=source.cites,
        )
        source.attached = True
        {"before": doing.before, "instead": doing.instead, "after": doing.after}[
            node.timing
        ].append((source.order, hook))

    def _place_guard(self, event: nodes.Event, scope: Scope, place: Place) -> list[ir.Expr]:
        """Test the destination of a move against a pattern's kind, thing or pile."""
        if not isinstance(event, nodes.MoveEvent) or self._is_new_name(event.place, place):
            return []
        node = event.place
        if isinstance(node, nodes.Name) and node.ident.text in ("none", "box"):
            return []
        everywhere = ruletypes.thing(*range(len(self.ctx.tables.kinds)))
        held = ir.Local("place", type=everywhere)
        if isinstance(node, nodes.KindName):
            kind = self.ctx.tables.type_names.get(node.ident.text)
            return [] if kind is None else [ir.IsKind(held, kind.kinds, type=ir.FLAG)]
        value = self.expr(node, scope)
        if is_broken(value):
            return []
        if isinstance(value, ir.FieldGet) and is_collection(value.type):
            return [ir.Compare("==", held, value.obj, type=ir.FLAG)]
        return [ir.Compare("==", held, value, type=ir.FLAG)]

    def _hook_ask(self, source: HookSource, scope: Scope) -> ir.Ask | None:
        asked = source.node.ask
        if asked is None or source.ask is None:
            return None
        chooser = self.chooser(asked.who, scope)
        policy = self.condition(asked.policy, scope) if asked.policy is not None else None
        if is_broken(chooser):
            return None
        return ir.Ask(
            source.ask,
            chooser,
            "$may",
            prompt=self.prompt(asked.text, scope),
            yes_when=policy,
            span=self.ctx.span(asked),
            cites=source.cites,
        )

    def _state_rule(self, node: nodes.StateRuleDecl, place: Place, name: str) -> None:
        function = Function()
        scope = self.rule_scope(place, function)
        variables: list[tuple[str, ir.Expr]] = []
        for ident in self._free_names(node.condition, scope):
            kind = self.ctx.tables.type_by_name(ident)
            if kind is None or kind.shape != "thing":
                continue
            function.fresh(ident)
            scope.vars[ident] = Var(ident, ir.Local(ident, type=kind))
            variables.append((ident, self.everything(kind, node)))
        cond = self.condition(node.condition, scope)
        somebody = self._somebody(place)
        if somebody and not is_broken(cond):
            cond = ir.And((*somebody, cond), type=ir.FLAG)
        label = ".".join(part for part in (place.name, name or "when") if part)
        body = self.ctx.new_doing(
            label,
            "rule",
            node=node,
            span=self.ctx.span(node),
            cites=self.ctx.cites(node),
            doc=node.doc,
            settles=False,
            used=True,
        )
        names = [(ident, scope.vars[ident].value.type) for ident, _ in variables]
        params, more = self.body_params(place, names)
        body.params = params
        inner_function = Function(label, body)
        inner = self.rule_scope(place, inner_function)
        for param in params:
            inner_function.fresh(param.name)
        for ident, kind in names:
            inner.vars[ident] = Var(ident, ir.Local(ident, type=kind))
        if is_broken(cond):
            return
        inner.learn(cond, holds=True)
        body.body = self.body(node.body, inner)
        self.rule_names[body.index] = name
        self.ctx.state_rules.append(
            (
                self.next_order(place),
                ir.StateRule(
                    0,
                    body.index,
                    tuple(variables),
                    cond,
                    args=(*(ir.Local(ident, type=kind) for ident, kind in names), *more),
                    lets=self._holder_lets(place),
                    block=place.block,
                    span=self.ctx.span(node),
                    cites=self.ctx.cites(node),
                ),
            )
        )

    def _free_names(self, node: nodes.Expr, scope: Scope) -> list[str]:
        """Give the names in a condition that mean nothing there and are typed by their name, in
        order."""
        found: list[str] = []
        for part in nodes.walk(node):
            if not isinstance(part, nodes.Name):
                continue
            name = part.ident.text
            if (
                name in found
                or name in RESERVED
                or name in scope.vars
                or self.ctx.symbol(name) is not None
            ):
                continue
            is_word = name in self.ctx.tables.ids or name in self.ctx.tables.words
            users = (user.owner for user in nodes.walk(node) if isinstance(user, nodes.Prop))
            if is_word and not any(owner is part for owner in users):
                continue
            found.append(name)
        return found

    def missing_result(self, node: nodes.Node, name: str) -> None:
        """Report a way through a doing that gives no result."""
        self.ctx.error(
            "missing-result",
            node,
            f"a way through `{name}` ends without its result",
            advice=f"end every way with `end {name} with ...`",
        )


def _event_path(event: nodes.Event) -> str:
    match event:
        case nodes.NamedEvent(path=path):
            return ".".join(ident.text for ident in path)
        case nodes.GainEvent(field=field):
            return f"gain.{field.text}"
        case nodes.LoseEvent(field=field):
            return f"lose.{field.text}"
        case nodes.MoveEvent():
            return "move"
        case nodes.RollEvent(enum=enum):
            return f"roll.{enum.text}"


def _assigned(block: ir.Block) -> set[str]:
    """Give the locals that a block changes."""
    found: set[str] = set()
    for stmt in block:
        match stmt:
            case ir.Let(name=name) | ir.Roll(name=name) | ir.Pick(name=name) | ir.Ask(name=name):
                found.add(name)
            case ir.If(then=then, orelse=orelse):
                found |= _assigned(then) | _assigned(orelse)
            case ir.Each(body=body) | ir.While(body=body):
                found |= _assigned(body)
            case ir.Match(rows=rows):
                for _, rows_block in rows:
                    found |= _assigned(rows_block)
            case ir.Call(result=str(name)):
                found.add(name)
            case _:
                pass
    return found
