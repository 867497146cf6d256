"""Presets: do they name variants that exist, and options of theirs or of the game with values they can have?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import nodes
from rulelang.suggest import nearest
from rulelang.variants.selection import needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulelang.lowering.context import Context


def check_presets(ctx: Context, check_value: Callable[[nodes.Assign, int], None]) -> None:
    """Report presets that name no variant, or set no option or one to a value outside it.

    Options of variants that a preset names need not be merged: their values are compared with what is written.

    Args:
        ctx: The tables, and what takes the findings.
        check_value: Checks the value that is given to an option of the tables, by its number.
    """
    tables = ctx.tables
    known = {each.name.text: each for each in tables.variants}
    for preset in tables.presets:
        for name in preset.variants:
            if name.text not in known:
                _wrong(ctx, name, f"there is no variant `{name.text}`", known)
        named = needed(known, [name.text for name in preset.variants])
        declared = {
            (variant, item.name.text): item
            for variant in sorted(named)
            for item in known[variant].items
            if isinstance(item, nodes.OptionDecl)
        }
        for assign in preset.assigns:
            _check(ctx, assign, named, declared, check_value)


def _check(
    ctx: Context,
    assign: nodes.Assign,
    named: Iterable[str],
    declared: dict[tuple[str, str], nodes.OptionDecl],
    check_value: Callable[[nodes.Assign, int], None],
) -> None:
    owner, name = assign.owner, assign.name
    if owner is not None and owner.text not in named:
        _wrong(ctx, owner, f"the preset is not played with a variant `{owner.text}`", named)
        return
    symbol = ctx.symbol(name.text)
    if owner is None and symbol is not None and symbol.form == "option":
        check_value(assign, symbol.number)
        return
    found = [
        item
        for (variant, option), item in declared.items()
        if option == name.text and (owner is None or owner.text == variant)
    ]
    if not found:
        options = [option for variant, option in declared if owner is None or owner.text == variant]
        if owner is None:
            options += [option.name for option in ctx.tables.options]
        of = "" if owner is None else f" of `{owner.text}`"
        _wrong(ctx, name, f"there is no option `{name.text}`{of}", options)
    elif not _may_be(found[0].type, assign.value):
        ctx.error(
            "wrong-preset",
            assign.value,
            f"this is no value of the option `{name.text}`",
            label=f"it must be {' '.join(found[0].type.span.text.split())}",
        )


def _may_be(kind: nodes.TypeExpr, value: nodes.Expr) -> bool:
    """Tell whether a value fits a type as far as the text alone shows."""
    match kind, value:
        case nodes.RangeType(low=low, high=high), nodes.Number(value=number):
            return low <= number and (high is None or number <= high)
        case nodes.RangeType(), nodes.Name():
            return False
        case nodes.NamedType(name=name), nodes.Name(ident=ident) if name.text[0].islower():
            return name.text == ident.text
        case nodes.NamedType(name=name), nodes.Number() if name.text[0].islower():
            return False
        case nodes.UnionType(members=members), _:
            return any(_may_be(member, value) for member in members)
        case _:
            return True


def _wrong(ctx: Context, at: nodes.Ident, headline: str, known: Iterable[str]) -> None:
    close = nearest(at.text, known, limit=1)
    ctx.error("wrong-preset", at, headline, advice=f"did you mean `{close[0]}`?" if close else None)
