"""Declarations: what definitions, permissions, tables, effects, phases and cards become."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.binding.constants import constant
from rulelang.binding.context import BROKEN, FAILED
from rulelang.binding.types import value_type
from rulelang.lowering.context import is_broken
from rulelang.lowering.patterns import Place
from rulelang.lowering.rows import Rows
from rulelang.lowering.scope import Function, Scope, Var

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import DefinitionBuilder, DoingBuilder
    from rulelang.symbols import PropertySymbol

MAIN = "game"
PLAYER = ruletypes.thing(0)
_HOLE = re.compile(r"\{([a-z][a-z0-9_]*)")


class Declarations(Rows):
    """Declares everything that has a number, then lowers its inside."""

    dropped: set[tuple[str, str]]
    cards_in: set[int]

    # ------------------------------------------------------------------------------------ declaring

    def declare(self) -> None:
        """Number all doings and definitions, so that each can be named before it is lowered."""
        items = self.ctx.tables.items
        main = [
            item
            for item, _ in items
            if isinstance(item, nodes.PhaseDecl) and item.name.text == MAIN
        ]
        if main:
            self._declare_phase(main[0])
            if main[0].params:
                self.ctx.error(
                    "wrong-arguments",
                    main[0].params[0],
                    f"`phase {MAIN}` takes nothing",
                    label="play begins here, and nobody gives it a value",
                )
        else:
            self.ctx.new_doing(MAIN, "phase")
            game = self.ctx.tables.game
            if game is not None:
                self.ctx.error(
                    "unknown-name",
                    game.name,
                    f"there is no `phase {MAIN}`",
                    label="play begins there",
                    advice=f"write one: `phase {MAIN}:` with the rounds of the game below it",
                )
        self.find_table_changes()
        self.changed_elsewhere = _heads([item for item, _ in items])
        self.dropped = _drops([item for item, _ in items])
        # The base comes first: what stands in it has the same number in every set of variants.
        properties = [each for found in self.ctx.tables.properties.values() for each in found]
        for of_base in (True, False):
            for item, origin in items:
                if (not origin) is of_base and item not in main:
                    self._declare(item)
            for symbol in properties:
                if (not symbol.origin) is of_base:
                    self._declare_property(symbol)
        self.type_by_source()

    def _declare(self, item: nodes.Node) -> None:
        match item:
            case nodes.PhaseDecl():
                self._declare_phase(item)
            case nodes.EffectDecl():
                self._declare_doing(item.name, "effect", item, item.params, item.result)
            case nodes.TableDecl():
                self._declare_table(item)
            case nodes.MayDecl():
                self._declare_may(item)
            case nodes.DefineDecl() if item.head.owner is None:
                builder = self._declare_definition(
                    item.head.name.text, item, item.citations, item.doc
                )
                builder.params = self.params(item.head.params or ())
            case nodes.CardDecl():
                for inner in item.items:
                    if isinstance(inner, nodes.MayDecl):
                        self._declare_may(inner)
            case _:
                pass

    def _declare_property(self, symbol: PropertySymbol) -> None:
        node = symbol.node
        name = f"{symbol.owner_name}.{symbol.name}"
        builder = self._declare_definition(name, node, node.citations, node.doc)
        builder.owner = symbol
        builder.params = [
            ir.Param(symbol.owner_name, symbol.owner),
            *self.params(node.head.params or ()),
        ]

    def _declare_definition(
        self,
        name: str,
        node: nodes.DefineDecl | nodes.MayDecl | nodes.TableDecl,
        citations: Sequence[nodes.Citation],
        doc: str,
    ) -> DefinitionBuilder:
        cites = tuple(citation.id for citation in citations)
        return self.ctx.new_definition(name, node, span=self.ctx.span(node), cites=cites, doc=doc)

    def _declare_table(self, item: nodes.TableDecl) -> None:
        rows = self.rows_of(item)
        bodies = [row for row in rows if row.body is not None]
        if bodies and len(bodies) < len(rows):
            value = next(row for row in rows if row.body is None)
            self.ctx.error(
                "mixed-table",
                value,
                f"`{item.name.text}` has rows of values and rows of doings",
                label="this row is a value",
                secondary=(self.label(bodies[0].span, "this row does something"),),
                advice="make two tables of it",
            )
        if bodies:
            self._declare_doing(item.name, "row", item, item.params, None)
        else:
            builder = self._declare_definition(item.name.text, item, item.citations, item.doc)
            builder.params = self.params(item.params)

    def _declare_may(self, item: nodes.MayDecl) -> None:
        builder = self._declare_definition(item.name.text, item, item.citations, item.doc)
        builder.params = self.params(item.params)
        builder.result = ir.FLAG
        if item.utility is not None and item.then is None:
            self.ctx.error(
                "wrong-policy",
                item.utility,
                "only actions have a policy, and this permission has no `then:`",
            )
        if item.then is not None:
            doing = self._declare_doing(item.name, "action", item, item.params, None)
            doing.permission = builder.index

    def _declare_doing(
        self,
        name: nodes.Ident,
        kind: ir.DoingKind,
        node: nodes.EffectDecl | nodes.PhaseDecl | nodes.TableDecl | nodes.MayDecl,
        params: Sequence[nodes.Param],
        result: nodes.TypeExpr | None,
    ) -> DoingBuilder:
        made = self.ctx.new_doing(
            name.text,
            kind,
            node=node,
            span=self.ctx.span(node),
            cites=self.ctx.cites(node),
            doc=node.doc,
        )
        made.params = self.params(params)
        made.result = value_type(self.ctx.binding, result) if result is not None else None
        self.ctx.doing_numbers.setdefault(name.text, made.index)
        return made

    def _declare_phase(self, node: nodes.PhaseDecl) -> None:
        made = self._declare_doing(node.name, "phase", node, node.params, node.result)
        made.checks = made.during = True
        made.used = made.name == MAIN
        for param in made.params:
            made.param_globals[param.name] = self.ctx.new_global(
                f"{made.name}.{param.name}", param.type, phase=made.index, shown=True
            )
        for keep in node.keeps:
            self._declare_keep(keep, made)
        for number in self.ctx.tables.lent.get(made.name, ()):
            self.ctx.tables.fields[number] = evolve(
                self.ctx.tables.fields[number], lent_by=made.index, mutable=True
            )
            made.lends.append(number)
        for step in (part for part in nodes.walk(node) if isinstance(part, nodes.StepStmt)):
            if step.name.text in made.steps:
                self.ctx.error(
                    "reserved-or-double-name",
                    step.name,
                    f"the phase `{made.name}` has two steps `{step.name.text}`",
                )
                continue
            inner = self.ctx.new_doing(
                step.name.text,
                "step",
                node=step,
                span=self.ctx.span(step),
                cites=self.ctx.cites(step),
                doc=step.doc,
                phase=made,
                checks=True,
                used=True,
            )
            made.steps[step.name.text] = inner.index
        made.shared = dict.fromkeys(_shared_names(node, {param.name for param in made.params}), -1)

    def _declare_keep(self, node: nodes.KeepsDecl, phase: DoingBuilder) -> None:
        if node.owner is not None:
            return  # a lent field: the binder has it
        made = self.kept(node, phase.name, phase.index)
        if made is not None:
            phase.keeps[node.name.text] = made

    def kept(
        self, node: nodes.KeepsDecl, owner: str, phase: int | None, card: int | None = None
    ) -> int | None:
        """Declare a kept value; None after a finding."""
        kind = value_type(self.ctx.binding, node.type)
        if is_broken(kind):
            return None
        initial: object = () if kind.shape in ("set", "list") else None
        if kind.shape == "bag":
            initial = (0,) * len(self.ctx.tables.enums[kind.enum].words)
        if node.initial is not None:
            found = constant(self.ctx.binding, node.initial.value, kind)
            initial = initial if found is FAILED else found
        sight: ir.Sight = (
            "hidden" if any(flag.name.text == "hidden" for flag in node.flags) else "open"
        )
        made = self.ctx.new_global(
            f"{owner}.{node.name.text}",
            kind,
            initial=initial,
            phase=phase,
            card=card,
            sight=sight,
            shown=True,
            span=self.ctx.span(node),
        )
        if node.until is not None:
            self.starts_afresh.append((node.until, made))
        return made

    starts_afresh: list[tuple[nodes.Until, int]]
    unsourced: list[tuple[nodes.Param, int, list[ir.Param]]]

    def type_by_source(self) -> None:
        """Give parameters with neither a type nor a telling name the type of what they run over."""
        for param, place, made in self.unsourced:
            assert param.source is not None
            scope = self.param_scope(made[:place], Function())
            with self.ctx.quietly():
                source = self.collection(param.source, scope, "`from`")
            if not is_broken(source) and source.type.elem is not None:
                made[place] = evolve(made[place], type=source.type.elem)
                self.ctx.note(param.name, source.type.elem)

    def params(self, declared: Sequence[nodes.Param]) -> list[ir.Param]:
        """Give parameters their types: written ones, or what their names say."""
        made: list[ir.Param] = []
        for param in declared:
            if param.type is not None:
                kind = value_type(self.ctx.binding, param.type)
            else:
                found = self.ctx.tables.type_by_name(param.name.text)
                if found is None and param.source is not None:
                    self.unsourced.append((param, len(made), made))
                    found = BROKEN
                if found is None:
                    self.ctx.error(
                        "untyped-parameter",
                        param,
                        f"`{param.name.text}` is not typed by its name",
                        label="no kind or enumeration is called like its last words",
                        advice=f"write its type: `{param.name.text}: Number`, or name it after a kind",
                    )
                    kind = BROKEN
                else:
                    kind = found
            self.ctx.note(param.name, kind)
            made.append(ir.Param(param.name.text, kind))
        return made

    # ---------------------------------------------------------------------------------- definitions

    def fill_definition(self, builder: DefinitionBuilder) -> None:
        """Lower a definition, or take what it was lowered to before."""
        node = builder.node
        changed = isinstance(node, nodes.TableDecl) and node.name.text in self.table_changes
        if self.recall is None or node is None or changed:
            self.lower_definition(builder)
            return
        about: tuple[object, ...] = (builder.name in self.changed_elsewhere,)
        match node:
            case nodes.DefineDecl():
                about = (node.head.name.text in self.changed_elsewhere,)
            case nodes.MayDecl(needs=needs):
                about = tuple((builder.name, need.name.text) in self.dropped for need in needs)
            case nodes.TableDecl():
                about += tuple(self.domain_of(param.type) for param in builder.params)
        self.recall.fill(builder, about, self.lower_definition)

    def lower_definition(self, builder: DefinitionBuilder) -> None:
        """Lower the general value of a definition and the exceptions written under it."""
        function = Function()
        scope = self.param_scope(builder.params, function)
        scope.pure = True
        builder.scope = scope
        self._check_params(builder, scope)
        node = builder.node
        match node:
            case nodes.DefineDecl():
                self._lower_define(builder, node, scope)
            case nodes.MayDecl():
                self._lower_needs(builder, node, scope)
            case nodes.TableDecl():
                self.lower_value_table(builder, node, scope)
            case None:
                pass

    def _check_params(self, builder: DefinitionBuilder, scope: Scope) -> None:
        node = builder.node
        declared = (
            node.head.params or ()
            if isinstance(node, nodes.DefineDecl)
            else node.params
            if node is not None
            else ()
        )
        for param in declared:
            empty = Scope(scope.function)
            self.check_free(param.name, empty)

    def _lower_define(
        self, builder: DefinitionBuilder, node: nodes.DefineDecl, scope: Scope
    ) -> None:
        values = [
            node.value,
            *(
                exception.change.value
                for exception in node.exceptions
                if exception.change.sign == "="
            ),
        ]
        want = self.wanted(values, scope)
        general = self.expr(node.value, scope, want)
        builder.general = general
        builder.result = self._result_type(builder, node, general, want, scope)
        if (
            general.type.shape == "set"
            and general.type.elem == ir.NONE
            and not is_broken(builder.result)
        ):
            builder.general = self.convert(general, builder.result, node.value, f"`{builder.name}`")
        for exception in node.exceptions:
            inner = scope.child()
            cond = self.condition(exception.condition, inner)
            inner.learn(cond, holds=True)
            if is_broken(cond):
                continue
            self.add_clause(
                builder,
                exception.name.text,
                exception.change,
                [cond],
                inner,
                exception,
                beats=(exception.after.text,) if exception.after is not None else (),
            )

    def _result_type(
        self,
        builder: DefinitionBuilder,
        node: nodes.DefineDecl,
        general: ir.Expr,
        want: Type | None,
        scope: Scope,
    ) -> Type:
        kind = general.type
        if is_broken(kind):
            return kind
        for exception in node.exceptions:
            if exception.change.sign != "=":
                continue
            with self.ctx.quietly():
                inner = scope.child()
                cond = self.condition(exception.condition, inner)
                inner.learn(cond, holds=True)
                value = self.expr(
                    exception.change.value, inner, want or (kind if kind.shape != "none" else None)
                )
            if is_broken(value):
                continue
            joined = ruletypes.join(kind, value.type)
            if joined is None:
                self.ctx.error(
                    "wrong-arguments",
                    exception.change.value,
                    f"this exception is {self.ctx.say(value.type)}, `{builder.name}` is {self.ctx.say(kind)}",
                )
            else:
                kind = joined
        if kind.shape == "number" and (
            node.exceptions or node.head.name.text in self.changed_elsewhere
        ):
            kind = ir.Type("number", optional=kind.optional)
        return kind

    def _lower_needs(self, builder: DefinitionBuilder, node: nodes.MayDecl, scope: Scope) -> None:
        inner = scope.child()
        for need in node.needs:
            cond = self.condition(need.condition, inner)
            if (builder.name, need.name.text) not in self.dropped:
                inner.learn(cond, holds=True)
            if is_broken(cond):
                continue
            builder.needs.append(
                ir.Need(
                    need.name.text,
                    cond,
                    need.text.value if need.text is not None else "",
                    span=self.ctx.span(need),
                    cites=self.ctx.cites(need),
                )
            )

    # --------------------------------------------------------------------------------------- doings

    def lower_doings(self) -> None:
        """Lower the bodies of all declared doings."""
        for doing in list(self.ctx.doings):
            match doing.node:
                case nodes.EffectDecl(body=body):
                    self._lower_body(doing, body)
                case nodes.PhaseDecl(body=body):
                    self._lower_body(doing, body)
                case nodes.MayDecl(then=then) if doing.kind == "action" and then is not None:
                    self._lower_body(doing, then)
                case nodes.TableDecl() if doing.kind == "row":
                    self._lower_rows(doing, doing.node)
                case _:
                    pass

    def doing_scope(self, doing: DoingBuilder) -> Scope:
        """Make the scope of a doing's body."""
        function = Function(doing.name, doing)
        scope = self.param_scope(doing.params, function)
        node = doing.node
        declared = getattr(node, "params", ())
        for param in declared:
            self.check_free(param.name, Scope(function))
        if doing.kind == "phase":
            function.shared = doing.shared
            for name, number in doing.keeps.items():
                kind = self.ctx.globals[number].type
                scope.vars[name] = Var(
                    name, ir.GlobalGet(number, type=kind), changes=True, by_value=False
                )
        return scope

    def _lower_body(self, doing: DoingBuilder, body: nodes.Body) -> None:
        scope = self.doing_scope(doing)
        if doing.kind == "action" and doing.permission is not None:
            builder = self.ready(self._permission_node(doing))
            for need in builder.needs:
                lifted = (builder.name, need.name) in self.dropped
                if not lifted and builder.name not in self.changed_elsewhere:
                    scope.learn(need.cond, holds=True)
        doing.body = self.body(body, scope)
        if doing.result is not None and not scope.ended and not is_broken(doing.result):
            node = doing.node
            self.missing_result(getattr(node, "name", node) or body, doing.name)

    @staticmethod
    def _permission_node(doing: DoingBuilder) -> nodes.Node:
        assert doing.node is not None
        return doing.node

    def lower_step(self, step: DoingBuilder, node: nodes.StepStmt, scope: Scope) -> None:
        """Lower the body of a step; names that it binds for its phase are added to ``scope``."""
        phase = step.phase
        assert phase is not None
        function = Function(f"{phase.name}.{step.name}", step, shared=phase.shared)
        inner = Scope(function)
        for name, var in scope.vars.items():
            if isinstance(var.value, ir.GlobalGet):
                inner.vars[name] = var
            elif name in phase.param_globals:
                value = ir.GlobalGet(phase.param_globals[name], type=var.value.type)
                inner.vars[name] = Var(name, value, var.span)
        known = set(inner.vars)
        step.body = self.body(node.body, inner)
        for name, var in inner.vars.items():
            if name not in known and isinstance(var.value, ir.GlobalGet):
                scope.vars[name] = var
        scope.ended = scope.ended or inner.ended

    def _lower_rows(self, doing: DoingBuilder, node: nodes.TableDecl) -> None:
        scope = self.doing_scope(doing)
        keys, rows = self.row_keys(node, doing.params)
        blocks: list[ir.Block] = []
        for row in self.rows_of(node):
            inner = scope.child()
            block = self.body(row.body, inner) if row.body is not None else ()
            cites = self.ctx.cites(row)
            if cites:
                block = (
                    (evolve(block[0], cites=(*cites, *block[0].cites)), *block[1:])
                    if block
                    else block
                )
            blocks.append(block)
        if keys:
            doing.body = (
                ir.Match(
                    keys,
                    tuple((key, blocks[number]) for key, number in rows),
                    span=self.ctx.span(node),
                ),
            )

    # ---------------------------------------------------------------------------------------- cards

    def lower_rules(self) -> None:
        """Lower the rules of the base and of cards, in the published order."""
        self.holders = {}
        dropped = self.drop_promises()
        chosen = {name: number for number, name in enumerate(self.ctx.tables.chosen)}
        for item, origin in self.ctx.tables.items:
            place = Place((1, chosen[origin], 0) if origin else (0, 0, 0), origin)
            match item:
                case (
                    nodes.HookDecl()
                    | nodes.StateRuleDecl()
                    | nodes.NamedRuleDecl()
                    | nodes.ClauseDecl()
                    | nodes.DropDecl()
                ):
                    self.rule(item, place)
                case nodes.AlwaysDecl() if item.text.value not in dropped:
                    self._always(item)
                case _:
                    pass
        for item, _ in self.ctx.tables.items:
            if isinstance(item, nodes.CardDecl):
                self._card(item)

    def _always(self, node: nodes.AlwaysDecl) -> None:
        cond = self.condition(node.condition, Scope(Function(), pure=True))
        if not is_broken(cond):
            self.ctx.always.append(
                ir.Always(
                    node.text.value, cond, span=self.ctx.span(node), cites=self.ctx.cites(node)
                )
            )

    def _card(self, node: nodes.CardDecl) -> None:
        found = [
            (kind, things)
            for kind, things in self.ctx.tables.ids.get(node.name.text, ())
            if node.kind is None or self.ctx.kind_names[kind] == node.kind.text
        ]
        acting = [(kind, things) for kind, things in found if self._acts(kind) is not None]
        found = acting or found
        if not found:
            known = [
                name
                for name, rows in self.ctx.tables.ids.items()
                if any(self._acts(k) is not None for k, _ in rows)
            ]
            close = self.nearest(node.name.text, known or self.ctx.tables.ids)
            self.ctx.error(
                "rowless-card",
                node.name,
                f"no data row is called `{node.name.text}`",
                advice=f"did you mean `{close}`?" if close else None,
            )
            return
        if len(found) > 1:
            ways = " or ".join(
                f"`card {self.ctx.kind_names[kind]}.{node.name.text}`" for kind, _ in found
            )
            self.ctx.error(
                "ambiguous-word",
                node.name,
                f"several kinds have a `{node.name.text}`",
                advice=f"write {ways}",
            )
            return
        kind, things = found[0]
        acts = self._acts(kind)
        if acts is None:
            self.ctx.error(
                "ownerless-card",
                node.name,
                f"no place of a {self.ctx.kind_names[kind]} is marked `acts`",
                label="so these rules are never in force",
                advice="write `, acts` behind the field or pile that has the card while its rules hold",
            )
            return
        for copy, thing in enumerate(things):
            self._card_copy(node, kind, thing, acts, copy)

    def _acts(self, kind: int) -> bool | None:
        """Are cards of this kind in force somewhere, and is there a player then (``you``)? None:
        nowhere."""
        holders = self._holders(kind)
        return 0 in holders if holders else None

    def _holders(self, kind: int) -> tuple[int, ...]:
        """Give the kinds whose things can have cards of this kind in force."""
        found = self.holders.get(kind)
        if found is None:
            holding = set()
            for field in self.ctx.tables.fields:
                elem = field.type.elem if field.type.shape in ("list", "set") else field.type
                if field.acts and elem is not None and kind in elem.kinds:
                    holding.add(field.kind)
            found = self.holders[kind] = tuple(sorted(holding))
        return found

    def _card_copy(self, node: nodes.CardDecl, kind: int, thing: int, you: bool, copy: int) -> None:
        name = node.name.text if copy == 0 else f"{node.name.text}_{copy + 1}"
        names: dict[str, Var] = {}
        kept: list[int] = []
        for item in node.items:
            if isinstance(item, nodes.KeepsDecl):
                made = self.kept(item, name, None, thing)
                if made is not None:
                    kept.append(made)
                    value = ir.GlobalGet(made, type=self.ctx.globals[made].type)
                    names[item.name.text] = Var(
                        item.name.text, value, item.span, changes=True, by_value=False
                    )
        if kept:
            self.card_keeps.append((thing, tuple(kept)))
        place = Place(
            (2, kind, thing),
            name,
            card=thing,
            you=you,
            vars=names,
            this=ir.Const(thing, type=ruletypes.thing(kind)),
            holders=self._holders(kind),
        )
        self.ctx.card_cites = self.ctx.cites(node)
        for item in node.items:
            if not isinstance(item, nodes.KeepsDecl | nodes.MayDecl):
                self.rule(item, place)
        self.ctx.card_cites = ()

    card_keeps: list[tuple[int, tuple[int, ...]]]
    holders: dict[int, tuple[int, ...]]


