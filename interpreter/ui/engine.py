"""A match as recording and verifying see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.layout import Layout
from interpreter.machine import Match
from interpreter.providers.replay import REAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interpreter.chance import ChanceProvider
    from interpreter.events import Event
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.realtable import TableChance
    from interpreter.records.replay import Replay
    from rulelang.ir import Program


@attrs.define
class Game:
    """A match with what is asked of it beside its public face.

    Attributes:
        match: The match.
        layout: Which slot of the state holds what.
    """

    match: Match
    layout: Layout

    @property
    def slots(self) -> list[Any]:
        """A copy of the state."""
        return self.match.state()

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won, None if nobody said so."""
        return self.match.outcome.winners

    @property
    def events(self) -> list[Event]:
        """A copy of the log so far."""
        return self.match.events

    def play(self) -> object:
        """Run to the end."""
        return self.match.play()


def chance_of(replay: Replay, program: Program) -> TableChance | None:
    """Make who draws for a recorded game whose draws were read off a real table; None: its seed does.

    Tell it which match it draws for; it needs a log.
    """
    if replay.dice != REAL:
        return None
    from interpreter.realtable import TableChance

    return TableChance(program, replay.seed, replay.draws)


def start(
    program: Program,
    options: tuple[object, ...],
    seed: int | str,
    people: Iterable[int],
    providers: Mapping[int, DecisionProvider] | None = None,
    *,
    log: bool,
    many: bool = False,
    chance: ChanceProvider | None = None,
) -> Game:
    """Make a game that has not begun.

    Args:
        program: What is played.
        options: One value for each option.
        seed: Of chance.
        people: The seats that have a person.
        providers: Who answers for them; None if it is driven from outside.
        log: Whether events are kept.
        chance: Who draws; None: the seed does.
        many: Whether so many games are played that optimised code repays the time to make it.
    """
    match = Match(
        program,
        people=tuple(people),
        seed=seed,
        options=options,
        providers=providers,
        chance=chance,
        log=log,
        checks=True,
        optimise=many,
    )
    return Game(match, Layout(program))
