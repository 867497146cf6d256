"""Names of a ruleset as words of a sentence: shared by stories, lists of variants and the rulebook."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_BORDERS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def spoken(name: str) -> str:
    """Write a name of the ruleset as words: `end_phase`, `TradeCard` become `end phase`, `trade card`."""
    return _BORDERS.sub(" ", name).replace("_", " ").lower()


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does: `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def plural(count: int, noun: str) -> str:
    """Write a number with a noun that follows it: `1 ship`, `2 ships`."""
    return f"1 {noun}" if count == 1 else f"{count} {several(noun)}"


def several(noun: str) -> str:
    """Give the plural of a noun: `ships`, `boxes`, `parties`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def one(noun: str) -> str:
    """Give a noun with its article: `a ship`, `an island`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
