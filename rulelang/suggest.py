"""Near misses: which of some words somebody probably meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

CLOSE: Final = 0.7


def nearest(
    word: str, candidates: Iterable[str], limit: int = 3, cutoff: float = CLOSE
) -> tuple[str, ...]:
    """Give the words most like one, the nearest first; case does not matter.

    Args:
        word: As written.
        candidates: What would be possible here.
        limit: At most so many.
        cutoff: Least likeness, 0 to 1.
    """
    by_lower: dict[str, str] = {}
    for candidate in candidates:
        by_lower.setdefault(candidate.lower(), candidate)
    lowered = word.lower()
    found = difflib.get_close_matches(lowered, sorted(by_lower), n=limit, cutoff=cutoff)
    # `port_harbour` for `harbour`: a whole part of the name says more than single letters.
    parts = [
        low for low in sorted(by_lower) if lowered in low.split("_") or low in lowered.split("_")
    ]
    ordered = dict.fromkeys([*found, *parts])
    return tuple(by_lower[low] for low in list(ordered)[:limit])


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """Give a help text for the nearest words, or None if nothing is near."""
    found = nearest(word, candidates)
    if not found:
        return None
    quoted = [f"`{name}`" for name in found]
    return (
        "did you mean "
        + (quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1])
        + "?"
    )
