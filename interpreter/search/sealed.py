"""Rounds of sealed answers: where one began, so that what others have sealed can be left open.

A round is asked seat by seat, and the answers wait in the frame of the rule that asks. Whoever is asked later must not
know them. So the match is put back to the first question of the round.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiling.analysis import walk
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.layout import Layout, Slots
    from interpreter.machine import Match


@attrs.frozen
class Round:
    """The shape of a round of sealed answers.

    Attributes:
        asks: Numbers of its decisions for one seat, in order, with the names of the answers.
        seat: The name of whoever is asked.
        shared: The kept value that holds the same, if the rules keep it.
        choosers: The name of all who are asked, in order.
        answers: The name of what has been collected.
    """

    asks: tuple[tuple[int, str], ...]
    seat: str
    shared: int | None
    choosers: str
    answers: str


@attrs.frozen
class Opened:
    """A match at the first question of a round.

    Attributes:
        frames: Where it stands.
        slots: Its state.
        own: What the one who is asked now has answered before in this round, by decision.
    """

    frames: tuple[Any, ...]
    slots: Slots
    own: Mapping[int, object]


@lru_cache(maxsize=64)
def rounds(layout: Layout) -> Mapping[int, Round]:
    """Find the rounds of a program, by the number of each decision in them."""
    program = layout.program
    found: dict[int, Round] = {}
    for loop in walk(program.doings):
        if not isinstance(loop, ir.Each) or not isinstance(loop.source, ir.Local):
            continue
        asks = tuple(
            (each.decision, each.name)
            for each in loop.body
            if isinstance(each, ir.Ask) and program.decisions[each.decision].secret
        )
        last = loop.body[-1] if loop.body else None
        if not asks or not isinstance(last, ir.Let):
            continue
        first = loop.body[0]
        shared = first.index if isinstance(first, ir.SetGlobal) else None
        made = Round(asks, loop.name, shared, loop.source.name, last.name)
        found.update((decision, made) for decision, _ in asks)
    return found


def begun(match: Match) -> bool:
    """Has the pending decision begun a round: has nobody sealed an answer yet?"""
    pending = match.pending
    names = _names(match)
    known = None if pending is None else rounds(match.layout).get(pending.index)
    return known is None or names is None or names.get(known.answers) == ()


def opened(match: Match) -> Opened | None:
    """Put a match back to the first question of the round that it is in.

    Returns:
        Where that is; None if no sealed answer of somebody else is known to the match.

    Raises:
        LookupError: The frame does not hold what is needed.
    """
    pending = match.pending
    if pending is None or not pending.secret:
        return None
    shape = rounds(match.layout).get(pending.index)
    names = _names(match)
    if shape is None or names is None:
        raise LookupError("nothing is known of this round")
    if names.get(shape.answers) == ():
        return None
    number, *_ = match.frames[0]
    choosers: Any = names[shape.choosers]
    left = choosers[len(names[shape.answers]) :]
    rest = [name for name, value in names.items() if name.startswith("$rest") and value == left]
    if len(rest) != 1:
        raise LookupError("it is not known who is still asked")
    own: dict[int, object] = {}
    for decision, name in shape.asks:
        if decision == pending.index:
            break
        own[decision] = names[name]
    names |= {shape.answers: (), shape.seat: choosers[0], rest[0]: choosers}
    points = match.points(number)[1]
    place = next(n for n, each in enumerate(points, 1) if each.decision == shape.asks[0][0])
    frame = (number, place, *(names[name] for name in points[place - 1].names))
    slots = match.state()
    if shape.shared is not None:
        slots[match.layout.global_slot(shape.shared)] = choosers[0]
    return Opened((frame, *match.frames[1:]), slots, own)


def _names(match: Match) -> dict[str, Any] | None:
    """The names of the doing that asks, with their values."""
    waiting = match.waiting()
    if waiting is None:
        return None
    return dict(zip(waiting.point.names, waiting.values, strict=True))
