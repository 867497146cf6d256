"""Changes of single expressions.

What the text does not say is not changed: lowering writes numbers and comparisons that nobody wrote, and a change of
those could not be shown to anybody. So each change looks for what it changes in the text.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, cast

import attrs

from interpreter.mutation.model import text_at
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

NO: Final = ir.Const(type=ir.FLAG, value=False)
YES: Final = ir.Const(type=ir.FLAG, value=True)


@attrs.frozen(eq=False)
class Change:
    """One value in place of another.

    Attributes:
        new: The expression instead.
        operator: What kind of change.
        before: What was written.
        after: What it becomes.
        span: Where, if it is a part of the expression only.
    """

    new: ir.Expr
    operator: str
    before: str
    after: str = ""
    span: ir.Span = ir.NOWHERE


_SIGNS: Final = {"==": "is", "!=": "is not", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_EDGES: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITES: Final = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SUMS: Final = {"+": "-", "-": "+", "*": "+", "/": "*"}


def changes(program: ir.Program, expr: ir.Expr) -> Iterator[Change]:
    """All changes of an expression itself, not of what is below it."""
    match expr:
        case ir.Const():
            yield from _constant(program, expr)
        case ir.Compare():
            yield from _comparison(program, expr)
        case ir.And() | ir.Or():
            yield from _joined(program, expr)
        case ir.Not() if text_at(program, expr.span).startswith("not "):
            yield Change(expr.value, "condition", "not")
        case ir.Arith():
            yield from _sum(program, expr)
        case ir.BagArith() if expr.op in "+-" and _says(program, expr.left, expr.right, expr.op):
            other: Literal["+", "-"] = "-" if expr.op == "+" else "+"
            yield Change(attrs.evolve(expr, op=other), "sum", expr.op, other)
        case ir.Fold() if expr.op in ("min", "max") and _named(program, expr, expr.op):
            turned: Literal["min", "max"] = "max" if expr.op == "min" else "min"
            yield Change(attrs.evolve(expr, op=turned), "min and max", expr.op, turned)
        case ir.One() if expr.op in ("first", "last"):
            yield from _end_of(program, expr)
        case ir.Minus() if _says(program, expr.left, expr.right, "-") and not _empty(expr.right):
            yield Change(expr.left, "set", f"- {text_at(program, expr.right.span)}")
        case ir.Union() | ir.Concat() if _says(program, expr.left, expr.right, "+"):
            yield Change(expr.left, "set", f"+ {text_at(program, expr.right.span)}")
        case ir.Best() | ir.Sorted():
            yield from _keys(program, expr)
        case ir.Switch():
            yield from _rows(program, expr)
        case ir.Exceptional():
            yield from _exceptions(program, expr)
        case _:
            pass


def opposite(program: ir.Program, expr: ir.Expr) -> Iterator[Change]:
    """A condition that is neither a comparison, nor joined of others, nor negated already: its negation."""
    if not isinstance(expr, ir.Compare | ir.And | ir.Or | ir.Not | ir.Const | ir.Exceptional):
        text = text_at(program, expr.span)
        if text:
            yield Change(ir.Not(type=ir.FLAG, value=expr), "condition", text, f"not {text}")
    elif isinstance(expr, ir.Compare) and not _sign_of(program, expr):
        text = text_at(program, expr.span)
        if text:
            new = attrs.evolve(expr, op=cast("Literal['==']", _OPPOSITES[expr.op]))
            yield Change(new, "condition", text, f"not {text}")


def _constant(program: ir.Program, expr: ir.Const) -> Iterator[Change]:
    value, of = expr.value, expr.type
    written = _literal(text_at(program, expr.span))
    if isinstance(value, bool):
        if written in ("yes", "no"):
            other = "no" if value else "yes"
            yield Change(attrs.evolve(expr, value=not value), "word", written, other)
        return
    if not isinstance(value, int):
        return
    if written == str(value):
        yield from _number(program, expr, value)
    elif of.shape == "word":
        enum = program.enums[of.enum]
        low = enum.low if enum.numeric else 0
        if len(enum.words) > 1 and written.split(".")[-1] == enum.words[value - low]:
            new = (value - low + 1) % len(enum.words)
            yield Change(attrs.evolve(expr, value=new + low), "word", written, str(enum.words[new]))
    elif of.shape == "thing" and written:
        kind = next(each for each in program.kinds if each.base <= value < each.base + each.count)
        if kind.count > 1 and written.split(".")[-1] == kind.ids[value - kind.base]:
            new = (value - kind.base + 1) % kind.count
            yield Change(attrs.evolve(expr, value=new + kind.base), "word", written, kind.ids[new])


def _literal(text: str) -> str:
    """What is written, without what a row of a table has in front of its value and behind it."""
    return text.rsplit(": ", 1)[-1].split(" [", 1)[0].strip()


def _number(program: ir.Program, expr: ir.Const, value: int) -> Iterator[Change]:
    low, high = 0, None
    if expr.type.shape == "word":
        enum = program.enums[expr.type.enum]
        low, high = enum.low, enum.low + len(enum.words) - 1
    for new in dict.fromkeys((value + 1, value - 1, 0)):
        if new != value and new >= low and (high is None or new <= high):
            yield Change(attrs.evolve(expr, value=new), "number", str(value), str(new))


def _comparison(program: ir.Program, expr: ir.Compare) -> Iterator[Change]:
    sign = _sign_of(program, expr)
    if not sign:
        return
    for table in (_EDGES, _OPPOSITES):
        if expr.op in table:
            new = table[expr.op]
            changed = attrs.evolve(expr, op=cast("Literal['==']", new))
            if not _alike(expr, changed):
                yield Change(changed, "comparison", sign, _SIGNS[new])


def _sign_of(program: ir.Program, expr: ir.Compare) -> str:
    """The sign as it is written; empty where nobody wrote one."""
    sign = _SIGNS[expr.op]
    between = _between(program, expr.left, expr.right)
    if sign in ("is", "is not"):
        return sign if between == sign else ""
    return sign if sign in between.split() else ""


def _between(program: ir.Program, left: ir.Expr, right: ir.Expr) -> str:
    """What is written between two expressions, brackets left out."""
    if ir.NOWHERE in (left.span, right.span) or left.span.file != right.span.file:
        return ""
    start = (left.span.end_line, left.span.end_column)
    if start > (right.span.line, right.span.column):
        return ""
    span = ir.Span(left.span.file, *start, right.span.line, right.span.column)
    return text_at(program, span).strip("() ")


def _says(program: ir.Program, left: ir.Expr, right: ir.Expr, sign: str) -> bool:
    return _between(program, left, right) == sign


def _named(program: ir.Program, expr: ir.Expr, name: str) -> bool:
    return text_at(program, expr.span).startswith(name)


_MANY: Final = 2000


def _alike(old: ir.Compare, new: ir.Compare) -> bool:
    """Do two comparisons of the same sides agree for all values that the types of the sides admit?"""
    sides = []
    for side in (old.left, old.right):
        if isinstance(side, ir.Const) and isinstance(side.value, int):
            sides.append(range(side.value, side.value + 1))
        elif side.type.shape == "number" and not side.type.optional:
            low, high = side.type.lo, side.type.hi
            if low is None or high is None:
                return False
            sides.append(range(low, high + 1))
        else:
            return False
    left, right = sides
    if len(left) * len(right) > _MANY:
        return False
    return all(_holds(old.op, a, b) == _holds(new.op, a, b) for a in left for b in right)


def _holds(op: str, left: int, right: int) -> bool:
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[op]


def _joined(program: ir.Program, expr: ir.And | ir.Or) -> Iterator[Change]:
    word = "and" if isinstance(expr, ir.And) else "or"
    parts = [part for part in expr.parts if part.span != ir.NOWHERE]
    if len(parts) > 1 and all(_between(program, *pair) == word for pair in pairwise(parts)):
        rest = tuple(part for part in expr.parts if part.span == ir.NOWHERE)
        if isinstance(expr, ir.Or):
            yield Change(ir.And(type=ir.FLAG, parts=expr.parts), "and and or", "or", "and")
        else:
            other = ir.Or(type=ir.FLAG, parts=tuple(parts))
            new = ir.And(type=ir.FLAG, parts=(*rest, other)) if rest else other
            yield Change(new, "and and or", "and", "or")
    for part in parts:
        text = text_at(program, part.span)
        if text and len(expr.parts) > 1 and not isinstance(part, ir.Const):
            left = tuple(each for each in expr.parts if each is not part)
            yield Change(attrs.evolve(expr, parts=left), "condition", text, span=part.span)


def _sum(program: ir.Program, expr: ir.Arith) -> Iterator[Change]:
    if expr.op in _SUMS:
        if _says(program, expr.left, expr.right, expr.op):
            other = _SUMS[expr.op]
            new = attrs.evolve(expr, op=cast("Literal['+']", other))
            yield Change(new, "sum", expr.op, other)
    elif _named(program, expr, expr.op):
        turned: Literal["min", "max"] = "max" if expr.op == "min" else "min"
        yield Change(attrs.evolve(expr, op=turned), "min and max", expr.op, turned)


def _empty(expr: ir.Expr) -> bool:
    """Is it a set of nothing, or of `none` alone, which no set has as a member?"""
    return isinstance(expr, ir.MakeSet) and all(
        isinstance(each, ir.Const) and each.value is None for each in expr.items
    )


def _end_of(program: ir.Program, expr: ir.One) -> Iterator[Change]:
    for first, last in (("first", "last"), ("top", "bottom")):
        for here, there in ((first, last), (last, first)):
            if _named(program, expr, here):
                op: Literal["first", "last"] = "last" if expr.op == "first" else "first"
                yield Change(attrs.evolve(expr, op=op), "first and last", here, there)


def _keys(program: ir.Program, expr: ir.Best | ir.Sorted) -> Iterator[Change]:
    for number, key in enumerate(expr.keys):
        span = key.body.span
        text = text_at(program, span)
        before, after = ("highest", "lowest") if key.highest else ("lowest", "highest")
        if not text.startswith(before):
            continue
        turned = attrs.evolve(key, highest=not key.highest)
        keys = (*expr.keys[:number], turned, *expr.keys[number + 1 :])
        new = f"{after}{text.removeprefix(before)}"
        yield Change(attrs.evolve(expr, keys=keys), "order", text, new, span)
        if len(expr.keys) > 1:
            keys = (*expr.keys[:number], *expr.keys[number + 1 :])
            yield Change(attrs.evolve(expr, keys=keys), "order", text, span=span)


def _rows(program: ir.Program, expr: ir.Switch) -> Iterator[Change]:
    """Each row with the value of the next one."""
    for number, (row, below) in enumerate(zip(expr.rows, expr.rows[1:], strict=False)):
        one, two = (_literal(text_at(program, each[1].span)) for each in (row, below))
        if one and two and row[1] != below[1]:
            swapped = ((row[0], below[1]), (below[0], row[1]))
            rows = (*expr.rows[:number], *swapped, *expr.rows[number + 2 :])
            yield Change(
                attrs.evolve(expr, rows=rows),
                "table",
                f"{one}, {two}",
                f"{two}, {one}",
                row[1].span,
            )


def _exceptions(program: ir.Program, expr: ir.Exceptional) -> Iterator[Change]:
    places: set[ir.Span] = set()
    for clause in expr.clauses:
        text = text_at(program, clause.span)
        if not text or clause.span in places:
            continue  # of a card with several copies each has the clause: one text, which changes for all at once
        places.add(clause.span)
        copies = [each for each in expr.clauses if each.span == clause.span]
        kept = tuple(each for each in expr.clauses if each.span != clause.span)
        yield Change(attrs.evolve(expr, clauses=kept), "exception", text, span=clause.span)
        if clause.sign != "=":
            other: Literal["+", "-"] = "-" if clause.sign == "+" else "+"
            signs = {id(each): attrs.evolve(each, sign=other) for each in copies}
            yield Change(
                _with_clauses(expr, signs),
                "exception",
                f"{clause.sign}{text_at(program, clause.value.span)}",
                f"{other}{text_at(program, clause.value.span)}",
                clause.span,
            )
        if clause.cond is not None and not isinstance(clause.cond, ir.And | ir.Const):
            when = text_at(program, clause.cond.span)
            if when:
                always = {id(each): attrs.evolve(each, cond=None) for each in copies}
                yield Change(
                    _with_clauses(expr, always), "condition", f"when {when}", span=clause.cond.span
                )


def _with_clauses(expr: ir.Exceptional, changed: dict[int, ir.Clause]) -> ir.Exceptional:
    """The same with some exceptions changed, which are given by their identity."""
    return attrs.evolve(expr, clauses=tuple(changed.get(id(each), each) for each in expr.clauses))
