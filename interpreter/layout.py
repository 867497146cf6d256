"""Which slot of the flat state holds what; shared by every engine, so their states compare.

The state of a game is one list of slots. In order: the mutable fields (one slot for each thing and
key), the positions of movable things, the globals, the rows of each lasting block, the engine's own
few slots, one generator state for each path of chance. Fields that nothing writes are data and have
no slot. Slots that an engine derives from these come after :attr:`Layout.size` and are never saved.

A position is 0 (where the field ``place`` says, or nowhere), 1 (the box), or the number of a pile
instance, from 2. The ``place`` slot of a thing in the box or a pile is None.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from interpreter.budget import LARGEST
from interpreter.chance import seeded
from interpreter.errors import OptionError
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOWHERE: Final = 0
BOX: Final = 1
FIRST_PILE: Final = 2

Slots = list[object]


def statements(block: ir.Block) -> Iterator[ir.Stmt]:
    """All statements of a block in source order, nested ones after the one that holds them."""
    for statement in block:
        yield statement
        match statement:
            case ir.If():
                yield from statements(statement.then)
                yield from statements(statement.orelse)
            case ir.Match():
                for _, row in statement.rows:
                    yield from statements(row)
            case ir.Each() | ir.While():
                yield from statements(statement.body)
            case ir.Ask() if statement.otherwise is not None:
                yield from statements(statement.otherwise)


def chance_paths(program: ir.Program) -> tuple[str, ...]:
    """The paths of all draws, each once, in order of doings and lines."""
    found: dict[str, None] = {}
    for doing in program.doings:
        for statement in statements(doing.body):
            match statement:
                case ir.Roll() | ir.Pick() | ir.Shuffle():
                    found.setdefault(statement.path)
                case ir.Ask() if statement.policy is not None and statement.policy.path:
                    found.setdefault(statement.policy.path)
        for hook in (*doing.before, *doing.instead, *doing.after):
            if hook.ask is not None and hook.ask.policy is not None and hook.ask.policy.path:
                found.setdefault(hook.ask.policy.path)
    return tuple(found)


class Layout:
    """Slot numbers of a Program.

    Attributes:
        program: The Program.
        size: Number of slots that are saved and compared.
        offsets: For each field the number so that thing and key are in slot
            ``offset + thing * keys + (key - key_low)`` (thing as numbered in the Program); None
            for a field that is data.
        positions: For each kind the number so that a thing's position is in slot
            ``positions[kind] + thing``; None for kinds that never move.
        pile_numbers: For each pile field the number so that the pile instance of a thing is
            ``pile_numbers[field] + thing``; None for other fields.
        piles: (field, thing) of pile instance ``FIRST_PILE + index``.
        globals: Global i is in slot ``globals + i``.
        rows: Rows in force of lasting block b are in slot ``rows + b``: a tuple of
            ``(serial, values, used)`` as created, ``used`` being the row's ``once`` mark.
        durations: Slot of the changes to be undone, see :mod:`interpreter.durations`.
        open: Slot of the open tracked doings, ``(serial, doing, args)``, innermost last.
        serial: Slot of the last serial number given.
        acting: Slot of the state rules that act, ``(rule, row serial or 0, values)``, innermost
            last.
        winners: Slot of the players who have won: None or a tuple.
        decisions: Slot of the number of decisions answered so far (not sole ones).
        streams: Slot of the generator for each path of chance.
        kind_of: Kind of each thing.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        slot = 0
        offsets: list[int | None] = []
        pile_numbers: list[int | None] = []
        self.piles: list[tuple[int, int]] = []
        for declared in program.fields:
            kind = program.kinds[declared.kind]
            if declared.mutable or declared.pile:
                offsets.append(slot - kind.base * declared.keys)
                slot += kind.count * declared.keys
            else:
                offsets.append(None)
            if declared.pile:
                pile_numbers.append(FIRST_PILE + len(self.piles) - kind.base)
                self.piles.extend(
                    (declared.index, thing) for thing in range(kind.base, kind.base + kind.count)
                )
            else:
                pile_numbers.append(None)
        self.offsets = tuple(offsets)
        self.pile_numbers = tuple(pile_numbers)
        positions: list[int | None] = []
        for kind in program.kinds:
            positions.append(slot - kind.base if kind.movable else None)
            slot += kind.count if kind.movable else 0
        self.positions = tuple(positions)
        self.globals = slot
        slot += len(program.globals)
        self.rows = slot
        slot += len(program.blocks)
        self.durations, self.open, self.serial, self.acting, self.winners, self.decisions = range(
            slot, slot + 6
        )
        slot += 6
        paths = chance_paths(program)
        self.streams = {path: slot + number for number, path in enumerate(paths)}
        self.size = slot + len(paths)
        self.kind_of = tuple(
            kind
            for kind, declared_kind in enumerate(program.kinds)
            for _ in range(declared_kind.count)
        )

    def initial(self, seed: int | str) -> Slots:
        """The state on an empty table: ``size`` slots, streams seeded from seed and path."""
        program = self.program
        slots: Slots = []
        for declared in program.fields:
            if self.offsets[declared.index] is not None:
                slots.extend(declared.values)
        for kind in program.kinds:
            if kind.movable:
                slots.extend([NOWHERE] * kind.count)
        slots.extend(each.initial for each in program.globals)
        slots.extend(() for _ in program.blocks)
        slots.extend([(), (), 0, (), None, 0])
        slots.extend(seeded(seed, path) for path in self.streams)
        for number, (field, thing) in enumerate(self.piles):
            for inside in self.read_tuple(slots, field, thing):
                self.put(slots, inside, FIRST_PILE + number, None)
        return slots

    def read(self, slots: Slots, field: int, thing: int, key: int = 0) -> object:
        """The value of a field; ``key`` counts for keyed fields only."""
        declared = self.program.fields[field]
        index = thing * declared.keys + (key - declared.key_low if declared.keys > 1 else 0)
        offset = self.offsets[field]
        if offset is None:
            return declared.values[index - self.program.kinds[declared.kind].base * declared.keys]
        return slots[offset + index]

    def read_tuple(self, slots: Slots, field: int, thing: int) -> tuple[int, ...]:
        """The things in a pile or set-valued field."""
        value = self.read(slots, field, thing)
        return value if isinstance(value, tuple) else ()

    def slot(self, field: int, thing: int, key: int = 0) -> int:
        """The slot of a mutable field."""
        declared = self.program.fields[field]
        offset = self.offsets[field]
        if offset is None:
            raise LookupError(f"field {declared.name} is data")
        return offset + thing * declared.keys + (key - declared.key_low if declared.keys > 1 else 0)

    def slots_of(self, field: ir.Field) -> slice:
        """The slots of a mutable field, thing by thing and of each thing key by key."""
        kind = self.program.kinds[field.kind]
        start = self.slot(field.index, kind.base, field.key_low)
        return slice(start, start + kind.count * field.keys)

    def where(self, slots: Slots, thing: int) -> tuple[int, int | None]:
        """Position and place of a thing."""
        kind = self.kind_of[thing]
        offset = self.positions[kind]
        position = slots[offset + thing] if offset is not None else NOWHERE
        place = self.program.kinds[kind].place
        inside = self.read(slots, place, thing) if place is not None else None
        return (
            position if isinstance(position, int) else NOWHERE,
            inside if isinstance(inside, int) else None,
        )

    def put(self, slots: Slots, thing: int, position: int, place: int | None) -> None:
        """Write position and place of a thing; piles themselves are the caller's business."""
        kind = self.kind_of[thing]
        offset = self.positions[kind]
        if offset is not None:
            slots[offset + thing] = position
        field = self.program.kinds[kind].place
        if field is not None and self.offsets[field] is not None:
            slots[self.slot(field, thing)] = place

    def global_slot(self, index: int) -> int:
        """The slot of a global."""
        return self.globals + index

    def type_at(self, slot: int) -> ir.Type | None:
        """The declared type of a field's or global's slot, None for the engine's own slots."""
        declared = self.field_at(slot)
        if declared is not None:
            return declared[0].type
        if self.globals <= slot < self.rows:
            return self.program.globals[slot - self.globals].type
        return None

    def field_at(self, slot: int) -> tuple[ir.Field, int, int] | None:
        """Field, thing and key whose value a slot holds, if it is a field's."""
        for declared in self.program.fields:
            offset = self.offsets[declared.index]
            kind = self.program.kinds[declared.kind]
            if offset is None:
                continue
            inside = slot - offset - kind.base * declared.keys
            if 0 <= inside < kind.count * declared.keys:
                thing, key = divmod(inside, declared.keys)
                return declared, kind.base + thing, key + declared.key_low
        return None

    def describe(self, slot: int) -> str:
        """What a slot holds, for error messages and the differences of states."""
        program = self.program
        found = self.field_at(slot)
        if found is not None:
            declared, thing, key = found
            kind = program.kinds[declared.kind]
            keyed = f"({key})" if declared.keys > 1 else ""
            return f"{declared.name}{keyed} of {kind.name} {kind.ids[thing - kind.base]}"
        for kind, offset in zip(program.kinds, self.positions, strict=True):
            if offset is not None and 0 <= slot - offset - kind.base < kind.count:
                return f"position of {kind.name} {kind.ids[slot - offset - kind.base]}"
        if self.globals <= slot < self.rows:
            return f"value {program.globals[slot - self.globals].name}"
        if self.rows <= slot < self.durations:
            return f"rows of lasting block {slot - self.rows}"
        names = {
            self.durations: "durations",
            self.open: "open doings",
            self.serial: "last serial number",
            self.acting: "acting state rules",
            self.winners: "winners",
            self.decisions: "number of decisions",
        }
        if slot in names:
            return names[slot]
        return next(
            (f"chance of {path}" for path, at in self.streams.items() if at == slot),
            f"slot {slot}",
        )


