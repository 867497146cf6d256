"""What a seat sees as a list of whole numbers, always as long for one ruleset and number of seats.

It is made from an :class:`interpreter.sight.observation.Observation` and the question, and from nothing else. The
layout follows from the ruleset alone: :attr:`View.features` names each part, in order, and :attr:`View.digest` changes
if any of it does. Parts:

* `seat`, `acting`: one number for each seat, 1 for whose view it is, and for who is asked.
* `question`: one for each decision of the ruleset, 1 for that which is asked; all 0 for somebody else's question.
* `chosen`: one for each token: how often it was taken for the answer so far.
* A field, a value that a phase shows: whether it is seen (0 not, 1 it is `none`, 2 a value, 3 a thing face down), and
  the value: a number, 0 or 1, the number of a word or of a thing; of a thing face down its kind.
* A pile: whether it is seen, and its size.
* A set, list or bag: whether it is seen, its size, and how often it holds each value that it can, if these
  are few.
* A thing that can be moved: whether it is seen, the number of its place in :mod:`interpreter.layout`, and the place in
  its pile from the top, from 1.
* Things face down: for each kind that can lie so, and each place, how many do.
* Rules that last: how many rows of each are in force.
* `winners`: one for each seat, 1 for who has won.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import attrs

from interpreter.adapters.actions import Choice, Tokens
from interpreter.layout import FIRST_PILE, Layout
from interpreter.sight.observation import FaceDown, Hidden, HiddenPile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from interpreter.sight.observation import Observation
    from rulelang import ir

FEW: Final = 256
"""A set of more kinds of values is told by its size only."""

BOUND: Final = 2**31 - 1
"""Larger numbers are told as this."""

UNSEEN: Final = 0
NONE: Final = 1
SEEN: Final = 2
DOWN: Final = 3


@attrs.frozen
class Feature:
    """One part of a view.

    Attributes:
        name: What it tells.
        start: Where it begins.
        width: How many numbers it has.
    """

    name: str
    start: int
    width: int


class View:
    """The views of one Program.

    Attributes:
        program: The Program.
        tokens: Those of its answers.
        features: The parts, in order.
        size: How many numbers a view has.
        digest: Hash (16 hex digits) of the parts and tokens.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.tokens = Tokens(program)
        self._layout = Layout(program)
        self.features: list[Feature] = []
        self.size = 0
        self._parts: list[Callable[[Observation], Iterable[int]]] = []
        seats = program.seats
        for name, width in (
            ("seat", seats),
            ("acting", seats),
            ("question", len(program.decisions)),
            ("chosen", len(self.tokens)),
        ):
            self._feature(name, width)
        for field in program.fields:
            self._field(field)
        for each in program.globals:
            if each.shown:
                slot = self._layout.global_slot(each.index)
                self._value(f"value {each.name}", slot, each.type)
        self._places()
        self._face_down()
        for block in program.blocks:
            slot = self._layout.rows + block.index
            self._feature(f"rows of {block.index}", 1, _rows(slot))
        self._feature("winners", seats, self._winners)
        told = repr([attrs.astuple(each) for each in self.features] + self.tokens.names)
        self.digest = blake2b(told.encode(), digest_size=8).hexdigest()

    def numbers(self, seen: Observation, acting: int | None, choice: Choice | None) -> list[int]:
        """A view.

        Args:
            seen: What the seat sees.
            acting: Who is asked, from 0; None at the end of the game.
            choice: The question, if this seat is asked it.

        Returns:
            :attr:`size` numbers from -BOUND to BOUND.
        """
        seats = range(self.program.seats)
        found = [int(seat == seen.seat) for seat in seats]
        found += [int(seat == acting) for seat in seats]
        question = [0] * len(self.program.decisions)
        chosen = [0] * len(self.tokens)
        if choice is not None:
            question[choice.decision.index] = 1
            for token in choice.taken:
                chosen[token] += 1
        found += question
        found += chosen
        for part in self._parts:
            found.extend(part(seen))
        return [max(-BOUND, min(BOUND, each)) for each in found]

    # ------------------------------------------------------------------------------------ parts

    def _feature(
        self, name: str, width: int, part: Callable[[Observation], Iterable[int]] | None = None
    ) -> None:
        self.features.append(Feature(name, self.size, width))
        self.size += width
        if part is not None:
            self._parts.append(part)

    def _field(self, field: ir.Field) -> None:
        layout = self._layout
        if layout.offsets[field.index] is None:
            return
        kind = self.program.kinds[field.kind]
        for thing in range(kind.base, kind.base + kind.count):
            for key in range(field.key_low, field.key_low + field.keys):
                slot = layout.slot(field.index, thing, key)
                name = layout.describe(slot)
                if field.pile:
                    self._feature(name, 2, _pile(slot))
                else:
                    self._value(name, slot, field.type)

    def _value(self, name: str, slot: int, of: ir.Type) -> None:
        if of.shape == "text":
            return
        if of.shape == "bag":
            width = len(self.program.enums[of.enum].words)
            self._feature(name, 1 + width, _bag(slot, width))
        elif of.shape in ("set", "list"):
            values = self._values(of.elem)
            self._feature(name, 2 + len(values), _several(slot, values))
        else:
            self._feature(name, 2, _one(slot))

    def _values(self, of: ir.Type | None) -> dict[object, int]:
        """The values of a type with few, each with its place."""
        found: list[int] = []
        if of is not None and of.shape == "thing":
            for kind in (self.program.kinds[number] for number in of.kinds):
                found.extend(range(kind.base, kind.base + kind.count))
        elif of is not None and of.shape == "word":
            enum = self.program.enums[of.enum]
            low = enum.low if enum.numeric else 0
            found.extend(range(low, low + len(enum.words)))
        elif of is not None and of.shape == "number" and of.lo is not None and of.hi is not None:
            found.extend(range(of.lo, min(of.hi, of.lo + FEW) + 1))
        return {value: place for place, value in enumerate(found)} if len(found) <= FEW else {}

    def _places(self) -> None:
        movable: list[tuple[int, int]] = []
        for kind, offset in zip(self.program.kinds, self._layout.positions, strict=True):
            for thing in range(kind.base, kind.base + kind.count) if offset is not None else ():
                slot = (offset or 0) + thing
                movable.append((thing, slot))
                self._feature(self._layout.describe(slot), 3)
        self._parts.append(_whereabouts(self._layout, movable))

    def _face_down(self) -> None:
        kinds = [
            field.kind
            for field in self.program.fields
            if field.name == "face_up" and field.type.shape == "flag"
        ]
        width = len(self._layout.kind_of) + 1
        for kind in kinds:
            self._feature(f"{self.program.kinds[kind].name} face down", width, _down(kind, width))

    def _winners(self, seen: Observation) -> Iterator[int]:
        won = seen.winners or ()
        base = self.program.kinds[0].base
        for seat in range(self.program.seats):
            yield int(base + seat in won)


