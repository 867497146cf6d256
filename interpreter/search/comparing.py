"""What another answer is worth beside that of the ruleset's policy: both are tried in the same worlds.

In each world every answer that is compared is given once, with the same dice and the same draws after it, and the
policies play on. What luck does to both falls out of the difference. After each round the worse half of the others
is left out (sequential halving), so most worlds go to those that may be better. The policy's answer stays until the
end: it is what all others are measured against.
"""

from __future__ import annotations

from math import ceil, log2, sqrt
from statistics import fmean
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FEWEST = 4
"""In so many worlds an answer is tried before it is left out."""

LAST = 3
"""In so many rounds only one answer is compared with the usual one."""

SURE = 2.5
"""So many standard errors from zero a difference counts as settled."""

PRIOR = 0.02
"""Added once to the squares of the differences: so much is unknown where few of them have been seen."""


@attrs.define(eq=False)
class Arm:
    """An answer and what came of it.

    Attributes:
        answer: In the decision's form.
        values: From 0 to 1, by number of the world.
        gains: Its values less those of the usual answer in the same worlds.
    """

    answer: object
    values: list[float] = attrs.field(factory=list)
    gains: list[float] = attrs.field(factory=list)

    @property
    def value(self) -> float:
        """What came of it on average; one half where nothing has."""
        return fmean(self.values) if self.values else 0.5

    @property
    def gain(self) -> float:
        """How much better it was than the usual answer, on average."""
        return fmean(self.gains) if self.gains else 0.0

    @property
    def error(self) -> float:
        """The standard error of the gain."""
        seen = len(self.gains)
        if not seen:
            return 1.0
        mean = self.gain
        spread = sum((each - mean) ** 2 for each in self.gains) + PRIOR
        return sqrt(spread / seen / seen)


def compare(
    usual: Arm,
    others: Sequence[Arm],
    play: Callable[[Sequence[Arm]], bool],
    spent: Callable[[], float],
) -> None:
    """Spend a budget on finding the best of the others, and how much better it is.

    Args:
        usual: The answer that others are compared with.
        others: Best first, as far as that is known.
        play: Tries answers in one new world and notes what came of them; False: the world was none.
        spent: The share of the budget that is spent, from 0; at 1 no world is begun any more.
    """
    left = list(others)
    # The last rounds are for one answer alone: it may turn out worse before the budget is spent.
    rounds = LAST + ceil(log2(max(len(left), 1)))
    for number in range(rounds):
        enough = (number + 1) / rounds
        least = len(usual.values) + FEWEST
        while left and spent() < 1 and (spent() < enough or len(usual.values) < least):
            play([usual, *left])
        left = _better(left)
        if not left or spent() >= 1:
            return


def _better(arms: Sequence[Arm]) -> list[Arm]:
    """The better half, and of that nothing that is surely worse than the usual answer."""
    order = sorted(arms, key=lambda each: each.gain, reverse=True)
    half = order[: ceil(len(order) / 2)]
    return [each for each in half if each.gain + SURE * each.error > 0]
