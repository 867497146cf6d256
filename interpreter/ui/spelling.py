"""Values of a game as the language writes them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from interpreter.layout import Layout
from rulelang.symbols import snake_case
from rulelang.words import constants, keywords

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulelang import ir
    from rulelang.symbols import Tables

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_SEATS: Final = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "joe")
_FEW: Final = 4


class Spelling:
    """Writes values.

    Args:
        program: What is played.
        tables: Its declarations.
        seats: What the seats are called; names that mean something else, or are none, are replaced.

    Attributes:
        seats: The names of the seats.
    """

    def __init__(self, program: ir.Program, tables: Tables, seats: Sequence[str] = ()) -> None:
        self.program = program
        self._kind_of = Layout(program).kind_of
        self._ids = tables.ids
        self._named = {
            things[0]: name
            for name, meant in tables.ids.items()
            for _, things in meant
            if len(things) == 1
        }
        self._taken = Counter(
            [
                *tables.symbols,
                *(word for word, enums in tables.words.items() for _ in enums),
                *(name for name, meant in tables.ids.items() for _ in meant),
                *(snake_case(kind.name) for kind in program.kinds if kind.singleton),
                *keywords(),
                *constants(),
            ]
        )
        self.seats = self._seat_names(seats)
        self._taken.update(self.seats)

    def _seat_names(self, wanted: Sequence[str]) -> tuple[str, ...]:
        count = self.program.seats
        names = [re.sub(r"\W+", "_", each.strip().casefold()).strip("_") for each in wanted]
        if len(set(names)) == count and all(map(self._is_free, names)):
            return tuple(names)
        free = [name for name in _SEATS if self._is_free(name)]
        free += [f"player{number}" for number in range(1, count + 1)]
        return tuple(free[:count])

    def _is_free(self, name: str) -> bool:
        """Can this name a seat: is it one, does it mean nothing else, and does it say no kind?"""
        last = name.rsplit("_", 1)[-1].rstrip("0123456789")
        kinds = {snake_case(kind.name).rsplit("_", 1)[-1] for kind in self.program.kinds}
        enums = {snake_case(enum.name).rsplit("_", 1)[-1] for enum in self.program.enums}
        fits = _NAME.fullmatch(name) is not None and name.isascii()
        return fits and name not in self._taken and last not in kinds | enums

    def value(self, value: object, of: ir.Type) -> str:
        """Write a value of a type."""
        match value:
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case tuple() if of.shape == "bag":
                return self._bag(value, of)
            case tuple():
                inner = of.elem or of
                if of.shape == "list" and len(value) > 1:
                    return f"({', '.join(self.value(each, inner) for each in value)})"
                return self.members(value, inner)
            case int() if of.shape == "thing":
                return self.thing(value)
            case int() if of.shape == "word":
                return self._word(value, of)
            case _:
                return str(value)

    def members(self, values: Iterable[object], of: ir.Type) -> str:
        """Write a set of values, things that are only numbered by their numbers."""
        numbered: list[int] = []
        written: list[str] = []
        for each in values:
            if of.shape == "thing" and isinstance(each, int) and not self._has_name(each):
                numbered.append(each)
            else:
                written.append(self.value(each, of))
        single, parts = self._numbered(numbered)
        written += single
        if written or not parts:
            parts.insert(0, f"{{{', '.join(written)}}}")
        return " + ".join(parts)

    def _numbered(self, things: Sequence[int]) -> tuple[list[str], list[str]]:
        """Write things without names: the only ones of their kind, and those of the other kinds as sets."""
        single: list[str] = []
        found: list[str] = []
        for number, kind in enumerate(self.program.kinds):
            places = sorted(
                each - kind.base + 1 for each in things if self._kind_of[each] == number
            )
            if len(places) == kind.count:
                found.append(kind.name)
            elif len(places) == 1:
                single.append(self.thing(kind.base + places[0] - 1))
            elif places and places[-1] - places[0] + 1 == len(places):
                among = f"{places[0]}..{places[-1]}"
                found.append(f"({kind.name} where position(it, {kind.name}) in {among})")
            elif places:
                among = ", ".join(map(str, places))
                found.append(f"({kind.name} where position(it, {kind.name}) in {{{among}}})")
        return single, found

    def thing(self, thing: int) -> str:
        """Write one thing: by its name, or by its number among those of its kind."""
        number = self._kind_of[thing]
        kind = self.program.kinds[number]
        if number == 0:
            return self.seats[thing - kind.base]
        if kind.singleton:
            return snake_case(kind.name)
        name = self._named.get(thing)
        if name is not None:
            return name if self._taken[name] == 1 else f"{kind.name}.{name}"
        place = thing - kind.base + 1
        if place == 1:
            return f"first({kind.name})"
        if place == kind.count:
            return f"last({kind.name})"
        return f"last(top({kind.name}, {place}))"

    def _has_name(self, thing: int) -> bool:
        kind = self.program.kinds[self._kind_of[thing]]
        return self._kind_of[thing] == 0 or kind.singleton or thing in self._named

    def _word(self, value: int, of: ir.Type) -> str:
        enum = self.program.enums[of.enum]
        if enum.numeric:
            return str(value)
        word = enum.words[value]
        return (
            word if self._taken[word] == 1 or not enum.name[:1].isupper() else f"{enum.name}.{word}"
        )

    def _bag(self, counts: tuple[object, ...], of: ir.Type) -> str:
        """Write a bag: few of a word one by one, more with their number."""
        enum = self.program.enums[of.enum]
        low = enum.low if enum.numeric else 0
        single: list[str] = []
        many: list[str] = []
        for place, count in enumerate(counts):
            word = self._word(low + place, of)
            if isinstance(count, int) and 0 < count <= _FEW:
                single += [word] * count
            elif isinstance(count, int) and count:
                many.append(f"{count} * {{{word}}}")
        return " + ".join([*([f"{{{', '.join(single)}}}"] if single or not many else []), *many])
