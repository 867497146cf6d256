"""The part of a scenario that sets a position up: what differs from the empty table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from interpreter.layout import BOX, FIRST_PILE, NOWHERE, Layout
from rulelang import ruletypes
from rulelang.symbols import snake_case

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.layout import Slots
    from interpreter.ui.spelling import Spelling
    from rulelang import ir

Where = tuple[int, int | None]
"""Position and place, see `interpreter.layout`."""


class Setting:
    """Writes a position.

    Args:
        spelling: How values are written.
        people: How many seats have a person.
        phases: The phases that are open around what is played, outermost first.
    """

    def __init__(self, spelling: Spelling, people: int, phases: Sequence[ir.Doing]) -> None:
        self.spelling = spelling
        self.program = spelling.program
        self.layout = Layout(self.program)
        self.phases = phases
        self.start = self.layout.initial(0)
        for seat in range(self.program.seats):
            slot = self.layout.slot(self.program.automa_field, seat)
            self.start[slot] = seat >= people

    # -------------------------------------------------------------------------------- values around

    def around(self, slots: Slots) -> Iterator[str]:
        """Write the values of the open phases, and those that cards keep."""
        bare: list[str] = []
        for phase in self.phases:
            told = False
            values = [*phase.param_globals, *phase.keeps]
            for index in values:
                declared = self.program.globals[index]
                value = slots[self.layout.global_slot(index)]
                if value != declared.initial:
                    told = True
                    yield self._assigned(declared, value)
            if not told and phase.running is not None:  # somebody asks whether it runs
                bare.append(phase.name)
        if bare:
            yield f"open {', '.join(bare)}"
        for declared in self.program.globals:
            value = slots[self.layout.global_slot(declared.index)]
            if self._is_kept(declared) and value != declared.initial:
                yield self._assigned(declared, value)

    @staticmethod
    def _is_kept(declared: ir.Global) -> bool:
        """Does a card keep it, or does it say that the `once` of a rule with a name is used up?"""
        owner, _, name = declared.name.partition(".")
        return bool(owner) and (declared.card is not None or name == "once")

    def left_out(self, slots: Slots) -> Iterator[str]:
        """Say what of a position no scenario can set up."""
        for declared in self.program.globals:
            rule = declared.name.removesuffix(".once")
            unnamed = rule != declared.name and "." in rule and declared.card is None
            if unnamed and slots[self.layout.global_slot(declared.index)]:
                yield f"the `once` of the rule `{rule}` is used up, and it has no name to say so: give it one"
        for block in self.program.blocks:
            if slots[self.layout.rows + block.index]:
                yield f"rules that last are in force then: `{block.text}`"

    def _assigned(self, declared: ir.Global, value: object) -> str:
        return f"{declared.name} = {self.spelling.value(value, declared.type)}"

    # --------------------------------------------------------------------------------------- before

    def lines(self, slots: Slots) -> Iterator[str]:
        """Write what makes the state of the empty table."""
        yield from self._moves(slots)
        yield from self._values(slots)
        winners = slots[self.layout.winners]
        if isinstance(winners, tuple) and winners:
            yield f"do win({self.spelling.members(winners, self.program.fields[0].type)})"

    def fields(self) -> Iterator[ir.Field]:
        """The fields that are values of a position, places and piles aside."""
        lending = {phase.index for phase in self.phases}
        places = {kind.place for kind in self.program.kinds}
        for field in self.program.fields:
            lent = field.lent_by is not None and field.lent_by not in lending
            aside = field.pile or field.index in places or field.index == self.program.automa_field
            if field.mutable and not lent and not aside:
                yield field

    def _values(self, slots: Slots) -> Iterator[str]:
        for field in self.fields():
            kind = self.program.kinds[field.kind]
            alike: dict[tuple[object, int], list[int]] = defaultdict(list)
            for thing in range(kind.base, kind.base + kind.count):
                for key in range(field.key_low, field.key_low + field.keys):
                    value = self.layout.read(slots, field.index, thing, key)
                    if value != self.layout.read(self.start, field.index, thing, key):
                        alike[value, key].append(thing)
            for (value, key), things in alike.items():
                written = self.spelling.value(value, field.type)
                if len(things) == 1:
                    yield f"{self.of(field, things[0], key)} becomes {written}"
                else:
                    every = f"some_{snake_case(kind.name)}"
                    among = self.spelling.members(things, self.thing_type(field.kind))
                    if len(things) == kind.count:
                        among = kind.name
                    of = f"{every}.{field.name}{self._key(field, key)}"
                    yield f"each {every} in {among}: {of} becomes {written}"

    def of(self, field: ir.Field, thing: int, key: int) -> str:
        """Write a field of a thing."""
        return f"{self.spelling.thing(thing)}.{field.name}{self._key(field, key)}"

    def _key(self, field: ir.Field, key: int) -> str:
        if field.keys == 1:
            return ""
        for enum in self.program.enums:
            low = enum.low if enum.numeric else 0
            if low == field.key_low and len(enum.words) == field.keys:
                return f"({key if enum.numeric else enum.words[key]})"
        return f"({key})"

    @staticmethod
    def thing_type(kind: int) -> ir.Type:
        """The type of the things of a kind."""
        return ruletypes.thing(kind)

    # ---------------------------------------------------------------------------------------- moves

    def _moves(self, slots: Slots) -> Iterator[str]:
        """Write moves: to places first, then piles, so that each is left as it is to be."""
        now = {thing: self.layout.where(self.start, thing) for thing in self._movable()}
        for target, things in self._strangers(slots, now).items():
            yield f"move {self._all(things)} to {self.target(target)}"
        for number, (field, owner) in enumerate(self.layout.piles, FIRST_PILE):
            wanted = self.layout.read_tuple(slots, field, owner)
            here = set(wanted)
            kept = [
                thing for thing in self.layout.read_tuple(self.start, field, owner) if thing in here
            ]
            first = 0
            while first < len(wanted) and kept[first : first + 1] == [wanted[first]]:
                first += 1
            rest = wanted[first:]
            if rest:
                of = self.program.fields[field].type
                listed = self.spelling.value(rest, of) if len(rest) > 1 else self._all(rest)
                yield f"move {listed} to bottom({self.target((number, None))})"

    def _strangers(self, slots: Slots, now: dict[int, Where]) -> dict[Where, list[int]]:
        """What is not where it was, and in no pile, by where it is."""
        found: dict[Where, list[int]] = defaultdict(list)
        for thing, was in now.items():
            where = self.layout.where(slots, thing)
            if where[0] in (NOWHERE, BOX) and where != was:
                found[where].append(thing)
        return found

    def _movable(self) -> Iterator[int]:
        for kind in self.program.kinds:
            if kind.movable:
                yield from range(kind.base, kind.base + kind.count)

    def _all(self, things: Sequence[int]) -> str:
        """Write things that are moved together."""
        if len(things) == 1:
            return self.spelling.thing(things[0])
        return self.spelling.members(things, self.thing_type(self.layout.kind_of[things[0]]))

    def target(self, where: Where) -> str:
        """Write where something is."""
        position, place = where
        if position == BOX:
            return "box"
        if position >= FIRST_PILE:
            field, owner = self.layout.piles[position - FIRST_PILE]
            return f"{self.spelling.thing(owner)}.{self.program.fields[field].name}"
        return "none" if place is None else self.spelling.thing(place)

    # ---------------------------------------------------------------------------------------- after

    def changes(self, before: Slots, after: Slots) -> Iterator[str]:
        """Write conditions that say what has become of what changed."""
        facts: dict[int, list[str]] = defaultdict(list)
        for field in self.fields():
            if field.lent_by is not None:
                continue  # it is gone with its phase
            kind = self.program.kinds[field.kind]
            for thing in range(kind.base, kind.base + kind.count):
                for key in range(field.key_low, field.key_low + field.keys):
                    value = self.layout.read(after, field.index, thing, key)
                    if value != self.layout.read(before, field.index, thing, key):
                        facts[thing].append(self._fact(field, thing, key, value))
        for thing in self._movable():
            where = self.layout.where(after, thing)
            kind = self.program.kinds[self.layout.kind_of[thing]]
            if where != self.layout.where(before, thing) and not kind.alike:
                facts[thing].append(self._whereabouts(thing, where))
        for each in facts.values():
            yield " and ".join(each)
        yield from self._counts(before, after)
        if after[self.layout.winners] != before[self.layout.winners]:
            won = after[self.layout.winners]
            seats = won if isinstance(won, tuple) else ()
            yield f"winners is {self.spelling.members(seats, self.thing_type(0))}"

    def _fact(self, field: ir.Field, thing: int, key: int, value: object) -> str:
        of = self.of(field, thing, key)
        if isinstance(value, bool) and not field.type.optional:
            return of if value else f"not {of}"
        return f"{of} is {self.spelling.value(value, field.type)}"

    def _whereabouts(self, thing: int, where: Where) -> str:
        written = self.spelling.thing(thing)
        kind = self.program.kinds[self.layout.kind_of[thing]]
        position, place = where
        if position >= FIRST_PILE:
            return f"{written} in {self.target(where)}"
        if position == BOX or place is None:
            return f"{written} in {kind.name} at {self.target(where)}"
        return f"{written}.place is {self.target(where)}"

    def _counts(self, before: Slots, after: Slots) -> Iterator[str]:
        """Of things that are only numbered: how many are where."""
        for kind in self.program.kinds:
            if not (kind.movable and kind.alike):
                continue
            things = range(kind.base, kind.base + kind.count)
            was = [self.layout.where(before, thing) for thing in things]
            now = [self.layout.where(after, thing) for thing in things]
            for where in dict.fromkeys(now + was):
                if was.count(where) != now.count(where):
                    at = self.target(where)
                    found = at if where[0] >= FIRST_PILE else f"{kind.name} at {at}"
                    yield f"count({found}) is {now.count(where)}"

    def still(self, slots: Slots) -> Iterator[str]:
        """Write conditions that say what has stayed, for a doing that changes nothing: the numbers of the players."""
        for field in self.fields():
            if field.kind == 0 and field.type.shape == "number" and field.lent_by is None:
                value = self.layout.read(slots, field.index, 0, field.key_low)
                yield self._fact(field, 0, field.key_low, value)
