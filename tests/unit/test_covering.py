"""Combinations that hold every pair."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.ui.covering import count, covering, every

if TYPE_CHECKING:
    from collections.abc import Mapping

LEVELS = st.lists(st.integers(1, 3), min_size=1, max_size=6)


def pairs_of(row: Mapping[int, int]) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Give the pairs that a row holds."""
    return set(combinations(sorted(row.items()), 2))


@settings(deadline=None)
@given(LEVELS)
def test_every_pair_is_held_and_rows_are_whole(levels: list[int]) -> None:
    """Without rules each pair of values of two factors is in one row at least."""
    rows = covering(levels, lambda _: True)
    wanted = {pair for row in every(levels, lambda _: True) for pair in pairs_of(row)}
    assert set().union(*map(pairs_of, rows)) == wanted
    assert all(sorted(row) == list(range(len(levels))) for row in rows)
    assert all(0 <= level < levels[factor] for row in rows for factor, level in row.items())


@settings(deadline=None)
@given(LEVELS)
def test_nothing_that_is_not_allowed(levels: list[int]) -> None:
    """Two factors that exclude each other never both have a level but the first."""

    def allowed(chosen: Mapping[int, int]) -> bool:
        return not (chosen.get(0, 0) and chosen.get(len(levels) - 1, 0)) or len(levels) == 1

    rows = covering(levels, allowed)
    assert all(allowed(row) for row in rows)
    wanted = {pair for row in every(levels, allowed) for pair in pairs_of(row)}
    assert wanted <= set().union(*map(pairs_of, rows))


def test_few_rows() -> None:
    """Sixty switches need about a dozen rows, not a million million million; and always the same."""
    rows = covering([2] * 60, lambda _: True)
    assert len(rows) <= 16
    assert rows == covering([2] * 60, lambda _: True)


def test_all() -> None:
    """All combinations, the last factor running fastest."""
    assert count([2, 3]) == 6
    assert list(every([1, 2], lambda _: True)) == [{0: 0, 1: 0}, {0: 0, 1: 1}]
    assert covering([], lambda _: True) == []
