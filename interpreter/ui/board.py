"""The table as one seat sees it, in a few lines: what players have, what is kept, what lies where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.layout import FIRST_PILE
from interpreter.observation import FaceDown, Hidden, HiddenPile
from interpreter.ui.names import plural, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.decision import Decision, Option
    from interpreter.observation import Observation
    from interpreter.ui.names import Names
    from rulelang.ir import Field, Type


@attrs.frozen
class Board:
    """Describes what a seat sees.

    Attributes:
        names: What things and players are called.
    """

    names: Names

    def lines(self, seen: Observation) -> Iterator[str]:
        """Give a line for each player, each thing of which there is something to tell, and each kept value."""
        lying = self._lying(seen)
        for number, kind in enumerate(seen.program.kinds):
            fields = [field for field in seen.program.fields if field.kind == number]
            for thing in range(kind.base, kind.base + kind.count):
                facts = [
                    fact
                    for field in fields
                    if field.name != "place"
                    for fact in self._facts(seen, field, thing)
                ]
                facts += self._groups(lying.get(thing, ()))
                if facts or number == 0:
                    name = self.names.thing(thing)
                    yield f"  {name[:1].upper()}{name[1:]}: {', '.join(facts) or 'nothing'}"
        for value in seen.program.globals:
            if value.shown:
                told = self._value(seen.value(value.index), value.type)
                if told:
                    yield f"  {spoken(value.name).replace('.', ', ')}: {told}"

    def title(self, seen: Observation, decision: Decision, option: Option) -> str:
        """Name an option; one of interchangeable things by whose it is and where it lies."""
        of = decision.type
        thing = option.value
        shape = of.elem.shape if of.elem is not None else of.shape
        if shape != "thing" or not isinstance(thing, int) or isinstance(thing, bool):
            return option.text
        if thing < seen.program.kinds[0].count or self.names.noun(thing) is None:
            return option.text
        _, place = seen.where(thing)
        where = f", at {self.names.thing(place)}" if isinstance(place, int) else ""
        return self.names.thing(thing) + where

    def _facts(self, seen: Observation, field: Field, thing: int) -> Iterator[str]:
        if field.lent_by is not None or not (field.mutable or field.pile):
            return
        name = spoken(field.name)
        for key in range(field.key_low, field.key_low + field.keys):
            value = seen.read(field.index, thing, key)
            if field.pile and isinstance(value, HiddenPile):
                yield f"{name}: {plural(value.size, 'card') if value.size else 'empty'}"
                continue
            told = self._value(value, field.type)
            if told or (field.kind == 0 and field.type.shape == "number" and value == 0):
                keyed = f" ({key})" if field.keys > 1 else ""
                yield (
                    f"{told or 0} {name}{keyed}"
                    if field.type.shape == "number"
                    else f"{name}{keyed} {told}"
                )

    def _value(self, value: object, of: Type) -> str:
        """A value; empty for what is not seen or says nothing, such as 0, no and none."""
        if isinstance(value, FaceDown):
            return "face down"
        if isinstance(value, tuple) and any(isinstance(each, FaceDown) for each in value):
            return plural(len(value), "thing")
        if not value and not (of.shape == "word" and value == 0 and value is not None):
            return ""
        if isinstance(value, (Hidden, HiddenPile)):
            return ""
        return self.names.value(value, of)

    def _lying(self, seen: Observation) -> dict[int, list[int]]:
        """List what lies at each thing, for things of kinds that have a place."""
        found: dict[int, list[int]] = {}
        for kind in seen.program.kinds:
            if kind.place is None:
                continue
            for thing in range(kind.base, kind.base + kind.count):
                position, place = seen.where(thing)
                if isinstance(place, int) and isinstance(position, int) and position < FIRST_PILE:
                    found.setdefault(place, []).append(thing)
        return found

    def _groups(self, things: Iterable[int]) -> list[str]:
        there = list(things)
        return [f"here {self.names.things(there)}"] if there else []
