"""Type expressions to types, and what else a field's type says."""

from __future__ import annotations

import attrs

from rulelang import ir, nodes, ruletypes
from rulelang.binding.context import BROKEN, Binding
from rulelang.vocabulary import FOREIGN_TYPES

COLLECTIONS = ("set", "list", "pile", "bag")


@attrs.frozen
class FieldShape:
    """The type of a field.

    Attributes:
        type: Of one value; of a pile a list of things.
        key: The enumeration that keys it (`T by E`), or None.
        keys: How many values each thing has.
        key_low: The first key.
        pile: Whether it is a pile.
    """

    type: ir.Type
    key: int | None = None
    keys: int = 1
    key_low: int = 0
    pile: bool = False


def field_shape(binding: Binding, node: nodes.TypeExpr) -> FieldShape:
    """Give the type of a field, keyed ones and piles included."""
    if isinstance(node, nodes.KeyedType):
        number = binding.tables.enum_numbers.get(node.key.text)
        value = value_type(binding, node.value)
        if number is None:
            binding.unknown(node.key, "enumeration", binding.tables.enum_numbers)
            return FieldShape(value)
        enum = binding.tables.enums[number]
        return FieldShape(value, number, len(enum.words), enum.low if enum.numeric else 0)
    pile = isinstance(node, nodes.CollectionType) and node.collection.text == "pile"
    return FieldShape(value_type(binding, node), pile=pile)


def value_type(binding: Binding, node: nodes.TypeExpr) -> ir.Type:
    """Give the type of one value; `BROKEN` after a finding."""
    match node:
        case nodes.KeyedType():
            binding.error(14, node, "a type `by` an enumeration can only be that of a field")
            return BROKEN
        case nodes.RangeType(low=low, high=high):
            if high is not None and high < low:
                binding.error(
                    22, node, f"the range {low}..{high} is empty", advice=f"write `{high}..{low}`"
                )
                return BROKEN
            return ir.Type("number", lo=low, hi=high)
        case nodes.UnionType(members=members):
            return _union(binding, node, [value_type(binding, member) for member in members])
        case nodes.CollectionType():
            return _collection(binding, node)
        case nodes.NamedType(name=name):
            return named_type(binding, name)


def named_type(binding: Binding, name: nodes.Ident) -> ir.Type:
    """Give the type that a name stands for; `BROKEN` after a finding."""
    if name.text == "none":
        return ir.NONE
    found = binding.tables.type_names.get(name.text)
    if found is None:
        usual = FOREIGN_TYPES.get(name.text.lower())
        binding.unknown(
            name, "type", binding.tables.type_names, advice=usual and f"write `{usual}`"
        )
        return BROKEN
    return found


def _union(binding: Binding, node: nodes.UnionType, members: list[ir.Type]) -> ir.Type:
    if BROKEN in members:
        return BROKEN
    joined = ruletypes.join_all(members)
    if joined is None or joined.shape == "none":
        names = " and ".join(sorted({binding.say(member) for member in members}))
        binding.error(
            14, node, f"no value can be {names}", notes=("`or` joins kinds, ranges and `none`",)
        )
        return BROKEN
    enums = {member.enum for member in members if member.shape == "number"}
    if joined.shape == "number" and len(enums) == 1:
        return attrs.evolve(joined, enum=enums.pop())  # `D6 or none` stays rolled with D6
    return joined


def _collection(binding: Binding, node: nodes.CollectionType) -> ir.Type:
    name = node.collection
    if name.text not in COLLECTIONS:
        binding.unknown(name, "collection", COLLECTIONS)
        return BROKEN
    element = value_type(binding, node.element)
    if element == BROKEN:
        return BROKEN
    if name.text == "bag":
        if element.shape == "word" or (element.shape == "number" and element.enum >= 0):
            return ir.Type("bag", enum=element.enum)
        binding.error(
            14, node.element, f"a bag holds words of an enumeration, not {binding.say(element)}"
        )
        return BROKEN
    if name.text == "pile" and element.shape != "thing":
        binding.error(14, node.element, f"a pile holds components, not {binding.say(element)}")
        return BROKEN
    if element.shape == "none":
        binding.error(14, node.element, "a set never holds `none`")
        return BROKEN
    return ruletypes.set_of(element) if name.text == "set" else ruletypes.list_of(element)
