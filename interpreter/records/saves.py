"""Saved games: JSON with a format version, the ruleset's hash and a checksum.

A save holds plain data only. Reading one tests everything that can be tested without running a
rule: shape, version, checksum, hash, and each slot against what it may hold. Frames are tested by
the engine that made them.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

import attrs

from interpreter import durations
from interpreter.budget import DEPTH
from interpreter.decision import plain
from interpreter.errors import SaveError
from interpreter.layout import BOX, FIRST_PILE, Layout, Slots, admits
from interpreter.records.codes import DAMAGED, OTHER_FORMAT, UNREADABLE
from interpreter.records.heading import Heading, check_heading, converter, first_reason, read_object

if TYPE_CHECKING:
    from rulelang import ir

FORMAT = 1


@attrs.frozen
class Save(Heading):
    """A game at a decision, or before its start or after its end.

    Attributes:
        slots: The state, see :mod:`interpreter.layout`; without derived slots.
        frames: Where each running doing stands, as the engine writes it.
        over: Has the game ended?
        decision: Path of the pending decision, empty if there is none.
        seat: Who is asked, -1 if nobody.
        built: How the code was built that made the frames; the game goes on with the same.
        places: Hash of what the places in frames mean; empty if the engine does not say.
        checksum: Over all the rest; filled in by :func:`dumps`.
    """

    slots: list[Any]
    frames: list[Any]
    over: bool
    decision: str = ""
    seat: int = -1
    built: list[str] = attrs.Factory(list)
    places: str = ""
    checksum: str = ""


def checksum(content: dict[str, Any]) -> str:
    """The checksum of a save's content (the key ``checksum`` aside)."""
    text = json.dumps(
        {key: value for key, value in content.items() if key != "checksum"}, sort_keys=True
    )
    return blake2b(text.encode(), digest_size=16).hexdigest()


def dumps(save: Save) -> str:
    """A save as JSON."""
    content: dict[str, Any] = json.loads(json.dumps(attrs.asdict(save)))
    content["checksum"] = checksum(content)
    return json.dumps(content)


def loads(text: str) -> Save:
    """Read a save.

    Raises:
        SaveError: it is damaged, of another format, or was changed.
    """
    content = read_object(text, "saved game", SaveError)
    if "format" not in content and "slots" not in content:
        raise SaveError("this is no saved game", code=UNREADABLE)
    if content.get("format") != FORMAT:
        raise SaveError(
            f"this saved game has format {content.get('format')!r:.20}, needed is {FORMAT}",
            code=OTHER_FORMAT,
        )
    if content.get("checksum") != checksum(content):
        raise SaveError(
            "this saved game is damaged or was changed: its checksum is wrong", code=DAMAGED
        )
    try:
        return converter().structure(content, Save)
    except Exception as error:  # noqa: BLE001 - cattrs groups errors of many classes
        raise SaveError(f"this is no saved game: {first_reason(error)}", code=UNREADABLE) from None


def matches(save: Save, program: ir.Program) -> None:
    """Is this save of this ruleset, with these variants, for this number of seats?

    Raises:
        SaveError: it is not.
    """
    check_heading(save, program, "saved game", SaveError)


def slots_of(save: Save, layout: Layout) -> Slots:
    """The state in a save, tested.

    Raises:
        SaveError: a slot holds what it cannot.
    """
    slots: Slots = [plain(value) for value in save.slots]
    if len(slots) != layout.size:
        raise SaveError(f"this saved game has {len(slots)} values, not {layout.size}")
    try:
        wrong = next(_wrong(layout, slots), None)
    except (TypeError, ValueError, IndexError, AttributeError, KeyError):
        wrong = "the values do not fit together"
    if wrong is not None:
        raise SaveError(f"this saved game cannot be: {wrong}")
    return slots


