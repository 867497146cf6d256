"""The one place where the commands start a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from interpreter.events import Event
    from interpreter.layout import Layout
    from interpreter.providers.protocol import DecisionProvider
    from rulelang.ir import Program


class Game(Protocol):
    """What the commands need of a game."""

    layout: Layout
    events: list[Event]

    @property
    def slots(self) -> list[Any]:
        """The state."""
        ...

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won, None if nobody said so."""
        ...

    def play(self) -> object:
        """Run the game to its end."""
        ...


def start(
    program: Program,
    options: tuple[object, ...],
    seed: int | str,
    people: Sequence[int],
    providers: Mapping[int, DecisionProvider],
    *,
    log: bool,
) -> Game:
    """Make a game that has not begun.

    Args:
        program: What is played.
        options: One value for each option.
        seed: Of chance.
        people: The seats that have a person.
        providers: Who answers for them.
        log: Whether events are kept.
    """
    from interpreter.reference import Reference

    del log
    return Reference(program, options, seed, people, providers)
