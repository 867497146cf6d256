"""Fields: their numbers, types and flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from rulelang import ir, nodes, ruletypes
from rulelang.binding.components import KindPlan, owner_values
from rulelang.binding.context import BROKEN, Binding
from rulelang.binding.enums import RESERVED
from rulelang.binding.types import FieldShape, field_shape
from rulelang.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable


BUILT_IN = ("automa", "left", "right", "seat")
"""Fields that every `Player` has, in the order of their numbers."""

_FLAGS = ("hidden", "seen by owner", "acts", "acts by left")


@attrs.frozen(eq=False)
class Declared:
    """A field that has a number and a type, and waits for its values."""

    index: int
    plan: KindPlan
    node: nodes.FieldDecl | nodes.KeepsDecl
    name: nodes.Ident
    shape: FieldShape


def declare_fields(
    binding: Binding, items: Iterable[tuple[nodes.Item, str]], plans: list[KindPlan]
) -> list[Declared]:
    """Number all fields and give them their types; those of the language itself get their values too.

    The base comes first: its fields have the same numbers in most sets of variants.

    Args:
        binding: Takes the fields.
        items: All declarations, each with the variant that it comes from.
        plans: The kinds.
    """
    waiting: list[Declared] = []
    _add_built_in(binding, plans[0])
    items = list(items)
    of_base = [item for item, origin in items if not origin]
    owned = [plan for plan in plans if plan.owner is not None and plan.node is not None]
    for part in (of_base, [item for item, origin in items if origin]):
        here = set(map(id, part))
        for plan in owned:
            if plan.owner is not None and plan.node is not None and id(plan.node) in here:
                _add(
                    binding, plan, plan.node.kind, "owner", plan.owner, owner_values(binding, plan)
                )
        for item in part:
            if isinstance(item, nodes.ComponentDecl | nodes.ChangeComponentDecl):
                _declare_component(binding, item, plans, waiting)
        for item in part:
            if isinstance(item, nodes.PhaseDecl):
                for keeps in item.keeps:
                    if keeps.owner is not None:
                        _declare_lent(binding, item, keeps, keeps.owner, plans, waiting)
    _mark_movable(binding)
    return waiting


def _declare_component(
    binding: Binding,
    item: nodes.ComponentDecl | nodes.ChangeComponentDecl,
    plans: list[KindPlan],
    waiting: list[Declared],
) -> None:
    number = binding.tables.kind_numbers.get(item.kind.text)
    if isinstance(item, nodes.ChangeComponentDecl):
        if number is None:
            binding.unknown(item.kind, "kind", binding.tables.kind_numbers, number=51)
        else:
            _declare(binding, plans[number], item.fields, waiting)
    elif number is not None and (plans[number].node is item or plans[number].node is None):
        _declare(binding, plans[number], item.fields, waiting)


def _add_built_in(binding: Binding, plan: KindPlan) -> None:
    seats = range(len(plan.copies))
    count = max(len(plan.copies), 1)
    player = ruletypes.thing(0)
    for name, kind, values, mutable in (
        ("automa", ir.FLAG, tuple(False for _ in seats), True),
        ("left", player, tuple((seat + 1) % count for seat in seats), False),
        ("right", player, tuple((seat - 1) % count for seat in seats), False),
        ("seat", ir.Type("number", lo=1, hi=count), tuple(seat + 1 for seat in seats), False),
    ):
        index = len(binding.tables.fields)
        binding.tables.fields.append(ir.Field(index, 0, name, kind, values, mutable=mutable))
        binding.tables.field_numbers[0, name] = index


def _add(
    binding: Binding,
    plan: KindPlan,
    at: nodes.Ident,
    name: str,
    kind: ir.Type,
    values: tuple[object, ...],
) -> None:
    index = len(binding.tables.fields)
    span = binding.span(at)
    binding.tables.fields.append(
        ir.Field(index, plan.number, name, kind, values, mutable=False, span=span)
    )
    binding.tables.field_numbers[plan.number, name] = index
    binding.props[plan.number, name] = at.span


def _declare(
    binding: Binding, plan: KindPlan, fields: Iterable[nodes.FieldDecl], waiting: list[Declared]
) -> None:
    for node in fields:
        shape = field_shape(binding, node.type)
        for name in node.names:
            _enter(binding, plan, node, name, shape, waiting)


def _declare_lent(
    binding: Binding,
    phase: nodes.PhaseDecl,
    node: nodes.KeepsDecl,
    owner: nodes.Ident,
    plans: list[KindPlan],
    waiting: list[Declared],
) -> None:
    of = binding.tables.type_by_name(owner.text)
    if of is None or of.shape != "thing":
        binding.error(
            11,
            owner,
            f"`{owner.text}` names no kind",
            notes=("the name before the dot says which kind is lent the value",),
        )
        return
    shape = field_shape(binding, node.type)
    for number in of.kinds:
        index = _enter(binding, plans[number], node, node.name, shape, waiting)
        if index is not None:
            binding.tables.lent.setdefault(phase.name.text, []).append(index)


def _enter(
    binding: Binding,
    plan: KindPlan,
    node: nodes.FieldDecl | nodes.KeepsDecl,
    name: nodes.Ident,
    shape: FieldShape,
    waiting: list[Declared],
) -> int | None:
    tables = binding.tables
    if name.text in RESERVED:
        binding.error(13, name, f"`{name.text}` is reserved and cannot name a field")
        return None
    if plan.number == 0 and name.text in BUILT_IN:
        binding.error(13, name, f"every `Player` has `{name.text}` already")
        return None
    if (plan.number, name.text) in binding.props:
        what = f" for `{plan.name}`"
        if name.text == "owner":
            what = ": what comes in a number for each of a kind has an `owner` already"
        binding.twice(name, binding.props[plan.number, name.text], what)
        return None
    binding.props[plan.number, name.text] = name.span
    sight, acts = _flags(binding, node.flags)
    index = len(tables.fields)
    if name.text == "place" and shape.type != BROKEN:
        _check_place(binding, node, shape)
    tables.fields.append(
        ir.Field(
            index,
            plan.number,
            name.text,
            shape.type,
            (),
            keys=shape.keys,
            key_low=shape.key_low,
            pile=shape.pile,
            sight=sight,
            acts=acts,
            span=binding.span(name),
            cites=binding.cites(node),
            doc=node.doc,
        )
    )
    tables.field_numbers[plan.number, name.text] = index
    tables.field_nodes[index] = node
    waiting.append(Declared(index, plan, node, name, shape))
    return index


def _flags(
    binding: Binding, flags: Iterable[nodes.Flag]
) -> tuple[ir.Sight, Literal["", "self", "left"]]:
    sight: ir.Sight = "open"
    acts: Literal["", "self", "left"] = ""
    for flag in flags:
        text = flag.name.text + (f" by {flag.by.text}" if flag.by else "")
        if text in ("hidden", "seen by owner"):
            if sight != "open":
                binding.error(
                    3,
                    flag,
                    "two things are said about who sees this",
                    advice="leave one of them out",
                )
            sight = "hidden" if text == "hidden" else "owner"
        elif text in ("acts", "acts by left"):
            acts = "self" if text == "acts" else "left"
        else:
            binding.error(
                3,
                flag,
                f"`{text}` says nothing about a field",
                notes=("a field can be `hidden` or `seen by owner`, and `acts` or `acts by left`",),
                advice=did_you_mean(text, _FLAGS),
            )
    return sight, acts


def _check_place(
    binding: Binding, node: nodes.FieldDecl | nodes.KeepsDecl, shape: FieldShape
) -> None:
    if shape.type.shape != "thing" or shape.key is not None:
        binding.error(
            14,
            node.type,
            "`place` lists the kinds of places a thing can be at",
            advice="write `place: Kind or none = none`",
        )


def _mark_movable(binding: Binding) -> None:
    tables = binding.tables
    movable = {
        kind
        for field in tables.fields
        if field.pile and field.type.elem
        for kind in field.type.elem.kinds
    }
    for number, kind in enumerate(tables.kinds):
        place = tables.field_numbers.get((number, "place"))
        if place is not None or number in movable:
            tables.kinds[number] = attrs.evolve(kind, place=place, movable=True)
