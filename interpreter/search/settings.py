"""How a search is set, and how that is written: `search:playouts=200,random=0.2`."""

from __future__ import annotations

from difflib import get_close_matches
from math import isfinite
from typing import Any

import attrs

NAME = "search"
"""What a seat that is searched for is called."""


JUDGED = 12
"""About so many decisions are answered by the ruleset's policies before a playout is judged, if nothing else is set."""


@attrs.frozen
class SearchSettings:
    """How a seat is searched for.

    Attributes:
        playouts: So many worlds are played for a decision.
        seconds: So long is searched for a decision, instead; then answers depend on the speed of the machine.
        random: The share of answers at random in playouts, from 0 to 1; the others are the ruleset's policies'.
        depth: About so many decisions of a playout are answered before it is judged; None: `JUDGED` where the ruleset
            has a policy for what is asked, else all.
        exploration: Weight of what has been tried seldom.
        widening: With n visits about ``widening * sqrt(n)`` answers are looked at.
    """

    playouts: int = 200
    seconds: float | None = None
    random: float = 0.02
    depth: int | None = None
    exploration: float = 0.7
    widening: float = 2.0


_BOUNDS: dict[str, tuple[float, float]] = {
    "playouts": (1, 10_000_000),
    "seconds": (0.001, 86_400),
    "random": (0, 1),
    "depth": (1, 100_000),
    "exploration": (0, 100),
    "widening": (0.01, 1_000),
}
_WHOLE = ("playouts", "depth")


def is_search(kind: str) -> bool:
    """Does this name a search?"""
    return kind.partition(":")[0] == NAME


def settings_of(kind: str) -> SearchSettings:
    """Read how a search is set.

    Args:
        kind: `search`, or that with a colon and settings parted by commas, or by `+` where commas part players.

    Raises:
        ValueError: It cannot be read; the text is for people.
    """
    _, colon, text = kind.partition(":")
    given: dict[str, float] = {}
    for part in text.replace("+", ",").split(",") if colon else ():
        name, equals, value = (each.strip() for each in part.partition("="))
        bounds = _BOUNDS.get(name)
        if bounds is None or not equals:
            near = get_close_matches(name, _BOUNDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"{part.strip()!r} is no setting of a search: write {NAME}:NAME=NUMBER with {', '.join(_BOUNDS)}.{hint}"
            )
        if name in given:
            raise ValueError(f"{name!r} is set twice.")
        given[name] = _number(name, value, *bounds)
    if {"playouts", "seconds"} <= given.keys():
        raise ValueError("a search has a budget of playouts or of seconds, not both.")
    values: dict[str, Any] = {k: int(v) if k in _WHOLE else v for k, v in given.items()}
    return SearchSettings(**values)


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    whole = name not in _WHOLE or value.is_integer()
    if not isfinite(value) or not low <= value <= high or not whole:
        kind = "a whole number" if name in _WHOLE else "a number"
        raise ValueError(f"{name!r} cannot be {text!r}: it is {kind} from {low:g} to {high:,g}.")
    return value
