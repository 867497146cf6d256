"""What a seat sees, as plain data with names: for programs that are not written in Python.

Things are called by their ids, words by themselves. What the seat does not see is `{"hidden": true}`, a pile that it
does not see `{"hidden": n}` with the number of things in it, a thing that lies face down `{"face_down": KIND}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.naming import Naming
from interpreter.sight.observation import FaceDown, Hidden, HiddenPile

if TYPE_CHECKING:
    from interpreter.sight.observation import Observation
    from rulelang import ir


def rules_as_data(program: ir.Program) -> dict[str, Any]:
    """Give what never changes in a game: kinds with their things, and the columns of data that they have."""
    naming = Naming(program)
    kinds: dict[str, Any] = {}
    for number, kind in enumerate(program.kinds):
        columns = {
            field.name: [
                value_as_data(
                    field.values[at] if field.keys == 1 else field.values[at : at + field.keys],
                    field.type,
                    program,
                    naming,
                )
                for at in range(0, len(field.values), field.keys)
            ]
            for field in program.fields
            if field.kind == number and not field.mutable and field.sight == "open"
        }
        kinds[kind.name] = {"things": list(kind.ids), "data": columns}
    enums = {enum.name: list(enum.words) for enum in program.enums if not enum.numeric}
    return {"kinds": kinds, "enumerations": enums}


def seen_as_data(seen: Observation) -> dict[str, Any]:
    """Give what a seat sees."""
    program = seen.program
    naming = Naming(program)
    things: dict[str, dict[str, Any]] = {}
    for number, kind in enumerate(program.kinds):
        fields = [
            field
            for field in program.fields
            if field.kind == number and (field.mutable or field.pile or field.sight != "open")
        ]
        if not fields:
            continue
        things[kind.name] = {
            kind.ids[thing - kind.base]: {
                field.name: _field(seen, field, thing, naming) for field in fields
            }
            for thing in range(kind.base, kind.base + kind.count)
        }
    kept = {
        each.name: value_as_data(seen.value(each.index), each.type, program, naming)
        for each in program.globals
        if each.shown
    }
    face_down = [
        {
            "kind": program.kinds[kind].name,
            "place": None if place < 0 else naming.thing_key(place),
        }
        for kind, _, place in seen.face_down
    ]
    winners = seen.winners
    return {
        "seat": seen.seat + 1,
        "things": things,
        "kept": kept,
        "face_down": face_down,
        "winners": None if winners is None else [winner + 1 for winner in winners],
    }


def _field(seen: Observation, field: ir.Field, thing: int, naming: Naming) -> Any:  # noqa: ANN401 - JSON
    values = [
        value_as_data(seen.read(field.index, thing, key), field.type, seen.program, naming)
        for key in range(field.key_low, field.key_low + field.keys)
    ]
    return values[0] if field.keys == 1 else values


def value_as_data(value: object, of: ir.Type, program: ir.Program, naming: Naming) -> Any:  # noqa: ANN401 - JSON
    """Give a value of a known type; a thing that is not seen (`-1 - kind`) as `{"unseen": KIND}`."""
    match value:
        case Hidden():
            return {"hidden": True}
        case HiddenPile(size=size):
            return {"hidden": size}
        case FaceDown(kind=kind):
            return {"face_down": program.kinds[kind].name}
        case tuple() if of.shape == "bag":
            words = program.enums[of.enum].words
            return {word: count for word, count in zip(words, value, strict=True) if count}
        case tuple():
            return [value_as_data(each, of.elem or of, program, naming) for each in value]
        case None | bool() | str():
            return value
        case int() if of.shape == "thing" and value < 0:
            return {"unseen": program.kinds[-1 - value].name}
        case int() if of.shape in {"thing", "word"}:
            enum = program.enums[of.enum] if of.shape == "word" else None
            return value if enum is not None and enum.numeric else naming.key(value, of)
    return value
