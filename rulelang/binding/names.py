"""The declared lower-case names: one space for everything that stands alone, one for properties of each kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang import ir, nodes
from rulelang.binding.constants import constant
from rulelang.binding.context import BROKEN, FAILED, Binding
from rulelang.binding.enums import RESERVED, option_enum
from rulelang.binding.fields import BUILT_IN, Declared, declare_fields
from rulelang.binding.types import value_type
from rulelang.diagnostics import Label
from rulelang.symbols import PropertySymbol, Symbol, SymbolForm, snake_case

if TYPE_CHECKING:
    from rulelang.binding.components import KindPlan
    from rulelang.source import Span

BUILT_IN_FUNCTIONS = frozenset(
    [
        "count",
        "sum",
        "min",
        "max",
        "half",
        "first",
        "last",
        "only",
        "maybe",
        "top",
        "bottom",
        "overlap",
        "subsets",
        "position",
        "clockwise",
        "distance",
        "within",
        "neighbours",
        "nearest",
        "during",
        "bag",
    ]
)
BUILT_IN_DOINGS = frozenset(("shuffle", "win"))

Items = Iterable[tuple[nodes.Item, str]]


def declare_names(binding: Binding, items: Items, plans: list[KindPlan]) -> list[Declared]:
    """Enter singletons, options, definitions, permissions, tables, doings and named rules; then fields and properties.

    Returns:
        The fields that wait for their values.
    """
    items = list(items)
    for plan in plans:
        if plan.singleton and plan.node is not None:
            _enter(binding, _alone(plan), "singleton", plan.node, "", plan.number)
    for item, origin in items:
        _declare(binding, item, origin)
    waiting = declare_fields(binding, items, plans)
    for item, origin in items:
        if isinstance(item, nodes.DefineDecl) and item.head.owner is not None:
            _declare_property(binding, item, item.head.owner, origin)
    return waiting


def _alone(plan: KindPlan) -> nodes.Ident:
    span = plan.node.kind.span if plan.node is not None else None
    if span is None:
        raise ValueError(plan.name)
    return nodes.Ident(span, snake_case(plan.name))


def _declare(binding: Binding, item: nodes.Item, origin: str) -> None:
    match item:
        case nodes.DefineDecl(head=head):
            if head.owner is None:
                _enter(binding, head.name, "definition", item, origin)
        case nodes.OptionDecl(name=name):
            _enter(binding, name, "option", item, origin, _option(binding, item))
        case nodes.MayDecl(name=name):
            _enter(binding, name, "permission", item, origin)
        case nodes.TableDecl(name=name):
            _enter(binding, name, "table", item, origin)
        case nodes.EffectDecl(name=name):
            _enter(binding, name, "effect", item, origin)
        case nodes.PhaseDecl(name=name):
            _enter(binding, name, "phase", item, origin)
        case nodes.NamedRuleDecl(name=name):
            _enter(binding, name, "rule", item, origin)
        case nodes.CardDecl(items=inner):
            for each in inner:
                if isinstance(each, nodes.MayDecl):
                    _enter(binding, each.name, "permission", each, origin)
        case _:
            pass


def _enter(
    binding: Binding,
    name: nodes.Ident,
    form: SymbolForm,
    node: nodes.Node,
    origin: str,
    number: int = -1,
) -> None:
    text = name.text
    if text in RESERVED:
        binding.error(
            13,
            name,
            f"`{text}` is reserved",
            label="it means the same everywhere",
            advice="choose another name",
        )
        return
    if text in BUILT_IN_FUNCTIONS or text in BUILT_IN_DOINGS:
        binding.error(13, name, f"`{text}` is part of the language", advice="choose another name")
        return
    before = binding.tables.symbols.get(text)
    if before is not None:
        what = (
            "" if before.form == form else f": as {_article(before.form)} and as {_article(form)}"
        )
        binding.twice(name, before.span, what)
        return
    binding.tables.symbols[text] = Symbol(text, form, name.span, node, number, origin)


def _article(form: str) -> str:
    return f"an {form}" if form[0] in "aeiou" else f"a {form}"


# ---------------------------------------------------------------- options


def _option(binding: Binding, node: nodes.OptionDecl) -> int:
    """Enter an option; its default is filled in by `fill_options`, when all names are known."""
    enum = option_enum(binding, node)
    kind = value_type(binding, node.type) if enum is None else ir.Type("word", enum=enum)
    index = len(binding.tables.options)
    binding.tables.options.append(
        ir.Option(
            index,
            node.name.text,
            kind,
            None,
            doc=node.doc,
            text=node.label.value if node.label else "",
            span=binding.span(node.name),
            cites=binding.cites(node),
        )
    )
    return index


def fill_options(binding: Binding, items: Items) -> None:
    """Give options their defaults, as variants change them."""
    items = list(items)
    for item, _ in items:
        if isinstance(item, nodes.OptionDecl):
            _set_option(binding, item.name, item.default)
    changed: dict[tuple[str, str], nodes.Ident] = {}
    for item, origin in items:
        if isinstance(item, nodes.ChangeOptionDecl):
            first = changed.setdefault((origin, item.name.text), item.name)
            if first is not item.name:
                binding.error(
                    52,
                    item.name,
                    f"`{item.name.text}` is changed twice in one variant",
                    secondary=[Label(first.span, "the first time here")],
                    advice="leave one of the two out",
                )
            _set_option(binding, item.name, item.value, number=51, cites=binding.cites(item))


def _set_option(
    binding: Binding,
    name: nodes.Ident,
    value: nodes.Expr,
    *,
    number: int | None = None,
    cites: tuple[str, ...] = (),
) -> None:
    tables = binding.tables
    symbol = tables.symbols.get(name.text)
    if symbol is None or symbol.form != "option":
        if number is not None:
            binding.unknown(
                name, "option", [option.name for option in tables.options], number=number
            )
        return
    if number is None and symbol.span != name.span:
        return  # the second of two declarations, reported
    option = tables.options[symbol.number]
    default = constant(binding, value, option.type)
    if default is not FAILED:
        tables.options[symbol.number] = ir.Option(
            option.index,
            option.name,
            option.type,
            default,
            option.doc,
            option.text,
            option.span,
            tuple(dict.fromkeys((*option.cites, *cites))),
        )


# ---------------------------------------------------------------- properties


def _declare_property(
    binding: Binding, node: nodes.DefineDecl, owner: nodes.Ident, origin: str
) -> None:
    of = binding.tables.type_by_name(owner.text)
    name = node.head.name
    if of is None:
        binding.error(
            11,
            owner,
            f"`{owner.text}` names no kind",
            notes=("the name before the dot says whose property it is",),
            advice="name it after the kind: `define port.value = ...` for a kind `Port`",
        )
        of = BROKEN
    elif name.text in RESERVED:
        binding.error(13, name, f"`{name.text}` is reserved and cannot name a property")
        return
    elif of.shape == "thing" and 0 in of.kinds and name.text in BUILT_IN:
        binding.error(13, name, f"every `Player` has `{name.text}` already")
        return
    elif any(_taken(binding, key, name) for key in _owners(of)):
        return
    for key in _owners(of):
        binding.props[key, name.text] = name.span
    binding.tables.properties.setdefault(name.text, []).append(
        PropertySymbol(name.text, of, owner.text, node, origin)
    )


def _owners(of: ir.Type) -> tuple[int, ...]:
    return of.kinds if of.shape == "thing" else (-1 - of.enum,) if of != BROKEN else ()


def _taken(binding: Binding, key: int, name: nodes.Ident) -> bool:
    before: Span | None = binding.props.get((key, name.text))
    if before is None:
        return False
    whose = binding.tables.kinds[key].name if key >= 0 else binding.tables.enums[-1 - key].name
    binding.twice(name, before, f" for `{whose}`")
    return True