def _drops(items: Sequence[nodes.Node]) -> set[tuple[str, str]]:
    """Give the needs that something may lift, each with its permission: they need not hold."""
    return set().union(*map(_drops_in, items))


@nodes.remembered
def _drops_in(item: nodes.Node) -> frozenset[tuple[str, str]]:
    return frozenset(
        (part.path[-2].text, part.path[-1].text)
        for part in nodes.parts(item)
        if isinstance(part, nodes.DropDecl) and len(part.path) > 1
    )


def _heads(items: Sequence[nodes.Node]) -> set[str]:
    """Give the names of all definitions that an exception elsewhere may change."""
    return set().union(*map(_heads_in, items))


@nodes.remembered
def _heads_in(item: nodes.Node) -> frozenset[str]:
    return frozenset(
        part.head.name.text for part in nodes.parts(item) if isinstance(part, nodes.ClauseDecl)
    )


def _shared_names(node: nodes.PhaseDecl, params: set[str]) -> list[str]:
    """Give the names bound in one step (or outside) of a phase and mentioned in another: the phase
    keeps them."""
    bound: dict[int, set[str]] = {}
    mentioned: dict[int, set[str]] = {}

    def visit(part: nodes.Node, owner: int) -> None:
        for child in nodes.children(part):
            inner = id(child) if isinstance(child, nodes.StepStmt) else owner
            match child:
                case (
                    nodes.LetStmt(name=name)
                    | nodes.EachStmt(name=name)
                    | nodes.Choice(name=name)
                    | nodes.SecretlyStmt(name=name)
                ):
                    bound.setdefault(inner, set()).add(name.text)
                    if isinstance(child, nodes.EachStmt) and child.second is not None:
                        bound[inner].add(child.second.text)
                case nodes.Name(ident=ident):
                    mentioned.setdefault(inner, set()).add(ident.text)
                case nodes.Call(name=ident):
                    mentioned.setdefault(inner, set()).add(ident.text)
                case nodes.Text(value=value):
                    mentioned.setdefault(inner, set()).update(_HOLE.findall(value))
                case _:
                    pass
            visit(child, inner)

    visit(node, 0)
    shared: list[str] = []
    for owner, names in bound.items():
        for name in sorted(names - params):
            elsewhere = any(
                name in found and name not in bound.get(other, ())
                for other, found in mentioned.items()
                if other != owner
            )
            if elsewhere and name not in shared:
                shared.append(name)
    return shared
