"""Do the two engines play alike? One program on both, compared decision by decision.

The reference interpreter plays a game with answers drawn from the seed. Then the generated code
plays it: in one go with the same providers, and step by step from the answers that were recorded.
At every decision of the second way the match is cloned, saved and restored; the copies must be
equal to it, must come to the same next decision, and must not disturb it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.budget import DEPTH
from interpreter.errors import EngineError, RuleFault
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider
from interpreter.reference import Reference
from interpreter.reference.limits import EnoughError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from interpreter.decision import Decision
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation
    from rulelang import ir

    Start = Callable[[Mapping[int, DecisionProvider] | None], Match]

Asked = tuple[Any, ...]

LONGEST = 300
"""A game is compared up to so many answers."""


LONG: tuple[object, ...] = ("long enough",)


@attrs.frozen
class Difference:
    """Where two ways to play one game part.

    Attributes:
        where: Which two ways, and after how many decisions.
        what: What differs.
        expected: On the reference interpreter, or in the match copied from.
        found: In the other one.
    """

    where: str
    what: str
    expected: object
    found: object

    def __str__(self) -> str:
        """All of it, on four lines."""
        return (
            f"{self.where}: {self.what}\n"
            f"  expected: {self.expected!r:.2000}\n  found:    {self.found!r:.2000}"
        )


@attrs.frozen
class Played:
    """How a game went.

    Attributes:
        asked: Every question that a person was asked, as :func:`shown` gives it.
        answers: What was answered.
        states: The state at each question.
        events: The event log.
        state: The state at the end; None after a fault.
        winners: Who won.
        fault: What stopped it, None if nothing did.
    """

    asked: list[Asked]
    answers: list[object]
    states: list[list[object]]
    events: list[tuple[object, ...]]
    state: list[object] | None
    winners: tuple[int, ...] | None
    fault: tuple[object, ...] | None


def compare(
    program: ir.Program,
    seed: int,
    people: Sequence[int] | None = None,
    *,
    optimise: bool = True,
    options: Sequence[object] | None = None,
    twin: ir.Program | None = None,
) -> Difference | None:
    """Play one game in all ways.

    Args:
        program: What is played.
        seed: For chance and for the answers.
        people: The seats that have a person; all if left out.
        optimise: Whether the generated code is optimised.
        options: One value for each option; the defaults if left out.
        twin: An equal Program on which saved games are restored, as in another process.

    Returns:
        The first difference found, None if there is none.
    """
    seats = tuple(range(program.seats)) if people is None else tuple(people)
    expected = by_reference(program, seed, seats, options)

    def match(providers: Mapping[int, DecisionProvider] | None = None) -> Match:
        return Match(
            program, people=seats, seed=seed, options=options, providers=providers, log=True,
            checks=True, optimise=optimise,
        )  # fmt: skip

    def restore(text: str) -> Match:
        return Match.restore(twin or program, text, log=True, checks=True, optimise=optimise)

    return (
        _in_one_go(match, program, seed, seats, expected)
        or _quickly(match, program, seed, seats, expected)
        or _by_steps(match, restore, program, expected)
    )


def by_reference(
    program: ir.Program,
    seed: int,
    people: Sequence[int],
    options: Sequence[object] | None = None,
) -> Played:
    """Play a game on the reference interpreter."""
    recorders = {seat: _Recorder(seed, seat) for seat in people}
    states: list[list[object]] = []

    def watch(_: Decision) -> None:
        if len(states) == LONGEST:
            raise EnoughError
        states.append(game.slots[: game.layout.size])

    asked: list[tuple[Asked, object]] = []
    for recorder in recorders.values():
        recorder.notes = asked
    game = Reference(program, options, seed=seed, people=people, providers=recorders, watch=watch)
    fault: tuple[object, ...] | None = None
    try:
        game.play()
    except RuleFault as raised:
        fault = fault_of(raised)
    except EnoughError:
        fault = LONG
    return Played(
        [each for each, _ in asked],
        [answer for _, answer in asked],
        states,
        list(game.events),
        None if fault else game.slots[: game.layout.size],
        game.winners,
        fault,
    )


def shown(decision: Decision) -> Asked:
    """Everything that a provider can see of a decision."""
    options = decision.options
    return (
        decision.path,
        decision.seat,
        decision.form,
        decision.secret,
        decision.prompt,
        tuple((each.value, each.text, each.key, each.count) for each in options),
        getattr(options, "least", None),
        getattr(options, "most", None),
        options.some(3),
        decision.citations,
    )


def fault_of(fault: RuleFault) -> tuple[object, ...]:
    """What is compared of a fault.

    Where doings are too deep inside each other only that: the generated code counts those that can
    run inside themselves, so it may stop a few doings later.
    """
    names = tuple(entry.name for entry in fault.stack)
    return type(fault).__name__, fault.code, fault.message, names if len(names) < DEPTH else ()


def _too_deep(fault: tuple[object, ...] | None) -> bool:
    """Tell whether a game was stopped because doings were too deep inside each other."""
    return fault is not None and fault != LONG and fault[-1] == ()


class _Recorder:
    """Answers at random, as :class:`RandomProvider` does, and notes what it was asked."""

    def __init__(self, seed: int, seat: int) -> None:
        self._random = RandomProvider(f"{seed}/{seat}")
        self.notes: list[tuple[Asked, object]] = []

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Answer."""
        if len(self.notes) == LONGEST:
            raise EnoughError
        answer = self._random.decide(observation, decision)
        self.notes.append((shown(decision), decision.options.normal(answer)))
        return answer


