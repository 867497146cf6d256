"""Keys of the rows of a table, as they are written: which cases two of them have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Callable


def parts_meet(one: nodes.Expr, two: nodes.Expr, word: Callable[[nodes.Expr], str]) -> bool:
    """Tell whether two parts of keys have a case in common: numbers by value, all else by its `word`."""
    left, right = _numbers(one), _numbers(two)
    if left is None or right is None:
        return word(one) == word(two)
    return left[0] <= right[1] and right[0] <= left[1]


def _numbers(part: nodes.Expr) -> tuple[int, int] | None:
    match part:
        case nodes.Number(value=value):
            return value, value
        case nodes.RangeExpr(low=nodes.Number(value=low), high=nodes.Number(value=high)):
            return low, high
        case _:
            return None
