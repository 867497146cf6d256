"""How many changes were noticed."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interpreter.mutation.model import Mutant, Result

_SURE: Final = 1.959963984540054
"""Standard deviations to either side that hold 95 % of a normal distribution."""


@attrs.frozen
class Score:
    """So many of so many.

    Attributes:
        killed: How many changes made a scenario fail.
        tried: How many there were.
    """

    killed: int = 0
    tried: int = 0

    @property
    def percent(self) -> float:
        """How many of a hundred, rounded down to a tenth; 100 of nothing."""
        return self.killed * 1000 // self.tried / 10 if self.tried else 100.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between how many of a hundred the share lies from which a sample like this comes, with 95 % (Wilson)."""
        if not self.tried:
            return 0.0, 100.0
        n, share = self.tried, self.killed / self.tried
        middle = share + _SURE**2 / (2 * n)
        reach = _SURE * sqrt(share * (1 - share) / n + _SURE**2 / (4 * n * n))
        whole = 1 + _SURE**2 / n
        return (
            round(100 * max(0.0, (middle - reach) / whole), 1),
            round(100 * min(1.0, (middle + reach) / whole), 1),
        )


def scored(results: Iterable[Result], mutants: Iterable[Mutant]) -> Mapping[str, Score]:
    """The score of each file, by path.

    Args:
        results: What became of changes.
        mutants: All changes, by number.
    """
    known = tuple(mutants)
    killed: dict[str, int] = {}
    tried: dict[str, int] = {}
    for each in results:
        path = known[each.number].place[0]
        tried[path] = tried.get(path, 0) + 1
        killed[path] = killed.get(path, 0) + each.killed
    return {path: Score(killed[path], tried[path]) for path in sorted(tried)}
