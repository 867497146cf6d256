"""Chance as generated code asks for it: from a provider if there is one, else from the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.chance import INCREMENT, MASK, MULTIPLIER, WORD, picked
from interpreter.faultcodes import EMPTY_SET
from interpreter.runtime import Unmask, fault, need

if TYPE_CHECKING:
    from interpreter.game import Game

Items = tuple[Any, ...]


def _below(g: Game, state: list[Any], slot: int, n: int) -> int:
    """See :func:`interpreter.chance.below`; for up to 2**32. A stream is seeded when first used."""
    at = state[slot]
    if at is None:
        at = g.sow(slot)
    limit = WORD - WORD % n
    while True:
        value = ((at ^ (at >> 22)) >> (22 + (at >> 61))) & 0xFFFFFFFF
        at = (at * MULTIPLIER + INCREMENT) & MASK
        if value < limit:
            state[slot] = at
            return value % n  # type: ignore[no-any-return]


def roll(
    g: Game, state: list[Any], slot: int, path: str, low: int, sides: int, by: int | None
) -> int:
    """Roll a die."""
    if g.plain and sides > 1:
        at = state[slot]
        if at is None:
            at = g.sow(slot)
        value = ((at ^ (at >> 22)) >> (22 + (at >> 61))) & 0xFFFFFFFF
        if value < WORD - sides:
            state[slot] = (at * MULTIPLIER + INCREMENT) & MASK
            return low + value % sides  # type: ignore[no-any-return]
    if g.chance is not None:
        face = g.chance.roll(path, low, low + sides - 1, by)
    else:
        face = low if sides == 1 else low + _below(g, state, slot, sides)
    if g.log is not None:
        g.log.append(("roll", path, face, by))
    return face


def roll_many(
    g: Game, state: list[Any], slot: int, path: str, low: int, sides: int, by: int | None, n: int
) -> Items:
    """Roll several dice."""
    return tuple([roll(g, state, slot, path, low, sides, by) for _ in range(need(n))])


def pick(g: Game, state: list[Any], slot: int, path: str, source: Items) -> Any:  # noqa: ANN401
    """Draw one of several."""
    size = len(source)
    if g.plain and size > 1:  # see _below
        at = state[slot]
        if at is None:
            at = g.sow(slot)
        value = ((at ^ (at >> 22)) >> (22 + (at >> 61))) & 0xFFFFFFFF
        if value < WORD - size:
            state[slot] = (at * MULTIPLIER + INCREMENT) & MASK
            return source[value % size]
    if not source:
        fault("a draw from nothing", code=EMPTY_SET)
    if g.chance is not None:
        drawn = g.chance.pick(path, tuple(source), None)
    else:
        drawn = source[0] if len(source) == 1 else source[_below(g, state, slot, len(source))]
    if g.log is not None:
        g.log.append(("pick", path, drawn))
    return drawn


def draw_one(g: Game, state: list[Any], slot: int, path: str, source: Items) -> Any:  # noqa: ANN401
    """A policy's draw of one of several."""
    if g.chance is not None:
        return g.chance.pick(path, tuple(source), None)
    return source[0] if len(source) == 1 else source[_below(g, state, slot, len(source))]


def pick_bit(g: Game, state: list[Any], slot: int, path: str, mask: int, base: int) -> Any:  # noqa: ANN401
    """Draw one of the things of a mask."""
    size = mask.bit_count()
    if not g.plain or not size:
        return pick(g, state, slot, path, Unmask(base)[mask])
    if size > 1:
        at = state[slot]
        if at is None:
            at = g.sow(slot)
        limit = WORD - WORD % size
        while True:
            value = ((at ^ (at >> 22)) >> (22 + (at >> 61))) & 0xFFFFFFFF
            at = (at * MULTIPLIER + INCREMENT) & MASK
            if value < limit:
                break
        state[slot] = at
        for _ in range(value % size):
            mask &= mask - 1
    return base - 1 + (mask & -mask).bit_length()


def pick_many(g: Game, state: list[Any], slot: int, path: str, source: Items, count: int) -> Items:
    """Draw a set of several of the different items, without putting back."""
    source = tuple(dict.fromkeys(source))
    count = max(min(need(count), len(source)), 0)
    if g.chance is not None:
        given: Any = g.chance.pick(path, source, count)
    else:
        if state[slot] is None:
            state[slot] = g.sow(slot)
        given = picked(state, slot, source, count)
    drawn = tuple(sorted(given))
    if g.log is not None:
        g.log.append(("pick", path, drawn))
    return drawn


def mix(g: Game, state: list[Any], slot: int, path: str, items: Items) -> Items:
    """Shuffle."""
    if g.chance is not None:
        return g.chance.shuffle(path, items)
    left = list(items)
    size = len(left)
    at = state[slot]
    if at is None:
        at = g.sow(slot)
    for place in range(size - 1):
        n = size - place
        limit = WORD - WORD % n
        while True:
            value = ((at ^ (at >> 22)) >> (22 + (at >> 61))) & 0xFFFFFFFF
            at = (at * MULTIPLIER + INCREMENT) & MASK
            if value < limit:
                break
        chosen = place + value % n
        left[place], left[chosen] = left[chosen], left[place]
    state[slot] = at
    return tuple(left)


FUNCTIONS: dict[str, object] = {
    function.__name__: function
    for function in (roll, roll_many, pick, draw_one, pick_bit, pick_many, mix)
}