def _whereabouts(
    layout: Layout, movable: list[tuple[int, int]]
) -> Callable[[Observation], Iterable[int]]:
    piles = [layout.slot(field, owner) for field, owner in layout.piles]

    def part(seen: Observation) -> Iterator[int]:
        inside: dict[object, int] = {}
        for pile in piles:
            things = seen.slots[pile]
            if isinstance(things, tuple):
                inside.update({thing: place for place, thing in enumerate(things, 1)})
        for thing, slot in movable:
            position = seen.slots[slot]
            if not isinstance(position, int):
                yield from (UNSEEN, 0, 0)
            else:
                yield from (SEEN, position, inside.get(thing, 0) if position >= FIRST_PILE else 0)

    return part


def _one(slot: int) -> Callable[[Observation], Iterable[int]]:
    def part(seen: Observation) -> tuple[int, int]:
        return _scalar(seen.slots[slot])

    return part


def _scalar(value: object) -> tuple[int, int]:
    match value:
        case Hidden() | HiddenPile():
            return UNSEEN, 0
        case None:
            return NONE, 0
        case FaceDown(kind=kind):
            return DOWN, kind
        case int():
            return SEEN, int(value)
        case _:
            return SEEN, 0


def _pile(slot: int) -> Callable[[Observation], Iterable[int]]:
    def part(seen: Observation) -> tuple[int, int]:
        match seen.slots[slot]:
            case HiddenPile(size=size):
                return UNSEEN, size
            case tuple() as inside:
                return SEEN, len(inside)
            case _:
                return UNSEEN, 0

    return part


def _bag(slot: int, width: int) -> Callable[[Observation], Iterable[int]]:
    def part(seen: Observation) -> list[int]:
        value: Any = seen.slots[slot]
        if not isinstance(value, tuple):
            return [NONE if value is None else UNSEEN] + [0] * width
        return [SEEN, *value]

    return part


def _several(slot: int, values: dict[object, int]) -> Callable[[Observation], Iterable[int]]:
    def part(seen: Observation) -> list[int]:
        value: Any = seen.slots[slot]
        found = [0] * len(values)
        if not isinstance(value, tuple):
            return [NONE if value is None else UNSEEN, 0, *found]
        for each in value:
            if not isinstance(each, FaceDown) and each in values:
                found[values[each]] += 1
        return [SEEN, len(value), *found]

    return part


def _rows(slot: int) -> Callable[[Observation], Iterable[int]]:
    def part(seen: Observation) -> tuple[int]:
        value = seen.slots[slot]
        return (len(value) if isinstance(value, tuple) else 0,)

    return part


def _down(kind: int, width: int) -> Callable[[Observation], Iterable[int]]:
    def part(seen: Observation) -> list[int]:
        found = [0] * width
        for each, _, place in seen.face_down:
            if each == kind:
                found[place + 1] += 1
        return found

    return part
