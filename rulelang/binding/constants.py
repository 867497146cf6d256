"""Constant expressions: what stands as the value of an option, a default or a number of components."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rulelang import ir, nodes
from rulelang.binding.context import BROKEN, FAILED, MAX_COMPONENTS, Binding, Failed
from rulelang.suggest import did_you_mean
from rulelang.vocabulary import FOREIGN_WORDS
from rulelang.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHOWN = 9


def constant(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> object:
    """Evaluate a constant of a type.

    Returns:
        A value as the IR has them (a thing or word as its number, sets sorted), or `FAILED` after a finding.
    """
    if wanted == BROKEN or isinstance(expr, nodes.ErrorExpr):
        return FAILED
    if isinstance(expr, nodes.Name) and expr.ident.text == "none":
        return _none(binding, expr, wanted)
    match wanted.shape:
        case "number":
            number = _number(binding, expr, wanted)
            return (
                number if isinstance(number, Failed) else _in_range(binding, expr, number, wanted)
            )
        case "flag":
            if isinstance(expr, nodes.Name) and expr.ident.text in ("yes", "no"):
                return expr.ident.text == "yes"
            return _misfit(binding, expr, wanted)
        case "text":
            return expr.value if isinstance(expr, nodes.Text) else _misfit(binding, expr, wanted)
        case "word" | "thing":
            found = named(binding, expr, wanted)
            if isinstance(found, Failed):
                return FAILED
            if len(found) != 1:
                binding.error(
                    14, expr, f"one {binding.say(wanted)} is needed here, this names {len(found)}"
                )
                return FAILED
            return found[0]
        case "bag":
            counts = _bag(binding, expr, wanted)
            return FAILED if counts is None else bag_value(binding, counts, wanted.enum)
        case _:
            items = _items(binding, expr, wanted)
            if isinstance(items, Failed):
                return FAILED
            return as_set(items) if wanted.shape == "set" else tuple(items)


def as_set(items: Iterable[Any]) -> tuple[object, ...]:
    """Give a set as the IR has it: sorted, without repeats; its members are all of one type."""
    return tuple(sorted(set(items)))


def bag_value(binding: Binding, counts: Counter[int], enum: int) -> tuple[int, ...]:
    """Give a bag as one count for each word of its enumeration."""
    entry = binding.tables.enums[enum]
    low = entry.low if entry.numeric else 0
    return tuple(counts[low + index] for index in range(len(entry.words)))


def _none(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> object:
    if wanted.shape in ("set", "list"):
        return ()
    if wanted.shape == "bag":
        return bag_value(binding, Counter(), wanted.enum)
    if wanted.optional:
        return None
    binding.error(
        24,
        expr,
        "`none` where a value is needed",
        label=f"this is to be a {binding.say(wanted)}",
        advice=f"let the type say so: `{binding.say(wanted)} or none`",
    )
    return FAILED


def _misfit(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> Failed:
    if isinstance(expr, nodes.Name) and wanted.shape in ("number", "flag"):
        known = binding.tables.symbols.get(expr.ident.text)
        if (
            known is None
            and expr.ident.text not in ("yes", "no")
            and not _has_meaning(binding, expr.ident.text)
        ):
            choices = ("yes", "no") if wanted.shape == "flag" else ()
            usual = FOREIGN_WORDS.get(expr.ident.text)
            advice = usual and f"did you mean `{usual}`?"
            if advice is None and not choices:
                advice = f"write a number: {binding.say(wanted)}"
            binding.unknown(expr.ident, "word", choices, advice=advice)
            return FAILED
        if known is not None:
            binding.error(
                14,
                expr,
                f"`{expr.ident.text}` is no constant",
                notes=("it is not known before play",),
            )
            return FAILED
    what = "a constant" if _is_computed(expr) else binding.say(wanted)
    advice = None
    if wanted.shape == "word":
        advice = "write " + listed(
            [f"`{each}`" for each in binding.tables.enums[wanted.enum].words], "or"
        )
    label = f"{binding.say(wanted)} is wanted"
    binding.error(14, expr, f"this is not {what}", label=label, advice=advice)
    return FAILED


def _is_computed(expr: nodes.Expr) -> bool:
    """Tell whether an expression is of a form that no constant has."""
    return not isinstance(
        expr,
        nodes.Name
        | nodes.KindName
        | nodes.Number
        | nodes.Text
        | nodes.Group
        | nodes.SetLiteral
        | nodes.RangeExpr
        | nodes.Arithmetic
        | nodes.Prop,
    )


def _has_meaning(binding: Binding, name: str) -> bool:
    return name in binding.tables.words or name in binding.tables.ids


def _in_range(binding: Binding, expr: nodes.Expr, value: int, wanted: ir.Type) -> int | Failed:
    if (wanted.lo is None or value >= wanted.lo) and (wanted.hi is None or value <= wanted.hi):
        return value
    binding.error(22, expr, f"{value} is outside {binding.say(wanted)}")
    return FAILED


def _number(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> int | Failed:
    match expr:
        case nodes.Number(value=value):
            return value
        case nodes.Group(elements=(inner,)):
            return _number(binding, inner, wanted)
        case nodes.Arithmetic(op=op, left=left, right=right):
            first, second = _number(binding, left, wanted), _number(binding, right, wanted)
            if isinstance(first, Failed) or isinstance(second, Failed):
                return FAILED
            if op == "/":
                if second == 0:
                    binding.error(22, expr, "division by 0")
                    return FAILED
                return first // second
            return first + second if op == "+" else first - second if op == "-" else first * second
        case _:
            return _misfit(binding, expr, wanted)


def named(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> tuple[int, ...] | Failed:
    """Give the words or things of a type that a name stands for; an id of several copies gives all."""
    match expr:
        case nodes.Group(elements=(inner,)):
            return named(binding, inner, wanted)
        case nodes.KindName(ident=ident) if wanted.shape == "thing":
            return _misfit(binding, expr, wanted)
        case nodes.Name(ident=ident) | nodes.KindName(ident=ident):
            return _lookup(binding, ident, wanted)
        case nodes.Prop(owner=nodes.KindName(ident=kind), name=ident):
            within = binding.tables.type_names.get(kind.text)
            if within is None:
                binding.unknown(kind, "kind", binding.tables.type_names)
                return FAILED
            if within.shape != wanted.shape or within.enum != wanted.enum:
                return _misfit(binding, expr, wanted)
            return _lookup(binding, ident, within)
        case _:
            return _misfit(binding, expr, wanted)


def _lookup(binding: Binding, ident: nodes.Ident, wanted: ir.Type) -> tuple[int, ...] | Failed:
    tables = binding.tables
    if wanted.shape == "word":
        for enum, number in tables.words.get(ident.text, ()):
            if enum == wanted.enum:
                return (number,)
        words = tables.enums[wanted.enum].words
        shown = ", ".join(words[:_SHOWN]) + (" and others" if len(words) > _SHOWN else "")
        near = did_you_mean(ident.text, words)
        what = f"word of `{binding.say(wanted)}`:"
        binding.unknown(ident, what, words, advice=near or f"its words are {shown}")
        return FAILED
    single = tables.symbols.get(ident.text)
    if single is not None and single.form == "singleton" and single.number in wanted.kinds:
        return (tables.kinds[single.number].base,)
    found = [
        (kind, things) for kind, things in tables.ids.get(ident.text, ()) if kind in wanted.kinds
    ]
    if not found:
        binding.unknown(ident, binding.say(wanted), ids_of(binding, wanted))
        return FAILED
    if len(found) > 1:
        names = [f"`{tables.kinds[kind].name}.{ident.text}`" for kind, _ in found]
        binding.error(
            10,
            ident,
            f"`{ident.text}` could be several things",
            advice=f"write {' or '.join(names)}",
        )
        return FAILED
    return found[0][1]


def ids_of(binding: Binding, wanted: ir.Type) -> list[str]:
    """Give the ids of the things of a type, in order."""
    return [
        name
        for name, places in binding.tables.ids.items()
        if any(kind in wanted.kinds for kind, _ in places)
    ]


def _items(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> list[object] | Failed:
    """Give the members of a set or list, in the order written."""
    element = wanted.elem or ir.NUMBER
    match expr:
        case nodes.SetLiteral(elements=elements):
            return _each(binding, elements, element)
        case nodes.Group(elements=elements) if len(elements) > 1:
            return _each(binding, elements, element)
        case nodes.Group(elements=(inner,)):
            return _items(binding, inner, wanted)
        case nodes.RangeExpr(low=low, high=high) if element.shape == "number":
            first, last = constant(binding, low, element), constant(binding, high, element)
            if not isinstance(first, int) or not isinstance(last, int):
                return FAILED
            if last - first > MAX_COMPONENTS:
                binding.error(22, expr, f"more than {MAX_COMPONENTS:,} members")
                return FAILED
            return list(range(first, last + 1))
        case nodes.KindName(ident=ident) if ident.text in binding.tables.type_names:
            return _all_of(binding, expr, ident, wanted)
        case nodes.Arithmetic(op="+" | "-" as op, left=left, right=right):
            first, second = _items(binding, left, wanted), _items(binding, right, wanted)
            if isinstance(first, Failed) or isinstance(second, Failed):
                return FAILED
            return first + second if op == "+" else [item for item in first if item not in second]
        case nodes.Name() | nodes.Prop() if element.shape == "thing":
            things = named(binding, expr, element)  # an id of several copies is a set
            if isinstance(things, Failed):
                return FAILED
            return list(things) if len(things) > 1 else _misfit(binding, expr, wanted)
        case _:
            return _misfit(binding, expr, wanted)


def _each(
    binding: Binding, elements: Sequence[nodes.Expr], element: ir.Type
) -> list[object] | Failed:
    values = [constant(binding, each, element) for each in elements]
    return FAILED if any(isinstance(value, Failed) for value in values) else values


def _all_of(
    binding: Binding, expr: nodes.Expr, ident: nodes.Ident, wanted: ir.Type
) -> list[object] | Failed:
    element = wanted.elem or ir.NUMBER
    given = binding.tables.type_names[ident.text]
    tables = binding.tables
    if given.shape == element.shape == "thing" and set(given.kinds) <= set(element.kinds):
        kinds = (tables.kinds[number] for number in given.kinds)
        return [thing for kind in kinds for thing in range(kind.base, kind.base + kind.count)]
    if given.shape == element.shape == "word" and given.enum == element.enum:
        return list(range(len(tables.enums[given.enum].words)))
    if given.shape == element.shape == "number" and given.lo is not None and given.hi is not None:
        return list(range(given.lo, given.hi + 1))
    return _misfit(binding, expr, wanted)


def _bag(binding: Binding, expr: nodes.Expr, wanted: ir.Type) -> Counter[int] | None:
    enum = binding.tables.enums[wanted.enum]
    if enum.numeric:
        word = ir.Type("number", lo=enum.low, hi=enum.low + len(enum.words) - 1, enum=wanted.enum)
    else:
        word = ir.Type("word", enum=wanted.enum)
    match expr:
        case nodes.SetLiteral(elements=elements):
            items = _each(binding, elements, word)
            return (
                None
                if isinstance(items, Failed)
                else Counter(item for item in items if isinstance(item, int))
            )
        case nodes.Group(elements=(inner,)):
            return _bag(binding, inner, wanted)
        case nodes.Arithmetic(op="*", left=left, right=right):
            bag, number = (left, right) if isinstance(left, nodes.SetLiteral) else (right, left)
            times, counts = _number(binding, number, ir.NUMBER), _bag(binding, bag, wanted)
            if isinstance(times, Failed) or counts is None:
                return None
            return Counter({key: count * times for key, count in counts.items()})
        case nodes.Arithmetic(op="+" | "-" as op, left=left, right=right):
            first, second = _bag(binding, left, wanted), _bag(binding, right, wanted)
            if first is None or second is None:
                return None
            return first + second if op == "+" else first - second
        case _:
            _misfit(binding, expr, wanted)
            return None
