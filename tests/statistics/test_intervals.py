"""How sure figures are."""

from __future__ import annotations

from math import comb, inf, isinf

import pytest

from interpreter.chance import Stream
from interpreter.statistics.intervals import (
    LEVEL,
    bootstrap,
    chance_of_mean,
    chance_of_rate,
    games_needed,
    holm,
    pairs_needed,
    wilson,
)
from interpreter.statistics.tallies import Histogram, Tally


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    """The interval is Wilson's, as tables give it."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_bootstrap_holds_the_mean_as_often_as_it_says() -> None:
    """The mean of a lopsided figure is inside of about 95 % of the intervals."""
    draw = Stream(1, "lopsided")
    inside = 0
    runs = 120
    for _ in range(runs):
        tally = Tally()
        for _ in range(100):
            tally.add(min(draw(8), draw(8)) ** 2)
        low, high = bootstrap(tally, resamples=199)
        inside += low <= 8.75 <= high
    assert 0.87 * runs <= inside <= runs - 1


def test_bootstrap_is_the_same_every_time() -> None:
    """It draws from a seed of its own."""
    tally = Tally()
    for value in range(50):
        tally.add(value * value % 17)
    assert bootstrap(tally) == bootstrap(tally)
    assert bootstrap(tally)[0] < tally.mean < bootstrap(tally)[1]


def test_mcnemar() -> None:
    """Values of the exact test as textbooks give them; many pairs are taken by the normal distribution."""
    assert chance_of_rate(0, 0) == 1
    assert chance_of_rate(5, 0) == pytest.approx(2 / 32)
    assert chance_of_rate(2, 8) == pytest.approx(0.109375)
    assert chance_of_rate(600, 500) == pytest.approx(0.0028, abs=2e-4)


def test_few_differences_prove_little() -> None:
    """Three games that all differ in one direction may do so by chance, however large the differences are."""
    assert chance_of_mean(0.3, 0.01, 3) == 0.25
    assert chance_of_mean(0.3, 0.1, 1000) == pytest.approx(0.0027, abs=1e-4)
    assert chance_of_mean(0.0, 0.0, 0) == 1


def test_holm() -> None:
    """The example of Holm's method that is found everywhere."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_games_needed() -> None:
    """With as many games as recommended the error is as small as a power of 80 % needs."""
    needed = games_needed(0.5, 4.0)
    assert 0.5 / (4.0 / needed) ** 0.5 == pytest.approx(1.96 + 0.8416, abs=1e-2)
    assert games_needed(0.5, 4.0, tests=20) > needed
    assert isinf(games_needed(0, 1.0))
    assert games_needed(0, 1.0) == inf


@pytest.mark.parametrize(("more", "less", "tests"), [(0.25, 0.1, 21), (0.4, 0.2, 3)])
def test_pairs_needed(more: float, less: float, tests: int) -> None:
    """The exact test finds such a difference in 80 % of all runs; with a tenth fewer pairs it would not."""
    needed = int(pairs_needed(more, less, tests))
    assert 0.8 <= power(needed, more, less, tests) <= 0.84
    assert power(int(needed * 0.9), more, less, tests) < 0.8


def test_pairs_needed_where_all_point_one_way() -> None:
    """There the correction is on the safe side."""
    assert power(int(pairs_needed(0.16, 0, 1)), 0.16, 0, 1) >= 0.8
    assert pairs_needed(0.2, 0.2) == inf


def power(pairs: int, more: float, less: float, tests: int) -> float:
    """The probability that the corrected test gives a verdict."""
    either = more + less
    found = 0.0
    for some in range(1, pairs + 1):
        these = comb(pairs, some) * either**some * (1 - either) ** (pairs - some)
        for up in range(some // 2 + 1, some + 1):
            if chance_of_rate(up, some - up) * tests < 1 - LEVEL:
                share = comb(some, up) * (more / either) ** up * (less / either) ** (some - up)
                found += these * share
    return found


@pytest.mark.parametrize("games", [1, 63, 64, 1000, 5000])
def test_tallies_of_parts_are_the_tally_of_all(games: int) -> None:
    """However the games come in batches, the sums and the blocks are the same, and no more than so many."""
    draw = Stream(games, "tally")
    values = [draw(100) for _ in range(games)]
    whole, joined = Tally(), Tally()
    for value in values:
        whole.add(value)
    for start in range(0, games, 64):
        part = Tally()
        for value in values[start : start + 64]:
            part.add(value)
        joined.join(part)
    assert joined == whole
    assert sum(count for _, count in whole.parts()) == games
    assert sum(value for value, _ in whole.parts()) == sum(values)
    assert len(whole.parts()) <= 1024
    assert Tally(**whole.plain()) == whole


def test_games_are_never_added_inside_a_block() -> None:
    """A tally whose last block is not whole takes no bigger ones."""
    big = Tally()
    for value in range(2048):
        big.add(value)
    start = Tally()
    start.add(1)
    with pytest.raises(ValueError, match="whole blocks"):
        start.join(big)


def test_histogram() -> None:
    """Every game is in it; quantiles are right as long as the bins are single numbers."""
    histogram = Histogram()
    for value in range(200):
        histogram.add(value)
    assert histogram.quantile(0.5) == 99
    rows = histogram.rows(24)
    assert len(rows) <= 25
    assert sum(games for _, _, games in rows) == 200
    wide = Histogram()
    for value in range(0, 5000, 7):
        wide.add(value)
    assert len(wide.bins) <= 256
    assert sum(wide.bins.values()) == len(range(0, 5000, 7))
    assert Histogram.of(wide.plain()) == wide
