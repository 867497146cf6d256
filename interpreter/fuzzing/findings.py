"""What is looked for in games, and how a game is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.fuzzing.luck import LUCK
from interpreter.fuzzing.players import PLAYERS
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.chance import Stream
    from interpreter.errors import StackEntry
    from interpreter.fuzzing.script import Entry

ENDLESS_FREE = frozenset(("random", "policy"))
"""Who plays so that a game should come to its end."""


@attrs.frozen
class Plan:
    """How one game is played; everything in it follows from this.

    Attributes:
        people: How many seats have a person.
        seed: Of everything that is drawn.
        luck: Where dice and draws come from, a name of :data:`interpreter.fuzzing.luck.LUCK`.
        players: Who answers for each person, names of :data:`interpreter.fuzzing.players.PLAYERS`.
        options: A value for each option of the ruleset.
        longest: So many decisions a game may have.
    """

    people: int
    seed: int
    luck: str = "fair"
    players: tuple[str, ...] = ()
    options: tuple[object, ...] = ()
    longest: int = 10_000

    @property
    def should_end(self) -> bool:
        """Is it played so that it comes to an end in the usual time?"""
        return self.luck == "fair" and set(self.players) <= ENDLESS_FREE


@attrs.frozen
class Finding:
    """Something that is wrong, and the game in which it was seen.

    Attributes:
        code: The diagnostic code; empty for a mistake of the engine itself.
        message: What is wrong, one sentence without a full stop.
        plan: How the game was set up.
        entries: All draws and answers up to there.
        span: The line of the ruleset, if it is one.
        stack: The doings that were open.
        path: The decision that tells a secret.
    """

    code: str
    message: str
    plan: Plan
    entries: tuple[Entry, ...] = ()
    span: ir.Span = ir.NOWHERE
    stack: tuple[StackEntry, ...] = ()
    path: str = ""

    @property
    def signature(self) -> tuple[object, ...]:
        """What it has in common with itself in a smaller game."""
        return (self.code, self.path or self.span)


def plan_for(
    number: int,
    below: Stream,
    people: int,
    options: tuple[object, ...],
    given: Mapping[str, str],
    longest: int,
) -> Plan:
    """Set up a game: every third one is played at random with fair dice, the others are not.

    Args:
        number: Of the game; its seed.
        below: Draws.
        people: How many people take part.
        options: A value for each option.
        given: Which ``luck`` and ``players`` were asked for.
        longest: So many decisions a game may have.
    """
    plain = number % 3 == 0
    luck = given.get("luck") or ("fair" if plain or below(3) == 0 else below.pick(tuple(LUCK)))
    kinds = tuple(PLAYERS)
    same = below.pick(kinds)
    mixed = below(2) == 0
    wanted = given.get("players")
    players = tuple(
        wanted or ("random" if plain else below.pick(kinds) if mixed else same)
        for _ in range(people)
    )
    return Plan(people, number, luck, players, options, longest)
