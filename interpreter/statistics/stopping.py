"""When enough games were played: a number that was said before, or as soon as a figure is known well enough.

The rule of `--until` looks at the width of intervals and never at what they say: it stops at the first of some fixed
numbers of games at which the rate of wins of every seat is known to the wanted width. A rule that stopped when a
difference is *found* would find one sooner or later where there is none; stopping by width does not favour any answer,
and intervals keep their level (`tests/statistics` plays this through).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from interpreter.statistics.figures import WINS
from interpreter.statistics.intervals import around, wilson

if TYPE_CHECKING:
    from interpreter.statistics.summaries import Result

FIRST_LOOK: Final = 256
_GROWTH: Final = 1.25


@attrs.frozen
class Until:
    """Play until every rate of wins, or every difference of such rates, is known to plus or minus `width`.

    Attributes:
        width: Half of an interval of 95 %, as a share: 0.005 for half a percent.
    """

    width: float

    def looks(self, batch: int, games: int) -> list[int]:
        """After which numbers of games is looked: whole batches, each a quarter more than before, and all games."""
        found: list[int] = []
        wanted = float(FIRST_LOOK)
        while wanted < games:
            whole = -(-int(wanted) // batch) * batch
            if whole < games and (not found or whole > found[-1]):
                found.append(whole)
            wanted *= _GROWTH
        return [*found, games]

    def reached(self, result: Result) -> bool:
        """Is everything known well enough?"""
        return self.widest(result) <= self.width

    def widest(self, result: Result) -> float:
        """Half of the widest interval that counts."""
        if result.pairs:
            tallies = [
                tally
                for pair in result.pairs
                for name, tally in pair.tallies.items()
                if name.startswith(WINS)
            ]
            # Where hardly any pair differs the spread seen says little: 3 in n may have been missed.
            ends = [around(0.0, max(tally.error, 1.5 / tally.count)) for tally in tallies]
        else:
            tallies = [
                tally for name, tally in result.versions[0].tallies.items() if name.startswith(WINS)
            ]
            ends = [wilson(tally.total, tally.count) for tally in tallies]
        return max(((high - low) / 2 for low, high in ends), default=0.0)
