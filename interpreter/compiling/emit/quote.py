"""Short names for building Python syntax trees.

Generated code is made of ``ast`` nodes only. Names reach it as ``ast.Name`` with a prefix, texts as
``ast.Constant``: no text of a ruleset is ever pasted into code.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeVar

from interpreter.compiling.built import FILE_STRIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulelang.ir import Span

Node = TypeVar("Node", bound=ast.AST)

LOAD = ast.Load()
STORE = ast.Store()

_COMPARE: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
    "is": ast.Is(),
    "is not": ast.IsNot(),
    "in": ast.In(),
    "not in": ast.NotIn(),
}
_ARITH: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "//": ast.FloorDiv(),
    "%": ast.Mod(),
    "&": ast.BitAnd(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
    "<<": ast.LShift(),
    ">>": ast.RShift(),
}
_AND = ast.And()
_OR = ast.Or()
_NOT = ast.Not()
_MINUS = ast.USub()
_INVERT = ast.Invert()


def name(identifier: str) -> ast.expr:
    """Read a name."""
    return ast.Name(identifier, LOAD)


def target(identifier: str) -> ast.expr:
    """Write a name."""
    return ast.Name(identifier, STORE)


def const(value: object) -> ast.expr:
    """A constant (None, flags, numbers, texts and tuples of them)."""
    return ast.Constant(value)  # type: ignore[arg-type]


def call(function: str | ast.expr, *args: ast.expr) -> ast.expr:
    """Call a function with positional arguments."""
    return ast.Call(name(function) if isinstance(function, str) else function, list(args), [])


def attribute(value: ast.expr, attr: str) -> ast.expr:
    """Read an attribute of an engine object."""
    return ast.Attribute(value, attr, LOAD)


def method(value: ast.expr, attr: str, *args: ast.expr) -> ast.expr:
    """Call a method of an engine object."""
    return ast.Call(ast.Attribute(value, attr, LOAD), list(args), [])


def sub(value: ast.expr, index: ast.expr) -> ast.expr:
    """``value[index]``."""
    return ast.Subscript(value, index, LOAD)


def sub_store(value: ast.expr, index: ast.expr) -> ast.expr:
    """``value[index]`` as the left side of an assignment."""
    return ast.Subscript(value, index, STORE)


def state(index: ast.expr) -> ast.expr:
    """Read a slot."""
    return ast.Subscript(ast.Name("S", LOAD), index, LOAD)


def state_store(index: ast.expr) -> ast.expr:
    """Write a slot."""
    return ast.Subscript(ast.Name("S", LOAD), index, STORE)


def compare(left: ast.expr, op: str, right: ast.expr) -> ast.expr:
    """One comparison."""
    return ast.Compare(left, [_COMPARE[op]], [right])


def between(low: ast.expr, value: ast.expr, high: ast.expr) -> ast.expr:
    """``low <= value <= high``."""
    return ast.Compare(low, [_COMPARE["<="], _COMPARE["<="]], [value, high])


def arith(left: ast.expr, op: str, right: ast.expr) -> ast.expr:
    """One operation on whole numbers or masks; additions of two constants are folded."""
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant) and op == "+":
        a, b = left.value, right.value
        if isinstance(a, int) and isinstance(b, int):
            return ast.Constant(a + b)
    if op == "+" and isinstance(left, ast.Constant) and left.value == 0:
        return right
    return ast.BinOp(left, _ARITH[op], right)


def negative(value: ast.expr) -> ast.expr:
    """``-value``."""
    return ast.UnaryOp(_MINUS, value)


def invert(value: ast.expr) -> ast.expr:
    """``~value``."""
    return ast.UnaryOp(_INVERT, value)


def not_(value: ast.expr) -> ast.expr:
    """``not value``."""
    return ast.UnaryOp(_NOT, value)


def and_(parts: Sequence[ast.expr]) -> ast.expr:
    """All of ``parts``."""
    return parts[0] if len(parts) == 1 else ast.BoolOp(_AND, list(parts))


def or_(parts: Sequence[ast.expr]) -> ast.expr:
    """Any of ``parts``."""
    return parts[0] if len(parts) == 1 else ast.BoolOp(_OR, list(parts))


def if_else(test: ast.expr, then: ast.expr, orelse: ast.expr) -> ast.expr:
    """A conditional expression."""
    return ast.IfExp(test, then, orelse)


def walrus(identifier: str, value: ast.expr) -> ast.expr:
    """``(identifier := value)``."""
    return ast.NamedExpr(ast.Name(identifier, STORE), value)


def tuple_(items: Sequence[ast.expr]) -> ast.expr:
    """A tuple."""
    if all(isinstance(item, ast.Constant) for item in items):
        values = tuple(item.value for item in items if isinstance(item, ast.Constant))
        return ast.Constant(values)  # type: ignore[arg-type]
    return ast.Tuple(list(items), LOAD)


def is_none(value: ast.expr) -> ast.expr:
    """``value is None``."""
    return compare(value, "is", const(None))


def assign(identifier: str, value: ast.expr) -> ast.stmt:
    """``identifier = value``."""
    return ast.Assign([ast.Name(identifier, STORE)], value)


def set_slot(index: ast.expr, value: ast.expr) -> ast.stmt:
    """``S[index] = value``."""
    return ast.Assign([state_store(index)], value)


def add_slot(index: ast.expr, op: str, value: ast.expr) -> ast.stmt:
    """``S[index] op= value``."""
    return ast.AugAssign(state_store(index), _ARITH[op], value)  # type: ignore[arg-type]


def augment(identifier: str, op: str, value: ast.expr) -> ast.stmt:
    """``identifier op= value``."""
    return ast.AugAssign(ast.Name(identifier, STORE), _ARITH[op], value)


def set_attribute(value: ast.expr, attr: str, what: ast.expr) -> ast.stmt:
    """``value.attr = what``."""
    return ast.Assign([ast.Attribute(value, attr, STORE)], what)


def add_attribute(value: ast.expr, attr: str, op: str, what: ast.expr) -> ast.stmt:
    """``value.attr op= what``."""
    return ast.AugAssign(ast.Attribute(value, attr, STORE), _ARITH[op], what)


def unpack(identifiers: Iterable[str], value: ast.expr) -> ast.stmt:
    """``a, b, c = value``."""
    return ast.Assign([ast.Tuple([ast.Name(i, STORE) for i in identifiers], STORE)], value)


def do(value: ast.expr) -> ast.stmt:
    """An expression for its effect."""
    return ast.Expr(value)


def if_(test: ast.expr, then: list[ast.stmt], orelse: list[ast.stmt] | None = None) -> ast.stmt:
    """A conditional statement."""
    return ast.If(test, then or [ast.Pass()], orelse or [])


def for_(identifier: str, source: ast.expr, body: list[ast.stmt]) -> ast.stmt:
    """A loop."""
    return ast.For(ast.Name(identifier, STORE), source, body or [ast.Pass()], [])


def while_(test: ast.expr, body: list[ast.stmt]) -> ast.stmt:
    """A loop with a condition."""
    return ast.While(test, body or [ast.Pass()], [])


def give(value: ast.expr | None = None) -> ast.stmt:
    """Return."""
    return ast.Return(value)


def stop() -> ast.stmt:
    """Break."""
    return ast.Break()


def raise_(error: str) -> ast.stmt:
    """Raise an error that says nothing more."""
    return ast.Raise(name(error))


def function(identifier: str, params: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """A function with positional parameters."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(p) for p in params],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[],
    )
    return ast.FunctionDef(identifier, arguments, body or [ast.Pass()], [], None)


