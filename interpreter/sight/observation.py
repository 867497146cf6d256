"""What one seat sees: the same slots as the state, with what it must not see taken out.

An observation is made by copying what is visible, slot by slot; it keeps no way back to the state.
The rules: a field is open, hidden, or seen by its owner; of a pile that is not seen its size is. Of
a thing in such a pile nothing else is seen. Of a thing that lies face down only kind and place are
seen, and wherever it is named it is only "a card, face down"; if its flag `face_up` is seen by the
owner, whoever owns it or has it in his place sees it all the same. Chance, marks, frames and what
durations will restore are never seen. What a card keeps is seen with the card.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

import attrs

from interpreter.layout import BOX, FIRST_PILE, Layout, Slots
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@attrs.frozen
class Hidden:
    """A value that the seat does not see."""


@attrs.frozen
class HiddenPile:
    """A pile that the seat does not see: how many things are in it."""

    size: int


@attrs.frozen
class FaceDown:
    """A thing that lies face down: its kind only."""

    kind: int


HIDDEN: Final = Hidden()


@attrs.frozen
class _Plan:
    """What depends on the layout only: for each kind its fields, flag and owner; numbers by name.

    Attributes:
        plain: Ranges of slots of fields that every seat sees as they are.
        guarded: The other fields that have slots.
    """

    plain: tuple[slice, ...]
    guarded: tuple[ir.Field, ...]
    fields: tuple[tuple[ir.Field, ...], ...]
    numbers: dict[tuple[int, str], int]
    kept: dict[str, int]
    face_up: tuple[int | None, ...]
    owner: tuple[int | None, ...]


@lru_cache(maxsize=32)
def _plan(layout: Layout) -> _Plan:
    program = layout.program
    kinds = range(len(program.kinds))
    fields = tuple(tuple(f for f in program.fields if f.kind == kind) for kind in kinds)

    def named(kind: int, name: str, shape: str) -> int | None:
        return next(
            (f.index for f in fields[kind] if f.name == name and f.type.shape == shape), None
        )

    face_up = tuple(named(kind, "face_up", "flag") for kind in kinds)

    def is_plain(field: ir.Field) -> bool:
        anonymous = field.type.shape in ("number", "flag", "text", "word")
        kind = program.kinds[field.kind]
        return (
            field.sight == "open" and anonymous and not kind.movable and face_up[field.kind] is None
        )

    stored = [field for field in program.fields if layout.offsets[field.index] is not None]
    return _Plan(
        tuple(layout.slots_of(field) for field in stored if is_plain(field)),
        tuple(field for field in stored if not is_plain(field)),
        fields,
        {(field.kind, field.name): field.index for field in program.fields},
        {each.name: each.index for each in program.globals if each.shown},
        face_up,
        tuple(named(kind, "owner", "thing") for kind in kinds),
    )


class Observation:
    """What a seat sees.

    Attributes:
        seat: Whose view it is, from 0.
        slots: The state's slots in the same order: visible values, :data:`HIDDEN`, a
            :class:`HiddenPile`, and :class:`FaceDown` for things that lie face down.
        face_down: Kind, position and place of every thing that lies face down where one can see
            it, sorted.
        offered: For things that the seat is asked about and that lie face down: the place of each, -1 for none.
    """

    __slots__ = ("_layout", "face_down", "offered", "seat", "slots")

    def __init__(self, layout: Layout, slots: Slots, seat: int, asked: object = ()) -> None:
        self.seat = seat
        self._layout = layout
        view = _View(layout, slots, seat)
        self.slots: tuple[object, ...] = view.slots()
        self.face_down: tuple[tuple[int, int, int], ...] = view.face_down()
        self.offered: dict[int, int] = view.offered(asked)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Observation)
            and self.seat == other.seat
            and self.slots == other.slots
            and self.face_down == other.face_down
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.slots, self.face_down))

    @property
    def program(self) -> ir.Program:
        """The Program, which everybody knows."""
        return self._layout.program

    def read(self, field: int, thing: int, key: int = 0) -> object:
        """The value of a field of a thing as seen; data are always seen."""
        return self._layout.read(cast("Slots", self.slots), field, thing, key)

    def things(self, kind: str) -> tuple[int, ...]:
        """The numbers of all things of a kind, in order; those of `Player` are the seats, from 0.

        Raises:
            LookupError: there is no such kind.
        """
        for each in self.program.kinds:
            if each.name == kind:
                return tuple(range(each.base, each.base + each.count))
        raise LookupError(f"there is no kind {kind!r}")

    def look(self, thing: int, field: str, key: int = 0) -> object:
        """The value of a field, by name, of a thing as seen.

        Args:
            thing: Its number.
            field: As the rules call it; defined properties are not fields.
            key: The word of a field that has a value for each, as its number in the enumeration
                (a number of a die as such).

        Returns:
            A number, a Flag as bool, the number of a word or thing, a tuple of them, None, or
            `HIDDEN`, `HiddenPile`, `FaceDown` for what the seat does not see.

        Raises:
            LookupError: things of this kind have no such field.
        """
        kind = self._layout.kind_of[thing]
        number = _plan(self._layout).numbers.get((kind, field))
        if number is None:
            raise LookupError(f"a {self.program.kinds[kind].name} has no field {field!r}")
        return self.read(number, thing, key)

    def kept(self, name: str) -> object:
        """A kept value or parameter of a phase, such as ``turn.pot``, as seen.

        Raises:
            LookupError: nothing of this name is shown.
        """
        number = _plan(self._layout).kept.get(name)
        if number is None:
            raise LookupError(f"no phase shows {name!r}")
        return self.value(number)

    def value(self, index: int) -> object:
        """The value of a global as seen."""
        return self.slots[self._layout.global_slot(index)]

    def where(self, thing: int) -> tuple[object, object]:
        """Position and place of a thing as seen, see :mod:`interpreter.layout`."""
        layout = self._layout
        kind = layout.kind_of[thing]
        offset = layout.positions[kind]
        place = layout.program.kinds[kind].place
        return (
            self.slots[offset + thing] if offset is not None else 0,
            self.read(place, thing) if place is not None else None,
        )

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The players who have won so far."""
        return cast("tuple[int, ...] | None", self.slots[self._layout.winners])


