"""How sure a figure is: intervals, tests, and how many games would be needed.

Everything is of the standard library: rates get Wilson's interval, means a bootstrap of blocks of games, paired rates
McNemar's exact test, paired means the normal distribution with a bound for rare differences.
"""

from __future__ import annotations

from math import ceil, comb, inf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from interpreter.chance import Stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.statistics.tallies import Tally

LEVEL: Final = 0.95
"""Intervals hold the true value in this share of all runs."""
POWER: Final = 0.8
"""With the number of games that is recommended, a difference of the size seen is found in this share of all runs."""
RESAMPLES: Final = 999
_DRAWN_BLOCKS: Final = 128
_EXACT: Final = 1000
_NORMAL: Final = NormalDist()

Interval = tuple[float, float]


def wilson(successes: float, trials: int, level: float = LEVEL) -> Interval:
    """Give Wilson's interval of a rate, both ends from 0 to 1."""
    if trials == 0:
        return 0.0, 1.0
    z = _NORMAL.inv_cdf((1 + level) / 2)
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    reach = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def bootstrap(tally: Tally, level: float = LEVEL, resamples: int = RESAMPLES) -> Interval:
    """Give the interval of a mean by drawing blocks of games again, from the same seed each time.

    Few blocks spread too little; the interval is widened by what the unbiased variance asks for.
    """
    parts = tally.parts()
    if len(parts) < 2 or tally.least == tally.most:
        return tally.mean, tally.mean
    while len(parts) > _DRAWN_BLOCKS:
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [
            (one + other, games + more)
            for (one, games), (other, more) in zip(parts[::2], parts[1::2], strict=False)
        ] + odd
    blocks = len(parts)
    draw = Stream(tally.count, "bootstrap")
    found: list[float] = []
    for _ in range(resamples):
        total, count = 0.0, 0
        for _ in range(blocks):
            value, games = parts[draw(blocks)]
            total += value
            count += games
        found.append(total / count)
    found.sort()
    tail = (1 - level) / 2
    low = found[max(0, int(tail * (resamples + 1)) - 1)]
    high = found[min(resamples, ceil((1 - tail) * (resamples + 1))) - 1]
    wider = sqrt(blocks / (blocks - 1))
    mean = tally.mean
    return mean + (low - mean) * wider, mean + (high - mean) * wider


def around(mean: float, error: float, level: float = LEVEL) -> Interval:
    """Give the interval of a mean with this standard error, by the normal distribution."""
    reach = _NORMAL.inv_cdf((1 + level) / 2) * error
    return mean - reach, mean + reach


def paired_rate(more: int, less: int, pairs: int, level: float = LEVEL) -> Interval:
    """Give the interval of a difference of rates in pairs of games (Bonett and Price, 2012).

    Args:
        more: Pairs in which only the second game had it.
        less: Pairs in which only the first one had it.
        pairs: All pairs.
        level: Of the interval.
    """
    only, other = (more + 1) / (pairs + 2), (less + 1) / (pairs + 2)
    error = sqrt((only + other - (only - other) ** 2) / (pairs + 2))
    low, high = around(only - other, error, level)
    return max(-1.0, low), min(1.0, high)


def chance_of_rate(more: int, less: int) -> float:
    """Give the probability that pairs of games differ by so much if there is no difference: McNemar's exact test.

    Args:
        more: Pairs in which only the second game had it.
        less: Pairs in which only the first one had it.
    """
    pairs = more + less
    if pairs == 0:
        return 1.0
    if pairs > _EXACT:
        return _tails((abs(more - less) - 1) / sqrt(pairs))
    tail = sum(comb(pairs, each) for each in range(min(more, less) + 1))
    return min(1.0, float(2 * tail / 2**pairs))


def chance_of_mean(mean: float, error: float, different: int) -> float:
    """Give the probability that the mean of differences is this far from 0 if there is no difference.

    Args:
        mean: Of the differences.
        error: Its standard error.
        different: How many pairs of games differed at all. However equal they are, that many signs allow no more.
    """
    if different == 0:
        return 1.0
    bound: float = 2.0 ** (1 - min(different, _EXACT))
    return max(_tails(abs(mean) / error) if error else 0.0, bound) if mean else 1.0


def _tails(z: float) -> float:
    return 2 * _NORMAL.cdf(-z) if z > 0 else 1.0


def holm(chances: Sequence[float]) -> list[float]:
    """Correct the probabilities of several tests by Holm's method.

    Whoever takes those below 5 % for real errs with any of them in at most 5 % of all runs.
    """
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    corrected = [1.0] * len(chances)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[place]))
        corrected[place] = highest
    return corrected


def games_needed(mean: float, variance: float, tests: int = 1, level: float = LEVEL) -> float:
    """Say how many pairs of games would show a difference of this size.

    Args:
        mean: The difference.
        variance: Of the differences of single pairs.
        tests: How many measures are tested at once; the strictest level of Holm's method counts.
        level: Of the intervals.

    Returns:
        So many that it would be found in 80 % of all runs; infinite if there is no difference at all.
    """
    if mean == 0:
        return inf
    z = _NORMAL.inv_cdf(1 - (1 - level) / (2 * tests)) + _NORMAL.inv_cdf(POWER)
    return ceil(z * z * variance / (mean * mean))


def pairs_needed(more: float, less: float, tests: int = 1, level: float = LEVEL) -> float:
    """Say how many pairs of games would show that a rate differs so much by McNemar's exact test.

    After Connor (1987), with the correction of Fleiss, Tytun and Ury (1980) for a test that counts whole pairs.

    Args:
        more: The share of pairs in which only the second game has it.
        less: The share of pairs in which only the first one has it.
        tests: How many measures are tested at once; the strictest level of Holm's method counts.
        level: Of the intervals.

    Returns:
        So many that it would be found in 80 % of all runs; infinite if there is no difference at all.
    """
    size, either = abs(more - less), more + less
    if size == 0:
        return inf
    strict, power = _NORMAL.inv_cdf(1 - (1 - level) / (2 * tests)), _NORMAL.inv_cdf(POWER)
    spread = strict * sqrt(either) + power * sqrt(max(0.0, either - size * size))
    pairs = (spread / size) ** 2
    return ceil(pairs / 4 * (1 + sqrt(1 + 4 / (pairs * size))) ** 2)
