"""What must hold at every decision of every game; each check says what is wrong, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.errors import EngineError
from interpreter.fuzzing.luck import Fair
from interpreter.layout import BOX, FIRST_PILE, NOWHERE
from interpreter.machine import Match
from interpreter.sight.redeal import differences, redealt

if TYPE_CHECKING:
    from interpreter.chance import Stream


def structure(match: Match) -> str:
    """Say which component is not in exactly one place; empty if all are."""
    layout = match.layout
    slots = match.state()
    seen: dict[int, int] = {}
    for number, (field, owner) in enumerate(layout.piles):
        for thing in layout.read_tuple(slots, field, owner):
            if thing in seen:
                return f"{layout.program.fields[field].name}: a thing is in two piles"
            seen[thing] = FIRST_PILE + number
    for thing, kind in enumerate(layout.kind_of):
        if layout.positions[kind] is None:
            continue
        position, place = layout.where(slots, thing)
        if seen.get(thing, position if position in (NOWHERE, BOX) else -1) != position:
            return f"a {layout.program.kinds[kind].name} is not where it says that it is"
        if position != NOWHERE and place is not None:
            return f"a {layout.program.kinds[kind].name} is in a pile and at a place"
    return ""


def views(match: Match, below: Stream) -> str:
    """Say what somebody who is not asked can see of what he must not see; empty if nothing."""
    decision = match.pending
    for seat in match.people:
        if decision is None or seat == decision.seat:
            continue
        twin = _redealt(match, seat, below)
        if twin is None:
            continue
        # What another is asked may depend on what this one does not see: that tells nothing.
        for told in differences(match, twin, seat):
            if told.startswith("sees "):
                return f"seat {seat + 1} {told}"
    return ""


def secrecy(match: Match, below: Stream) -> str:
    """Say what a question tells of what its chooser cannot see; empty if nothing."""
    decision = match.pending
    if decision is None:
        return ""
    probe = match.clone()
    probe.draw_from(Fair("probe"))
    try:
        twin = redealt(probe, decision.seat, below)
    except EngineError as error:
        return f"{decision.path} depends on what its chooser cannot see: {error}"
    told = differences(match, twin, decision.seat)
    return f"{told[0]}, though nothing has changed that its chooser can see" if told else ""


def continuation(match: Match, below: Stream) -> str:
    """Say how a game that was saved and loaded, or copied, goes on in another way; empty if it does not."""
    decision = match.pending
    if decision is None:
        return ""
    answer = decision.options.sample(below)
    seed = f"{below(1 << 30)}"
    loaded = Match.restore(
        match.program, match.save(), checks=True, optimise=False, chance=Fair(seed)
    )
    copied = match.clone()
    copied.draw_from(Fair(seed))
    other = match.clone()
    other.draw_from(Fair(seed))
    first = _after(copied, answer)
    if _after(loaded, answer) != first:
        return f"a game that is saved and loaded at {decision.path} goes on in another way"
    if _after(other, answer) != first:
        return f"a game that is copied at {decision.path} goes on in another way"
    return ""


def _redealt(match: Match, seat: int, below: Stream) -> Match | None:
    probe = match.clone()
    probe.draw_from(Fair("probe"))
    try:
        return redealt(probe, seat, below)
    except EngineError:
        return None


def _after(match: Match, answer: object) -> object:
    """What can be told of a game after one answer."""
    try:
        match.apply(answer)
        asked = match.next()
    except EngineError as error:
        return str(error)
    state = tuple(match.state())
    if asked is None:
        return state, match.outcome
    return state, asked.path, asked.seat, asked.prompt, tuple(asked.options)
