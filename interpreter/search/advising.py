"""Advice for a person: what a search would answer, and how sure it is of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.search.searching import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interpreter.machine import Match
    from interpreter.search.advice import Advice
    from interpreter.search.settings import SearchSettings


def advise(
    match: Match,
    seat: int,
    settings: SearchSettings | None = None,
    *,
    seed: int | str = 0,
    clock: Callable[[], float] | None = None,
) -> Advice:
    """Rank the answers to the question that a seat is asked, by what that seat sees.

    Args:
        match: Waits for an answer; it is not changed.
        seat: From 0.
        settings: How is searched; None: as a seat that `search` holds.
        seed: Of the search.
        clock: Gives seconds; needed where the settings have a budget of seconds.

    Raises:
        LookupError: The seat is not asked now.
    """
    if match.pending is None or match.pending.seat != seat:
        raise LookupError(f"seat {seat + 1} is not asked now")
    return Search(settings, seed, clock).advise(match)


def explained(advice: Advice, most: int = 5) -> Iterator[str]:
    """Say what was found out, best answer first, a line for each.

    Args:
        advice: What a search has found out.
        most: So many answers at most.
    """
    for each in advice.ranked[:most]:
        share = f"{100 * each.value:.0f} %"
        yield f"{each.text}: {share} in {each.visits} of {advice.playouts} playouts"
