"""Rules about doings: hooks, state rules, exceptions that stand elsewhere, durations.

A rule is lowered in two parts. Its body becomes a doing of its own, once. Its test (pattern and
condition) is lowered in every doing that it may wait for, when all doings are known; see
:meth:`Events.attach_hooks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import Factory, define, evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import AtomicEvent, OrderKey, is_broken
from rulelang.lowering.decisions import Decisions
from rulelang.lowering.names import RESERVED
from rulelang.lowering.scope import Function, Scope, Var
from rulelang.ruletypes import is_collection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import DefinitionBuilder, DoingBuilder

PLAYER = ruletypes.thing(0)


@define(eq=False)
class Place:
    """Where a rule stands: base or variant, a card, a lasting block.

    ``order``: its place among rules of one moment. ``vars``: names known to it from outside.
    ``captured``: those among them that a row of its block holds. ``once``: the mark that its rules
    share (a card's), made when first needed.
    ``you``: the rule is about the player who has the card. ``holders``: the kinds whose things can
    have it; what nobody has (kind 0) is not in force for a rule about that player.
    """

    order: tuple[int, int, int]
    name: str = ""
    card: int | None = None
    you: bool = False
    block: int | None = None
    vars: dict[str, Var] | None = None
    captured: tuple[tuple[str, Type], ...] = ()
    once: list[int] = Factory(list)
    this: ir.Expr | None = None
    holders: tuple[int, ...] = (0,)

    def lets(self) -> tuple[tuple[str, ir.Expr], ...]:
        """Give the values that must be there for the rule to be in force."""
        if self.card is None or self.block is not None:
            return ()
        holding = ruletypes.thing(*self.holders, optional=True)
        holder = ir.HolderOf(ir.Const(self.card), type=holding)
        return (("you", holder),)


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


class Events(Decisions):
    """Lowers rules about doings."""

    hooks: list[HookSource]
    rule_drops: dict[str, list[ir.Expr]]
    rule_names: dict[int, str]
    atomic_patterns: dict[str, set[str]]
    atomics: dict[AtomicEvent, int]
    sequence: int = 0

    def next_order(self, place: Place) -> OrderKey:
        """Give the next place in the published order for a rule that stands there."""
        self.sequence += 1
        return (*place.order, self.sequence)

    # ------------------------------------------------------------------------------------ durations

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
        mentioned = _mentioned(node.rules)
        number = len(self.ctx.blocks)
        names: dict[str, Var] = {}
        captures: list[tuple[str, ir.Expr]] = []
        for name, var in scope.vars.items():
            if not var.by_value:
                names[name] = var
            elif name in mentioned:
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

    # ---------------------------------------------------------------------------------------- rules

    def rule(self, node: nodes.RuleDecl, place: Place, name: str = "") -> None:
        """Lower one rule about doings."""
        if place.you and "you" not in _mentioned((node,)):
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

    def rule_scope(self, place: Place, function: Function) -> Scope:
        """Make the scope of a rule: what is known where it stands."""
        scope = Scope(function, this=place.this)
        scope.vars.update(place.vars or {})
        if place.you:
            scope.vars["you"] = Var("you", ir.Local("you", type=PLAYER))
        return scope

    def body_params(
        self, place: Place, names: Sequence[tuple[str, Type]]
    ) -> tuple[list[ir.Param], list[ir.Expr]]:
        """Give the parameters of a rule's body beyond the names of its pattern, and what is passed
        for them."""
        params = [ir.Param(name, kind) for name, kind in names]
        args: list[ir.Expr] = []
        if place.you:
            params.append(ir.Param("you", PLAYER))
            args.append(ir.Local("you", type=PLAYER))
        for name, kind in place.captured:
            params.append(ir.Param(name, kind))
            args.append(ir.Local(name, type=kind))
        return params, args

    # ---------------------------------------------------------------------------------------- hooks

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
            with self.quietly():
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
                self.ctx.new_global(f"{place.name}.once", ir.FLAG, initial=False, shown=True)
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

    def _narrowed(self, ident: nodes.Ident, kind: Type) -> Type:
        """A pattern name that says a narrower kind waits for that kind only."""
        says = self.ctx.tables.type_by_name(ident.text)
        if says is None or says.shape != "thing" or kind.shape != "thing":
            return kind
        both = set(says.kinds) & set(kind.kinds)
        return ruletypes.thing(*both, optional=False) if both else kind

    def _is_fixed(self, arg: nodes.Expr, kind: Type) -> bool:
        """Does a pattern's argument fix the argument (``you``, ``this``, an id, a word, a
        number)?"""
        if isinstance(arg, nodes.Number | nodes.Prop):
            return True
        if not isinstance(arg, nodes.Name):
            return False
        name = arg.ident.text
        if name in ("you", "this", "yes", "no", "none"):
            return True
        words = self.ctx.tables.words.get(name, ()) if kind.shape == "word" else ()
        ids = self.ctx.tables.ids.get(name, ()) if kind.shape == "thing" else ()
        return any(enum == kind.enum for enum, _ in words) or any(
            number in kind.kinds for number, _ in ids
        )

    def _is_new_name(self, node: nodes.Expr, place: Place) -> bool:
        if not isinstance(node, nodes.Name):
            return False
        name = node.ident.text
        known = name in RESERVED or name in (place.vars or {}) or self.ctx.symbol(name) is not None
        return not known and name not in self.ctx.tables.ids

    def kinds_with(self, name: str) -> list[int]:
        """Give the kinds that have a field of this name."""
        return sorted({kind for kind, field in self.ctx.tables.field_numbers if field == name})

    # -------------------------------------------------------------------------------- atomic events

    def find_patterns(self) -> None:
        """Note which gains, losses, moves and rolls any rule waits for."""
        self.atomic_patterns = {"gain": set(), "lose": set(), "move": set(), "roll": set()}
        self.changed_names = set()
        for item, _ in (
            *self.ctx.tables.items,
            *((node, "") for node in self.ctx.tables.scenarios),
        ):
            for node in nodes.walk(item):
                match node:
                    case nodes.BecomeStmt(place=nodes.Name(ident=ident)):
                        self.changed_names.add(ident.text)
                    case nodes.GainEvent() | nodes.LoseEvent():
                        # A transfer is one event for the patterns of both sides.
                        form = "gain" if isinstance(node, nodes.GainEvent) else "lose"
                        other = node.source if isinstance(node, nodes.GainEvent) else node.target
                        self.atomic_patterns[form].add(node.field.text)
                        if other is None or other.text != "supply":
                            both = "lose" if form == "gain" else "gain"
                            self.atomic_patterns[both].add(f"{node.field.text} transfer")
                    case nodes.MoveEvent():
                        self.atomic_patterns["move"].add("")
                    case nodes.RollEvent():
                        self.atomic_patterns["roll"].add(node.enum.text)
                    case _:
                        pass

    def adjust_event(
        self, fields: tuple[int, ...], other_fields: tuple[int, ...], *, gains: bool, up_to: bool
    ) -> int | None:
        """Give the doing of a gain or loss that some rule may wait for; None if none does."""
        form: Literal["gain", "lose"] = "gain" if gains else "lose"
        name = self.ctx.tables.fields[fields[0]].name
        waited = name in self.atomic_patterns[form] or (
            other_fields and f"{name} transfer" in self.atomic_patterns[form]
        )
        if not waited:
            return None
        event = AtomicEvent(
            form,
            (name, *map(str, fields), str(up_to)),
            bool(other_fields),
            tuple(map(str, other_fields)),
        )
        found = self.atomics.get(event)
        if found is not None:
            return found
        who = ruletypes.thing(*(self.ctx.tables.fields[number].kind for number in fields))
        other = ruletypes.thing(*(self.ctx.tables.fields[number].kind for number in other_fields))
        params = [ir.Param("who", who), ir.Param("n", ir.NUMBER)]
        if other_fields:
            params.append(ir.Param("other", other))
        made = self.ctx.new_doing(
            f"{form} {name}",
            "atomic",
            params=params,
            result=ir.COUNT,
            settles=False,
            event=event,
            used=True,
        )
        self.atomics[event] = made.index
        adjust = ir.Adjust(
            ir.Local("who", type=who),
            fields,
            1 if gains else -1,
            ir.Local("n", type=ir.NUMBER),
            up_to,
            ir.Local("other", type=other) if other_fields else None,
            other_fields,
            "$moved",
        )
        made.body = (adjust, ir.End(made.index, ir.Local("$moved", type=ir.COUNT)))
        return made.index

    def move_event(self, elem: Type, dest: ir.Dest, span: ir.Span) -> int | None:
        """Give the doing of a move that some rule may wait for; None if none does."""
        if not self.atomic_patterns["move"]:
            return None
        event = AtomicEvent(
            "move", tuple(map(str, elem.kinds)), dest=dest.where, dest_fields=dest.fields
        )
        found = self.atomics.get(event)
        if found is not None:
            return found
        params = [ir.Param("thing", elem)]
        held = dest.obj
        if held is not None:
            kind = held.type
            if dest.where == "thing":  # one doing for all places that it can be moved to
                places = self.ctx.fields_named(elem.kinds, "place")
                kinds = [self.ctx.tables.fields[number].type for number in places]
                kind = ruletypes.or_none(ruletypes.join_all(kinds) or kind)
            params.append(ir.Param("place", kind))
            held = ir.Local("place", type=kind)
        made = self.ctx.new_doing(
            "move", "atomic", params=params, settles=False, event=event, span=span, used=True
        )
        self.atomics[event] = made.index
        made.body = (ir.Move(ir.Local("thing", type=elem), ir.Dest(dest.where, held, dest.fields)),)
        return made.index

    def roll_event(self, enum: int, kind: Type, path: str, span: ir.Span) -> int | None:
        """Give the doing of a roll that some rule may wait for; None if none does."""
        entry = self.ctx.tables.enums[enum]
        if entry.name not in self.atomic_patterns["roll"]:
            return None
        low = entry.low if entry.numeric else 0
        params = [ir.Param("by", evolve(PLAYER, optional=True))]
        event = AtomicEvent("roll", enum=enum)
        made = self.ctx.new_doing(
            f"roll {entry.name}",
            "atomic",
            params=params,
            result=kind,
            settles=False,
            event=event,
            span=span,
            used=True,
        )
        by = ir.Local("by", type=params[0].type)
        roll = ir.Roll("$rolled", low, low + len(entry.words) - 1, path, None, enum, by, span=span)
        made.body = (roll, ir.End(made.index, ir.Local("$rolled", type=kind)))
        return made.index

    # ---------------------------------------------------------------- putting tests into the doings

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
            narrowed = _intersection(kind, wanted)
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
        guard = (
            guards[0]
            if len(guards) == 1
            else ir.And(tuple(guards), type=ir.FLAG)
            if guards
            else None
        )
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

    @staticmethod
    def _holder_lets(place: Place) -> tuple[tuple[str, ir.Expr], ...]:
        lets = place.lets()
        if lets and not place.you:
            return (("$holder", lets[0][1]),)
        return lets

    @staticmethod
    def _somebody(place: Place) -> list[ir.Expr]:
        """Test that a player has the card, where it may also lie on a board."""
        if not place.you or place.holders == (0,) or place.block is not None:
            return []
        holding = ruletypes.thing(*place.holders)
        return [ir.IsKind(ir.Local("you", type=holding), (0,), type=ir.FLAG)]

    def _fixed(self, arg: nodes.Expr, param: ir.Param, scope: Scope) -> list[ir.Expr]:
        value = self.expr(arg, scope, param.type)
        if is_broken(value):
            return []
        test = self.same(ir.Local(param.name, type=param.type), value, arg)
        return [] if is_broken(test) else [test]

    @staticmethod
    def _narrowing(own: str, kind: Type, wanted: Type) -> ir.Expr | bool:
        """Give the test that a wider argument is of the narrower kind a pattern waits for; False if
        it never is."""
        if kind.shape != "thing" or wanted.shape != "thing":
            return True
        both = set(kind.kinds) & set(wanted.kinds)
        if not both:
            return False
        if set(kind.kinds) <= set(wanted.kinds) and (wanted.optional or not kind.optional):
            return True
        return ir.IsKind(ir.Local(own, type=kind), tuple(sorted(both)), type=ir.FLAG)

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

    # ---------------------------------------------------------------------------------- state rules

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

    # -------------------------------------------------------------- exceptions that stand elsewhere

    def definition_for(self, head: nodes.Head) -> DefinitionBuilder | None:
        """Find the definition, permission or value table that an exception is about; None after a
        finding."""
        if head.owner is None:
            symbol = self.ctx.symbol(head.name.text)
            if (
                symbol is not None
                and symbol.form in ("definition", "permission", "table")
                and (id(symbol.node) in self.ctx.definition_numbers)
            ):
                return self.ready(symbol.node)
            known = [
                found.name
                for found in self.ctx.tables.symbols.values()
                if found.form in ("definition", "permission")
            ]
            self.ctx.unknown(head.name, "definition", known, meant=self.owned_as(head.name.text))
            return None
        owner = (
            PLAYER if head.owner.text == "you" else self.ctx.tables.type_by_name(head.owner.text)
        )
        found = self.property_of(owner, head.name.text) if owner is not None else None
        if found is None:
            self.ctx.unknown(
                head.name, f"defined property of `{head.owner.text}`:", self.ctx.tables.properties
            )
            return None
        return self.ready(found.node)

    def _clause(self, node: nodes.ClauseDecl, place: Place) -> None:
        builder = self.definition_for(node.head)
        if builder is None:
            return
        scope = self.rule_scope(place, Function())
        for param in builder.params:
            scope.function.fresh(param.name)
        guards = self._head_guards(node.head, builder, scope, place)
        if guards is None:
            return
        guards[:0] = self._somebody(place)
        cond = self.condition(node.condition, scope) if node.condition is not None else None
        if cond is not None:
            scope.learn(cond, holds=True)
            guards.append(cond)
        self.add_clause(
            builder,
            place.name or "exception",
            node.change,
            guards,
            scope,
            node,
            lets=self._holder_lets(place),
            block=place.block,
            beats=(node.after.text,) if node.after is not None else (),
            reason=node.reason.value if node.reason is not None else "",
        )

    def _head_guards(
        self, head: nodes.Head, builder: DefinitionBuilder, scope: Scope, place: Place
    ) -> list[ir.Expr] | None:
        """Bind the names of an exception's head to the definition's parameters; gives the tests
        that they stand for."""
        del place
        idents = ([head.owner] if head.owner is not None else []) + [
            param.name for param in head.params or ()
        ]
        if head.params is None and head.owner is not None:
            idents = idents[:1]
        if len(idents) != len(builder.params) and not (head.params is None and head.owner is None):
            self.wrong_count(head.name, [param.name for param in builder.params], len(idents))
            return None
        guards: list[ir.Expr] = []
        for ident, param in zip(idents, builder.params, strict=False):
            local = ir.Local(param.name, type=param.type)
            if ident.text in ("you", "this"):
                fixed = scope.this if ident.text == "this" else None
                if ident.text == "you" and "you" in scope.vars:
                    fixed = scope.read(scope.vars["you"])
                if fixed is None:
                    self.ctx.error("ownerless-card", ident, f"there is no `{ident.text}` here")
                    return None
                guards.append(self.same(local, fixed, ident))
                continue
            name = nodes.Name(ident.span, ident)
            if self._is_fixed(name, param.type):
                guards += self._fixed(name, param, scope)
                continue
            if not self.check_free(ident, scope, "pattern-name-in-use"):
                return None
            wanted = self._narrowed(ident, param.type)
            test = self._narrowing(param.name, param.type, wanted)
            if isinstance(test, ir.Expr):
                guards.append(test)
            scope.vars[ident.text] = Var(
                ident.text, ir.Local(param.name, type=_intersection(param.type, wanted))
            )
        return guards

    def add_clause(
        self,
        builder: DefinitionBuilder,
        label: str,
        change: nodes.Change,
        guards: Sequence[ir.Expr],
        scope: Scope,
        node: nodes.Cited,
        *,
        lets: tuple[tuple[str, ir.Expr], ...] = (),
        block: int | None = None,
        beats: tuple[str, ...] = (),
        reason: str = "",
    ) -> ir.Expr | None:
        """Add an exception to a definition; gives its value."""
        result = builder.result
        if change.sign != "=" and not is_broken(result) and result.shape != "number":
            self.ctx.error(
                "signed-non-number",
                change,
                f"`{change.sign}` changes numbers, and `{builder.name}` is {self.ctx.say(result)}",
                advice="write the value without a sign",
            )
            return None
        kind = ir.NUMBER if result.shape == "number" else result
        value = self.expr(change.value, scope, kind)
        if not is_broken(result):
            optional = (
                evolve(kind, optional=True) if change.sign == "=" and result.optional else kind
            )
            value = self.convert(value, optional, change.value, f"the value of `{builder.name}`")
        if is_broken(value, *guards):
            return None
        cond = (
            guards[0]
            if len(guards) == 1
            else ir.And(tuple(guards), type=ir.FLAG)
            if guards
            else None
        )
        builder.clauses.append(
            ir.Clause(
                label,
                change.sign,
                value,
                cond,
                lets,
                block,
                beats,
                reason,
                span=self.ctx.span(node),
                cites=self.ctx.cites(node),
            )
        )
        return value

    def _drop(self, node: nodes.DropDecl, place: Place) -> None:
        """Lower `drop`: of a need of a permission, or of an exception of a definition, perhaps
        under a condition."""
        path = [ident.text for ident in node.path]
        if len(path) == 1:
            self._drop_rule(node, path[0], place)
            return
        builder, part = self._dropped(node, path)
        if builder is None or part is None:
            return
        scope = self.rule_scope(place, Function())
        for param in builder.params:
            scope.function.fresh(param.name)
            scope.vars.setdefault(
                param.name, Var(param.name, ir.Local(param.name, type=param.type))
            )
        cond: ir.Expr = ir.Const(True, type=ir.FLAG)
        if node.condition is not None:
            cond = self.condition(node.condition, scope)
        if is_broken(cond):
            return
        builder.drops.setdefault(part, []).append(self._in_force(cond, place))

    def _in_force(self, cond: ir.Expr, place: Place) -> ir.Expr:
        """Give a condition that also tests whether the rule that it belongs to is in force."""
        if place.block is not None:
            cond = ir.AnyRow(place.block, cond, type=ir.FLAG)
        for name, value in self._holder_lets(place):
            held = ir.Compare(
                "!=", ir.Local(name, type=value.type), ir.Const(None, type=ir.NONE), type=ir.FLAG
            )
            cond = ir.LetIn(name, value, ir.And((held, cond), type=ir.FLAG), type=ir.FLAG)
        return cond

    def _drop_rule(self, node: nodes.DropDecl, name: str, place: Place) -> None:
        """Lower `drop` of a rule with a name: it does not act while the condition holds."""
        if name not in self._named_rules():
            close = self.nearest(name, self._named_rules())
            self.ctx.error(
                "change-of-nothing",
                node,
                f"there is no rule `{name}` to drop",
                advice=f"did you mean `{close}`?" if close else None,
            )
            return
        if place.block is None and place.card is None and node.condition is None:
            return  # taken out altogether
        cond: ir.Expr = ir.Const(True, type=ir.FLAG)
        if node.condition is not None:
            cond = self.condition(node.condition, self.rule_scope(place, Function()))
        if not is_broken(cond):
            self.rule_drops.setdefault(name, []).append(self._in_force(cond, place))

    def _named_rules(self) -> set[str]:
        return {
            part.name.text
            for item, _ in self.ctx.tables.items
            for part in nodes.walk(item)
            if isinstance(part, nodes.NamedRuleDecl)
        }

    def drop_state_rules(self) -> None:
        """Keep dropped state rules from acting."""
        for number, (order, rule) in enumerate(self.ctx.state_rules):
            drops = self.rule_drops.get(self.rule_names.get(rule.doing, ""), ())
            if drops:
                kept = tuple(ir.Not(drop, type=ir.FLAG) for drop in drops)
                self.ctx.state_rules[number] = (
                    order,
                    evolve(rule, cond=ir.And((*kept, rule.cond), type=ir.FLAG)),
                )

    def _dropped(
        self, node: nodes.DropDecl, path: list[str]
    ) -> tuple[DefinitionBuilder | None, str | None]:
        if node.text is not None:
            return None, None
        part = path[-1]
        symbol = self.ctx.symbol(path[-2])
        builder: DefinitionBuilder | None = None
        if symbol is not None and id(symbol.node) in self.ctx.definition_numbers:
            builder = self.ready(symbol.node)
        elif path[-2] in self.ctx.tables.properties:
            builder = self.ready(self.ctx.tables.properties[path[-2]][0].node)
        known = (
            [need.name for need in builder.needs] + [c.label for c in builder.clauses]
            if builder is not None
            else []
        )
        if builder is None or part not in known:
            close = self.nearest(part, known)
            self.ctx.error(
                "change-of-nothing",
                node.path[-1],
                f"`{'.'.join(path)}` is no need and no exception",
                advice=f"did you mean `{path[-2]}.{close}`?" if close else None,
            )
            return None, None
        return builder, part

    # ------------------------------------------------------------------ supplied by the other parts

    def quietly(self) -> Quiet:
        """Lower something a second time without reporting it twice."""
        return Quiet(self)

    def missing_result(self, node: nodes.Node, name: str) -> None:
        """Report a way through a doing that gives no result."""
        self.ctx.error(
            "missing-result",
            node,
            f"a way through `{name}` ends without its result",
            advice=f"end every way with `end {name} with ...`",
        )


class Quiet:
    """Drops the findings made inside."""

    def __init__(self, lowering: Events) -> None:
        """Remember whose findings."""
        self.lowering = lowering
        self.kept = lowering.ctx.bag

    def __enter__(self) -> None:
        """Start dropping."""
        self.lowering.ctx.bag = type(self.kept)()

    def __exit__(self, *_: object) -> None:
        """Go on reporting."""
        self.lowering.ctx.bag = self.kept


def _intersection(kind: Type, wanted: Type) -> Type:
    if kind.shape != "thing" or wanted.shape != "thing":
        return kind
    both = set(kind.kinds) & set(wanted.kinds)
    return ruletypes.thing(*both, optional=kind.optional and wanted.optional)


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


def _mentioned(rules: Sequence[nodes.Node]) -> set[str]:
    """Give every name that stands in some rules, texts included."""
    found: set[str] = set()
    for rule in rules:
        for node in nodes.walk(rule):
            match node:
                case nodes.Ident(text=text):
                    found.add(text)
                case nodes.Text(value=value):
                    found.update(part.split(".")[0] for part in value.replace("{", "}").split("}"))
                case _:
                    pass
    return found


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
