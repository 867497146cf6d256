"""The built-in functions of expressions: ``count``, ``first``, ``distance`` and the others."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, TypeAlias

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import BROKEN_VALUE, is_broken
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import Context, DefinitionBuilder
    from rulelang.lowering.scope import Scope


class Builtins:
    """Lowers calls of built-in functions."""

    ctx: Context

    def expr(self, node: nodes.Expr, scope: Scope, want: Type | None = None) -> ir.Expr:
        """Lower an expression; see :class:`rulelang.lowering.expressions.Expressions`."""
        raise NotImplementedError

    def value(self, node: nodes.Expr, scope: Scope, want: Type, what: str) -> ir.Expr:
        """Lower a value of a type; see :class:`rulelang.lowering.expressions.Expressions`."""
        raise NotImplementedError

    def number(self, node: nodes.Expr, scope: Scope, what: str) -> ir.Expr:
        """Lower a number; see :class:`rulelang.lowering.expressions.Expressions`."""
        raise NotImplementedError

    def collection(
        self, node: nodes.Expr, scope: Scope, what: str, want: Type | None = None
    ) -> ir.Expr:
        """Lower a set or list; see :class:`rulelang.lowering.expressions.Expressions`."""
        raise NotImplementedError

    def convert(self, found: ir.Expr, want: Type, node: nodes.Node, what: str) -> ir.Expr:
        """Make a value fit; see :class:`rulelang.lowering.expressions.Expressions`."""
        raise NotImplementedError

    def wrong_count(self, ident: nodes.Ident, names: Sequence[str], given: int) -> None:
        """Report a wrong number of arguments; see :class:`rulelang.lowering.names.Names`."""
        raise NotImplementedError

    def ready(self, node: nodes.Node) -> DefinitionBuilder:
        """Give a lowered definition; see :class:`rulelang.lowering.names.Names`."""
        raise NotImplementedError

    @staticmethod
    def nearest(text: str, known: Iterable[str]) -> str | None:
        """Give the nearest known name, if one is close."""
        return next(iter(nearest(text, list(known))), None)

    @staticmethod
    def built_in_names() -> Iterable[str]:
        """Give the names of all built-in functions."""
        return _TABLE

    def built_in(self, name: str) -> Callable[[nodes.Call, Scope, Type | None], ir.Expr] | None:
        """Find a built-in function."""
        entry = _TABLE.get(name)
        if entry is None:
            return None
        method, names = entry

        def call(node: nodes.Call, scope: Scope, want: Type | None) -> ir.Expr:
            least = len([arg for arg in names if not arg.endswith("?")])
            if not least <= len(node.args) <= (len(names) if "more?" not in names else 99):
                self.wrong_count(node.name, [arg.rstrip("?") for arg in names], len(node.args))
                return BROKEN_VALUE
            return method(self, node, scope, want)

        return call

    # -------------------------------------------------------------------------------------- numbers

    def _count(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        source = self.collection(node.args[0], scope, "`count`")
        return BROKEN_VALUE if is_broken(source) else ir.Count(source, type=ir.COUNT)

    def _fold(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        op = node.name.text
        given, *more = node.args
        if more and op != "sum":
            parts = [self.number(arg, scope, f"`{op}`") for arg in node.args]
            if is_broken(*parts):
                return BROKEN_VALUE
            first, *others = parts
            return reduce(partial(_folded, op), others, first)
        source = self.collection(given, scope, f"`{op}`")
        if is_broken(source):
            return BROKEN_VALUE
        elem = source.type.elem or ir.NUMBER
        if elem.shape not in ("number", "none"):
            self.ctx.error(
                "wrong-arguments",
                node,
                f"`{op}` needs numbers",
                label=f"this is {self.ctx.say(source.type)}",
            )
            return BROKEN_VALUE
        if op == "sum":
            lo = 0 if elem.lo is not None and elem.lo >= 0 else None
            return ir.Fold("sum", source, type=ir.Type("number", lo=lo))
        return ir.Fold(op, source, type=ir.Type("number", lo=elem.lo, hi=elem.hi))  # type: ignore[arg-type]

    def _half(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        value = self.number(node.args[0], scope, "`half`")
        if is_broken(value):
            return BROKEN_VALUE
        lo = None if value.type.lo is None else value.type.lo // 2
        hi = None if value.type.hi is None else value.type.hi // 2
        return ir.Arith(
            "/", value, ir.Const(2, type=ir.COUNT), type=ir.Type("number", lo=lo, hi=hi)
        )

    # --------------------------------------------------------------------------------- one of a set

    def _one(self, node: nodes.Call, scope: Scope, want: Type | None) -> ir.Expr:
        name = node.name.text
        source = self.collection(node.args[0], scope, f"`{name}`", want)
        if is_broken(source):
            return BROKEN_VALUE
        elem = source.type.elem or ir.NUMBER
        if len(node.args) == 2:
            count = self.number(node.args[1], scope, f"the number in `{name}`")
            return BROKEN_VALUE if is_broken(count) else ir.Take(source, count, type=source.type)
        if (
            name in ("top", "bottom")
            and self._starts_empty(source)
            and not scope.is_filled(source)
            and not scope.function.raw
        ):
            self.ctx.warning(
                "possibly-empty-set",
                node,
                f"`{node.args[0].span.text}` may be empty here",
                label="the game stops if it is",
                advice=f"test it first: `if any {node.args[0].span.text}:`",
            )
        op = {"top": "first", "bottom": "last"}.get(name, name)
        kind = ruletypes.or_none(elem) if op == "maybe" else elem
        return scope.refine(ir.One(op, source, type=kind))  # type: ignore[arg-type]

    def _starts_empty(self, source: ir.Expr) -> bool:
        """Is it a pile with nothing in it when the game begins?"""
        if not isinstance(source, ir.FieldGet):
            return False
        fields = [self.ctx.tables.fields[number] for number in source.fields]
        return all(field.pile and not any(field.values) for field in fields)

    def _overlap(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        left = self.collection(node.args[0], scope, "`overlap`")
        right = self.collection(node.args[1], scope, "`overlap`", left.type.elem)
        if is_broken(left, right):
            return BROKEN_VALUE
        if not ruletypes.overlaps(left.type, right.type):
            self.ctx.error("wrong-arguments", node, "these two sets can have no member in common")
            return BROKEN_VALUE
        return ir.Overlap(left, right, type=ir.FLAG)

    def _subsets(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        source = self.collection(node.args[0], scope, "`subsets`")
        if is_broken(source):
            return BROKEN_VALUE
        return ir.Subsets(source, type=ir.Type("list", elem=evolve(source.type, shape="set")))

    def _position(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        source = self.collection(node.args[1], scope, "`position`")
        item = self.expr(node.args[0], scope, source.type.elem)
        return (
            BROKEN_VALUE
            if is_broken(source, item)
            else ir.IndexOf(item, source, type=ir.Type("number", lo=1))
        )

    def _clockwise(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        player = ruletypes.thing(0)
        start = self.value(node.args[0], scope, player, "`clockwise`")
        return (
            BROKEN_VALUE
            if is_broken(start)
            else ir.Clockwise(start, type=ruletypes.list_of(player))
        )

    # ------------------------------------------------------------------------------ doings and maps

    def _during(self, node: nodes.Call, _scope: Scope, _want: Type | None) -> ir.Expr:
        arg = node.args[0]
        name = arg.ident.text if isinstance(arg, nodes.Name) else ""
        number = self.ctx.doing_numbers.get(name)
        if number is None:
            ident = arg.ident if isinstance(arg, nodes.Name) else node.name
            self.ctx.unknown(ident, "doing", self.ctx.doing_numbers)
            return BROKEN_VALUE
        self.ctx.ask_during(number)
        return ir.During(number, type=ir.FLAG)

    def _map(self, node: nodes.Call, scope: Scope, _want: Type | None) -> ir.Expr:
        op = node.name.text
        named = node.args[0]
        ident = (
            named.ident
            if isinstance(named, nodes.Name)
            else named.name
            if isinstance(named, nodes.Call)
            else None
        )
        symbol = self.ctx.symbol(ident.text) if ident is not None else None
        if symbol is None or symbol.form != "definition":
            self.ctx.error(
                "broken-map",
                named,
                f"`{op}` needs the name of a map first",
                advice="a definition of two places: its cost",
            )
            return BROKEN_VALUE
        builder = self.ready(symbol.node)
        builder.used = True
        given = named.args if isinstance(named, nodes.Call) else ()
        params = builder.params
        two = params[len(given) :]
        if (
            len(two) != 2
            or two[0].type != two[1].type
            or two[0].type.shape != "thing"
            or len(two[0].type.kinds) != 1
        ):
            self.ctx.error(
                "broken-map",
                named,
                f"`{symbol.name}` is no map: its last two parameters must be of one kind",
            )
            return BROKEN_VALUE
        if builder.result.hi is not None and builder.result.hi < 0:
            self.ctx.error("broken-map", named, f"`{symbol.name}` is no map: its cost is negative")
            return BROKEN_VALUE
        if builder.result.shape not in ("number", "none") and not is_broken(builder.result):
            self.ctx.error(
                "broken-map",
                named,
                f"`{symbol.name}` is no map: it gives {self.ctx.say(builder.result)}",
            )
            return BROKEN_VALUE
        prefix = [
            self.value(arg, scope, param.type, f"the argument `{param.name}`")
            for arg, param in zip(given, params, strict=False)
        ]
        place = two[0].type
        start = self.value(node.args[1], scope, place, f"the start in `{op}`")
        other = self._map_other(op, node, scope, place)
        if is_broken(start, *prefix) or (other is not None and is_broken(other)):
            return BROKEN_VALUE
        kind = (
            ir.Type("number", lo=0, optional=True) if op == "distance" else ruletypes.set_of(place)
        )
        return ir.MapOp(op, builder.index, place.kinds[0], tuple(prefix), start, other, type=kind)  # type: ignore[arg-type]

    def _map_other(self, op: str, node: nodes.Call, scope: Scope, place: Type) -> ir.Expr | None:
        if op == "neighbours":
            return None
        if len(node.args) < 3:
            self.wrong_count(node.name, ["map", "from", "to"], len(node.args))
            return BROKEN_VALUE
        if op == "distance":
            return self.value(node.args[2], scope, place, "the end in `distance`")
        if op == "within":
            return self.number(node.args[2], scope, "the cost in `within`")
        return self.value(node.args[2], scope, ruletypes.set_of(place), "the set in `nearest`")


def _folded(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    kind = _bounds(op, left.type, right.type)
    return ir.Arith(op, left, right, type=kind)  # type: ignore[arg-type]


def _bounds(op: str, left: Type, right: Type) -> Type:
    lows = [bound for bound in (left.lo, right.lo) if bound is not None]
    highs = [bound for bound in (left.hi, right.hi) if bound is not None]
    if op == "min":
        return ir.Type(
            "number", lo=min(lows) if len(lows) == 2 else None, hi=min(highs) if highs else None
        )
    return ir.Type(
        "number", lo=max(lows) if lows else None, hi=max(highs) if len(highs) == 2 else None
    )


BuiltIn: TypeAlias = "Callable[[Builtins, nodes.Call, Scope, Type | None], ir.Expr]"
_ONE: tuple[BuiltIn, tuple[str, ...]] = (Builtins._one, ("set",))
_MAP: tuple[BuiltIn, tuple[str, ...]] = (Builtins._map, ("map", "from", "to?"))
_TABLE: dict[str, tuple[BuiltIn, tuple[str, ...]]] = {
    "count": (Builtins._count, ("set",)),
    "sum": (Builtins._fold, ("set",)),
    "min": (Builtins._fold, ("set", "more?")),
    "max": (Builtins._fold, ("set", "more?")),
    "half": (Builtins._half, ("number",)),
    "first": _ONE,
    "last": _ONE,
    "only": _ONE,
    "maybe": _ONE,
    "top": (Builtins._one, ("pile", "number?")),
    "bottom": _ONE,
    "overlap": (Builtins._overlap, ("set", "set")),
    "subsets": (Builtins._subsets, ("set",)),
    "position": (Builtins._position, ("thing", "set")),
    "clockwise": (Builtins._clockwise, ("player",)),
    "during": (Builtins._during, ("doing",)),
    "distance": _MAP,
    "within": _MAP,
    "neighbours": _MAP,
    "nearest": _MAP,
}


def signatures() -> dict[str, tuple[str, ...]]:
    """Give the names of the parameters of each built-in function; one that ends in `?` may be left out."""
    return {name: params for name, (_, params) in _TABLE.items()}