def locate(node: Node, span: Span) -> Node:
    """Give every part of ``node`` that has no position yet the place ``span``."""
    line = span.file * FILE_STRIDE + max(span.line, 1)
    end = span.file * FILE_STRIDE + max(span.end_line, span.line, 1)
    _locate(node, line, span.column, end, span.end_column)
    return node


def _locate(node: ast.AST, line: int, column: int, end: int, end_column: int) -> None:
    if "lineno" in node.__dict__:
        return
    if "lineno" in node._attributes:
        node.__dict__.update(
            lineno=line, col_offset=column, end_lineno=end, end_col_offset=end_column
        )
    for key in node._fields:
        value = node.__dict__.get(key)
        if isinstance(value, ast.AST):
            _locate(value, line, column, end, end_column)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, ast.AST):
                    _locate(item, line, column, end, end_column)


def locate_rest(tree: ast.AST) -> None:
    """Give every part that has no position yet that of what it stands in."""
    waiting: list[tuple[ast.AST, tuple[int, int, int, int]]] = [(tree, (1, 0, 1, 0))]
    while waiting:
        node, place = waiting.pop()
        known = node.__dict__
        if "lineno" in node._attributes:
            if "lineno" in known:
                line, column = known["lineno"], known["col_offset"]
                place = (line, column, known["end_lineno"], known["end_col_offset"])
            else:
                line, column, end, end_column = place
                known.update(
                    lineno=line, col_offset=column, end_lineno=end, end_col_offset=end_column
                )
        for key in node._fields:
            value = known.get(key)
            if isinstance(value, list):
                waiting.extend((item, place) for item in value if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST) and value._fields:
                waiting.append((value, place))
