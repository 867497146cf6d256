"""Random numbers that are the same on every platform and Python version (SplitMix64)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15


class Dice:
    """A source of choices.

    Args:
        seed: The same seed gives the same choices.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed * _GOLDEN + 1) & _MASK

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to ``n - 1``."""
        self._state = (self._state + _GOLDEN) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % n

    def between(self, low: int, high: int) -> int:
        """Draw a whole number from ``low`` to ``high``."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """Say yes so often in a hundred."""
        return self.below(100) < percent

    def pick(self, items: Sequence[Item]) -> Item:
        """Draw one of the items; there must be one."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """Draw so many different items, or all, in their order."""
        left = list(range(len(items)))
        taken = [left.pop(self.below(len(left))) for _ in range(min(count, len(items)))]
        return [items[place] for place in sorted(taken)]

    def weighted(self, items: Sequence[tuple[int, Item]]) -> Item:
        """Draw an item by its weight, a whole number from 0 on; one must be above 0."""
        rank = self.below(sum(weight for weight, _ in items))
        for weight, item in items:
            if rank < weight:
                return item
            rank -= weight
        raise AssertionError(rank)

    def made(self, makers: Sequence[tuple[int, Callable[[], str]]]) -> str:
        """Draw a maker by its weight and give what it makes."""
        return self.weighted(makers)()
