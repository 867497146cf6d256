"""The command `playouts`: many games one after the other."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import attrs
import click

from interpreter import events as log
from interpreter.errors import EngineError
from interpreter.providers.process import Seat
from interpreter.ui import statistics
from interpreter.ui.bots import dismiss, player_for, sit
from interpreter.ui.engine import start
from interpreter.ui.faults import GameStoppedError
from interpreter.ui.loading import load_for
from interpreter.ui.recordings import seat_names
from interpreter.ui.table import option_values
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.events import Event
    from interpreter.ui.table import Table
    from rulelang.ir import Program

_SHOWN_FAULTS = 10


@attrs.define
class _Progress:
    """A line on a terminal, once a second, that says how far it is."""

    whole: int
    _shown: float = attrs.field(factory=time.monotonic, init=False)
    _written: bool = attrs.field(default=False, init=False)

    def reach(self, done: int) -> None:
        """Say that so many games are over."""
        now = time.monotonic()
        if now - self._shown >= 1 and sys.stderr.isatty():
            click.echo(f"\r{done} of {self.whole} games", nl=False, err=True)
            self._shown, self._written = now, True

    def close(self) -> None:
        """Wipe the line out."""
        if self._written:
            click.echo("\r" + " " * 40 + "\r", nl=False, err=True)


def play_many(name: str, table: Table, games: int, seed: int, *, as_json: bool) -> bool:
    """Play games with seeds from `seed` on, and show how long they last and who wins.

    Returns:
        Always True: whatever the figures are, they are the answer.

    Raises:
        GameStoppedError: Some games were stopped by a fault; the figures of the others have been shown.
    """
    program, people = load_for(name, table)
    given = option_values(program, table)
    options = tuple(given.get(option.name, option.default) for option in program.options)
    kinds = [table.who(seat + 1) for seat in range(people)]
    if "human" in kinds:
        raise click.UsageError(
            "Nobody wants to be asked that often: a seat can be automa, random, search or process:COMMAND."
        )
    names = seat_names(program, people)
    played: list[statistics.Played] = []
    faults: list[str] = []
    progress = _Progress(games)
    for number in range(seed, seed + games):
        providers = {
            seat: player_for(kind, number, Seat(program, options, seat, names), table.bots)
            for seat, kind in enumerate(kinds)
        }
        game = start(program, options, number, range(people), providers, log=True, many=True)
        sit(providers.values(), game.match)
        try:
            game.play()
        except EngineError as error:
            faults.append(f"seed {number}: {error}")
        else:
            played.append(_figures(program, game.events, game.winners or ()))
        dismiss(providers.values(), game.winners)
        progress.reach(number - seed + 1)
    progress.close()
    seats = [
        f"{seat} ({kinds[number] if number < people else 'no person'})"
        for number, seat in enumerate(seat_names(program, people))
    ]
    if as_json:
        data = statistics.as_data(played, seats) if played else {"games": 0}
        click.echo(
            json.dumps(
                {"version": 1, "ruleset": program.name, "seed": seed, **data, "faults": faults},
                indent=2,
            )
        )
    else:
        last = seed + games - 1
        click.echo(
            f"{plural(games, 'game')} of {program.title}, {people} people, seeds {seed} to {last}\n"
        )
        for line in statistics.tables(played, seats) if played else ():
            click.echo(line)
    if faults:
        shown = "\n".join(faults[:_SHOWN_FAULTS])
        raise GameStoppedError(f"{plural(len(faults), 'game')} did not end:\n{shown}")
    return True


def _figures(
    program: Program, events: Sequence[Event], winners: Sequence[int]
) -> statistics.Played:
    """Measure a finished game: rounds are runs of the phase that begins most often directly in the main phase."""
    runs: Counter[object] = Counter()
    running: list[object] = []
    decisions = 0
    for event in events:
        match event[0]:
            case log.BEGIN:
                number = event[1]
                if len(running) == 1 and isinstance(number, int):
                    runs[number] += program.doings[number].kind == "phase"
                running.append(number)
            case log.END if event[3] != "replaced" and running and running[-1] == event[1]:
                running.pop()
            case log.ANSWER:
                decisions += event[4] != log.SOLE
            case _:
                pass
    return statistics.Played(tuple(winners), max(runs.values(), default=1), decisions)
