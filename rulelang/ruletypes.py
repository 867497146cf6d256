"""Relations between value types: what fits where, what two have in common, how a type is
written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang import ir
from rulelang.ir import Type

if TYPE_CHECKING:
    from collections.abc import Sequence

COLLECTIONS = ("set", "list", "bag")


def thing(*kinds: int, optional: bool = False) -> Type:
    """Give the type of things of these kinds."""
    return Type("thing", kinds=tuple(sorted(set(kinds))), optional=optional)


def word(enum: int) -> Type:
    """Give the type of the words of an enumeration that is not numeric."""
    return Type("word", enum=enum)


def set_of(elem: Type) -> Type:
    """Give the type of sets of ``elem`` (never optional inside: sets hold no none)."""
    return Type("set", elem=required(elem))


def list_of(elem: Type) -> Type:
    """Give the type of lists of ``elem``."""
    return Type("list", elem=required(elem))


def required(kind: Type) -> Type:
    """Give the type without none."""
    return evolve(kind, optional=False) if kind.optional and kind.shape != "none" else kind


def or_none(kind: Type) -> Type:
    """Give the type with none; sets, lists and bags are empty instead."""
    return kind if kind.optional or kind.shape in COLLECTIONS else evolve(kind, optional=True)


def is_collection(kind: Type) -> bool:
    """Tell whether it is a set or a list."""
    return kind.shape in ("set", "list")


def join(left: Type, right: Type) -> Type | None:
    """Give the smallest type that holds both, or None if there is none."""
    if left.shape == "none":
        return or_none(right)
    if right.shape == "none":
        return or_none(left)
    optional = left.optional or right.optional
    if left.shape == right.shape == "number":
        lo = None if left.lo is None or right.lo is None else min(left.lo, right.lo)
        hi = None if left.hi is None or right.hi is None else max(left.hi, right.hi)
        return Type("number", lo=lo, hi=hi, optional=optional)
    if left.shape == right.shape == "thing":
        return thing(*left.kinds, *right.kinds, optional=optional)
    if is_collection(left) and is_collection(right):
        elem = _join_elements(left.elem, right.elem)
        shape: ir.Shape = "set" if left.shape == right.shape == "set" else "list"
        return None if elem is None else Type(shape, elem=elem)
    if left.shape == right.shape and left.enum == right.enum:
        return evolve(left, optional=optional)
    return None


def _join_elements(left: Type | None, right: Type | None) -> Type | None:
    if left is None or left.shape == "none":
        return right
    if right is None or right.shape == "none":
        return left
    return join(left, right)


def join_all(types: Sequence[Type]) -> Type | None:
    """Join several; None if two have nothing in common or there are none."""
    result: Type | None = types[0] if types else None
    for kind in types[1:]:
        if result is None:
            return None
        result = join(result, kind)
    return result


def overlaps(left: Type, right: Type) -> bool:
    """Tell whether a value can be of both types (none counts)."""
    if left.optional and right.optional:
        return True
    if left.shape == "none" or right.shape == "none":
        return (left.optional or left.shape == "none") and (right.optional or right.shape == "none")
    if is_collection(left) and is_collection(right):
        return (
            left.elem is None
            or right.elem is None
            or left.elem.shape == "none"
            or right.elem.shape == "none"
            or (overlaps(left.elem, right.elem))
        )
    if left.shape != right.shape:
        return False
    if left.shape == "number":
        below = left.hi is not None and right.lo is not None and left.hi < right.lo
        above = right.hi is not None and left.lo is not None and right.hi < left.lo
        return not below and not above
    if left.shape == "thing":
        return bool(set(left.kinds) & set(right.kinds))
    return left.enum == right.enum


def fits(value: Type, target: Type) -> bool:
    """Tell whether ``value`` may stand where ``target`` is wanted, ranges and none left aside.

    Ranges are tested when a constant is written or when the game runs; none has a finding of its
    own.
    """
    if value.shape == "none":
        return True
    if is_collection(target):
        if not is_collection(value):
            return False
        if value.elem is None or value.elem.shape == "none" or target.elem is None:
            return True
        return fits(value.elem, target.elem)
    if value.shape != target.shape:
        return False
    if value.shape == "thing":
        return bool(set(value.kinds) & set(target.kinds))
    if value.shape in ("word", "bag"):
        return value.enum == target.enum
    return True


def surely_fits(value: Type, target: Type) -> bool:
    """Tell whether every thing of ``value`` is one of ``target`` (unions need a test first
    otherwise)."""
    if value.shape == "thing" and target.shape == "thing":
        return set(value.kinds) <= set(target.kinds)
    if is_collection(value) and is_collection(target) and value.elem and target.elem:
        return value.elem.shape == "none" or surely_fits(value.elem, target.elem)
    return fits(value, target)


def describe(kind: Type, kinds: Sequence[str], enums: Sequence[str]) -> str:
    """Write a type the way a ruleset does."""
    text = _describe(kind, kinds, enums)
    return f"{text} or none" if kind.optional and kind.shape != "none" else text


def _describe(kind: Type, kinds: Sequence[str], enums: Sequence[str]) -> str:
    match kind.shape:
        case "number":
            if kind.lo is None and kind.hi is None:
                return "Number"
            if kind.lo == kind.hi:
                return f"the number {kind.lo}"
            return f"{'' if kind.lo is None else kind.lo}..{'' if kind.hi is None else kind.hi}"
        case "thing":
            return " or ".join(kinds[index] for index in kind.kinds)
        case "word":
            return enums[kind.enum]
        case "bag":
            return f"bag of {enums[kind.enum]}"
        case "set" | "list":
            return f"{kind.shape} of {_describe(kind.elem or ir.NUMBER, kinds, enums)}"
        case _:
            return kind.shape.capitalize() if kind.shape != "none" else "none"