class Everything(Observation):
    """What somebody sees who may see everything; of no seat (`seat` is -1).

    For recorded games and referees, never for a provider.
    """

    __slots__ = ()

    def __init__(self, layout: Layout, slots: Slots) -> None:
        self.seat = -1
        self._layout = layout
        self.slots = tuple(slots[: layout.size])
        self.face_down = ()
        self.offered = {}


def concealed(layout: Layout, slots: Slots, seat: int, things: Iterable[int]) -> set[int]:
    """Those of some things of which a seat does not see what they are."""
    view = _View(layout, slots, seat)
    return {thing for thing in things if view.hides(thing)}


def ints(value: object) -> Iterator[int]:
    """All numbers in nested tuples: each may be a thing."""
    if isinstance(value, (tuple, list, frozenset, set)):
        for each in value:
            yield from ints(each)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


class _View:
    """The making of one observation."""

    def __init__(self, layout: Layout, state: Slots, seat: int) -> None:
        self._layout = layout
        self._state = state
        self._plan = _plan(layout)
        self._player = layout.program.kinds[0].base + seat
        self._down: dict[int, bool] = {}
        self._hides: dict[int, bool] = {}

    def slots(self) -> tuple[object, ...]:
        layout = self._layout
        program = layout.program
        seen: list[object] = [HIDDEN] * layout.size
        for slots in self._plan.plain:
            seen[slots] = self._state[slots]
        for declared in self._plan.guarded:
            slots = layout.slots_of(declared)
            seen[slots] = self._values(declared, self._state[slots])
        for number, offset in enumerate(layout.positions):
            kind = program.kinds[number]
            for thing in range(kind.base, kind.base + kind.count) if offset is not None else ():
                if not self.hides(thing):
                    seen[cast("int", offset) + thing] = self._state[cast("int", offset) + thing]
        for each in program.globals:
            if each.shown and each.sight == "open" and not self._of_hidden_card(each):
                slot = layout.global_slot(each.index)
                seen[slot] = self._shown(self._state[slot], each.type)
        for block in program.blocks:
            rows = cast(
                "tuple[tuple[int, tuple[object, ...], bool], ...]",
                self._state[layout.rows + block.index],
            )
            seen[layout.rows + block.index] = tuple(
                tuple(self._shown(value, of) for value, of in zip(values, block.types, strict=True))
                for _, values, _ in rows
            )
        for slot in (layout.winners, layout.decisions):
            seen[slot] = self._state[slot]
        return tuple(seen)

    def face_down(self) -> tuple[tuple[int, int, int], ...]:
        layout = self._layout
        found: list[tuple[int, int, int]] = []
        for kind, flag in enumerate(self._plan.face_up):
            if flag is None:
                continue
            declared = layout.program.kinds[kind]
            for thing in range(declared.base, declared.base + declared.count):
                if self._is_down(thing) and not self._buried(thing):
                    position, place = layout.where(self._state, thing)
                    found.append((kind, position, -1 if place is None else place))
        return tuple(sorted(found))

    def offered(self, asked: object) -> dict[int, int]:
        """The places of things face down among the numbers in nested tuples."""
        found: dict[int, int] = {}
        if any(flag is not None for flag in self._plan.face_up):
            kinds = self._layout.kind_of
            for each in ints(asked):
                if 0 <= each < len(kinds) and self._is_down(each) and not self._buried(each):
                    _, place = self._layout.where(self._state, each)
                    found[each] = -1 if place is None else place
        return found

    def _values(self, field: ir.Field, values: list[Any]) -> Iterator[object]:
        """The values of a field as seen, thing by thing and of each thing key by key."""
        base, keys, pile = self._layout.program.kinds[field.kind].base, field.keys, field.pile
        flag = field.index == self._plan.face_up[field.kind]  # says who sees the rest
        seen = flag or field.sight == "open"
        of = field.type
        plain = of.elem is None and of.shape != "thing"
        for number, value in enumerate(values):
            thing = base + number // keys
            if not seen and not (field.sight == "owner" and self._owned(thing)):
                yield HiddenPile(len(cast("tuple[int, ...]", value))) if pile else HIDDEN
            elif not pile and self.hides(thing):
                yield HIDDEN
            else:
                yield value if plain else self._shown(value, of)

    def _shown(self, value: object, of: ir.Type) -> object:
        """A visible value, things that lie face down made anonymous."""
        if isinstance(value, tuple):
            inner = of.elem
            if inner is None:
                return value
            return tuple(self._shown(each, inner) for each in value)
        if of.shape == "thing" and isinstance(value, int) and self._is_down(value):
            return FaceDown(self._layout.kind_of[value])
        return value

    def _of_hidden_card(self, kept: ir.Global) -> bool:
        return kept.card is not None and self.hides(kept.card)

    def hides(self, thing: int) -> bool:
        """Is it face down, or in a pile that the seat does not see?"""
        found = self._hides.get(thing)
        if found is None:
            found = self._hides[thing] = self._is_down(thing) or self._buried(thing)
        return found

    def _is_down(self, thing: int) -> bool:
        found = self._down.get(thing)
        if found is None:
            found = self._down[thing] = self._lies_down(thing)
        return found

    def _lies_down(self, thing: int) -> bool:
        flag = self._plan.face_up[self._layout.kind_of[thing]]
        if flag is None or self._layout.read(self._state, flag, thing) is not False:
            return False
        return self._layout.program.fields[flag].sight != "owner" or not self._has(thing)

    def _has(self, thing: int) -> bool:
        """Is the thing his, or at him?"""
        return self._owned(thing) or self._layout.where(self._state, thing)[1] == self._player

    def _buried(self, thing: int) -> bool:
        """Is it in a pile that the seat does not see?"""
        layout = self._layout
        position, _ = layout.where(self._state, thing)
        if position <= BOX:
            return False
        number, owner = layout.piles[position - FIRST_PILE]
        field = layout.program.fields[number]
        return field.sight == "hidden" or (field.sight == "owner" and not self._owned(owner))

    def _owned(self, thing: int) -> bool:
        """Is the thing this player, or his?"""
        if thing == self._player:
            return True
        field = self._plan.owner[self._layout.kind_of[thing]]
        return field is not None and (self._layout.read(self._state, field, thing) == self._player)
