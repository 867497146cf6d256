"""Sums of a figure over games, which can be joined and take the same space however many games there are."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import Any, Final

import attrs

MOST_BLOCKS: Final = 512
"""So many blocks are kept; then two neighbours become one."""
MOST_BINS: Final = 256


@attrs.define
class Tally:
    """One figure: its mean, its spread, and sums of blocks of neighbouring games to draw from again.

    Games are independent, so blocks of equal size are too: the spread of their means says how sure the mean of all is,
    and a bootstrap may draw blocks instead of games.

    Attributes:
        count: How many games.
        total: The sum.
        squares: The sum of the squares.
        least: The smallest value; infinite if there is none.
        most: The largest value; minus infinity if there is none.
        size: Games in a block, a power of 2.
        blocks: Sums of whole blocks, in order of the games.
        rest: Sum of the last block, if it is not whole.
        resting: Games in it.
    """

    count: int = 0
    total: float = 0
    squares: float = 0
    least: float = float("inf")
    most: float = float("-inf")
    size: int = 1
    blocks: list[float] = attrs.field(factory=list)
    rest: float = 0
    resting: int = 0

    def add(self, value: float) -> None:
        """Count a game."""
        self.count += 1
        self.total += value
        self.squares += value * value
        if value < self.least:  # noqa: PLR1730 - a call of min for each figure of each game shows
            self.least = value
        if value > self.most:  # noqa: PLR1730 - the same
            self.most = value
        self.rest += value
        self.resting += 1
        if self.resting == self.size:
            self._close()

    def join(self, later: Tally) -> None:
        """Count the games of another tally, which come after those of this one.

        Raises:
            ValueError: The games of this one do not fill whole blocks of the other one.
        """
        self.count += later.count
        self.total += later.total
        self.squares += later.squares
        self.least = min(self.least, later.least)
        self.most = max(self.most, later.most)
        for value, games in later.parts():
            while self.size < games:
                self._halve()
            self.rest += value
            self.resting += games
            if self.resting > self.size:
                raise ValueError("games can only be added after whole blocks")
            if self.resting == self.size:
                self._close()

    def _close(self) -> None:
        """A block is whole."""
        self.blocks.append(self.rest)
        self.rest, self.resting = 0, 0
        if len(self.blocks) == 2 * MOST_BLOCKS:
            self._halve()

    def _halve(self) -> None:
        """Make one block of each two."""
        if len(self.blocks) % 2:
            self.rest, self.resting = self.blocks.pop() + self.rest, self.size + self.resting
        self.blocks = [sum(pair) for pair in zip(self.blocks[::2], self.blocks[1::2], strict=True)]
        self.size *= 2

    @property
    def mean(self) -> float:
        """The mean; of no games 0."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """The variance of single games, as far as these tell; of less than two games 0."""
        if self.count < 2:
            return 0.0
        return max(0.0, (self.squares - self.total * self.total / self.count) / (self.count - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean; of no games 0."""
        return sqrt(self.variance / self.count) if self.count else 0.0

    def parts(self) -> list[tuple[float, int]]:
        """Sum and number of games of each block, in order, the last one perhaps not whole."""
        found = [(each, self.size) for each in self.blocks]
        return [*found, (self.rest, self.resting)] if self.resting else found

    def plain(self) -> dict[str, Any]:
        """As plain data, from which `Tally(**data)` makes it again."""
        return attrs.asdict(self)


@attrs.define
class Histogram:
    """How many games had which whole number; neighbours share a bin if there are too many.

    Attributes:
        width: Numbers in a bin, a power of 2.
        bins: Number of the bin to games.
    """

    width: int = 1
    bins: dict[int, int] = attrs.field(factory=dict)

    def add(self, value: int, games: int = 1) -> None:
        """Count a game."""
        place = value // self.width
        self.bins[place] = self.bins.get(place, 0) + games
        while len(self.bins) > MOST_BINS:
            self._widen()

    def join(self, other: Histogram) -> None:
        """Count the games of another one."""
        while self.width < other.width:
            self._widen()
        for place, games in other.bins.items():
            self.add(place * other.width, games)

    def _widen(self) -> None:
        self.width *= 2
        wider: dict[int, int] = {}
        for place, games in self.bins.items():
            wider[place // 2] = wider.get(place // 2, 0) + games
        self.bins = wider

    def quantile(self, share: float) -> float:
        """The value below which about this share (0 to 1) of the games lies; of no games 0."""
        wanted = share * sum(self.bins.values())
        seen = 0
        for place, games in sorted(self.bins.items()):
            seen += games
            if seen >= wanted:
                return place * self.width + (self.width - 1) / 2
        return 0.0

    def rows(self, most: int) -> list[tuple[int, int, int]]:
        """First and last number and games of at most so many rows of equal width, empty ones too."""
        if not self.bins:
            return []
        low, high = min(self.bins), max(self.bins)
        step = (high - low) // most + 1
        starts = [*range(low, high + 1, step), high + 1 + (-(high + 1 - low) % step)]
        return [
            (
                start * self.width,
                end * self.width - 1,
                sum(self.bins.get(place, 0) for place in range(start, end)),
            )
            for start, end in pairwise(starts)
        ]

    def plain(self) -> dict[str, Any]:
        """As plain data for JSON; see :meth:`of`."""
        return {"width": self.width, "bins": sorted(self.bins.items())}

    @classmethod
    def of(cls, data: dict[str, Any]) -> Histogram:
        """Make it again of plain data."""
        return cls(data["width"], {place: games for place, games in data["bins"]})  # noqa: C416
