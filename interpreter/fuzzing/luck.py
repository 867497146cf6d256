"""Where the dice of a game come from: fair, or as bad as they can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interpreter.chance import Stream

if TYPE_CHECKING:
    from collections.abc import Callable


class Fair:
    """Even draws from one stream."""

    def __init__(self, seed: str) -> None:
        self.below = Stream(seed, "luck")

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path, by
        return low + self.below(high - low + 1)

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path
        if count is None:
            return source[self.below(len(source))]
        left = list(range(len(source)))
        taken = [left.pop(self.below(len(left))) for _ in range(min(max(count, 0), len(left)))]
        return tuple(source[place] for place in sorted(taken))

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path
        return self.below.mix(items)


class Low(Fair):
    """Ones only, the first of everything; decks as they lie in the box."""

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path, high, by
        return low

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path
        return source[0] if count is None else source[: max(count, 0)]

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path
        return items


class High(Fair):
    """The largest number only, the last of everything; decks the other way round."""

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path, low, by
        return high

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path
        return source[-1] if count is None else source[max(0, len(source) - max(count, 0)) :]

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path
        return items[::-1]


class Alternating(Fair):
    """Lowest and highest by turns."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._high = False

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del path, by
        self._high = not self._high
        return high if self._high else low


class Streaky(Fair):
    """Fair decks, but nearly all dice show one of two numbers."""

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        if self.below(8) == 0:
            return super().roll(path, low, high, by)
        return high if self.below(2) else low


LUCK: Final[dict[str, Callable[[str], Fair]]] = {
    "fair": Fair,
    "low": Low,
    "high": High,
    "alternating": Alternating,
    "streaky": Streaky,
}
"""Every kind of luck by name; all of it follows from a seed."""
