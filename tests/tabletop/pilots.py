"""A person at the table on the screen, for tests: the real application, driven by keys."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

from interpreter.providers.replay import SEEDED
from interpreter.ui.loading import hints_for
from interpreter.ui.matches import Sitting
from interpreter.ui.names import Names
from interpreter.ui.recordings import seat_names
from interpreter.ui.table import Table, option_values
from interpreter.ui.terminal.app import TableApp
from interpreter.ui.terminal.desk import Desk
from interpreter.ui.terminal.screens import Curtain
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from textual.pilot import Pilot

PATIENCE = 60.0
"""Seconds until a test gives up waiting for the game."""


class Person:
    """Sits before the screen.

    Attributes:
        app: The application.
        pilot: Presses its keys.
    """

    def __init__(self, app: TableApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> Any:
        """The screen with the table."""
        return self.app.table

    @property
    def is_over(self) -> bool:
        """Is the end shown?"""
        shown = self.table.shown
        game = self.app.desk.game
        return shown is not None and shown.question is None and game is not None and game.match.over

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for the screen."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"{self.text('#prompt')}: {self.text('#status')}"
            assert self.app.desk.error is None, self.app.desk.error
            await self.pilot.pause(0.002)
        await self.pilot.pause()

    async def asked(self, *, lift: bool = True) -> None:
        """Wait until something is asked, or the game is over; lifts curtains."""
        await self.until(
            lambda: self.table.choosing is not None or self.is_over or self.is_curtained
        )
        if lift and self.is_curtained:
            await self.pilot.press("enter")
            await self.until(lambda: self.table.choosing is not None or self.is_over)

    async def answers(self) -> None:
        """Give the answer of the hint, or the first one, and wait for what follows."""
        before = self.table.shown.chosen
        await self.pilot.press("f3", "f10" if self.table.choosing.several else "enter")
        await self.until(
            lambda: (
                self.is_over
                or self.is_curtained
                or (self.table.choosing is not None and self.table.shown.chosen > before)
            )
        )

    @property
    def is_curtained(self) -> bool:
        """Is the table hidden?"""
        return isinstance(self.app.screen, Curtain)

    def text(self, selector: str) -> str:
        """What a part of the table says."""
        return str(self.table.query_one(selector).render())

    @property
    def options(self) -> list[str]:
        """The options that are listed."""
        shown = self.table.query_one("#options")
        return [str(shown.get_option_at_index(n).prompt) for n in range(shown.option_count)]

    def everything(self) -> str:
        """All that the screen says on all of its pages."""
        parts = ["#title", "#prompt", "#drawing", "#players", "#things", "#rule", "#status"]
        parts += ["#story-text", "#holds-text"]
        return "\n".join([*map(self.text, parts), *self.options])


def desk_of(
    path: str | Path,
    people: int = 2,
    persons: tuple[int, ...] = (1,),
    seed: int = 1,
    options: dict[str, str] | None = None,
    *,
    open: bool = False,  # noqa: A002 - the field's own word
    variants: tuple[str, ...] = (),
    dice: str = SEEDED,
) -> Desk:
    """Lay a table.

    Args:
        path: Of the ruleset.
        people: How many take part.
        persons: The seats of persons, from 1; automas have the others.
        seed: Of chance.
        options: That differ from the defaults.
        open: Whether they hide nothing from each other.
        variants: What is merged.
        dice: `table` for real dice and cards.
    """
    program = load_ruleset(path, people=people, variants=variants)
    who = dict.fromkeys(persons, "human")
    table = Table(people, who, options or {}, variants, others="automa", screen=True, open=open)
    values = option_values(program, table)
    sitting = Sitting(str(path), table, program, people, values, seed, dice=dice)
    names = Names(program, seat_names(program, people))
    return Desk(sitting, names, hints_for(str(path), program), open=open)


def at_table(
    desk: Desk, does: Callable[[Person], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> None:
    """Run the application and let a person do something there."""

    async def run() -> None:
        app = TableApp(desk)
        app.engine = threading.Thread(target=desk.play, daemon=True)
        async with app.run_test(size=size) as pilot:
            person = Person(app, pilot)
            try:
                await person.asked(lift=False)
                await does(person)
            finally:
                desk.leave()

    asyncio.run(run())
