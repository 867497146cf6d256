"""Cells of data files to values of a type."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import attrs

from rulelang import ir
from rulelang.binding.constants import as_set, bag_value, ids_of
from rulelang.binding.context import BROKEN, FAILED, Binding
from rulelang.suggest import did_you_mean

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_TERM: Final = re.compile(r"(.*?)(-?[0-9]+)")
_SHOWN: Final = 12


@attrs.frozen
class Misfit:
    """Why a cell is not a value.

    Attributes:
        found: The part that does not fit.
        legal: What would, as a phrase.
        advice: The nearest legal values as a help text, or None.
    """

    found: str
    legal: str
    advice: str | None = None


def cell_value(binding: Binding, text: str, wanted: ir.Type) -> object:
    """Read a cell; gives a value as the IR has them, a `Misfit`, or `FAILED` for a type that is broken."""
    text = text.strip()
    if wanted == BROKEN:
        return FAILED
    if not text:
        return _empty(binding, wanted)
    match wanted.shape:
        case "number":
            if _NUMBER.fullmatch(text) is None:
                return Misfit(text, f"a number of {_range(binding, wanted)}")
            value = int(text)
            inside = (wanted.lo is None or value >= wanted.lo) and (
                wanted.hi is None or value <= wanted.hi
            )
            return value if inside else Misfit(text, f"a number of {_range(binding, wanted)}")
        case "flag":
            return (
                text == "yes"
                if text in ("yes", "no")
                else Misfit(text, "`yes` or `no`", did_you_mean(text, ["yes", "no"]))
            )
        case "text":
            return text
        case "word":
            words = binding.tables.enums[wanted.enum].words
            return (
                words.index(text)
                if text in words
                else Misfit(text, _listed(words), did_you_mean(text, words))
            )
        case "thing":
            return _thing(binding, text, wanted)
        case "bag":
            return _bag(binding, text, wanted)
        case _:
            return _collection(binding, text, wanted)


def _empty(binding: Binding, wanted: ir.Type) -> object:
    match wanted.shape:
        case "set" | "list":
            return ()
        case "bag":
            return bag_value(binding, Counter(), wanted.enum)
        case "text":
            return ""
        case _:
            return None if wanted.optional else Misfit("", f"a value of {binding.say(wanted)}")


def _range(binding: Binding, wanted: ir.Type) -> str:
    return binding.say(wanted).removesuffix(" or none")


def _listed(words: tuple[str, ...] | list[str]) -> str:
    shown = ", ".join(f"`{word}`" for word in words[:_SHOWN])
    return f"one of {shown}" + (f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else "")


def _thing(binding: Binding, text: str, wanted: ir.Type) -> object:
    found = [things for kind, things in binding.tables.ids.get(text, ()) if kind in wanted.kinds]
    if len(found) == 1 and len(found[0]) == 1:
        return found[0][0]
    if found:
        return Misfit(text, f"an id that names one {binding.say(ruled(wanted))}")
    ids = ids_of(binding, wanted)
    return Misfit(text, f"the id of a {binding.say(ruled(wanted))}", did_you_mean(text, ids))


def ruled(wanted: ir.Type) -> ir.Type:
    """Give a type without none, for messages."""
    return attrs.evolve(wanted, optional=False)


def _bag(binding: Binding, text: str, wanted: ir.Type) -> object:
    enum = binding.tables.enums[wanted.enum]
    numbers = {
        word: index + (enum.low if enum.numeric else 0) for index, word in enumerate(enum.words)
    }
    counts: Counter[int] = Counter()
    for part in re.split(r"[+:]", text):
        term = part.strip()
        if term in numbers:
            counts[numbers[term]] += 1
            continue
        match = _TERM.fullmatch(term)
        if match is None or match[1] not in numbers:
            word = match[1] if match else term
            return Misfit(
                term, f"{_listed(enum.words)}, each with a number", did_you_mean(word, enum.words)
            )
        counts[numbers[match[1]]] += int(match[2])
    return bag_value(binding, counts, wanted.enum)


def _collection(binding: Binding, text: str, wanted: ir.Type) -> object:
    element = wanted.elem or ir.NUMBER
    parts = text.split("/") if wanted.shape == "list" else re.split(r"[\s;/]+", text)
    values: list[object] = []
    for part in parts:
        if wanted.shape == "set" and not part:
            continue
        ids = [
            things
            for kind, things in binding.tables.ids.get(part.strip(), ())
            if kind in element.kinds
        ]
        if len(ids) == 1:
            values.extend(ids[0])  # the id of a row with several copies means all of them
            continue
        value = cell_value(binding, part, element)
        if isinstance(value, Misfit):
            return value
        values.append(value)
    return as_set(values) if wanted.shape == "set" else tuple(values)