def _wrong(layout: Layout, slots: Slots) -> Any:  # noqa: ANN401 - a generator of texts
    """What is wrong with a state."""
    program = layout.program
    start = layout.initial(0)
    for declared in program.fields:
        if layout.offsets[declared.index] is None:
            continue
        kind = program.kinds[declared.kind]
        first = layout.slot(declared.index, kind.base, declared.key_low)
        for slot in range(first, first + kind.count * declared.keys):
            if not _may_be(layout, declared.type, slots[slot], start[slot]):
                yield f"{layout.describe(slot)} is {slots[slot]!r:.40}"
    for each in program.globals:
        slot = layout.global_slot(each.index)
        if not _may_be(layout, each.type, slots[slot], None):
            yield f"{layout.describe(slot)} is {slots[slot]!r:.40}"
    yield from _wrong_places(layout, slots)
    serial = slots[layout.serial]
    if not _natural(serial):
        yield f"the last serial number is {serial!r:.40}"
    for block in program.blocks:
        for row in cast("tuple[Any, ...]", slots[layout.rows + block.index]):
            number, values, used = row
            fits = len(values) == len(block.types) and all(
                value is None or admits(program, of, value)
                for of, value in zip(block.types, values, strict=True)
            )
            if not (_natural(number) and number <= cast("int", serial) and fits):
                yield f"a row of lasting block {block.index} is {row!r:.60}"
            if not isinstance(used, bool):
                yield f"a mark of lasting block {block.index} is {used!r:.40}"
    for record in cast("tuple[Any, ...]", slots[layout.durations]):
        if not _is_record(layout, record):
            yield f"a duration is {record!r:.60}"
    for number, doing, args in cast("tuple[Any, ...]", slots[layout.open]):
        if not (_natural(number) and _natural(doing) and doing < len(program.doings)):
            yield f"an open doing is {(number, doing)!r:.60}"
        if not isinstance(args, tuple) or len(args) != len(program.doings[doing].params):
            yield f"the arguments of an open doing are {args!r:.60}"
    acting = cast("tuple[Any, ...]", slots[layout.acting])
    for rule, row, values in acting:
        known = _natural(rule) and rule < len(program.state_rules) and _natural(row)
        if not known or len(values) != len(program.state_rules[rule].vars):
            yield f"an acting rule is {(rule, row, values)!r:.60}"
    if len(acting) > DEPTH:
        yield "more rules act than can"
    winners = slots[layout.winners]
    players = program.kinds[0]
    if winners is not None and not all(
        _natural(each) and players.base <= each < players.base + players.count
        for each in cast("tuple[Any, ...]", winners)
    ):
        yield f"the winners are {winners!r:.40}"
    if not _natural(slots[layout.decisions]):
        yield f"the number of decisions is {slots[layout.decisions]!r:.40}"
    for path, slot in layout.streams.items():
        state = slots[slot]
        if not _natural(state) or cast("int", state) >> 64:
            yield f"the chance of {path} is {state!r:.40}"


def _may_be(layout: Layout, of: ir.Type, value: object, initial: object) -> bool:
    """Can this value stand here? What is not set may stay so."""
    return (value is None and initial is None) or admits(layout.program, of, value)


def _wrong_places(layout: Layout, slots: Slots) -> Any:  # noqa: ANN401 - a generator of texts
    """Things that are in two places or none."""
    inside: dict[int, int] = {}
    for number, (field, owner) in enumerate(layout.piles, FIRST_PILE):
        for thing in layout.read_tuple(slots, field, owner):
            if thing in inside:
                yield f"{layout.program.kinds[layout.kind_of[thing]].name} {thing} is in two piles"
            inside[thing] = number
    for kind, offset in enumerate(layout.positions):
        declared = layout.program.kinds[kind]
        if offset is None:
            continue
        for thing in range(declared.base, declared.base + declared.count):
            position = slots[offset + thing]
            if not _natural(position) or position != inside.get(
                thing, position if cast("int", position) <= BOX else -1
            ):
                yield f"{layout.describe(offset + thing)} is {position!r:.40}"
            if position != 0 and layout.where(slots, thing)[1] is not None:
                yield f"{declared.name} {declared.ids[thing - declared.base]} is in two places"


def _is_record(layout: Layout, record: Any) -> bool:  # noqa: ANN401 - anything may be in a file
    number, what, target, value, limits = record
    if not (_natural(number) and _natural(target) and what in (0, 1, 2)):
        return False
    if what == durations.ROW:
        fits = target < len(layout.program.blocks) and value is None
    else:
        of = layout.type_at(target)
        fits = of is not None and (
            value is None or what == durations.GAIN or admits(layout.program, of, value)
        )
        if what == durations.GAIN:
            fits = fits and isinstance(value, int) and not isinstance(value, bool)
    return fits and all(
        _natural(doing)
        and doing < len(layout.program.doings)
        and isinstance(values, tuple)
        and isinstance(start, bool)
        and _natural(bound)
        for doing, values, start, bound in limits
    )


def _natural(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
