"""Where a rule stands, and what the names of its pattern are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import Factory, define

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.atomics import Atomics
from rulelang.lowering.context import OrderKey, is_broken
from rulelang.lowering.names import RESERVED
from rulelang.lowering.scope import Function, Scope, Var

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.ir import Type


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


class Patterns(Atomics):
    """Binds the names of patterns and heads."""

    sequence: int = 0

    def next_order(self, place: Place) -> OrderKey:
        """Give the next place in the published order for a rule that stands there."""
        self.sequence += 1
        return (*place.order, self.sequence)

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

    def _fixed(self, arg: nodes.Expr, param: ir.Param, scope: Scope) -> list[ir.Expr]:
        value = self.expr(arg, scope, param.type)
        if is_broken(value):
            return []
        test = self.same(ir.Local(param.name, type=param.type), value, arg)
        return [] if is_broken(test) else [test]

    def _is_new_name(self, node: nodes.Expr, place: Place) -> bool:
        if not isinstance(node, nodes.Name):
            return False
        name = node.ident.text
        known = name in RESERVED or name in (place.vars or {}) or self.ctx.symbol(name) is not None
        return not known and name not in self.ctx.tables.ids

    def kinds_with(self, name: str) -> list[int]:
        """Give the kinds that have a field of this name."""
        return sorted({kind for kind, field in self.ctx.tables.field_numbers if field == name})

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

    @staticmethod
    def _somebody(place: Place) -> list[ir.Expr]:
        """Test that a player has the card, where it may also lie on a board."""
        if not place.you or place.holders == (0,) or place.block is not None:
            return []
        holding = ruletypes.thing(*place.holders)
        return [ir.IsKind(ir.Local("you", type=holding), (0,), type=ir.FLAG)]

    @staticmethod
    def _holder_lets(place: Place) -> tuple[tuple[str, ir.Expr], ...]:
        lets = place.lets()
        if lets and not place.you:
            return (("$holder", lets[0][1]),)
        return lets


def intersection(kind: Type, wanted: Type) -> Type:
    """Give the kinds that are in both types; the first one where it is no kind."""
    if kind.shape != "thing" or wanted.shape != "thing":
        return kind
    both = set(kind.kinds) & set(wanted.kinds)
    return ruletypes.thing(*both, optional=kind.optional and wanted.optional)


def mentioned(rules: Sequence[nodes.Node]) -> frozenset[str]:
    """Give every name that stands in some rules, texts included."""
    return frozenset[str]().union(*map(_mentioned, rules))


@nodes.remembered
def _mentioned(rule: nodes.Node) -> frozenset[str]:
    found: set[str] = set(nodes.names_in(rule))
    for node in nodes.parts(rule):
        if isinstance(node, nodes.Text):
            found.update(part.split(".")[0] for part in node.value.replace("{", "}").split("}"))
    return frozenset(found)
