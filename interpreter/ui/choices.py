"""Choices that are made again in a game by other rules: by what they are called, since numbers may change."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from interpreter.decision import SetOf
from interpreter.errors import EngineError, RuleFault
from interpreter.reference.machine import Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.decision import Decision
    from interpreter.machine import Match
    from interpreter.sight.observation import Observation
    from rulelang.ir import Program


@attrs.frozen
class Choice:
    """An answer by its names.

    Attributes:
        path: Of the decision.
        seat: Who answered, from 0.
        keys: What was chosen, as rules write it; of a set each of its members.
        said: The same for people.
    """

    path: str
    seat: int
    keys: tuple[str, ...]
    said: str

    @classmethod
    def of(cls, decision: Decision, answer: object) -> Choice:
        """Give the choice that an answer to a decision is."""
        domain = decision.options
        several = isinstance(domain, SetOf) and isinstance(answer, tuple)
        members = answer if several and isinstance(answer, tuple) else (answer,)
        keys = tuple(domain.key(each) for each in members)
        return cls(decision.path, decision.seat, keys, domain.text(answer))

    def in_(self, decision: Decision) -> object:
        """Give the answer that this choice is to another decision.

        Raises:
            LookupError: It is none; says why.
        """
        if (self.path, self.seat) != (decision.path, decision.seat):
            raise LookupError(f"the game asks {decision.path} of seat {decision.seat + 1} instead")
        domain = decision.options
        known = {domain.key(each): each for group in domain.groups for each in group}
        missing = [key for key in self.keys if key not in known]
        if missing:
            raise LookupError(f"{missing[0]} is not on offer")
        values = tuple(known[key] for key in self.keys)
        answer: object = values if isinstance(domain, SetOf) else values[0]
        if not domain.contains(answer):
            raise LookupError("it is no legal answer")
        return answer


@attrs.frozen
class Stumble:
    """Where choices cannot be made again.

    Attributes:
        number: Of the first that does not apply, from 0.
        reason: Why.
        fault: What stops the game there, if something does.
    """

    number: int
    reason: str
    fault: RuleFault | None = None


def play_on(
    match: Match, choices: Sequence[Choice], give: Callable[[Decision, object], None]
) -> Stumble | None:
    """Make choices again in a match.

    Args:
        match: It has not begun.
        choices: In order.
        give: Applies an answer.

    Returns:
        Where that was not possible; None if all of them apply.
    """
    for number, choice in enumerate(choices):
        try:
            decision = match.next()
            if decision is None:
                return Stumble(number, "the game is over before")
            give(decision, choice.in_(decision))
        except RuleFault as fault:
            return Stumble(number, "a rule stops the game before", fault)
        except LookupError as error:
            return Stumble(number, str(error))
    return None


class _EnoughError(Exception):
    """A choice does not apply, or there are no more."""


@attrs.define
class _Repeating:
    choices: Sequence[Choice]
    made: int = 0

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Make the next choice."""
        del observation
        if self.made == len(self.choices):
            raise _EnoughError
        try:
            answer = self.choices[self.made].in_(decision)
        except LookupError:
            raise _EnoughError from None
        self.made += 1
        return answer


def reached(
    program: Program,
    options: tuple[object, ...],
    seed: int | str,
    people: int,
    choices: Sequence[Choice],
) -> int:
    """Say how many of some choices apply in a game from its start.

    Played on the reference interpreter, which needs no code to be made for a program that is played once.
    """
    provider = _Repeating(choices)
    seats = range(people)
    game = Reference(program, options, seed, tuple(seats), dict.fromkeys(seats, provider))
    with suppress(_EnoughError, EngineError):
        game.play()
    return provider.made
