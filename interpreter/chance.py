"""Chance: a small generator whose state lives in the game, and the door for other sources.

PCG32 (a 64-bit linear congruential generator with the XSH-RS output) with one state for each path,
so a game can be cloned, saved and undone with its dice, and a new draw elsewhere leaves the other
streams as they were. The numbers are the same on every platform and Python version.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
MASK = (1 << 64) - 1
WORD = 1 << 32


class ChanceProvider(Protocol):
    """Draws from outside: a script, or real dice typed in.

    It is asked for every draw, also where only one outcome is possible.
    """

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """Give a whole number from low to high; ``by`` is the player who rolls, if named."""
        ...

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """Give one of ``source``, or with ``count`` a tuple of that many different ones."""
        ...

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """Give the items in a new order."""
        ...


def seeded(seed: int | str, path: str) -> int:
    """The first state (0 to 2**64 - 1) of the stream for a path."""
    return int.from_bytes(blake2b(f"{seed}\0{path}".encode(), digest_size=8).digest(), "big")


def word(state: int) -> tuple[int, int]:
    """A number of 32 bits and the next state."""
    value = ((state ^ (state >> 22)) >> (22 + (state >> 61))) & 0xFFFFFFFF
    return value, (state * MULTIPLIER + INCREMENT) & MASK


def below(slots: list[object], slot: int, n: int) -> int:
    """Draw an even whole number from 0 to n - 1 with the state in ``slots[slot]``; n is 1 or more.

    By rejection. Above 2**32 several words are joined, the first one highest.
    """
    state = slots[slot]
    assert isinstance(state, int)  # noqa: S101 - the layout puts streams there
    span = WORD
    words = 1
    while span < n:
        span *= WORD
        words += 1
    limit = span - span % n
    while True:
        number = 0
        for _ in range(words):
            value, state = word(state)
            number = number * WORD + value
        if number < limit:
            slots[slot] = state
            return number % n


class Draws:
    """Even draws from one source: call it with n for a number from 0 to n - 1.

    Attributes:
        below: The source itself, for whoever draws often.
    """

    __slots__ = ("below",)

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    def __call__(self, n: int) -> int:
        """Draw an even whole number from 0 to n - 1."""
        return self.below(n)

    def pick(self, items: tuple[Any, ...]) -> Any:  # noqa: ANN401 - one of them
        """Draw one of the items; the only one without a draw."""
        return items[self(len(items)) if len(items) > 1 else 0]

    def mix(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """The items in an even random order, drawn from the top down."""
        left = list(items)
        for place in range(len(left) - 1):
            chosen = place + self(len(left) - place)
            left[place], left[chosen] = left[chosen], left[place]
        return tuple(left)


class OutsideDraws(Draws):
    """The draws of one path that a chance provider makes."""

    __slots__ = ("_chance", "_path")

    def __init__(self, chance: ChanceProvider, path: str) -> None:
        super().__init__(lambda n: chance.pick(path, tuple(range(n)), None))  # type: ignore[arg-type, return-value]
        self._chance = chance
        self._path = path

    def pick(self, items: tuple[Any, ...]) -> Any:  # noqa: ANN401 - one of them
        """One of the items; asked for also where there is only one."""
        return self._chance.pick(self._path, items, None)

    def mix(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """The items in a new order."""
        return self._chance.shuffle(self._path, items)


def _generator(state: int) -> Callable[[int], int]:
    """Draws from a generator that nobody else uses; see :func:`below`."""

    def draw(n: int) -> int:
        nonlocal state
        value = ((state ^ (state >> 22)) >> (22 + (state >> 61))) & 0xFFFFFFFF
        if value < WORD - n:
            state = (state * MULTIPLIER + INCREMENT) & MASK
            return value % n
        slots: list[object] = [state]
        number = below(slots, 0, n)
        state = slots[0]  # type: ignore[assignment]
        return number

    return draw


class Stream(Draws):
    """A generator of its own, for providers: call it with n for a number from 0 to n - 1."""

    __slots__ = ()

    def __init__(self, seed: int | str, path: str) -> None:
        super().__init__(_generator(seeded(seed, path)))


def shuffled(slots: list[object], slot: int, items: Sequence[object]) -> tuple[object, ...]:
    """The items in an even random order: from the top down each place draws one of what is left.

    The last place draws nothing.
    """
    return Draws(lambda n: below(slots, slot, n)).mix(tuple(items))


def picked(
    slots: list[object], slot: int, source: Sequence[object], count: int
) -> tuple[object, ...]:
    """``count`` of the items without replacement, kept in the order of ``source``.

    All of them, without a draw, where there are no more than that.
    """
    if count >= len(source):
        return tuple(source)
    left = list(range(len(source)))
    chosen = [left.pop(below(slots, slot, len(left))) for _ in range(max(count, 0))]
    return tuple(source[place] for place in sorted(chosen))


def picked_one(slots: list[object], slot: int, source: Sequence[object]) -> object:
    """One of the items, evenly; the only one without a draw."""
    return source[0] if len(source) == 1 else source[below(slots, slot, len(source))]
