"""What is known of a value in one case of a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import Factory, define

if TYPE_CHECKING:
    from collections.abc import Iterable

LISTED: Final = 64
"""So many values are listed one by one."""


@define(eq=False)
class Range:
    """What is known of a term: bounds, what it may be, what it is not, whether it is none."""

    low: int | None = None
    high: int | None = None
    among: frozenset[object] | None = None
    never: set[object] = Factory(set)
    none: bool | None = None

    def is_empty(self) -> bool:
        """Tell whether nothing is left that the term can be."""
        if self.none is not False:
            return False
        if self.low is not None and self.high is not None:
            if self.low > self.high:
                return True
            if self.high - self.low < LISTED:
                return not self.left()
        return self.among is not None and not self.left()

    def left(self) -> list[object]:
        """Give the values that are left, where they can be listed."""
        values: Iterable[object]
        if self.among is not None:
            values = self.among
        elif self.low is not None and self.high is not None and self.high - self.low < LISTED:
            values = range(self.low, self.high + 1)
        else:
            return []
        return sorted((each for each in values if self.fits(each)), key=repr)

    def fits(self, value: object) -> bool:
        """Tell whether a value is within the bounds and not excluded."""
        if value in self.never:
            return False
        if not isinstance(value, int):
            return True
        return not (
            (self.low is not None and value < self.low)
            or (self.high is not None and value > self.high)
        )
