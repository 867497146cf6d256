"""What things and values are called in a story.

Keys and titles as such come from `interpreter.naming`; here they become parts of sentences. Things
that are only numbered are told by kind and owner ("a ship of Ann"), because nobody can tell them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.naming import Naming
from rulelang.wording import listed, one, plural, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.ir import Kind, Program, Type


def _counted(count: int, noun: str, whose: str) -> str:
    if count == 1:
        return one(noun) + whose
    return plural(count, noun) + whose


class Names:
    """Turns the values of one program into parts of sentences.

    Args:
        program: Whose things and words are named.
        seats: What the players are called, first seat first; empty: as the program calls them.

    Attributes:
        program: The program.
        seats: What the players are called.
    """

    def __init__(self, program: Program, seats: Sequence[str] = ()) -> None:
        self.program = program
        self._naming = Naming(program)
        self._kind_of = tuple(kind for kind in program.kinds for _ in range(kind.count))
        self.seats = tuple(seats) or tuple(
            self._naming.thing_title(seat) for seat in range(program.kinds[0].count)
        )
        self._owners = {
            field.kind: field.values
            for field in program.fields
            if field.name == "owner" and not field.mutable and field.keys == 1
        }

    def kind_of(self, thing: int) -> Kind:
        """Find the kind that a thing belongs to; that of an unseen one is `-1 - thing`."""
        return self._kind_of[thing] if thing >= 0 else self.program.kinds[-1 - thing]

    def seat(self, number: int) -> str:
        """Name a player by seat, from 0."""
        return self.seats[number]

    def noun(self, thing: int) -> tuple[str, str] | None:
        """Split what an interchangeable thing is called into kind and owner ("ship", " of Ann").

        Returns:
            None for a thing with a name of its own.
        """
        kind = self.kind_of(thing)
        if thing < 0:
            return spoken(kind.name), ""
        if not kind.alike or kind.singleton:
            return None
        owners = self._owners.get(self.program.kinds.index(kind))
        owner = owners[thing - kind.base] if owners else None
        whose = f" of {self.thing(owner)}" if isinstance(owner, int) else ""
        return spoken(kind.name), whose

    def thing(self, thing: int) -> str:
        """Name one thing."""
        kind = self.kind_of(thing)
        if kind.singleton:
            return f"the {spoken(kind.name)}"
        if 0 <= thing < len(self.seats):
            return self.seats[thing]
        noun = self.noun(thing)
        if noun is not None:
            return _counted(1, *noun)
        title = self._naming.thing_title(thing)
        return spoken(title) if title == self._naming.thing_key(thing) else title

    def things(self, things: Sequence[int]) -> str:
        """Name several things, interchangeable ones with their number."""
        groups: dict[tuple[str, str] | int, int] = {}
        for thing in things:
            key = self.noun(thing) or thing
            groups[key] = groups.get(key, 0) + 1
        return listed(
            [
                self.thing(key) if isinstance(key, int) else _counted(count, *key)
                for key, count in groups.items()
            ]
        )

    def value(self, value: object, of: Type) -> str:
        """Name a value of a known type."""
        if isinstance(value, tuple) and of.shape != "bag":
            inner = of.elem or of
            if inner.shape == "thing":
                return self.things([item for item in value if isinstance(item, int)]) or "nothing"
            return listed([self.value(item, inner) for item in value]) or "nothing"
        if of.shape == "thing" and isinstance(value, int):
            return self.thing(value)
        text = self._naming.title(value, of)
        return spoken(text) if of.shape in {"word", "bag"} else text
