"""Working out what is known before a game begins: one function for each kind of expression.

Each gives the expression itself where nothing is known. What would be a fault stays one.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulelang import ir


def is_kind(e: ir.IsKind) -> ir.Expr:
    """A test of the kind that the type decides."""
    of = e.value.type
    if of.shape != "thing" or not of.kinds or isinstance(e.value, ir.Const):
        return e
    if not set(of.kinds) & set(e.kinds):
        return ir.Const(value=False, type=ir.FLAG, span=e.span)
    if set(of.kinds) <= set(e.kinds) and not of.optional and isinstance(e.value, ir.Local):
        return ir.Const(value=True, type=ir.FLAG, span=e.span)
    return e


def junction(e: ir.And | ir.Or) -> ir.Expr:
    """``and`` and ``or`` without what is known, nested ones joined."""
    stop = isinstance(e, ir.Or)
    parts: list[ir.Expr] = []
    for part in e.parts:
        inner = part.parts if type(part) is type(e) else (part,)
        for each in inner:
            if isinstance(each, ir.Const):
                if each.value is stop:
                    if not parts:
                        return each
                    parts.append(each)
                    return type(e)(parts=tuple(parts), type=e.type, span=e.span)
                if each.value is (not stop):
                    continue
            parts.append(each)
    if not parts:
        return ir.Const(value=not stop, type=ir.FLAG, span=e.span)
    if len(parts) == 1 and not parts[0].type.optional:
        return parts[0]
    return type(e)(parts=tuple(parts), type=e.type, span=e.span)


def not_(e: ir.Not) -> ir.Expr:
    """The negation of what can be negated."""
    inner = e.value
    if isinstance(inner, ir.Const) and isinstance(inner.value, bool):
        return ir.Const(value=not inner.value, type=ir.FLAG, span=e.span)
    if isinstance(inner, ir.Not) and not inner.value.type.optional:
        return inner.value
    if isinstance(inner, ir.Compare) and inner.op in ("==", "!="):
        return attrs.evolve(inner, op="!=" if inner.op == "==" else "==")
    return e


def compare(e: ir.Compare) -> ir.Expr:
    """A comparison of two constants."""
    assert isinstance(e.left, ir.Const)  # noqa: S101 - for the type checker
    assert isinstance(e.right, ir.Const)  # noqa: S101 - for the type checker
    left: Any = e.left.value
    right: Any = e.right.value
    if e.op == "==":
        result = left == right
    elif e.op == "!=":
        result = left != right
    elif left is None or right is None:
        return e
    else:
        result = {
            "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right,
        }[e.op]  # fmt: skip
    return ir.Const(value=bool(result), type=ir.FLAG, span=e.span)


def arith(e: ir.Arith) -> ir.Expr:
    """An operation on two constants."""
    assert isinstance(e.left, ir.Const)  # noqa: S101 - for the type checker
    assert isinstance(e.right, ir.Const)  # noqa: S101 - for the type checker
    left, right = e.left.value, e.right.value
    if not isinstance(left, int) or not isinstance(right, int):
        return e
    match e.op:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "min":
            result = min(left, right)
        case "max":
            result = max(left, right)
        case "/" if right:
            result = left // right
        case _:
            return e
    return ir.Const(value=result, type=e.type, span=e.span)


def case(e: ir.Case) -> ir.Expr:
    """A case without the arms that cannot come."""
    arms: list[tuple[ir.Expr, ir.Expr]] = []
    for test, arm in e.arms:
        if isinstance(test, ir.Const) and isinstance(test.value, bool):
            if not test.value:
                continue
            if not arms:
                return arm
            return attrs.evolve(e, arms=tuple(arms), otherwise=arm)
        arms.append((test, arm))
    return attrs.evolve(e, arms=tuple(arms)) if arms else e.otherwise


def switch(e: ir.Switch) -> ir.Expr:
    """A table whose keys are constants."""
    if all(isinstance(key, ir.Const) for key in e.keys):
        keys = [key.value for key in e.keys if isinstance(key, ir.Const)]
        for wanted, row in e.rows:
            if all(w is None or k in w for k, w in zip(keys, wanted, strict=True)):
                return row
    return e
