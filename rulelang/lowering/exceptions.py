"""Exceptions that stand away from their definition, and what is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import all_of, is_broken
from rulelang.lowering.patterns import PLAYER, Patterns, Place, intersection
from rulelang.lowering.scope import Function, Scope, Var

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.lowering.context import DefinitionBuilder
    from rulelang.symbols import Symbol


class Exceptions(Patterns):
    """Lowers clauses and `drop`."""

    rule_drops: dict[str, list[ir.Expr]]
    rule_names: dict[int, str]

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
            known = intersection(param.type, wanted)
            scope.vars[ident.text] = Var(ident.text, ir.Local(param.name, type=known))
            self.ctx.note(ident, known)
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
        cond = all_of(guards)
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
        if not path:
            return  # a promise, see `drop_promises`
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
            symbol = self.ctx.symbol(name)
            instead = (
                f"to do without it write `instead of {name}: do nothing`"
                if symbol is not None and symbol.form in ("effect", "phase")
                else None
            )
            self.ctx.error(
                "change-of-nothing",
                node,
                f"there is no rule `{name}` to drop",
                notes=(
                    f"`{name}` is a {symbol.form}"
                    if symbol.form[0] not in "aeiou"
                    else f"`{name}` is an {symbol.form}",
                )
                if symbol is not None
                else (),
                advice=instead or (f"did you mean `{close}`?" if close else None),
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
            for part in nodes.parts(item)
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
        """Find the need or exception that `drop` names; nothing after a finding."""
        part = path[-1]
        found = self._changeable(path[:-1])
        known = {
            each.index: [
                *(need.name for need in each.needs),
                *(clause.label for clause in each.clauses),
            ]
            for each in found
        }
        for each in found:
            if part in known[each.index]:
                return each, part
        written = ".".join(path)
        if not found:
            names = [
                *(
                    name
                    for name, symbol in self.ctx.tables.symbols.items()
                    if self._has_parts(symbol)
                ),
                *self.ctx.tables.properties,
            ]
            close = self.nearest(path[-2], names)
            self.ctx.error(
                "change-of-nothing",
                node.path[-2],
                f"`{'.'.join(path[:-1])}` is no definition and no permission",
                label=f"so `{part}` cannot be dropped from it",
                advice=f"did you mean `{close}.{part}`?" if close else None,
            )
            return None, None
        parts = [name for names in known.values() for name in names]
        close = self.nearest(part, parts)
        listed = ", ".join(f"`{name}`" for name in dict.fromkeys(parts))
        self.ctx.error(
            "change-of-nothing",
            node.path[-1],
            f"`{written}` is no need and no exception",
            notes=(f"`{path[-2]}` has {listed}",) if listed else (),
            advice=f"did you mean `{path[-2]}.{close}`?" if close else None,
        )
        return None, None

    def _changeable(self, path: list[str]) -> list[DefinitionBuilder]:
        """Find the definitions, permissions or properties that a path, such as `rate` or `port.rate`, may mean."""
        *owners, name = path
        symbol = self.ctx.symbol(name)
        if not owners and symbol is not None and self._has_parts(symbol):
            return [self.ready(symbol.node)]
        owner = self.ctx.tables.type_by_name(owners[-1]) if len(owners) == 1 else None
        if owners and owner is None:
            return []
        return [
            self.ready(found.node)
            for found in self.ctx.tables.properties.get(name, ())
            if owner is None or ruletypes.overlaps(found.owner, owner)
        ]

    def _has_parts(self, symbol: Symbol) -> bool:
        return id(symbol.node) in self.ctx.definition_numbers

    def drop_promises(self) -> set[str]:
        """Give the texts of the promises that are dropped; report those that do not exist."""
        items = [item for item, _ in self.ctx.tables.items]
        known = [item.text.value for item in items if isinstance(item, nodes.AlwaysDecl)]
        dropped: set[str] = set()
        for item in items:
            if not isinstance(item, nodes.DropDecl) or item.text is None:
                continue
            dropped.add(item.text.value)
            if item.text.value not in known:
                close = self.nearest(item.text.value, known)
                self.ctx.error(
                    "change-of-nothing",
                    item.text,
                    "there is no `always` of this text to drop",
                    advice=f'did you mean "{close}"?' if close else None,
                )
        return dropped
