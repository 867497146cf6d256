"""Where a match waits, for the reference interpreter: its state, the question with its names, what runs.

A position can be that of one seat. It is then made of what the seat sees and nothing else: whatever reads more is
stopped, so an answer that is worked out from it cannot tell what the seat may not know.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, cast, overload

import attrs

from interpreter.compiling.analysis import walk
from interpreter.errors import EngineError
from interpreter.layout import Layout, Slots
from interpreter.runtime import Unmask
from interpreter.sight.observation import HIDDEN, FaceDown, Hidden, HiddenPile
from interpreter.sight.openness import Openness
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.machine import Match

_Question: TypeAlias = "tuple[ir.Ask, dict[str, Any]] | None"


class UnseenError(EngineError):
    """Something reads what the seat may not see."""

    def __init__(self) -> None:
        super().__init__("it depends on what you may not see")


class SeenSlots(list[object]):
    """The slots of a state as far as a seat sees them; reading another one stops what reads it.

    Attributes:
        face_down: How many things of a kind lie face down in a position and place, where one can see that.
    """

    def __init__(self, slots: Slots, face_down: Counter[tuple[int, int, int]]) -> None:
        super().__init__(slots)
        self.face_down = face_down

    @overload
    def __getitem__(self, slot: SupportsIndex) -> object: ...

    @overload
    def __getitem__(self, slot: slice) -> list[object]: ...

    def __getitem__(self, slot: SupportsIndex | slice) -> object:
        """Give a value, or those of a slice.

        Raises:
            UnseenError: The seat does not see it.
        """
        found = super().__getitem__(slot)
        if _is_unseen(found):
            raise UnseenError
        return found

    def __iter__(self) -> Iterator[object]:
        """Give all values.

        Raises:
            UnseenError: The seat does not see one of them.
        """
        return (self[slot] for slot in range(len(self)))

    def raw(self, slot: int) -> object:
        """Give what stands for a value: `HIDDEN`, a `HiddenPile` and so on where it is not seen."""
        return super().__getitem__(slot)


def _is_unseen(value: object) -> bool:
    if isinstance(value, (tuple, list)):
        return any(_is_unseen(each) for each in value)
    return isinstance(value, (Hidden, HiddenPile, FaceDown))


@attrs.frozen(eq=False)
class Position:
    """Where a match waits.

    Attributes:
        program: The program that its state is laid out for.
        options: Values of the options.
        slots: The state; for one seat `SeenSlots`.
        question: What is asked, and the names that it reads; None if nothing is, or another seat is.
        offered: What can be answered to it; of a set its members.
        seat: Whose view it is, from 0; None: everything.
    """

    program: ir.Program
    options: tuple[object, ...]
    slots: Slots
    question: _Question
    offered: tuple[object, ...] = ()
    seat: int | None = None


def position_of(
    match: Match,
    program: ir.Program | None = None,
    seat: int | None = None,
    openness: Openness | None = None,
) -> Position:
    """Say where a match waits.

    Args:
        match: It is not changed.
        program: Its program with more definitions and kept values, such as those of a question, and none of other
            fields and kinds; None: its own.
        seat: Whose view is wanted, from 0; None: everything.
        openness: Of the match's program, if it is known already; counts for a view.
    """
    layout = match.layout
    slots = match.state()
    question = _question_of(match)
    if seat is not None:
        openness = openness or Openness(match.program)
        slots, question = _seen(match, slots, question, seat, openness)
    if program is not None:
        running = Counter(each.name for each in match.stack)
        slots = _laid_out(slots, layout, Layout(program), running)
    if seat is not None:
        slots = SeenSlots(slots, Counter(match.observation(seat).face_down))
    pending = match.pending if question is not None else None
    offered = [each for group in pending.options.groups for each in group] if pending else ()
    return Position(program or match.program, match.options, slots, question, tuple(offered), seat)


def _seen(
    match: Match, state: Slots, question: _Question, seat: int, openness: Openness
) -> tuple[Slots, _Question]:
    """Give what a seat knows of a state and of the names of a question."""
    layout = match.layout
    program = layout.program
    slots: Slots = list(match.observation(seat).slots)
    for block in range(len(program.blocks)):
        rows = cast("tuple[tuple[object, ...], ...]", slots[layout.rows + block])
        slots[layout.rows + block] = tuple((0, values, False) for values in rows)
    for doing in program.doings:  # what runs is told to everybody
        if doing.running is not None:
            slots[layout.global_slot(doing.running)] = state[layout.global_slot(doing.running)]
    pending = match.pending
    asked = question is not None and pending is not None and pending.seat == seat
    chooser = question[0].chooser if question is not None and asked else None
    for kept in program.globals:  # names that the steps of a phase share
        slot = layout.global_slot(kept.index)
        known = not kept.shown and kept.phase is not None and openness.kept(kept.index, chooser)
        if known and slots[slot] is HIDDEN and not _names_unseen(state[slot], slots, layout):
            slots[slot] = state[slot]
    waiting = match.waiting()
    if question is None or chooser is None or waiting is None:
        return slots, None
    names = {
        name: value
        for name, value in question[1].items()
        if openness.local(waiting.doing, name, chooser) and not _names_unseen(value, slots, layout)
    }
    return slots, (question[0], names)


def _laid_out(slots: Slots, old: Layout, new: Layout, running: Counter[str]) -> Slots:
    """Give a state for a program with more kept values; what no expression reads is left as at the start."""
    made = new.initial(0)
    made[: old.globals] = slots[: old.globals]
    places: dict[tuple[str, int], int] = {}
    times: Counter[str] = Counter()
    for each in old.program.globals:
        times[each.name] += 1
        places[each.name, times[each.name]] = old.global_slot(each.index)
    counters = {
        doing.running: running[doing.name]
        for doing in new.program.doings
        if doing.running is not None
    }
    times.clear()
    for each in new.program.globals:
        times[each.name] += 1
        was = places.get((each.name, times[each.name]))
        if was is not None:
            made[new.global_slot(each.index)] = slots[was]
        elif each.index in counters:
            made[new.global_slot(each.index)] = counters[each.index]
    made[new.rows : new.durations] = slots[old.rows : old.durations]
    made[new.winners] = slots[old.winners]
    made[new.decisions] = slots[old.decisions]
    return made


def _names_unseen(value: object, slots: Slots, layout: Layout) -> bool:
    """Is this a thing of which the seat does not even see where it is, or does it hold one?"""
    if isinstance(value, tuple):
        return any(_names_unseen(each, slots, layout) for each in value)
    if not isinstance(value, int) or isinstance(value, bool) or value >= len(layout.kind_of):
        return False
    offset = layout.positions[layout.kind_of[value]] if value >= 0 else None
    return offset is not None and slots[offset + value] is HIDDEN


# ---------------------------------------------------------------- the question


def _question_of(match: Match) -> tuple[ir.Ask, dict[str, Any]] | None:
    """Find the question that waits, and the names that it reads."""
    waiting = match.waiting()
    if waiting is None:
        return None
    point = waiting.point
    ask = next(
        (
            each
            for each in walk((match.program.doings,))
            if isinstance(each, ir.Ask) and each.decision == point.decision
        ),
        None,
    )
    if ask is None:
        return None
    types = {each.name: each.type for each in walk(ask) if isinstance(each, ir.Local)}
    names = {
        name: _plain(value, types[name], waiting.unmasks)
        for name, value in zip(point.names, waiting.values, strict=True)
        if name in types
    }
    return ask, names


def _plain(value: object, of: ir.Type, unmasks: dict[int, int]) -> object:
    """Give a set of things as a tuple, where generated code keeps it as a mask."""
    masked = of.shape == "set" and isinstance(value, int) and of.elem is not None
    if not masked or of.elem is None:
        return value
    first = min(unmasks[kind] for kind in of.elem.kinds)
    return Unmask(first)[cast("int", value)]
