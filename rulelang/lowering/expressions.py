"""Expressions: syntax to typed IR.

Every method gives an expression; a mistake is reported once and gives ``BROKEN_VALUE``, which fits
everywhere.
``want`` is the type expected at the place, if one is: it decides what a word or an id means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.binding.context import BROKEN
from rulelang.lowering.context import BROKEN_VALUE, is_broken
from rulelang.lowering.names import Names
from rulelang.ruletypes import is_collection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from rulelang.ir import Type
    from rulelang.lowering.memo import Recall
    from rulelang.lowering.scope import Scope

EMPTY_SET = ir.Type("set", elem=ir.NONE)


class Expressions(Names):
    """Lowers expressions; names and properties are in :class:`Names`."""

    # --------------------------------------------------------------------------------- entry points

    recall: Recall | None

    def expr(self, node: nodes.Expr, scope: Scope, want: Type | None = None) -> ir.Expr:
        """Lower an expression, or take what it was lowered to before, if that is noted for nothing larger."""
        if self.recall is None or self.ctx.noted is not None or node.__class__ in _SIMPLE:
            return self.lower_expr(node, scope, want)
        return self.recall.value(node, scope, want, self.lower_expr)

    def lower_expr(self, node: nodes.Expr, scope: Scope, want: Type | None) -> ir.Expr:
        """Lower an expression, and all in it."""
        method = _METHODS.get(type(node))
        if method is None:
            self.ctx.error("unexpected-word", node, "this cannot stand in an expression")
            return BROKEN_VALUE
        lowered = method(self, node, scope, want)
        self.ctx.note(node, lowered.type)
        return ir.placed(lowered, self.ctx.span(node))

    def value(self, node: nodes.Expr, scope: Scope, want: Type, what: str) -> ir.Expr:
        """Lower an expression that must be a value of ``want``; ``what`` names the place in
        messages."""
        return self.convert(self.expr(node, scope, want), want, node, what)

    def condition(self, node: nodes.Expr, scope: Scope) -> ir.Expr:
        """Lower a condition."""
        return self.value(node, scope, ir.FLAG, "a condition")

    def number(self, node: nodes.Expr, scope: Scope, what: str) -> ir.Expr:
        """Lower a number."""
        return self.value(node, scope, ir.NUMBER, what)

    def collection(
        self, node: nodes.Expr, scope: Scope, what: str, want: Type | None = None
    ) -> ir.Expr:
        """Lower a set or list; ``want`` is the type of a member."""
        found = self.expr(node, scope, ruletypes.set_of(want) if want is not None else None)
        if is_broken(found) or is_collection(found.type):
            return found
        if found.type.shape == "bag":
            return ir.BagWords(found, type=ruletypes.set_of(ruletypes.word(found.type.enum)))
        self.ctx.error(
            "wrong-arguments",
            node,
            f"{what} needs a set or a list",
            label=f"this is {self.ctx.say(found.type)}",
            advice="one thing as a set is written in braces: `{x}`"
            if found.type.shape == "thing"
            else None,
        )
        return BROKEN_VALUE

    def convert(self, found: ir.Expr, want: Type, node: nodes.Node, what: str) -> ir.Expr:
        """Make a lowered expression fit ``want``, or report that it does not."""
        if is_broken(found) or is_broken(want):
            return found
        if found.type.shape == "set" and want.shape == "bag" and found.type.elem == ir.NONE:
            return self.empty_bag(want)
        if not ruletypes.fits(found.type, want):
            self.ctx.error(
                "wrong-arguments",
                node,
                f"{what} must be {self.ctx.say(want)}",
                label=f"this is {self.ctx.say(found.type)}",
                advice=self._conversion(found.type, want, node),
            )
            return BROKEN_VALUE
        if found.type.optional and not want.optional:
            if found.type.shape == "none" and is_collection(want):
                return ir.Const((), type=want)
            self.ctx.error(
                "unguarded-none",
                node,
                f"{what} needs a value, and this may be none",
                label="may be none here",
                advice="test it first: `if ... is not none:`, or `... is not none and ...` in a condition",
            )
            return BROKEN_VALUE
        if not ruletypes.surely_fits(found.type, want):
            self.ctx.error(
                "wrong-arguments",
                node,
                f"{what} must be {self.ctx.say(want)}",
                label=f"this may also be {self.ctx.say(self._rest(found.type, want))}",
                advice="test the kind first: `if ... is Kind:`",
            )
            return BROKEN_VALUE
        if isinstance(found, ir.Const) and want.shape == "number" and isinstance(found.value, int):
            self.check_range(found.value, want, node, what)
        if found.type.shape == "list" and want.shape == "set":
            return ir.AsSet(found, type=want)
        if is_collection(found.type) and found.type.elem == ir.NONE:
            return evolve(found, type=want)
        return found

    @staticmethod
    def _conversion(found: Type, want: Type, node: nodes.Node) -> str | None:
        """Say how one thing becomes a set, a set one thing, or a value a condition."""
        if want.shape == "flag" and found.shape in ("number", "word"):
            value = node.span.text
            return f"compare it with something: `x is {value}`, or several at once: `x in {{{value}, ...}}`"
        if is_collection(want) and want.elem is not None:
            if ruletypes.fits(ruletypes.required(found), want.elem):
                return f"one as a set is written in braces: `{{{node.span.text}}}`"
        elif is_collection(found) and found.elem is not None and ruletypes.fits(found.elem, want):
            if want.shape == "number":
                return "these are several numbers: take their `sum(...)`, or one of them"
            return "these are several: take one with `first(...)`, or let a player choose"
        return None

    def check_range(self, value: int, want: Type, node: nodes.Node, what: str) -> None:
        """Report a constant outside a range."""
        if (want.lo is not None and value < want.lo) or (want.hi is not None and value > want.hi):
            self.ctx.error(
                "value-outside-range",
                node,
                f"{what} must be in {self.ctx.say(want)}",
                label=f"this is {value}",
            )

    @staticmethod
    def _rest(found: Type, want: Type) -> Type:
        left = tuple(kind for kind in found.kinds if kind not in want.kinds)
        return evolve(found, kinds=left or found.kinds, optional=False)

    def empty_bag(self, want: Type) -> ir.Expr:
        """Give a bag with nothing in it."""
        return ir.Const((0,) * len(self.ctx.enum(want.enum).words), type=want)

    # --------------------------------------------------------------------------------------- simple

    def _number(self, node: nodes.Number, _scope: Scope, _want: Type | None) -> ir.Expr:
        return ir.Const(node.value, type=ir.Type("number", lo=node.value, hi=node.value))

    def _text(self, node: nodes.Text, _scope: Scope, _want: Type | None) -> ir.Expr:
        return ir.Const(node.value, type=ir.TEXT)

    def _error(self, _node: nodes.ErrorExpr, _scope: Scope, _want: Type | None) -> ir.Expr:
        return BROKEN_VALUE

    def _group(self, node: nodes.Group, scope: Scope, want: Type | None) -> ir.Expr:
        if len(node.elements) == 1:
            return self.expr(node.elements[0], scope, want)
        items = self._members(node.elements, scope, want.elem if want is not None else None)
        if items is None:
            return BROKEN_VALUE
        return ir.MakeList(items[0], type=ruletypes.list_of(items[1]))

    def _set_literal(self, node: nodes.SetLiteral, scope: Scope, want: Type | None) -> ir.Expr:
        if not node.elements:
            if want is not None and want.shape == "bag":
                return self.empty_bag(want)
            kind = want if want is not None and is_collection(want) else EMPTY_SET
            return ir.Const((), type=kind)
        bag = want is not None and want.shape == "bag"
        if len(node.elements) == 1 and isinstance(node.elements[0], nodes.RangeExpr):
            return self.expr(node.elements[0], scope, want)
        elem = (
            ruletypes.word(want.enum)
            if bag and want is not None
            else (want.elem if want is not None else None)
        )
        items = self._members(node.elements, scope, elem)
        if items is None:
            return BROKEN_VALUE
        members, joined = items
        if bag or self._repeats_words(members, joined):
            return ir.MakeBag(members, type=ir.Type("bag", enum=joined.enum))
        return ir.MakeSet(members, type=ruletypes.set_of(joined))

    @staticmethod
    def _repeats_words(members: Sequence[ir.Expr], joined: Type) -> bool:
        values = [member.value for member in members if isinstance(member, ir.Const)]
        return (
            joined.shape == "word"
            and len(values) == len(members)
            and len(set(values)) < len(values)
        )

    def _members(
        self, elements: Sequence[nodes.Expr], scope: Scope, want: Type | None
    ) -> tuple[tuple[ir.Expr, ...], Type] | None:
        found = [self.expr(element, scope, want) for element in elements]
        if is_broken(*found):
            return None
        for element, item in zip(elements, found, strict=True):
            if is_collection(item.type) and (want is None or not is_collection(want)):
                self.ctx.error(
                    "wrong-arguments",
                    element,
                    "a member must be a single value",
                    label="this is a set",
                )
                return None
        joined = ruletypes.join_all([item.type for item in found])
        if joined is None:
            self.ctx.error("wrong-arguments", elements[0], "the members have no type in common")
            return None
        return tuple(found), joined

    # ----------------------------------------------------------------------------------- arithmetic

    def _arithmetic(self, node: nodes.Arithmetic, scope: Scope, want: Type | None) -> ir.Expr:
        passed = want if want is not None and (is_collection(want) or want.shape == "bag") else None
        if node.op == "*":
            return self._product(node, scope, passed)
        left = self.expr(node.left, scope, passed)
        if (
            passed is None
            and (is_collection(left.type) or left.type.shape == "bag")
            and not is_broken(left)
        ):
            passed = left.type
        right = self.expr(node.right, scope, passed)
        if is_broken(left, right):
            return BROKEN_VALUE
        if node.op in ("+", "-"):
            if "bag" in (left.type.shape, right.type.shape):
                return self._bag_sum(node, left, right)
            if is_collection(left.type) or is_collection(right.type):
                return self._set_sum(node, left, right)
        left = self.convert(left, ir.NUMBER, node.left, f"`{node.op}`")
        right = self.convert(right, ir.NUMBER, node.right, f"`{node.op}`")
        if is_broken(left, right):
            return BROKEN_VALUE
        if node.op == "/" and isinstance(right, ir.Const) and right.value == 0:
            self.ctx.error(
                "value-outside-range", node.right, "a division by 0", label="this is always 0"
            )
        return self.arith(node.op, left, right)

    @staticmethod
    def arith(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """Combine two numbers, with the range that results; constants are computed."""
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            one, two = left.value, right.value
            if isinstance(one, int) and isinstance(two, int) and not (op == "/" and two == 0):
                value = {"+": one + two, "-": one - two, "*": one * two}.get(
                    op, one // two if two else 0
                )
                return ir.Const(value, type=ir.Type("number", lo=value, hi=value))
        return ir.Arith(op, left, right, type=_range_of(op, left.type, right.type))  # type: ignore[arg-type]

    def _product(self, node: nodes.Arithmetic, scope: Scope, want: Type | None) -> ir.Expr:
        left, right = self.expr(node.left, scope), self.expr(node.right, scope, want)
        if is_broken(left, right):
            return BROKEN_VALUE
        if right.type.shape in ("set", "bag") or left.type.shape in ("set", "bag"):
            if left.type.shape in ("set", "bag"):
                left, right = right, left
            bag = self.as_bag(right)
            if bag is not None and left.type.shape == "number":
                return ir.BagArith("*", bag, left, type=bag.type)
            self.ctx.error(
                "wrong-arguments", node, "`*` multiplies two numbers, or a number and a bag"
            )
            return BROKEN_VALUE
        left = self.convert(left, ir.NUMBER, node.left, "`*`")
        right = self.convert(right, ir.NUMBER, node.right, "`*`")
        return BROKEN_VALUE if is_broken(left, right) else self.arith("*", left, right)

    @staticmethod
    def as_bag(value: ir.Expr) -> ir.Expr | None:
        """Read a set of words as a bag with one of each; None if it is no set of words."""
        if value.type.shape == "bag":
            return value
        if (
            isinstance(value, ir.MakeSet)
            and value.type.elem is not None
            and value.type.elem.shape == "word"
        ):
            return ir.MakeBag(value.items, type=ir.Type("bag", enum=value.type.elem.enum))
        return None

    def _bag_sum(self, node: nodes.Arithmetic, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        bag = left.type if left.type.shape == "bag" else right.type
        one = self.as_bag(left) or self.convert(left, bag, node.left, f"`{node.op}` of bags")
        two = self.as_bag(right) or self.convert(right, bag, node.right, f"`{node.op}` of bags")
        if is_broken(one, two):
            return BROKEN_VALUE
        return ir.BagArith(node.op, one, two, type=bag)  # type: ignore[arg-type]

    def _set_sum(self, node: nodes.Arithmetic, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        for side, value in ((node.left, left), (node.right, right)):
            if not is_collection(value.type):
                self.ctx.error(
                    "wrong-arguments",
                    side,
                    f"`{node.op}` here joins sets, and this is {self.ctx.say(value.type)}",
                    advice="one thing as a set is written in braces: `{x}`",
                )
                return BROKEN_VALUE
        joined = ruletypes.join(left.type, right.type)
        if joined is None:
            self.ctx.error("wrong-arguments", node, "these two have no members in common")
            return BROKEN_VALUE
        if node.op == "-":
            kept = left.type if left.type.elem != ir.NONE else joined
            return ir.Minus(left, right, type=kept)
        if joined.shape == "list":
            return ir.Concat(left, right, type=joined)
        return ir.Union(left, right, type=joined)

    def _range(self, node: nodes.RangeExpr, scope: Scope, _want: Type | None) -> ir.Expr:
        low = self.number(node.low, scope, "the lower end of a range")
        high = self.number(node.high, scope, "the upper end of a range")
        if is_broken(low, high):
            return BROKEN_VALUE
        kind = ir.Type("set", elem=ir.Type("number", lo=low.type.lo, hi=high.type.hi))
        if isinstance(low, ir.Const) and isinstance(high, ir.Const):
            first, last = int(str(low.value)), int(str(high.value))
            if last - first < 1000:
                return ir.Const(tuple(range(first, last + 1)), type=kind)
        return ir.RangeSet(low, high, type=kind)

    # ---------------------------------------------------------------------------------- comparisons

    def _compare(self, node: nodes.Compare, scope: Scope, _want: Type | None) -> ir.Expr:
        left = self.expr(node.left, scope)
        right = self.expr(node.right, scope, left.type if left.type.shape == "word" else None)
        if is_broken(left, right):
            return BROKEN_VALUE
        if not (
            left.type.shape == right.type.shape == "word" and left.type.enum == right.type.enum
        ):
            left = self.convert(left, ir.NUMBER, node.left, f"`{node.op}`")
            right = self.convert(right, ir.NUMBER, node.right, f"`{node.op}`")
            if is_broken(left, right):
                return BROKEN_VALUE
        for side, value in ((node.left, left), (node.right, right)):
            if value.type.optional:
                self.convert(value, ruletypes.required(value.type), side, f"`{node.op}`")
                return BROKEN_VALUE
        return ir.Compare(node.op, left, right, type=ir.FLAG)

    def _is(self, node: nodes.Is, scope: Scope, _want: Type | None) -> ir.Expr:
        return self._equality(node, node.left, node.right, scope)

    def _is_not(self, node: nodes.IsNot, scope: Scope, _want: Type | None) -> ir.Expr:
        same = self._equality(node, node.left, node.right, scope)
        match same:
            case ir.Compare(op="==", left=left, right=right):
                return ir.Compare("!=", left, right, type=ir.FLAG)
            case _:
                return same if is_broken(same) else ir.Not(same, type=ir.FLAG)

    def _equality(
        self, node: nodes.Expr, left_node: nodes.Expr, right_node: nodes.Expr, scope: Scope
    ) -> ir.Expr:
        if isinstance(right_node, nodes.KindName):
            tested = self.ctx.tables.type_names.get(right_node.ident.text)
            if tested is not None and tested.shape == "thing":
                return self._kind_test(self.expr(left_node, scope), tested, node, right_node)
        if self._is_bare_word(left_node, scope) and not self._is_bare_word(right_node, scope):
            right = self.expr(right_node, scope)
            left = self.expr(left_node, scope, right.type)
        else:
            left = self.expr(left_node, scope)
            right = self.expr(right_node, scope, left.type)
        if is_broken(left, right):
            return BROKEN_VALUE
        return self.same(left, right, node)

    def same(self, left: ir.Expr, right: ir.Expr, node: nodes.Node) -> ir.Expr:
        """Compare two lowered values for equality."""
        for one, other in ((left, right), (right, left)):
            if one.type.shape == "bag" and other.type.shape == "set":
                made = self.as_bag(other) or (
                    self.empty_bag(one.type) if other.type.elem == ir.NONE else None
                )
                if made is not None:
                    return ir.Compare("==", one, made, type=ir.FLAG)
        if not ruletypes.overlaps(left.type, right.type):
            self.ctx.error(
                "wrong-arguments",
                node,
                "these two can never be equal",
                label=f"{self.ctx.say(left.type)} and {self.ctx.say(right.type)}",
            )
            return BROKEN_VALUE
        if is_collection(left.type) and not (left.type.shape == right.type.shape == "list"):
            return ir.SameItems(left, right, type=ir.FLAG)
        return ir.Compare("==", left, right, type=ir.FLAG)

    def _kind_test(
        self, value: ir.Expr, tested: Type, node: nodes.Node, right: nodes.Node
    ) -> ir.Expr:
        if is_broken(value):
            return BROKEN_VALUE
        if value.type.shape != "thing" or not set(value.type.kinds) & set(tested.kinds):
            self.ctx.error(
                "wrong-arguments",
                node,
                f"this can never be {self.ctx.say(tested)}",
                label=f"the left side is {self.ctx.say(value.type)}",
            )
            return BROKEN_VALUE
        del right
        return ir.IsKind(value, tested.kinds, type=ir.FLAG)

    def _in(self, node: nodes.InTest, scope: Scope, _want: Type | None) -> ir.Expr:
        if self._is_bare_word(node.left, scope):
            source = self.collection(node.right, scope, "`in`")
            item = self.expr(node.left, scope, source.type.elem)
        else:
            item = self.expr(node.left, scope)
            source = self.collection(
                node.right, scope, "`in`", None if is_broken(item) else item.type
            )
        if is_broken(item, source):
            return BROKEN_VALUE
        elem = source.type.elem
        if (
            elem is not None
            and elem.shape != "none"
            and not ruletypes.overlaps(ruletypes.required(item.type), elem)
        ):
            self.ctx.error(
                "wrong-arguments",
                node,
                "this can never be one of them",
                label=f"{self.ctx.say(item.type)} in {self.ctx.say(source.type)}",
            )
            return BROKEN_VALUE
        test = ir.Contains(item, source, type=ir.FLAG)
        return ir.Not(test, type=ir.FLAG) if node.negated else test

    # ---------------------------------------------------------------------------------------- logic

    def _and(self, node: nodes.And, scope: Scope, _want: Type | None) -> ir.Expr:
        inner = scope.child()
        left = self.condition(node.left, inner)
        inner.learn(left, holds=True)
        right = self.condition(node.right, inner)
        return (
            BROKEN_VALUE
            if is_broken(left, right)
            else ir.And((*_parts(left, ir.And), *_parts(right, ir.And)), type=ir.FLAG)
        )

    def _or(self, node: nodes.Or, scope: Scope, _want: Type | None) -> ir.Expr:
        inner = scope.child()
        left = self.condition(node.left, inner)
        inner.learn(left, holds=False)
        right = self.condition(node.right, inner)
        return (
            BROKEN_VALUE
            if is_broken(left, right)
            else ir.Or((*_parts(left, ir.Or), *_parts(right, ir.Or)), type=ir.FLAG)
        )

    def _not(self, node: nodes.Not, scope: Scope, _want: Type | None) -> ir.Expr:
        value = self.condition(node.operand, scope)
        return BROKEN_VALUE if is_broken(value) else ir.Not(value, type=ir.FLAG)

    # ----------------------------------------------------------------------------------------- sets

    def _looking(self, source: ir.Expr, scope: Scope) -> tuple[str, Scope]:
        var = scope.function.fresh("it")
        return var, scope.looking_at(ir.Local(var, type=source.type.elem or ir.NUMBER))

    def _where(self, node: nodes.Where, scope: Scope, want: Type | None) -> ir.Expr:
        source = self.collection(
            node.source, scope, "`where`", want.elem if want is not None else None
        )
        if is_broken(source):
            return BROKEN_VALUE
        var, inner = self._looking(source, scope)
        cond = self.condition(node.condition, inner)
        if is_broken(cond):
            return BROKEN_VALUE
        learned = inner.child()
        learned.learn(cond, holds=True)
        seen = learned.refine(ir.Local(var, type=source.type.elem or ir.NUMBER)).type
        return ir.Where(source, var, cond, type=evolve(source.type, elem=seen))

    def _any(self, node: nodes.Any, scope: Scope, _want: Type | None) -> ir.Expr:
        source = self.collection(node.source, scope, "`any`")
        return BROKEN_VALUE if is_broken(source) else ir.AnyWhere(source, "", None, type=ir.FLAG)

    def _any_where(self, node: nodes.AnyWhere, scope: Scope, _want: Type | None) -> ir.Expr:
        source = self.collection(node.source, scope, "`any`")
        if is_broken(source):
            return BROKEN_VALUE
        var, inner = self._looking(source, scope)
        cond = self.condition(node.condition, inner)
        return BROKEN_VALUE if is_broken(cond) else ir.AnyWhere(source, var, cond, type=ir.FLAG)

    def _at(self, node: nodes.At, scope: Scope, _want: Type | None) -> ir.Expr:
        source = self.collection(node.things, scope, "`at`")
        if is_broken(source):
            return BROKEN_VALUE
        elem = source.type.elem
        if elem is None or elem.shape != "thing":
            self.ctx.error("wrong-arguments", node.things, "only components have a place")
            return BROKEN_VALUE
        if isinstance(node.place, nodes.Name) and node.place.ident.text == "box":
            return ir.InBox(source, type=source.type)
        place = self.expr(node.place, scope)
        if is_broken(place):
            return BROKEN_VALUE
        held = self.places_of(elem, node.things)
        if held is None:
            return BROKEN_VALUE
        if not ruletypes.overlaps(place.type, held):
            self.ctx.error(
                "impossible-place",
                node,
                f"{self.ctx.say(elem)} is never at such a place",
                label=f"its places are {self.ctx.say(held)}",
            )
            return BROKEN_VALUE
        return ir.PlacedAt(source, place, type=source.type)

    def places_of(self, elem: Type, node: nodes.Node) -> Type | None:
        """Give the type of the places that things can be at; None, and a finding, if they have
        none."""
        fields = self.ctx.fields_named(elem.kinds, "place")
        if not fields:
            self.ctx.error(
                "impossible-place",
                node,
                f"{self.ctx.say(elem)} has no `place`",
                advice="give the component a field `place: Kind or none = none`",
            )
            return None
        joined = ruletypes.join_all([self.ctx.tables.fields[number].type for number in fields])
        return joined if joined is not None else BROKEN

    def _best(self, node: nodes.BestOf, scope: Scope, want: Type | None) -> ir.Expr:
        source = self.collection(
            node.source, scope, "`with`", want.elem if want is not None else None
        )
        if is_broken(source):
            return BROKEN_VALUE
        keys, chance = self.keys(node.ordering, source, scope)
        best: ir.Expr = ir.Best(source, keys, type=source.type) if keys else source
        if chance is None:
            return best
        name = self.draw_before(scope, chance, "random")
        if name is None or scope.before is None:
            return BROKEN_VALUE
        elem = source.type.elem or ir.NUMBER
        scope.before.append(
            ir.Pick(name, best, self.draw_path(scope, "random", chance), span=self.ctx.span(node))
        )
        return ir.MakeSet((ir.Local(name, type=elem),), type=ruletypes.set_of(elem))

    def _sorted(self, node: nodes.SortedBy, scope: Scope, want: Type | None) -> ir.Expr:
        source = self.collection(
            node.source, scope, "`by`", want.elem if want is not None else None
        )
        if is_broken(source):
            return BROKEN_VALUE
        keys, chance = self.keys(node.ordering, source, scope)
        kind = ruletypes.list_of(source.type.elem or ir.NUMBER)
        if chance is not None:
            name = self.draw_before(scope, chance, "shuffled")
            if name is None or scope.before is None:
                return BROKEN_VALUE
            scope.before.append(
                ir.Shuffle(
                    self.draw_path(scope, "random", chance),
                    name=name,
                    source=source,
                    span=self.ctx.span(node),
                )
            )
            source = ir.Local(name, type=kind)
        return ir.Sorted(source, keys, type=kind)

    def draw_before(self, scope: Scope, node: nodes.Node, name: str) -> str | None:
        """Give a local for a draw that is made before the line; None, and a finding, where no draw
        may be."""
        if scope.before is None:
            self.ctx.error(
                "effect-in-expression",
                node,
                "`random` is a draw and cannot stand here",
                advice="it may end an ordering in `each`, `let` and `automa` only",
            )
            return None
        return scope.function.fresh(f"${name}")

    def draw_path(self, scope: Scope, name: str, node: nodes.Node) -> str:
        """Give the path of a draw."""
        return self.ctx.unique_path(
            f"{scope.function.path}.{name}" if scope.function.path else name, node
        )

    def keys(
        self, ordering: nodes.Ordering, source: ir.Expr, scope: Scope, *, policy: bool = False
    ) -> tuple[tuple[ir.Key, ...], nodes.SortKey | None]:
        """Lower an ordering; the second value is its last key if that is `random`."""
        keys: list[ir.Key] = []
        for position, key in enumerate(ordering.keys):
            if key.order is None:
                if key.name.text == "random" and position == len(ordering.keys) - 1:
                    return tuple(keys), key
                self.ctx.error(
                    "wrong-policy" if policy else "unexpected-word",
                    key,
                    f"`{key.name.text}` cannot stand in an ordering here",
                    advice=f"`highest {key.name.text}` or `lowest {key.name.text}`; `random` only as the last key",
                )
                continue
            var, inner = self._looking(source, scope)
            body = self.key_body(key, inner)
            if not is_broken(body):
                keys.append(ir.Key(var, body, key.order == "highest"))
        return tuple(keys), None

    def key_body(self, key: nodes.SortKey, scope: Scope) -> ir.Expr:
        """Lower a key: a property of the thing looked at, a definition of it, or `it`."""
        assert scope.it is not None
        if key.name.text == "it" and key.args is None:
            body = scope.it
        elif (called := self.ctx.symbol(key.name.text)) is not None and called.form in (
            "definition",
            "table",
        ):
            body = self.call_with_first(called, scope.it, key.args or (), scope, key.name)
        else:
            body = self.property(scope.it, key.name, key.args, scope)
        if not is_broken(body) and body.type.shape not in ("number", "word", "flag", "none"):
            self.ctx.error(
                "wrong-arguments",
                key,
                "a key must be a number, a word or a Flag",
                label=f"`{key.name.text}` is {self.ctx.say(body.type)}",
            )
            return BROKEN_VALUE
        return evolve(body, span=self.ctx.span(key))


def _parts(value: ir.Expr, form: type[ir.And | ir.Or]) -> tuple[ir.Expr, ...]:
    return value.parts if isinstance(value, form) else (value,)


def _range_of(op: str, left: Type, right: Type) -> Type:
    lo = hi = None
    if op == "+":
        lo = None if left.lo is None or right.lo is None else left.lo + right.lo
        hi = None if left.hi is None or right.hi is None else left.hi + right.hi
    elif op == "-":
        lo = None if left.lo is None or right.hi is None else left.lo - right.hi
        hi = None if left.hi is None or right.lo is None else left.hi - right.lo
    elif left.lo is not None and right.lo is not None and left.lo >= 0 and right.lo >= 0:
        lo = 0
        if op == "*" and left.hi is not None and right.hi is not None:
            hi = left.hi * right.hi
        elif op == "/":
            hi = left.hi
    return ir.Type("number", lo=lo, hi=hi)


_SIMPLE = frozenset((nodes.Name, nodes.KindName, nodes.Number, nodes.Text, nodes.ErrorExpr))
"""Expressions without parts: they are lowered faster than found."""

_METHODS: dict[type, Callable[[Expressions, Any, Scope, Type | None], ir.Expr]] = {
    nodes.Name: Expressions._name,
    nodes.KindName: Expressions._kind_name,
    nodes.Call: Expressions._call,
    nodes.Its: Expressions._its,
    nodes.Prop: Expressions._prop,
    nodes.PropCall: Expressions._prop_call,
    nodes.Allowed: Expressions._allowed,
    nodes.Number: Expressions._number,
    nodes.Text: Expressions._text,
    nodes.ErrorExpr: Expressions._error,
    nodes.Group: Expressions._group,
    nodes.SetLiteral: Expressions._set_literal,
    nodes.Arithmetic: Expressions._arithmetic,
    nodes.RangeExpr: Expressions._range,
    nodes.Compare: Expressions._compare,
    nodes.Is: Expressions._is,
    nodes.IsNot: Expressions._is_not,
    nodes.InTest: Expressions._in,
    nodes.And: Expressions._and,
    nodes.Or: Expressions._or,
    nodes.Not: Expressions._not,
    nodes.Where: Expressions._where,
    nodes.Any: Expressions._any,
    nodes.AnyWhere: Expressions._any_where,
    nodes.At: Expressions._at,
    nodes.BestOf: Expressions._best,
    nodes.SortedBy: Expressions._sorted,
}
