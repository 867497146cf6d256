"""Begins and ends a game at the table on the whole screen."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from typing import TYPE_CHECKING

from interpreter.errors import JournalError, Quit, ReplayError, RuleFault
from interpreter.ui.faults import GameStoppedError, fault_text
from interpreter.ui.loading import hints_for
from interpreter.ui.paint import Paint

if TYPE_CHECKING:
    from interpreter.machine import Match
    from interpreter.ui.matches import Sitting
    from interpreter.ui.names import Names

EXTRA = "table"
MISSING = f'The table on the whole screen needs more: pip install "rulelang[{EXTRA}]". Here it is line by line.'
_PATIENCE = 5.0
"""Seconds that a bot at the table has to come to an end when the last person leaves."""


def wants_screen() -> bool:
    """Tell whether there is a terminal with a whole screen."""
    streams = (sys.stdin, sys.stdout)
    return (
        all(stream is not None and stream.isatty() for stream in streams)
        and os.environ.get("TERM") != "dumb"
    )


def has_extra() -> bool:
    """Tell whether what draws the screen is installed."""
    return importlib.util.find_spec("textual") is not None


def play_at_the_screen(sitting: Sitting, names: Names, *, colour: bool) -> Match:
    """Play a game to its end.

    Returns:
        The match, which is over.

    Raises:
        Quit: The person has left.
        GameStoppedError: A rule stopped the game.
        BotError: A program at the table has failed.
        ReplayError: The game does not follow what was played before.
        JournalError: An answer could not be written down.
    """
    from interpreter.ui.terminal.app import TableApp
    from interpreter.ui.terminal.desk import Desk

    desk = Desk(sitting, names, hints_for(sitting.name, sitting.program), open=sitting.table.open)
    app = TableApp(desk)
    engine = threading.Thread(target=desk.play, daemon=True)
    app.engine = engine
    app.run()
    desk.leave()
    engine.join(_PATIENCE)
    desk.close()
    error = desk.error
    if isinstance(error, RuleFault):
        raise GameStoppedError(fault_text(error, sitting.program, Paint(colour))) from error
    if isinstance(error, ReplayError | JournalError) or error is not None:
        raise error
    if desk.game is None or not desk.game.match.over:
        raise Quit("stopped")
    return desk.game.match
