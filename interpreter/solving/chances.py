"""Chance made visible: a program that stops in front of each draw, and every way in which a draw can fall out.

The engine suspends where somebody is asked. So in front of every draw a question is put that changes nothing: a match
then waits there like anywhere else, and can be cloned and told apart from others that wait at the same place in
the same state. What the draw can give is found by making it: a tape answers whatever is drawn, notes between how
many things that was, and is turned on to the next possibility until there is none.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, permutations
from math import comb, factorial
from typing import TYPE_CHECKING, Final

import attrs

from interpreter.errors import EngineError
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTCOMES: Final = 100_000
"""One draw may have so many outcomes."""

CHANCE: Final = "chance"
"""The path of the question in front of a draw: no doing has a path without a dot."""


class TooManyError(EngineError):
    """What was asked for needs more than its budget."""


def visible(program: ir.Program) -> ir.Program:
    """Give a program that asks the first player a question, with the path `CHANCE`, in front of every draw."""
    index = len(program.decisions)
    question = ir.Decision(index, CHANCE, "yes", ir.FLAG)
    player = ir.Type("thing", kinds=(0,))
    ask = ir.Ask(
        decision=index,
        chooser=ir.Const(value=program.kinds[0].base, type=player),
        name="$chance",
    )
    doings = tuple(attrs.evolve(each, body=_block(each.body, ask)) for each in program.doings)
    return attrs.evolve(program, decisions=(*program.decisions, question), doings=doings)


def _block(block: ir.Block, ask: ir.Ask) -> ir.Block:
    made: list[ir.Stmt] = []
    for line in block:
        if isinstance(line, (ir.Roll, ir.Pick, ir.Shuffle)):
            made.append(ask)
        made.append(_line(line, ask))
    return tuple(made)


def _line(line: ir.Stmt, ask: ir.Ask) -> ir.Stmt:
    match line:
        case ir.If():
            return attrs.evolve(line, then=_block(line.then, ask), orelse=_block(line.orelse, ask))
        case ir.Match():
            rows = tuple((key, _block(row, ask)) for key, row in line.rows)
            return attrs.evolve(line, rows=rows)
        case ir.Each() | ir.While():
            return attrs.evolve(line, body=_block(line.body, ask))
        case ir.Ask() if line.otherwise is not None:
            return attrs.evolve(line, otherwise=_block(line.otherwise, ask))
        case _:
            return line


class Tape:
    """A provider of chance that goes through all outcomes, one after the other.

    Use it for one step of a match after the other, each time from the same position; `turn` says whether
    there is another outcome.

    Attributes:
        drawn: What was drawn in the step, in order: a number for a roll, a thing or word or number, or a tuple of
            them.
        sides: Between how many things each of these was drawn.
        paths: The path of each draw.
    """

    def __init__(self) -> None:
        self.drawn: list[object] = []
        self.sides: list[int] = []
        self.paths: list[str] = []
        self._places: list[int] = []

    def begin(self) -> None:
        """Start a step."""
        self.drawn.clear()
        self.sides.clear()
        self.paths.clear()

    def turn(self) -> bool:
        """Go on to the next outcome; False after the last one, and then to the first."""
        places, sides = self._places, self.sides
        del places[len(sides) :]
        while places:
            places[-1] += 1
            if places[-1] < sides[len(places) - 1]:
                return True
            places.pop()
        return False

    @property
    def odds(self) -> Fraction:
        """How likely what was drawn is."""
        odds = 1
        for sides in self.sides:
            odds *= sides
        return Fraction(1, odds)

    def _next(self, path: str, sides: int) -> int:
        if sides > OUTCOMES:
            raise TooManyError(
                f"a draw has {sides:,} outcomes; {OUTCOMES:,} is the most that are looked at"
            )
        at = len(self.sides)
        self.sides.append(sides)
        self.paths.append(path)
        if at == len(self._places):
            self._places.append(0)
        return self._places[at]

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del by
        face = low + self._next(path, high - low + 1)
        self.drawn.append(face)
        return face

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        found: object
        if count is None:
            found = source[self._next(path, len(source))]
        else:
            few = min(max(count, 0), len(source))
            place = self._next(path, comb(len(source), few))
            found = _nth(combinations(source, few), place)
        self.drawn.append(found)
        return found

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        found = _nth(permutations(items), self._next(path, factorial(len(items))))
        self.drawn.append(found)
        return found


def _nth(found: Iterator[tuple[object, ...]], place: int) -> tuple[object, ...]:
    return next(islice(found, place, None))
