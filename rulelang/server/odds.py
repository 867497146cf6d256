"""How likely a condition on dice is: all ways in which they can fall are counted.

Only what the text itself says is counted: a name that was rolled just before, numbers, words, and what compares and
joins them. As soon as anything else stands in a condition, nothing is said about it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.symbols import Tables

_MOST: Final = 50_000

Value: TypeAlias = "int | str | bool | tuple[int | str, ...]"
Dice: TypeAlias = "dict[str, tuple[tuple[int | str, ...], int, bool]]"
"""For a rolled name: the faces, how many dice, and whether it is several even if it is one."""


class _Unknown(Exception):  # noqa: N818 - control flow inside this module
    """The condition has something in it that is not counted."""


def odds_in(item: nodes.Node, tables: Tables) -> Iterator[tuple[nodes.Expr, Fraction]]:
    """Give the conditions in a declaration that only dice decide, with their odds."""
    if isinstance(item, nodes.VariantDecl):
        for inner in item.items:
            yield from odds_in(inner, tables)
        return
    yield from _in(item, {}, tables)


def _in(node: nodes.Node, dice: Dice, tables: Tables) -> Iterator[tuple[nodes.Expr, Fraction]]:
    match node:
        case nodes.LetStmt(name=name, value=nodes.Roll() as roll):
            _roll(name.text, roll, dice, tables)
        case nodes.BecomeStmt(place=nodes.Name(ident=ident), value=nodes.Roll() as roll):
            _roll(ident.text, roll, dice, tables)
        case nodes.BecomeStmt(place=nodes.Name(ident=ident)) | nodes.LetStmt(name=ident):
            dice.pop(ident.text, None)
        case nodes.Branch(condition=condition):
            yield from _odds(condition, dice, tables)
        case nodes.MayStmt(condition=condition) | nodes.Alternative(condition=condition):
            if condition is not None:
                yield from _odds(condition, dice, tables)
        case nodes.HookDecl(event=nodes.RollEvent(result=result) as event):
            inner: Dice = {}
            faces = _faces(event.enum.text, tables)
            if result is not None and faces:
                inner[result.text] = (faces, 1, False)
            if node.condition is not None:
                yield from _odds(node.condition, inner, tables)
            yield from _in(node.body, inner, tables)
            return
        case _:
            pass
    shared = isinstance(node, nodes.PhaseDecl | nodes.StepStmt)
    for child in nodes.children(node):
        inside = isinstance(child, nodes.Body) and not shared
        yield from _in(child, dict(dice) if inside else dice, tables)


def _roll(name: str, roll: nodes.Roll, dice: Dice, tables: Tables) -> None:
    faces = _faces(roll.enum.text, tables)
    count = roll.count.value if isinstance(roll.count, nodes.Number) else 1
    if faces and (roll.count is None or isinstance(roll.count, nodes.Number)):
        dice[name] = (faces, count, roll.count is not None)
    else:
        dice.pop(name, None)


def _faces(name: str, tables: Tables) -> tuple[int | str, ...]:
    number = tables.enum_numbers.get(name)
    if number is None:
        return ()
    enum = tables.enums[number]
    if enum.numeric:
        return tuple(range(enum.low, enum.low + len(enum.words)))
    return enum.words


def _odds(
    condition: nodes.Expr, dice: Dice, tables: Tables
) -> Iterator[tuple[nodes.Expr, Fraction]]:
    used = sorted(
        {
            part.ident.text
            for part in nodes.walk(condition)
            if isinstance(part, nodes.Name) and part.ident.text in dice
        }
    )
    ways = 1
    for name in used:
        faces, count, _ = dice[name]
        ways *= len(faces) ** count
    if not used or ways > _MOST:
        return
    try:
        holds = sum(1 for known in _falls(used, dice) if _value(condition, known, tables) is True)
    except _Unknown:
        return
    yield condition, Fraction(holds, ways)


def _falls(names: list[str], dice: Dice) -> Iterator[dict[str, Value]]:
    """Run over all ways in which dice can fall."""
    each = [list(product(dice[name][0], repeat=dice[name][1])) for name in names]
    for fall in product(*each):
        yield {
            name: faces if dice[name][2] else faces[0]
            for name, faces in zip(names, fall, strict=True)
        }


def _value(node: nodes.Expr, known: dict[str, Value], tables: Tables) -> Value:
    match node:
        case nodes.Number(value=value):
            return value
        case nodes.Name(ident=ident) if ident.text in known:
            return known[ident.text]
        case nodes.Name(ident=ident) if ident.text in tables.words:
            return ident.text
        case nodes.Group(elements=(only,)):
            return _value(only, known, tables)
        case nodes.Group(elements=elements) | nodes.SetLiteral(elements=elements):
            return _several(elements, known, tables)
        case nodes.RangeExpr(low=low, high=high):
            first, last = _number(low, known, tables), _number(high, known, tables)
            return tuple(range(first, last + 1))
        case nodes.Compare(op=op, left=left, right=right):
            one, two = _number(left, known, tables), _number(right, known, tables)
            return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[op]
        case nodes.Is(left=left, right=right):
            return _value(left, known, tables) == _value(right, known, tables)
        case nodes.IsNot(left=left, right=right):
            return _value(left, known, tables) != _value(right, known, tables)
        case nodes.InTest(left=left, right=right, negated=negated):
            whole = _value(right, known, tables)
            if not isinstance(whole, tuple):
                raise _Unknown
            return (_value(left, known, tables) in whole) != negated
        case nodes.And(left=left, right=right):
            return _flag(left, known, tables) and _flag(right, known, tables)
        case nodes.Or(left=left, right=right):
            return _flag(left, known, tables) or _flag(right, known, tables)
        case nodes.Not(operand=operand):
            return not _flag(operand, known, tables)
        case nodes.Arithmetic(op=op, left=left, right=right):
            return _reckoned(op, _number(left, known, tables), _number(right, known, tables))
        case nodes.Call(name=name, args=(only,)) if name.text in ("count", "sum", "min", "max"):
            return _folded(name.text, _value(only, known, tables))
        case nodes.Where(source=source, condition=condition):
            return _those(source, condition, known, tables)
        case nodes.AnyWhere(source=source, condition=condition):
            return bool(_those(source, condition, known, tables))
        case _:
            raise _Unknown


def _those(
    source: nodes.Expr, condition: nodes.Expr, known: dict[str, Value], tables: Tables
) -> tuple[int | str, ...]:
    whole = _value(source, known, tables)
    if not isinstance(whole, tuple):
        raise _Unknown
    return tuple(each for each in whole if _flag(condition, {**known, "it": each}, tables))


def _several(
    elements: tuple[nodes.Expr, ...], known: dict[str, Value], tables: Tables
) -> tuple[int | str, ...]:
    found: list[int | str] = []
    for element in elements:
        value = _value(element, known, tables)
        found.extend(value if isinstance(value, tuple) else [value])
    return tuple(found)


def _folded(op: str, whole: Value) -> int:
    if not isinstance(whole, tuple):
        raise _Unknown
    if op == "count":
        return len(whole)
    numbers = [each for each in whole if isinstance(each, int)]
    if len(numbers) < len(whole) or not numbers:
        raise _Unknown
    match op:
        case "sum":
            return sum(numbers)
        case "min":
            return min(numbers)
        case _:
            return max(numbers)


def _reckoned(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _ if right:
            return left // right
        case _:
            raise _Unknown


def _number(node: nodes.Expr, known: dict[str, Value], tables: Tables) -> int:
    value = _value(node, known, tables)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Unknown
    return value


def _flag(node: nodes.Expr, known: dict[str, Value], tables: Tables) -> bool:
    value = _value(node, known, tables)
    if not isinstance(value, bool):
        raise _Unknown
    return value
