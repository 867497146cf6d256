"""Who sits at the table and by which options: what the command line says, made values of a program."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

import attrs
import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interpreter.providers.standin import Failure
    from rulelang.ir import Option, Program, Type

_LONGEST_NUMBER = 11
_LONGEST_SHOWN = 40


@attrs.frozen
class Bots:
    """How programs at the table are treated.

    Attributes:
        seconds: For an answer.
        failure: What happens if one fails: see `interpreter.providers.process`.
    """

    seconds: float = 10.0
    failure: Failure = "stop"


@attrs.frozen
class Table:
    """What was asked for.

    Attributes:
        people: How many seats have a person; None: as `people_of` says.
        seats: Seat (from 1) to `automa`, `random`, `human`, `search` (with settings) or `process:COMMAND`; see `who`.
        options: Option of the ruleset to value, as written.
        variants: Names and paths of the variants to merge, in any order.
        origins: Where an option, or `people`, was said, if not on the command line.
        loose: Options that count only if the game has them.
        recorded_seats: How many seats a recorded game has; counts where an option says how many there are.
        noted: What came from `rulelang.toml`, as it would be typed.
        others: Who answers for the seats that are left out.
        bots: How programs at the table are treated.
        screen: Whether persons sit before the whole screen of the terminal, not before its lines.
        open: Whether all persons at the screen may see what each of them sees.
    """

    people: int | None = None
    seats: Mapping[int, str] = attrs.field(factory=dict)
    options: Mapping[str, str] = attrs.field(factory=dict)
    variants: tuple[str, ...] = ()
    origins: Mapping[str, str] = attrs.field(factory=dict)
    loose: frozenset[str] = frozenset()
    recorded_seats: int | None = None
    noted: tuple[str, ...] = ()
    others: str = "random"
    bots: Bots = attrs.field(factory=Bots)
    screen: bool = False
    open: bool = False

    def who(self, seat: int) -> str:
        """Say who answers for the person in a seat, from 1."""
        return self.seats.get(seat, self.others)

    def said(self, people: int) -> list[str]:
        """Write who answers for so many people, as it would be typed."""
        asked = [(seat, self.who(seat)) for seat in range(1, people + 1)]
        return [
            word
            for seat, kind in asked
            if seat in self.seats or kind != "random"
            for word in ("--seat", f"{seat}={kind}")
        ]


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
        where = f"{table.origins['people']}: " if "people" in table.origins else ""
        raise click.UsageError(f"{where}{program.title} is for {number} people, not {people}.")
    for seat in table.seats:
        if seat > people:
            raise click.UsageError(
                f"There is no person in seat {seat}: {people} take part (see --people)."
            )
    return people


def option_values(program: Program, table: Table) -> dict[str, object]:
    """Read the values of options as they were typed.

    Raises:
        click.UsageError: There is no such option, or it cannot have that value; says what it can have, and where the
            value comes from if it was not typed just now.
    """
    known = {option.name: option for option in program.options}
    values: dict[str, object] = {}
    for name, text in table.options.items():
        option = known.get(name)
        if option is None and name in table.loose:
            continue
        where = f"{table.origins[name]}: " if name in table.origins else ""
        if option is None:
            raise click.UsageError(
                f"{where}{program.title} has no option {name!r}.{_nearest(name, known)}"
            )
        values[name] = _value(program, option, text, where)
    return values


def option_text(program: Program, option: Option, value: object) -> str:
    """Write the value of an option as it would be typed."""
    from interpreter.naming import Naming

    return Naming(program).key(value, option.type)


def _value(program: Program, option: Option, text: str, where: str) -> object:
    legal = _words(program, option.type)
    if text in legal:
        return legal[text]
    span = _numbers(program, option.type)
    if span is not None and text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER:
        number = int(text)
        if span[0] <= number and (span[1] is None or number <= span[1]):
            return number
    allowed = " or ".join([*_span_text(span), *legal])
    shown = text if len(text) < _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
    raise click.UsageError(
        f"{where}Option {option.name!r} cannot be {shown!r}: it takes {allowed}.{_nearest(text, legal)}"
    )


def _numbers(program: Program, of: Type) -> tuple[int, int | None] | None:
    """Give the smallest and the largest number that a type has, None if it has no numbers."""
    if of.shape == "number":
        return of.lo or 0, of.hi
    if of.shape == "word" and program.enums[of.enum].numeric:
        enum = program.enums[of.enum]
        return enum.low, enum.low + len(enum.words) - 1
    return None


def _span_text(span: tuple[int, int | None] | None) -> list[str]:
    if span is None:
        return []
    low, high = span
    return [f"a number from {low} up" if high is None else f"a number from {low} to {high}"]


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


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
