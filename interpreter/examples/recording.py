"""Positions and games as scenarios: the text that `before:`, `do` and its script say about them.

A position is told by what differs from an empty table: fields that have other values, components that are elsewhere,
values of phases that are open around what is played, values that cards keep. Rules that last cannot be told; whoever
records looks whether the text says the same as the position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, Protocol

import attrs

from interpreter.examples.scripts import drawn_types
from interpreter.layout import BOX, FIRST_PILE
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interpreter.layout import Layout, Slots

WIDTH: Final = 118
FEW: Final = 3
MANY: Final = 6
_NAMED: Final = re.compile(r"[a-z]\w*\.[a-z]\w*", re.ASCII)


@attrs.frozen
class Difference:
    """One thing that is not as on an empty table.

    Attributes:
        slot: Of a field, of a value of a phase, or of the counter that says that it runs; of a component that of its
            position.
        value: What is there; of a component its position, see :mod:`interpreter.layout`.
        phase: The phase, a doing, whose value it is; None for a field or a component.
        thing: The component that is elsewhere; None for a value.
        place: Where it is, at another thing.
    """

    slot: int
    value: object
    phase: int | None = None
    thing: int | None = None
    place: int | None = None


def differences(
    layout: Layout, empty: Slots, slots: Slots, phases: Iterable[int]
) -> list[Difference]:
    """Tell two states apart, as far as a scenario can say it.

    Args:
        layout: Of both states.
        empty: The state on an empty table.
        slots: The position.
        phases: The phases, as doings, that are open around what is played.

    Returns:
        Values of phases, then components pile by pile from the top, then fields.
    """
    program = layout.program
    found: list[Difference] = []
    opened = dict.fromkeys(phases)
    for number in opened:
        running = program.doings[number].running
        if running is not None:
            found.append(Difference(layout.global_slot(running), 1, number))
    for each in program.globals:
        slot = layout.global_slot(each.index)
        if each.phase in opened and _NAMED.fullmatch(each.name) and slots[slot] is not None:
            found.append(Difference(slot, slots[slot], each.phase))
        elif slots[slot] != empty[slot] and is_kept(each):
            found.append(Difference(slot, slots[slot]))
    found.extend(_components(layout, empty, slots))
    for declared in program.fields:
        offset = layout.offsets[declared.index]
        kind = program.kinds[declared.kind]
        unsaid = declared.pile or declared.index in (kind.place, program.automa_field)
        if offset is None or unsaid or declared.lent_by not in {None, *opened}:
            continue
        start = offset + kind.base * declared.keys
        found.extend(
            Difference(slot, slots[slot])
            for slot in range(start, start + kind.count * declared.keys)
            if slots[slot] != empty[slot]
        )
    return found


def is_kept(declared: ir.Global) -> bool:
    """Does a card keep it, or does it say that the `once` of a rule with a name is used up?"""
    once = declared.name.endswith(".once")
    return bool(_NAMED.fullmatch(declared.name)) and (declared.card is not None or once)


def _components(layout: Layout, empty: Slots, slots: Slots) -> Iterator[Difference]:
    piled: set[int] = set()
    for number, (field, owner) in enumerate(layout.piles):
        inside = layout.read_tuple(slots, field, owner)
        piled.update(inside)
        if inside != layout.read_tuple(empty, field, owner):
            for thing in inside:
                yield Difference(_position(layout, thing), FIRST_PILE + number, None, thing)
    for thing, kind in enumerate(layout.kind_of):
        if layout.positions[kind] is not None and thing not in piled:
            where = layout.where(slots, thing)
            if where != layout.where(empty, thing):
                yield Difference(_position(layout, thing), where[0], None, thing, where[1])


def _position(layout: Layout, thing: int) -> int:
    offset = layout.positions[layout.kind_of[thing]]
    return (offset or 0) + thing


def applied(layout: Layout, empty: Slots, made: Iterable[Difference]) -> Slots:
    """The state that differs from an empty table in just this: what `before:` makes."""
    slots = list(empty)
    for each in made:
        if each.thing is None:
            slots[each.slot] = each.value
            running = None if each.phase is None else layout.program.doings[each.phase].running
            if running is not None:
                slots[layout.global_slot(running)] = 1
            continue
        position, _ = layout.where(slots, each.thing)
        if position >= FIRST_PILE:
            slot = layout.slot(*layout.piles[position - FIRST_PILE])
            inside = slots[slot]
            assert isinstance(inside, tuple)  # noqa: S101 - a pile
            slots[slot] = tuple([other for other in inside if other != each.thing])
        goal = each.value
        assert isinstance(goal, int)  # noqa: S101 - a position
        layout.put(slots, each.thing, goal, each.place)
        if goal >= FIRST_PILE:
            slot = layout.slot(*layout.piles[goal - FIRST_PILE])
            inside = slots[slot]
            assert isinstance(inside, tuple)  # noqa: S101 - a pile
            slots[slot] = (*inside, each.thing)
    return slots


@attrs.frozen
class Line:
    """A line of a script, before it is written.

    Attributes:
        form: ``roll``, ``pick`` or ``choose``.
        value: What came out: a value, or a tuple of them.
        path: Of the draw or decision.
        seat: Who answers.
        key: The answer as its decision names it, where that says more than the value.
    """

    form: Literal["roll", "pick", "choose"]
    value: object
    path: str = ""
    seat: int = -1
    key: str = ""


class Spelling(Protocol):
    """How values are written; see `interpreter.ui.spelling`."""

    @property
    def seats(self) -> tuple[str, ...]:
        """What the seats are called."""
        ...

    def value(self, value: object, of: ir.Type) -> str:
        """Write a value of a type."""
        ...

    def thing(self, thing: int) -> str:
        """Write one component."""
        ...


class Writer:
    """Writes positions and scripts of one program.

    Args:
        program: The program.
        layout: Its layout.
        people: How many seats have a person.
        spelling: Writes values.
    """

    def __init__(
        self, program: ir.Program, layout: Layout, people: int, spelling: Spelling
    ) -> None:
        self._program = program
        self._layout = layout
        self._spelling = spelling
        self.value = spelling.value
        self.thing = spelling.thing
        self.seats = spelling.seats
        self.people = people
        self._drawn = drawn_types(program)
        self._decisions = {each.path: each for each in program.decisions}
        self._doings = {each.name: each for each in program.doings if each.permission is not None}

    # ------------------------------------------------------------------------------------ lines

    def header(self, title: str, variants: Sequence[str] = ()) -> list[str]:
        """The first line of a scenario, and its seats."""
        chosen = "".join(f" with {each}" for each in variants)
        lines = [f'scenario "{title}" of {self._program.name}{chosen}:']
        people, automas = self.seats[: self.people], self.seats[self.people :]
        lines += [f"    people {', '.join(people)}"] if people else []
        lines += [f"    automas {', '.join(automas)}"] if automas else []
        return lines

    def _is_global(self, made: Difference) -> bool:
        return made.thing is None and self._layout.globals <= made.slot < self._layout.rows

    def _counter(self, phase: ir.Doing) -> int:
        return -1 if phase.running is None else self._layout.global_slot(phase.running)

    def settings(self, options: Sequence[object], made: Sequence[Difference]) -> list[str]:
        """Phases that run around what is played, options that are not as usual, values of phases."""
        program = self._program
        phases = [program.doings[each.phase] for each in made if each.phase is not None]
        running = {self._counter(each): each.name for each in phases}
        opened = [running.pop(each.slot) for each in made if each.slot in running]
        lines = [f"    open {', '.join(opened)}"] if opened else []
        lines += [
            f"    {option.name} = {self.value(value, option.type)}"
            for option, value in zip(program.options, options, strict=True)
            if value != option.default
        ]
        counters = {self._counter(each) for each in phases}
        for each in made:
            if self._is_global(each) and each.slot not in counters:
                declared = program.globals[each.slot - self._layout.globals]
                lines.append(f"    {declared.name} = {self.value(each.value, declared.type)}")
        return lines

    def before(self, made: Iterable[Difference]) -> list[str]:
        """The lines under `before:`, which make a position of an empty table."""
        moved: dict[tuple[object, int | None], list[int]] = {}
        values: list[str] = []
        for each in made:
            if each.thing is not None:
                moved.setdefault((each.value, each.place), []).append(each.thing)
            elif not self._is_global(each):
                values.append(self._becomes(each))
        lines = [*self._boxed(moved)]
        lines += [self._move(things, *where) for where, things in moved.items()]
        return [f"        {line}" for line in (*lines, *values)]

    def _boxed(self, moved: dict[tuple[object, int | None], list[int]]) -> Iterator[str]:
        """A kind of which nearly everything is in the box goes there as a whole first."""
        boxed = moved.get((BOX, None), [])
        for number, kind in enumerate(self._program.kinds):
            own = {each for each in boxed if self._layout.kind_of[each] == number}
            elsewhere = sum(
                self._layout.kind_of[each] == number
                for where, things in moved.items()
                if where[0] != BOX
                for each in things
            )
            if len(own) >= MANY and len(own) + elsewhere == kind.count:
                yield f"move {kind.name} to box"
                moved[BOX, None] = [each for each in moved[BOX, None] if each not in own]
        if (BOX, None) in moved and not moved[BOX, None]:
            del moved[BOX, None]

    def _becomes(self, made: Difference) -> str:
        found = self._layout.field_at(made.slot)
        assert found is not None  # noqa: S101 - a difference of a field
        declared, thing, key = found
        by = ""
        if declared.keys > 1:
            by = f"({self._key(declared, key)})"
        value = self.value(made.value, declared.type)
        return f"{self.thing(thing)}.{declared.name}{by} becomes {value}"

    def _several(self, things: list[int]) -> str:
        """Components in an order; a row of numbered ones as the first so many without fewer."""
        first, last = things[0], things[-1]
        kind = self._program.kinds[self._layout.kind_of[first]]
        row = kind.alike and things == list(range(first, last + 1))
        if not row or len(things) < FEW or last >= kind.base + kind.count:
            names = [self.thing(each) for each in things]
            return names[0] if len(names) == 1 else f"({', '.join(names)})"
        below, through = first - kind.base, last - kind.base + 1
        whole = kind.name if through == kind.count else f"top({kind.name}, {through})"
        return f"({whole} - top({kind.name}, {below}))" if below else whole

    def _key(self, declared: ir.Field, key: int) -> str:
        """The word of a field that has a value for each: of the enumeration that has as many."""
        for number, enum in enumerate(self._program.enums):
            low = enum.low if enum.numeric else 0
            if len(enum.words) == declared.keys and low == declared.key_low:
                return self.value(key, ir.Type("word", enum=number))
        return str(key)

    def _move(self, things: list[int], position: object, place: int | None) -> str:
        what = self._several(things)
        if place is not None:
            return f"move {what} to {self.thing(place)}"
        if position == BOX:
            return f"move {what} to box"
        if not isinstance(position, int) or position < FIRST_PILE:
            return f"move {what} to none"
        field, owner = self._layout.piles[position - FIRST_PILE]
        pile = f"{self.thing(owner)}.{self._program.fields[field].name}"
        return f"move {what} to bottom({pile})"

    def played(self, doing: ir.Doing, args: Sequence[object], script: Iterable[Line]) -> list[str]:
        """The `do` line with its script."""
        given = ", ".join(
            self.value(arg, param.type) for arg, param in zip(args, doing.params, strict=True)
        )
        name = f"{doing.name}({given})" if given else doing.name
        lines = [f"        {line}" for line in self._script(script)]
        return [f"    do {name}{':' if lines else ''}", *lines]

    def _script(self, script: Iterable[Line]) -> Iterator[str]:
        rolls: list[str] = []
        for line in script:
            if line.form == "roll":
                rolls.append(str(line.value))
                continue
            if rolls:
                yield f"roll {', '.join(rolls)}"
                rolls = []
            yield self._drawing(line) if line.form == "pick" else self._answer(line)
        if rolls:
            yield f"roll {', '.join(rolls)}"

    def _drawing(self, line: Line) -> str:
        of = self._drawn.get(line.path)
        if of is None or not isinstance(line.value, tuple):
            return f"pick {line.value if of is None else self.value(line.value, of)}"
        parts = [self.value(each, of) for each in line.value]
        return f"pick {parts[0]}" if len(parts) == 1 else f"pick ({', '.join(parts)})"

    def _answer(self, line: Line) -> str:
        said = f"{self.seats[line.seat]} chooses {line.path}: "
        decision = self._decisions[line.path]
        match decision.form:
            case "yes":
                return said + ("yes" if line.value else "no")
            case "label" | "order":
                return f'{said}"{line.key}"'
            case "action":
                if not isinstance(line.value, tuple):
                    return said + "none"
                name = line.key.partition("(")[0]
                params = self._doings[name].params[1:]
                pairs = zip(line.value[1:], params, strict=True)
                given = ", ".join(self.value(arg, param.type) for arg, param in pairs)
                return f"{said}{name}({given})" if given else said + name
            case "set" if not line.value:
                return said + "none"
            case "set":
                return said + self.value(line.value, ir.Type("set", elem=decision.type))
            case _:
                return said + self.value(line.value, decision.type)


def wrapped(lines: Iterable[str]) -> list[str]:
    """Lines that are too long, broken after a comma."""
    found: list[str] = []
    for line in lines:
        rest = line
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        while len(rest) > WIDTH and (cut := rest.rfind(", ", len(indent), WIDTH)) > 0:
            found.append(rest[: cut + 1])
            rest = indent + rest[cut + 2 :]
        found.append(rest)
    return found
