"""A few combinations in which every two values of different factors meet.

Most mistakes of settings need no more than two of them to show. All combinations of sixty options are more than there
are atoms; two dozen hold every pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Final, TypeAlias

FEW: Final = 200
"""So many combinations are all taken."""

Chosen: TypeAlias = Mapping[int, int]
"""A level for some of the factors, both from 0."""

Value: TypeAlias = tuple[int, int]
"""A factor and a level of it."""

Pair: TypeAlias = tuple[Value, Value]
"""Values of two factors, the lower factor first."""

Rule: TypeAlias = Callable[[Chosen], bool]
"""Can this be part of an allowed combination?"""


def count(levels: Sequence[int]) -> int:
    """Give the number of all combinations, those that are not allowed included.

    Args:
        levels: How many values each factor has.
    """
    return prod(levels)


def every(levels: Sequence[int], allowed: Rule) -> Iterator[dict[int, int]]:
    """Give all allowed combinations, the last factor running fastest."""
    for row in product(*(range(each) for each in levels)):
        chosen = dict(enumerate(row))
        if allowed(chosen):
            yield chosen


def covering(levels: Sequence[int], allowed: Rule) -> list[dict[int, int]]:
    """Give combinations that hold every allowed pair; the same ones each time.

    Each is begun with a missing pair of values that are in many others, and takes factor by factor the value that
    brings in most missing pairs.

    Args:
        levels: How many values each factor has.
        allowed: Must be true for everything less than what it is true for. What is allowed must be able to be
            completed by some value of any further factor.
    """
    missing: set[Pair] = {
        ((one, low), (two, high))
        for (one, first), (two, second) in combinations(enumerate(levels), 2)
        for low in range(first)
        for high in range(second)
        if allowed({one: low, two: high})
    }
    rows: list[dict[int, int]] = []
    while missing:
        left = Counter(value for pair in missing for value in pair)
        row = dict(_first(missing, left))
        of_factor = Counter(factor for pair in missing for factor, _ in pair)
        for factor in sorted(range(len(levels)), key=lambda each: (-of_factor[each], each)):
            if factor not in row:
                row[factor] = _best(factor, levels[factor], row, missing, left, allowed)
        covered = set(combinations(sorted(row.items()), 2))
        missing -= covered
        rows.append(dict(sorted(row.items())))
    if not rows and levels:
        rows.extend(_single(levels, allowed))
    return rows


def _first(missing: set[Pair], left: Mapping[Value, int]) -> Pair:
    """Give the missing pair whose values are missing in most others."""
    return max(missing, key=lambda pair: (left[pair[0]] + left[pair[1]], pair))


def _best(
    factor: int,
    levels: int,
    row: Chosen,
    missing: set[Pair],
    left: Mapping[Value, int],
    allowed: Rule,
) -> int:
    def gain(level: int) -> tuple[int, int, int]:
        new = sum(
            (min((factor, level), each), max((factor, level), each)) in missing
            for each in row.items()
        )
        return new, left.get((factor, level), 0), -level

    possible = [level for level in range(levels) if allowed({**row, factor: level})]
    return max(possible or [0], key=gain)


def _single(levels: Sequence[int], allowed: Rule) -> Iterator[dict[int, int]]:
    """Give the rows for one factor, which has no pairs."""
    yield from every(levels, allowed)
