"""Which values of options are compared: readings of what a rulebook leaves open, and ranges that are scanned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs
import click

from interpreter.naming import Naming

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.ir import Option, Program

RULING: Final = "ruling"
"""The kind, in the table of citations, of what a rulebook leaves open."""

_MOST: Final = 200


@attrs.frozen
class Setting:
    """An option with a value, as it would be typed."""

    option: str
    value: str

    @property
    def text(self) -> str:
        """Both."""
        return f"{self.option}={self.value}"


def readings(program: Program, chosen: dict[str, str]) -> list[Setting]:
    """Give every other value of the options that are readings.

    Those are the options that cite a ruling; where a ruleset has none, all options whose values are words or flags.

    Args:
        program: The game.
        chosen: Options that have a value other than the default.
    """
    kinds = {citation.id: citation.kind for citation in program.citations}
    open_ones = [
        option
        for option in program.options
        if any(kinds.get(cite) == RULING for cite in option.cites)
    ] or list(program.options)
    found: list[Setting] = []
    naming = Naming(program)
    for option in open_ones:
        words = list(_words(program, option))
        now = chosen.get(option.name, naming.key(option.default, option.type))
        found += [Setting(option.name, word) for word in words if word != now]
    return found


def scanned(program: Program, text: str) -> list[Setting]:
    """Read `NAME=a..b`, `NAME=a,b,c` or `NAME` (all its values).

    Raises:
        click.UsageError: There is no such option, or it cannot have such values.
    """
    name, _, values = (part.strip() for part in text.partition("="))
    option = next((each for each in program.options if each.name == name), None)
    if option is None:
        from commands.basics import nearest

        hint = nearest(name, [each.name for each in program.options])
        raise click.UsageError(f"{program.title} has no option {name!r}.{hint}")
    if not values:
        found = list(_words(program, option)) or list(_numbers(program, option))
        if not found:
            raise click.UsageError(f"Say which values of {name}: --options {name}=1..5")
    elif ".." in values:
        low, _, high = values.partition("..")
        if not (low.strip().isdigit() and high.strip().isdigit()):
            raise click.UsageError(f"{values!r} is no range such as 1..5.")
        found = [str(number) for number in range(int(low), int(high) + 1)][: _MOST + 1]
    else:
        found = [value.strip() for value in values.split(",")]
    if not 0 < len(found) <= _MOST:
        raise click.UsageError(f"{text!r} stands for no value, or for more than {_MOST}.")
    return [Setting(name, value) for value in found]


def _words(program: Program, option: Option) -> Iterator[str]:
    of = option.type
    if of.shape == "flag":
        yield from ("yes", "no")
    elif of.shape == "word" and not program.enums[of.enum].numeric:
        yield from program.enums[of.enum].words


def _numbers(program: Program, option: Option) -> Iterator[str]:
    of = option.type
    low, high = of.lo or 0, of.hi
    if of.shape == "word" and program.enums[of.enum].numeric:
        enum = program.enums[of.enum]
        low, high = enum.low, enum.low + len(enum.words) - 1
    if high is not None and high - low < _MOST:
        yield from map(str, range(low, high + 1))
