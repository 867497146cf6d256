"""Lines of text, and how much of them a random game may take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rulelang.fuzzing.world import T

Lines = list[str]

INDENT: Final = "    "
MOST: Final = 400
"""How many members conditions may look at in one line, sets inside sets multiplied."""
MOST_LINES: Final = 2500
"""How many lines one run of a doing may take, calls and loops included."""
MOST_ASKS: Final = 24
"""How many decisions it may take."""


def block(head: str, body: Lines) -> Lines:
    """A head with its block; a short block may stand on the same line."""
    return [head, *(INDENT + line for line in body)]


def fits(result: T, of: T) -> bool:
    """Tell whether a result can be given to a place of a type."""
    if result.optional and not of.optional:
        return False
    if result.shape == "thing" and of.shape == "thing":
        return set(result.of) <= set(of.of)
    if result.shape == "num" and of.shape == "num":
        return of.low is None or (of.low == result.low and of.high == result.high)
    return result == of