def _in_one_go(
    start: Start, program: ir.Program, seed: int, people: Sequence[int], expected: Played
) -> Difference | None:
    recorders = {seat: _Recorder(seed, seat) for seat in people}
    asked: list[tuple[Asked, object]] = []
    for recorder in recorders.values():
        recorder.notes = asked
    match = start(recorders)
    fault: tuple[object, ...] | None = None
    try:
        match.play()
    except RuleFault as raised:
        fault = fault_of(raised)
    except EnoughError:
        fault = LONG
    here = "in one go"
    found = [each for each, _ in asked]
    known = min(len(found), len(expected.asked))
    return (
        _differing_list(here, "question", expected.asked[:known], found[:known])
        or _different(here, "the fault", expected.fault, fault)
        or (
            None
            if _too_deep(fault)
            else _different(here, "the number of questions", len(expected.asked), len(found))
        )
        or (None if fault else _same_end(here, program, expected, match, match.events))
    )


def _quickly(
    start: Start, program: ir.Program, seed: int, people: Sequence[int], expected: Played
) -> Difference | None:
    """With providers that let the engine draw their answers."""
    if expected.fault == LONG:
        return None
    providers = {seat: RandomProvider(f"{seed}/{seat}") for seat in people}
    match = start(providers)
    fault: tuple[object, ...] | None = None
    try:
        match.play()
    except RuleFault as raised:
        fault = fault_of(raised)
    here = "with drawn answers"
    return _different(here, "the fault", expected.fault, fault) or (
        None if fault else _same_end(here, program, expected, match, match.events)
    )


def _by_steps(
    start: Start, restore: Callable[[str], Match], program: ir.Program, expected: Played
) -> Difference | None:
    match = start(None)
    other = match
    number = 0
    while True:
        here = f"step by step, after {number} answers"
        state = match.state()
        decision, fault = _next(match)
        if number == LONGEST:
            fault = LONG
        if number == len(expected.asked) and decision is not None and _too_deep(expected.fault):
            return None  # the reference stops a few doings earlier
        if fault is not None or decision is None:
            break
        found = (
            _different(here, "the question", _at(expected.asked, number), shown(decision))
            or _states(here, program, expected.states[number], match)
            or _copies(here, restore, program, match, other, number)
        )
        if found is not None:
            return found
        other = restore(match.save())
        match.apply(expected.answers[number])
        other.apply(expected.answers[number])
        number += 1
    found = _different(here, "the number of questions", len(expected.asked), number) or _different(
        here, "the fault", expected.fault, fault
    )
    if found is not None:
        return found
    if fault == LONG:
        return None
    if fault is not None:
        return _different(here, "the state after a fault", state, match.state())
    return _same_end(here, program, expected, match, match.events) or (
        None if other is match else _restored_end(here, match, other)
    )


