"""Two unsigned exceptions of one definition that may apply at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import ir
from rulelang.checker.graph import parts
from rulelang.diagnostics import Label

if TYPE_CHECKING:
    from rulelang.checker.graph import Graph


def check(graph: Graph) -> None:
    """Report pairs that cannot be proved apart."""
    for definition in graph.definitions:
        if not isinstance(definition.body, ir.Exceptional):
            continue
        bare = [clause for clause in definition.body.clauses if clause.sign == "="]
        for number, one in enumerate(bare):
            for two in bare[number + 1 :]:
                settled = one.label in two.beats or two.label in one.beats
                if settled or _same_value(one, two) or are_apart(parts(one.cond), parts(two.cond)):
                    continue
                graph.ctx.bag.warning(
                    "E0404",
                    graph.place(two.span),
                    f"two exceptions of `{definition.name}` may apply at once",
                    label="if this one applies together with the other, the game stops",
                    secondary=(Label(graph.place(one.span), f"the other one, `{one.label}`"),),
                    help=f"write `after {one.label}` at the end of the one that wins, or make their conditions differ",
                )


def _same_value(one: ir.Clause, two: ir.Clause) -> bool:
    return (
        isinstance(one.value, ir.Const)
        and isinstance(two.value, ir.Const)
        and one.value.value == two.value.value
    )


def are_apart(left: tuple[ir.Expr, ...], right: tuple[ir.Expr, ...]) -> bool:
    """Tell whether two conditions (all of each must hold) can be proved never to hold together."""
    return any(_opposed(one, two) for one in left for two in right)


def _opposed(one: ir.Expr, two: ir.Expr) -> bool:
    match one, two:
        case ir.Not(value=inner), other if inner == other:
            return True
        case other, ir.Not(value=inner) if inner == other:
            return True
        case ir.Compare(op="==", left=a, right=ir.Const(value=x)), ir.Compare(
            op="==", left=b, right=ir.Const(value=y)
        ):
            return a == b and x != y
        case ir.Compare(op="==", left=a, right=c), ir.Compare(op="!=", left=b, right=d):
            return a == b and c == d
        case ir.Compare(op="!="), ir.Compare(op="=="):
            return _opposed(two, one)
        case ir.Compare(), ir.Compare():
            return one.left == two.left and _ranges_apart(one, two)
        case ir.IsKind(value=a, kinds=k), ir.IsKind(value=b, kinds=m):
            return a == b and not set(k) & set(m)
        case ir.Contains(item=a, source=ir.Const(value=x)), ir.Contains(
            item=b, source=ir.Const(value=y)
        ):
            return a == b and isinstance(x, tuple) and isinstance(y, tuple) and not set(x) & set(y)
        case ir.Contains(item=a, source=ir.Const(value=x)), ir.Compare(
            op="==", left=b, right=ir.Const(value=y)
        ):
            return a == b and isinstance(x, tuple) and y not in x
        case ir.Compare(op="=="), ir.Contains():
            return _opposed(two, one)
        case _:
            return False


def _ranges_apart(one: ir.Compare, two: ir.Compare) -> bool:
    first, second = _bounds(one), _bounds(two)
    if first is None or second is None:
        return False
    return max(first[0], second[0]) > min(first[1], second[1])


_FAR = 10**12


def _bounds(test: ir.Compare) -> tuple[int, int] | None:
    if not isinstance(test.right, ir.Const) or not isinstance(test.right.value, int):
        return None
    value = test.right.value
    return {
        "==": (value, value),
        "<": (-_FAR, value - 1),
        "<=": (-_FAR, value),
        ">": (value + 1, _FAR),
        ">=": (value, _FAR),
        "!=": (-_FAR, _FAR),
    }[test.op]