def admits(program: ir.Program, of: ir.Type, value: object) -> bool:
    """Is ``value`` one of type ``of``? Numbers without a bound go to 10**9 either way."""
    if value is None:
        return of.optional or of.shape == "none"
    match of.shape:
        case "flag":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "none":
            return False
        case "set" | "list":
            if not isinstance(value, tuple):
                return False
            if of.elem is not None and not all(admits(program, of.elem, each) for each in value):
                return False
            return of.shape == "list" or all(a < b for a, b in itertools.pairwise(value))
        case "bag":
            return (
                isinstance(value, tuple)
                and len(value) == len(program.enums[of.enum].words)
                and all(
                    isinstance(each, int)
                    and not isinstance(each, bool)
                    and -LARGEST <= each <= LARGEST
                    for each in value
                )
            )
        case _:
            pass
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    if of.shape == "number":
        low = -LARGEST if of.lo is None else of.lo
        return low <= value <= (LARGEST if of.hi is None else of.hi)
    if of.shape == "word":
        enum = program.enums[of.enum]
        low = enum.low if enum.numeric else 0
        return low <= value < low + len(enum.words)
    kinds = (program.kinds[kind] for kind in of.kinds)
    return any(kind.base <= value < kind.base + kind.count for kind in kinds)


def option_values(program: ir.Program, given: dict[str, object] | None = None) -> Sequence[object]:
    """The value of every option: what is given by name, else the default.

    Words may be given as texts.

    Raises:
        OptionError: a name that is no option, or a value that it cannot have.
    """
    values = [option.default for option in program.options]
    by_name = {option.name: option for option in program.options}
    for name, value in (given or {}).items():
        option = by_name.get(name)
        if option is None:
            raise OptionError(f"there is no option {name}")
        words = program.enums[option.type.enum].words if option.type.shape == "word" else ()
        if isinstance(value, str) and value in words:
            enum = program.enums[option.type.enum]
            value = words.index(value) + (enum.low if enum.numeric else 0)  # noqa: PLW2901
        if not admits(program, option.type, value):
            takes = f": it takes {', '.join(words)}" if words else ""
            raise OptionError(f"option {name} cannot be {value!r:.40}{takes}")
        values[option.index] = value
    return tuple(values)
