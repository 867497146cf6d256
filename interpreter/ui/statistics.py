"""Many games: how long they last and who wins, as tables or as JSON."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from statistics import NormalDist, mean, median
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WIDTH = 40
_MOST_ROWS = 24


@attrs.frozen
class Played:
    """One finished game.

    Attributes:
        winners: Seats, from 0; empty if nobody has won.
        rounds: How often the phase ran that the game consists of.
        decisions: How many decisions were answered, those with one legal answer left out.
    """

    winners: tuple[int, ...]
    rounds: int
    decisions: int


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Give the Wilson interval of a rate, both ends from 0 to 1."""
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    reach = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def tables(games: Sequence[Played], seats: Sequence[str]) -> Iterator[str]:
    """Give the lines of the report.

    Args:
        games: What was played; at least one.
        seats: What to call each seat, first seat first.
    """
    yield "                  shortest   median     mean  longest"
    for name, lengths in (
        ("rounds", [game.rounds for game in games]),
        ("decisions", [game.decisions for game in games]),
    ):
        yield (
            f"{name:<16}{min(lengths):>10}{median(lengths):>9.1f}"
            f"{mean(lengths):>9.1f}{max(lengths):>9}"
        )
    yield ""
    yield from _histogram(Counter(game.rounds for game in games))
    yield ""
    yield from _winners(games, seats)


def _histogram(counts: Counter[int]) -> Iterator[str]:
    """Draw how many games took how many rounds, several numbers of rounds to a row if need be."""
    low, high = min(counts), max(counts)
    step = (high - low) // _MOST_ROWS + 1
    rows = {
        start: sum(counts[length] for length in range(start, start + step))
        for start in range(low, high + 1, step)
    }
    most = max(rows.values())
    yield "rounds        games"
    for start, count in rows.items():
        label = str(start) if step == 1 else f"{start}-{min(start + step - 1, high)}"
        bar = "#" * round(_WIDTH * count / most)
        yield f"{label:<10}{count:>9}  {bar}".rstrip()


def _winners(games: Sequence[Played], seats: Sequence[str]) -> Iterator[str]:
    yield "winner                 games    share   95 % interval"
    for number, name in enumerate(seats):
        wins = sum(number in game.winners for game in games)
        low, high = wilson(wins, len(games))
        share = 100 * wins / len(games)
        yield f"{name:<20}{wins:>8}{share:>7.1f} %   {100 * low:.1f} to {100 * high:.1f} %"
    nobody = sum(not game.winners for game in games)
    shared = sum(len(game.winners) > 1 for game in games)
    yield f"{'nobody':<20}{nobody:>8}"
    if shared:
        yield f"{'shared by several':<20}{shared:>8}"


def as_data(games: Sequence[Played], seats: Sequence[str]) -> dict[str, object]:
    """Give the same as plain data for JSON."""
    return {
        "games": len(games),
        "rounds": dict(sorted(Counter(game.rounds for game in games).items())),
        "decisions": {
            "shortest": min(game.decisions for game in games),
            "mean": mean(game.decisions for game in games),
            "longest": max(game.decisions for game in games),
        },
        "winners": {
            name: sum(number in game.winners for game in games) for number, name in enumerate(seats)
        },
        "nobody": sum(not game.winners for game in games),
        "shared": sum(len(game.winners) > 1 for game in games),
    }
