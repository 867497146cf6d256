"""The figures of one game: names and numbers, the same names for every game of a plan."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.statistics.measuring import Record

WINS: Final = "wins: "
SCORE: Final = "score: "
AT_END: Final = "at the end: "
NOBODY_WINS: Final = "nobody wins"
SEVERAL_WIN: Final = "several win"
UNFINISHED: Final = "unfinished"
ROUNDS: Final = "rounds"
DECISIONS: Final = "decisions"
BRANCHING: Final = "branching"
LEAD_CHANGES: Final = "lead changes"
MEAN_SCORE: Final = "score"

WHOLE: Final = (ROUNDS, DECISIONS)
"""Figures of which a histogram is kept."""


def seat_name(seat: int) -> str:
    """What a seat (from 0) is called."""
    return f"seat {seat + 1}"


def is_rate(name: str, kinds: Sequence[str]) -> bool:
    """Is a figure 0 or 1 in every game, so that its mean is a rate?

    Args:
        name: Of the figure.
        kinds: Who answers for the people of the plan.
    """
    if name.startswith(WINS):
        who = name.removeprefix(WINS)
        return kinds.count(who) <= 1
    return name in (NOBODY_WINS, SEVERAL_WIN, UNFINISHED)


def figures(record: Record, kinds: Sequence[str], seats: int) -> dict[str, float]:
    """Give the figures of a game.

    Args:
        record: The game.
        kinds: Who answers for the people of the plan, before seats rotate.
        seats: How many seats there are, those without a person included.
    """
    winners = record.winners
    found: dict[str, float] = {
        WINS + seat_name(seat): float(seat in winners) for seat in range(seats)
    }
    groups = set(kinds)
    if len(groups) > 1 or seats > len(kinds):
        for kind in sorted(groups):
            members = [seat for seat, role in enumerate(record.roles) if kinds[role] == kind]
            found[WINS + kind] = sum(seat in winners for seat in members) / len(members)
        if seats > len(kinds):
            others = range(len(kinds), seats)
            found[WINS + "seats without a person"] = sum(s in winners for s in others) / len(others)
    found[NOBODY_WINS] = float(not winners)
    found[SEVERAL_WIN] = float(len(winners) > 1)
    found[UNFINISHED] = float(record.ending != "ended")
    found[DECISIONS] = record.decisions
    if record.rounds:
        found[ROUNDS] = record.rounds
        found[BRANCHING] = record.branching
        if record.changes is not None:
            found[LEAD_CHANGES] = record.changes
    known = [each for each in record.scores if each is not None]
    if known:
        found[MEAN_SCORE] = fmean(known)
        for seat, score in enumerate(record.scores):
            found[SCORE + seat_name(seat)] = score if score is not None else 0.0
    for name, values in record.fields.items():
        numbers = [each for each in values if each is not None]
        if numbers:
            found[AT_END + name] = fmean(numbers)
    return found
