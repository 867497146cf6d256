"""A case of one number of people in the program for another one: things go by their names, seats by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.examples.recording import Difference
from interpreter.layout import FIRST_PILE, Layout

if TYPE_CHECKING:
    from interpreter.fuzzing.script import Entry
    from interpreter.fuzzing.shrinking import Case
    from rulelang import ir


class GoneError(LookupError):
    """Something that is named is not there with so many people."""


class Carrier:
    """Carries cases from one program to another one of the same ruleset.

    Args:
        program: Where they are from.
        other: Where they go.
        people: How many seats have a person there.
    """

    def __init__(self, program: ir.Program, other: ir.Program, people: int) -> None:
        self._people = people
        self._program = program
        self._other = other
        self._layout = Layout(program)
        self._there = Layout(other)
        self._things = {
            (kind.name, name): kind.base + number
            for kind in other.kinds
            for number, name in enumerate(kind.ids)
        }
        fixed = [each for each in program.fields if each.name == "owner" and not each.mutable]
        owned = {0, *(each.kind for each in fixed)}
        self._owned = {
            kind.name: kind.ids for number, kind in enumerate(other.kinds) if number in owned
        }
        self._seats: dict[int, int] = {}
        self._decisions = {each.path: each for each in program.decisions}

    def case(self, case: Case) -> Case | None:
        """The same case with other people; None if the doing, or one of its arguments, is not there.

        Who answers or is an argument comes first, the others follow. What differs at things that are not there is left
        out, and so is what they answer.
        """
        self._seats = self._seated(case)
        doing = next(
            (
                each
                for each in self._other.doings
                if (each.name, each.span) == (case.doing.name, case.doing.span)
            ),
            None,
        )
        if doing is None:
            return None
        try:
            args = tuple(
                self._value(arg, param.type)
                for arg, param in zip(case.args, case.doing.params, strict=True)
            )
        except GoneError:
            return None
        made: list[Difference] = []
        for each in case.made:
            try:
                made.append(self._difference(each))
            except GoneError:
                continue
        entries = [self._entry(each) for each in case.entries]
        return attrs.evolve(
            case,
            doing=doing,
            args=args,
            made=tuple(made),
            entries=tuple(each for each in entries if each is not None),
        )

    def _seated(self, case: Case) -> dict[int, int]:
        """Which seat each seat becomes."""
        people = self._program.kinds[0]
        named = {
            arg - people.base
            for arg, param in zip(case.args, case.doing.params, strict=True)
            if param.type.shape == "thing"
            and isinstance(arg, int)
            and people.base <= arg < people.base + people.count
        }
        needed = named | {each.seat for each in case.entries if each.form == "choose"}
        order = [*sorted(needed), *(seat for seat in range(people.count) if seat not in needed)]
        return dict(zip(order, range(self._other.seats), strict=False))

    def _difference(self, made: Difference) -> Difference:
        layout, there = self._layout, self._there
        if made.thing is not None:
            thing = self._thing(made.thing)
            offset = there.positions[there.kind_of[thing]] or 0
            position = made.value
            if isinstance(position, int) and position >= FIRST_PILE:
                field, owner = layout.piles[position - FIRST_PILE]
                pile = (self._field(field), self._thing(owner))
                position = FIRST_PILE + there.piles.index(pile)
            place = None if made.place is None else self._thing(made.place)
            return Difference(offset + thing, position, None, thing, place)
        found = layout.field_at(made.slot)
        if found is not None:
            declared, thing, key = found
            slot = there.slot(self._field(declared.index), self._thing(thing), key)
            return Difference(slot, self._value(made.value, declared.type))
        declared_global = self._program.globals[made.slot - layout.globals]
        number = next(
            (each.index for each in self._other.globals if each.name == declared_global.name),
            None,
        )
        if number is None:
            raise GoneError
        phase = None if made.phase is None else self._phase(made.phase)
        value = self._value(made.value, declared_global.type)
        return Difference(there.global_slot(number), value, phase)

    def _phase(self, phase: int) -> int:
        name = self._program.doings[phase].name
        return next(each.index for each in self._other.doings if each.name == name)

    def _field(self, field: int) -> int:
        declared = self._program.fields[field]
        kind = self._program.kinds[declared.kind].name
        return next(
            each.index
            for each in self._other.fields
            if (each.name, self._other.kinds[each.kind].name) == (declared.name, kind)
        )

    def _entry(self, entry: Entry) -> Entry | None:
        if entry.form == "roll":
            return entry
        if entry.form == "choose":
            seat = self._seats.get(entry.seat, self._people)
            if seat >= self._people:
                return None
            entry = attrs.evolve(entry, seat=seat)
        decision = self._decisions.get(entry.path)
        if decision is None or decision.form not in ("one", "set"):
            return entry
        try:
            return attrs.evolve(entry, value=self._value(entry.value, decision.type))
        except GoneError:
            return None

    def _value(self, value: object, of: ir.Type) -> object:
        if isinstance(value, tuple) and of.shape != "bag":
            return tuple([self._value(each, of.elem or of) for each in value])
        inner = of.elem or of
        if inner.shape == "thing" and isinstance(value, int):
            return self._thing(value)
        return value

    def _thing(self, thing: int) -> int:
        kind = self._program.kinds[self._layout.kind_of[thing]]
        name = kind.ids[thing - kind.base]
        seats = self._program.seats
        if kind.count % seats == 0 and kind.name in self._owned:
            each = kind.count // seats  # so many for each seat, seat by seat
            seat, number = divmod(thing - kind.base, each)
            there = self._seats.get(seat)
            name = "" if there is None else self._owned[kind.name][there * each + number]
        found = self._things.get((kind.name, name))
        if found is None:
            raise GoneError(thing)
        return found
