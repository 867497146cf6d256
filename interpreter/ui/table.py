"""Who sits at the table and by which options: what the command line says, made values of a program."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

import attrs
import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.ir import Option, Program, Type


@attrs.frozen
class Table:
    """What was asked for.

    Attributes:
        people: How many seats have a person; None: as `people_of` says.
        seats: Seat (from 1) to `automa`, `random` or `human`; seats left out are `random`.
        options: Option of the ruleset to value, as written.
    """

    people: int | None = None
    seats: Mapping[int, str] = attrs.field(factory=dict)
    options: Mapping[str, str] = attrs.field(factory=dict)


def people_of(table: Table, program: Program) -> int:
    """Say how many seats have a person: what was asked for, or two, or what the ruleset needs.

    Raises:
        click.UsageError: The ruleset is for another number, or a seat that has no person is named.
    """
    low, high = program.players
    people = table.people
    if people is None:
        people = min(high, max(low, 2, *table.seats, 0))
    if not low <= people <= high:
        number = str(low) if low == high else f"{low} to {high}"
        raise click.UsageError(f"{program.title} is for {number} people, not {people}.")
    for seat in table.seats:
        if seat > people:
            raise click.UsageError(
                f"There is no person in seat {seat}: {people} take part (see --people)."
            )
    return people


def option_values(program: Program, given: Mapping[str, str]) -> dict[str, object]:
    """Read the values of options as they were typed.

    Raises:
        click.UsageError: There is no such option, or it cannot have that value; says what it can have.
    """
    known = {option.name: option for option in program.options}
    values: dict[str, object] = {}
    for name, text in given.items():
        option = known.get(name)
        if option is None:
            raise click.UsageError(
                f"{program.title} has no option {name!r}.{_nearest(name, known)}"
            )
        values[name] = _value(program, option, text)
    return values


def option_text(program: Program, option: Option, value: object) -> str:
    """Write the value of an option as it would be typed."""
    from interpreter.naming import Naming

    return Naming(program).key(value, option.type)


def _value(program: Program, option: Option, text: str) -> object:
    from interpreter.layout import admits

    legal = _words(program, option.type)
    if text in legal:
        return legal[text]
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None
    if number is not None and admits(program, option.type, number):
        return number
    allowed = _allowed(program, option.type)
    raise click.UsageError(
        f"Option {option.name!r} cannot be {text!r}: {allowed}.{_nearest(text, legal)}"
    )


def _words(program: Program, of: Type) -> dict[str, object]:
    """List the values that are written as words."""
    found: dict[str, object] = {}
    match of.shape:
        case "flag":
            found.update(yes=True, no=False)
        case "word" if not program.enums[of.enum].numeric:
            found.update({word: n for n, word in enumerate(program.enums[of.enum].words)})
        case "thing":
            for kind in (program.kinds[number] for number in of.kinds):
                found.update({name: kind.base + n for n, name in enumerate(kind.ids)})
        case _:
            pass
    if of.optional:
        found["none"] = None
    return found


def _allowed(program: Program, of: Type) -> str:
    words = [*_words(program, of)]
    if of.shape == "number":
        low, high = of.lo, of.hi
        if low is not None and high is not None:
            words.insert(0, f"a number from {low} to {high}")
        else:
            words.insert(0, "a number" if low is None else f"a number from {low} up")
    return f"it takes {' or '.join(words)}"


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
