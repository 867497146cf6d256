"""What saves, replays and journals have in common: of which game they are, and how such files are read."""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.decision import plain
from interpreter.layout import Layout, Slots, admits
from interpreter.records.codes import OTHER_GAME, OTHER_RULES, UNREADABLE
from interpreter.sight.observation import Observation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cattrs import Converter

    from interpreter.errors import RecordError
    from rulelang import ir

LARGEST_FILE = 64_000_000


@attrs.frozen
class Heading:
    """Which game a file is of.

    Attributes:
        ruleset: Name of the ruleset.
        digest: Hash of the ruleset with its variants.
        seats: Number of seats.
        options: Value of every option by name.
        people: The seats that have a person, from 0.
        names: The names of the seats; may be empty.
        variants: Names of the variants that are merged into the ruleset.
        format: Version of the format.
    """

    ruleset: str
    digest: str
    seats: int
    options: dict[str, Any]
    people: list[int]
    names: list[str]
    variants: list[str] = attrs.field(factory=list, kw_only=True)
    format: int = attrs.field(default=1, kw_only=True)


def heading_of(
    program: ir.Program, options: Sequence[object], people: Iterable[int], names: Iterable[str]
) -> Heading:
    """Describe a game; `attrs.asdict` of it are the arguments of what is derived."""
    return Heading(
        program.name,
        program.digest,
        program.seats,
        {option.name: options[option.index] for option in program.options},
        list(people),
        list(names),
        variants=list(program.variants),
    )


@cache
def converter() -> Converter:
    """The converter for saves and replays; unknown keys are errors."""
    from cattrs import Converter  # noqa: PLC0415 - only who saves pays for the import

    made = Converter(forbid_extra_keys=True)
    made.register_structure_hook_func(lambda of: of is int, _whole_number)
    made.register_structure_hook_func(lambda of: of is str, _text)
    made.register_structure_hook_func(lambda of: of is bool, _flag)
    made.register_structure_hook_func(lambda of: of == int | str, _number_or_text)
    made.register_structure_hook_func(lambda of: of is object, lambda value, _: value)
    return made


def _whole_number(value: object, _: type) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r:.40} is not a whole number")
    return value


def _text(value: object, _: type) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a text")
    return value


def _number_or_text(value: object, _: type) -> int | str:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise TypeError(f"{value!r:.40} is no seed")
    return value


def _flag(value: object, _: type) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r:.40} is not true or false")
    return value


def state_digest(layout: Layout, slots: Sequence[object]) -> str:
    """A short hash of a state (16 hex digits), the same on every platform."""
    text = json.dumps(list(slots[: layout.size]), separators=(",", ":"))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def seen_digest(layout: Layout, slots: Slots) -> str:
    """A short hash (16 hex digits) of what all seats see; what nobody sees does not count."""
    views = [Observation(layout, slots, seat) for seat in range(layout.program.seats)]
    seen = [(view.slots, view.face_down) for view in views]
    text = json.dumps(seen, separators=(",", ":"), default=repr)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def json_of(text: str) -> Any:  # noqa: ANN401 - JSON
    """Read JSON; a text that could not be written again is none.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deeply.
    """
    content = json.loads(text)
    if "\\ud" in text.lower():  # half a letter, perhaps
        json.dumps(content, ensure_ascii=False).encode()
    return content


def read_object(text: str, what: str, error: type[RecordError]) -> dict[str, Any]:
    """The JSON object in a text, or a clear error of the class given."""
    if len(text) > LARGEST_FILE:
        raise error(f"this {what} is too large", code=UNREADABLE)
    try:
        content = json_of(text)
    except RecursionError:
        raise error(f"this {what} is nested too deeply", code=UNREADABLE) from None
    except ValueError as wrong:
        raise error(f"this {what} is cut off or no JSON: {wrong}", code=UNREADABLE) from None
    if not isinstance(content, dict):
        raise error(f"this is no {what}", code=UNREADABLE)
    return content


def first_reason(error: BaseException) -> str:
    """What a group of errors from reading data complains about first, on one line."""
    while isinstance(error, BaseExceptionGroup):
        notes = getattr(error, "__notes__", [])
        error = error.exceptions[0]
        error.__notes__ = [*getattr(error, "__notes__", []), *notes]
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def check_heading(
    recorded: Heading, program: ir.Program, what: str, error: type[RecordError]
) -> None:
    """Look whether a file is of a Program, with its variants, for its number of seats.

    Args:
        recorded: What the file says.
        program: What it should be of.
        what: "saved game", "replay" or "journal".
        error: What is raised.

    Raises:
        RecordError: It is not, with the reason.
    """
    code, reason = OTHER_GAME, ""
    known = {option.name: option for option in program.options}
    if recorded.ruleset != program.name:
        reason = f"this is a {what} of {recorded.ruleset!r:.40}, not of {program.name}"
    elif sorted(recorded.variants) != sorted(program.variants):
        reason = (
            f"this {what} is of {program.name} {_with(recorded.variants)},"
            f" not {_with(program.variants)}"
        )
    elif recorded.digest != program.digest:
        code = OTHER_RULES
        reason = f"this {what} is of another version of {program.name}: the rules have changed"
    elif recorded.seats != program.seats:
        reason = f"this {what} has {recorded.seats} seats, not {program.seats}"
    elif any(not 0 <= seat < recorded.seats for seat in recorded.people):
        reason = f"this {what} names a person in a seat that does not exist"
    else:
        for name, value in recorded.options.items():
            if name not in known:
                reason = f"this {what} sets an option that does not exist: {name!r:.40}"
            elif not admits(program, known[name].type, plain(value)):
                reason = f"this {what} gives option {name} the value {value!r:.40}"
    if reason:
        raise error(reason, code=code)


def _with(variants: Iterable[str]) -> str:
    names = ", ".join(
        name if name.isidentifier() else repr(name)
        for name in (f"{each:.40}" for each in sorted(variants))
    )
    return f"with {names}" if names else "without variants"
