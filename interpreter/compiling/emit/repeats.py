"""What a function that changes nothing works out twice is worked out once and kept in a local.

This looks at generated syntax, since repeats come from definitions that were put where they are
called. An expression is taken over from an earlier place only if that was surely passed on the way.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable

PURE = re.compile(r"[fh]\d+|map_distance|map_within|map_nearest|map_neighbours|len|union|need")
"""What may be called: functions of definitions and helpers, and what changes nothing either."""

OWN = re.compile(r"t\d+")
"""Names of intermediate values, which are all different."""

WORTH = 5
"""From this weight on an expression is dearer than a local."""

_WEIGHTS: dict[type[ast.AST], int] = {ast.Call: 5, ast.Slice: 3, ast.Subscript: 2, ast.BinOp: 1}
_SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.If,
    ast.For,
    ast.While,
    ast.Return,
    ast.Expr,
    ast.Break,
    ast.Continue,
    ast.Pass,
)
_PLAIN = (
    ast.Constant,
    ast.Name,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.BoolOp,
    ast.IfExp,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.Call,
    ast.Attribute,
    ast.NamedExpr,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
    ast.expr_context,
)


@attrs.define(eq=False)
class _Known:
    """An expression that has been worked out: its first place, and where it comes again."""

    first: ast.expr
    names: frozenset[str]
    again: list[ast.expr] = attrs.Factory(list)


_Scope = dict[str, _Known]


def without_repeats(function: ast.FunctionDef) -> ast.FunctionDef:
    """The same function; what is worked out again at a place behind the first is a local there."""
    made = unshared(function)
    assert isinstance(made, ast.FunctionDef)
    finder = _Finder(made)
    if not finder.fits or not finder.run():
        return function
    names: dict[int, tuple[str, bool]] = {}
    for number, known in enumerate(finder.repeated()):
        names[id(known.first)] = (f"k{number}", True)
        names.update({id(each): (f"k{number}", False) for each in known.again})
    replaced = _Replacer(names).visit(made)
    assert isinstance(replaced, ast.FunctionDef)
    return replaced


class _Replacer(ast.NodeTransformer):
    def __init__(self, names: dict[int, tuple[str, bool]]) -> None:
        self._names = names

    def visit(self, node: ast.AST) -> ast.AST:
        found = self._names.get(id(node))
        if found is None:
            return self.generic_visit(node)
        name, first = found
        if not first:
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        inner = self.generic_visit(node)
        assert isinstance(inner, ast.expr)
        target = ast.copy_location(ast.Name(name, ast.Store()), node)
        return ast.copy_location(ast.NamedExpr(target, inner), node)


class _Finder:
    """Finds repeats in one function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self._function = function
        self._all: list[_Known] = []
        self._changed: set[str] = {"g", "draw"}
        self._times: dict[str, int] = {}
        self._keys: dict[int, tuple[str, int, frozenset[str]] | None] = {}
        self.fits = all(self._look(node) for node in ast.walk(function) if node is not function)

    def _look(self, node: ast.AST) -> bool:
        """Note what is changed; False if this function is none of the simple ones."""
        match node:
            case ast.Name():
                self._times[node.id] = self._times.get(node.id, 0) + 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                if attr != "count":
                    self._changed.add(name)
            case ast.Subscript(ctx=ast.Store(), value=ast.Name(id=name)):
                self._changed.add(name)
                return name != "S"
            case ast.stmt():
                return isinstance(node, _SIMPLE)
            case _:
                pass
        return True

    def run(self) -> bool:
        """Go through the function; False if there are no repeats."""
        self._lines(self._function.body, {})
        return any(known.again for known in self._all)

    def repeated(self) -> list[_Known]:
        """The expressions that come again."""
        return [known for known in self._all if known.again]

    # ---------------------------------------------------------------------------------- statements

    def _lines(self, lines: Iterable[ast.stmt], scope: _Scope) -> None:
        for line in lines:
            match line:
                case ast.Assign() | ast.AugAssign():
                    self._visit(line.value, scope)
                    _forget(scope, _stored([line]))
                case ast.Return() | ast.Expr():
                    if line.value is not None:
                        self._visit(line.value, scope)
                case ast.If():
                    self._visit(line.test, scope)
                    self._lines(line.body, dict(scope))
                    self._lines(line.orelse, dict(scope))
                    _forget(scope, _stored([*line.body, *line.orelse]))
                case ast.For():
                    self._visit(line.iter, scope)
                    _forget(scope, _stored([line.target, *line.body, *line.orelse]))
                    self._lines(line.body, dict(scope))
                    self._lines(line.orelse, dict(scope))
                case ast.While():
                    _forget(scope, _stored([*line.body, *line.orelse]))
                    inner = dict(scope)
                    self._visit(line.test, inner)
                    self._lines(line.body, inner)
                    self._lines(line.orelse, dict(scope))
                case _:
                    pass

    # --------------------------------------------------------------------------------- expressions

    def _visit(self, node: ast.AST, scope: _Scope) -> None:
        """Go through an expression in the order in which it is worked out."""
        key = self._key(node)
        if key is not None and key[1] >= WORTH:
            known = scope.get(key[0])
            if known is not None:
                assert isinstance(node, ast.expr)
                known.again.append(node)
                return
        match node:
            case ast.IfExp():
                self._visit(node.test, scope)
                self._visit(node.body, dict(scope))
                self._visit(node.orelse, dict(scope))
            case ast.BoolOp():
                self._visit(node.values[0], scope)
                inner = dict(scope)
                for each in node.values[1:]:
                    self._visit(each, inner)
            case ast.Compare():
                self._visit(node.left, scope)
                self._visit(node.comparators[0], scope)
            case ast.NamedExpr():
                self._visit(node.value, scope)
                _forget(scope, {node.target.id})
            case (
                ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp()
            ):
                return
            case _:
                for child in ast.iter_child_nodes(node):
                    self._visit(child, scope)
        if key is not None and key[1] >= WORTH:
            assert isinstance(node, ast.expr)
            scope[key[0]] = made = _Known(node, key[2])
            self._all.append(made)

    def _key(self, node: ast.AST) -> tuple[str, int, frozenset[str]] | None:
        """A text that equal expressions share, the weight, and the names; None: not to be shared."""
        if not isinstance(node, ast.expr):
            return None
        if id(node) not in self._keys:
            self._keys[id(node)] = self._key_of(node)
        return self._keys[id(node)]

    def _key_of(self, node: ast.expr) -> tuple[str, int, frozenset[str]] | None:
        own: dict[str, str] = {}
        seen: dict[str, int] = {}
        parts: list[str] = []
        weight = 0
        for each in ast.walk(node):
            if not isinstance(each, _PLAIN):
                return None
            weight += _WEIGHTS.get(type(each), 0)
            if isinstance(each, ast.NamedExpr):
                name = each.target.id
                if not OWN.fullmatch(name):
                    return None
                own[name] = f"#{len(own)}"
            elif isinstance(each, ast.Call) and not _is_pure(each):
                return None
        if isinstance(node, (ast.Compare, ast.Attribute)) or weight < WORTH:
            return None

        def tell(each: object) -> None:
            match each:
                case ast.Name():
                    seen[each.id] = seen.get(each.id, 0) + 1
                    parts.append(own.get(each.id, each.id))
                case ast.Constant():
                    parts.append(f"{type(each.value).__name__}:{each.value!r}")
                case ast.AST():
                    parts.append(type(each).__name__ + "(")
                    for field in each._fields:
                        tell(getattr(each, field))
                    parts.append(")")
                case list():
                    parts.append("[")
                    for one in each:
                        tell(one)
                    parts.append("]")
                case _:
                    parts.append(repr(each))

        tell(node)
        if any(seen[name] != self._times.get(name, 0) for name in own):
            return None  # somebody outside looks at an intermediate value
        names = frozenset(seen) - frozenset(own)
        if names & self._changed:
            return None
        return " ".join(parts), weight, names


def _is_pure(call: ast.Call) -> bool:
    if call.keywords:
        return False
    match call.func:
        case ast.Name(id=name):
            return PURE.fullmatch(name) is not None
        case ast.Attribute(attr="count" | "get"):
            return True
        case _:
            return False


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that get a value in these nodes."""
    return {
        each.id
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _forget(scope: _Scope, names: set[str]) -> None:
    """What was worked out with these names is no longer known."""
    for key in [key for key, known in scope.items() if known.names & names]:
        del scope[key]


def unshared(node: ast.AST) -> ast.AST:
    """A copy in which every node has one place; generated syntax may have the same at several."""
    made = type(node)()
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(made, name, [_part(each) for each in value])
        else:
            setattr(made, name, _part(value))
    return ast.copy_location(made, node)


def _part(value: object) -> object:
    return unshared(value) if isinstance(value, ast.AST) else value
