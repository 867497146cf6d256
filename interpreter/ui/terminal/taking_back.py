"""Which answers can be taken back: those since which nobody at the table has learnt anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter import events as log
from interpreter.sight.observation import FaceDown, Hidden, HiddenPile, Observation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interpreter.events import Event
    from interpreter.layout import Layout, Slots

_CHANCE = frozenset((log.ROLL, log.PICK, log.SHUFFLE))


@attrs.frozen
class Moment:
    """A question that a person was asked.

    Attributes:
        answers: How many answers had been given in the game.
        events: How many events there were.
        seat: Who was asked.
        state: The state.
    """

    answers: int
    events: int
    seat: int
    state: Slots


def refusal(
    then: Moment, now: Slots, events: Sequence[Event], layout: Layout, people: Iterable[int]
) -> str:
    """Say why the answer at a moment cannot be taken back; empty if it can.

    Args:
        then: When it was asked for.
        now: The state now.
        events: All that has happened.
        layout: Of the states.
        people: The seats of persons.
    """
    for event in events[then.events :]:
        if event[0] in _CHANCE:
            return "dice were rolled or cards drawn since"
        if event[0] == log.SHOW:
            return "something was shown since"
        if event[0] == log.ANSWER and event[2] != then.seat and event[4] != log.SOLE:
            return "somebody else has answered since"
    for seat in people:
        before, after = (Observation(layout, slots, seat).slots for slots in (then.state, now))
        if any(_learnt(old, new) for old, new in zip(before, after, strict=True)):
            return f"something that was hidden is seen since{'' if seat == then.seat else ' by others'}"
    return ""


def _learnt(old: object, new: object) -> bool:
    """Does a seat see now what it did not see?"""
    if isinstance(old, Hidden):
        return not isinstance(new, Hidden)
    if isinstance(old, HiddenPile):
        return not isinstance(new, HiddenPile)
    if isinstance(old, FaceDown):
        return not isinstance(new, FaceDown)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return _face_down(old) > _face_down(new)
    return False


def _face_down(values: tuple[object, ...]) -> int:
    return sum(isinstance(each, FaceDown) for each in values)