def _next(match: Match) -> tuple[Decision | None, tuple[object, ...] | None]:
    try:
        return match.next(), None
    except RuleFault as raised:
        return None, fault_of(raised)


def _copies(
    here: str,
    restore: Callable[[str], Match],
    program: ir.Program,
    match: Match,
    other: Match,
    number: int,
) -> Difference | None:
    """Clone, save and restore; ``other`` was restored at the decision before."""
    decision = match.pending
    assert decision is not None  # noqa: S101 - that is where we are
    state, text, log = match.state(), match.save(), len(match.events)
    if other is not match:
        there, fault = _next(other)
        if there is None:
            return Difference(f"restored, {here}", "the question", shown(decision), fault)
        found = _different(
            f"restored, {here}", "the question", shown(decision), shown(there)
        ) or _states(f"restored, {here}", program, state, other)
        if found is not None:
            return found
    try:
        again = restore(text)
    except EngineError as error:
        return Difference(here, "a save is not taken back", None, str(error))
    there = again.pending
    twin = match.clone()
    found = (
        _different(here, "the question of a restored match", shown(decision),
                   shown(there) if there is not None else None)
        or _states(f"restored {here}", program, state, again)
        or _different(here, "a second save", text, again.save())
        or _different(here, "the save of a clone", text, twin.save())
        or _different(here, "the stack of a restored match", match.stack, again.stack)
    )  # fmt: skip
    if found is not None:
        return found
    answers = decision.options.some(3)
    twin.apply(answers[number % len(answers)])
    _next(twin)
    return (
        _states(f"a clone was played on, {here}", program, state, match)
        or _different(here, "the save after a clone was played on", text, match.save())
        or _different(here, "the log after a clone was played on", log, len(match.events))
        or _different(here, "the question after a clone was played on", decision, match.pending)
    )


def _same_end(
    here: str,
    program: ir.Program,
    expected: Played,
    match: Match,
    events: list[tuple[object, ...]],
) -> Difference | None:
    assert expected.state is not None  # noqa: S101 - there was no fault
    return (
        _differing_list(here, "event", expected.events, events)
        or _states(here, program, expected.state, match)
        or _different(here, "the winners", expected.winners, match.outcome.winners)
    )


def _restored_end(here: str, match: Match, other: Match) -> Difference | None:
    decision, fault = _next(other)
    return (
        _different(f"restored, {here}", "the end", (None, None), (decision, fault))
        or _different(f"restored, {here}", "the state", match.state(), other.state())
        or _different(f"restored, {here}", "the outcome", match.outcome, other.outcome)
    )


def _states(
    here: str, program: ir.Program, expected: list[object], match: Match
) -> Difference | None:
    from interpreter.layout import Layout  # noqa: PLC0415 - only to name what differs

    found = match.state()
    if found == expected:
        return None
    layout = Layout(program)
    differing = [slot for slot, value in enumerate(expected) if found[slot] != value]
    names = [layout.describe(slot) for slot in differing[:5]]
    return Difference(
        here,
        f"the state: {', '.join(names)}",
        [expected[slot] for slot in differing[:5]],
        [found[slot] for slot in differing[:5]],
    )


def _at(items: list[Asked], number: int) -> Asked | None:
    return items[number] if number < len(items) else None


def _different(here: str, what: str, expected: object, found: object) -> Difference | None:
    return None if expected == found else Difference(here, what, expected, found)


def _differing_list(
    here: str, what: str, expected: Sequence[object], found: Sequence[object]
) -> Difference | None:
    if expected == found:
        return None
    for number, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            before = expected[max(0, number - 3) : number]
            return Difference(f"{here}, after {before!r:.600}", f"{what} {number}", one, other)
    number = min(len(expected), len(found))
    return Difference(
        here,
        f"the number of {what}s",
        (len(expected), expected[number : number + 1]),
        (len(found), found[number : number + 1]),
    )


__all__ = ["Difference", "Played", "by_reference", "compare", "fault_of", "shown"]
