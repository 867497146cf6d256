"""All games of one server: a folder of journals, opened when somebody comes, begun when the host says so."""

from __future__ import annotations

import re
import secrets
import threading
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.errors import EngineError, JournalError
from interpreter.ui.loading import load_for
from interpreter.ui.matches import Sitting
from interpreter.ui.recordings import seat_names
from interpreter.ui.table import option_values
from interpreter.ui.web.keys import Keys
from interpreter.ui.web.room import HUMAN, Room

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from interpreter.ui.table import Table
    from rulelang.ir import Program

SUFFIX = ".journal"
MOST_GAMES = 200
"""A server begins no more games in one folder."""
LONGEST_NAME = 30
_NAME = re.compile(r"[a-z0-9]{8}")


class RefusedError(Exception):
    """What the host asked for is not possible; the message says why."""


@attrs.frozen
class Listed:
    """A game as the host sees it.

    Attributes:
        name: What it is called in links.
        room: The game; None if it cannot be opened.
        trouble: Why not, or what has stopped it; empty otherwise.
    """

    name: str
    room: Room | None
    trouble: str


class Hall:
    """The games of a server. Close it when the server stops.

    Args:
        game: Name or path of the ruleset.
        table: What was said on the command line: who sits where in new games, by which options and variants.
        folder: Where the journals are; it is made if it is not there.

    Raises:
        OSError: The folder cannot be made or read.
        ValueError: The key in it is none.
    """

    def __init__(self, game: str, table: Table, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.game = game
        self.table = table
        self.folder = folder
        self.keys = Keys.of(folder)
        self._lock = threading.RLock()
        self._rooms: dict[str, Room] = {}
        self._programs: dict[int | None, tuple[Program, int]] = {}
        self.program, self.people = self._program(table.people)

    def close(self) -> None:
        """Close all games."""
        with self._lock:
            for room in self._rooms.values():
                room.close()
            self._rooms.clear()

    # ------------------------------------------------------------------------------------ looking

    def names(self) -> list[str]:
        """Give the names of all games, the newest first."""
        found = [path for path in self.folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem)]
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        return [path.stem for path in found]

    def room(self, name: str) -> Room | None:
        """Give a game; None if there is none of this name.

        Raises:
            RefusedError: It cannot be opened.
        """
        with self._lock:
            room = self._rooms.get(name)
            if room is None and _NAME.fullmatch(name):
                path = self.folder / f"{name}{SUFFIX}"
                if path.is_file():
                    room = self._rooms[name] = self._resumed(name, path)
            return room

    def listed(self) -> list[Listed]:
        """Give all games as the host sees them."""
        found: list[Listed] = []
        for name in self.names():
            try:
                room = self.room(name)
            except RefusedError as error:
                found.append(Listed(name, None, str(error)))
            else:
                found.append(Listed(name, room, "" if room is None else room.trouble))
        return found

    def _resumed(self, name: str, path: Path) -> Room:
        with _in_context():
            try:
                return Room.resume(name, path, self.game, self.table.seats)
            except click.UsageError as error:
                raise RefusedError(error.format_message()) from None
            except JournalError as error:
                more = (
                    f" The first {error.rescued} answers can be rescued:"
                    f" rulelang resume {path} --until {error.rescued} --copy FILE"
                    if error.rescued is not None
                    else ""
                )
                raise RefusedError(f"{path}: {error}.{more}") from None
            except EngineError as error:
                raise RefusedError(f"{path}: {error}") from None

    def _program(self, people: int | None) -> tuple[Program, int]:
        """Load the ruleset for so many people, once."""
        if people not in self._programs:
            self._programs[people] = load_for(self.game, attrs.evolve(self.table, people=people))
        return self._programs[people]

    # ----------------------------------------------------------------------------------- beginning

    def kinds(self) -> list[str]:
        """Give who can hold a seat in a new game: a person, and whoever the command line has named."""
        return list(dict.fromkeys((HUMAN, "automa", "random", *self.table.seats.values())))

    def begin(
        self,
        people: int | None = None,
        seats: Mapping[int, str] | None = None,
        names: Mapping[int, str] | None = None,
    ) -> Room:
        """Begin a game.

        Args:
            people: How many seats have a person's rights; None: as the command line says.
            seats: Who answers, from 1; what is left out is as the command line says.
            names: What people are called, by seat from 1.

        Raises:
            RefusedError: That is not possible; says why.
        """
        with self._lock, _in_context():
            if len(self.names()) >= MOST_GAMES:
                raise RefusedError(
                    f"There are {MOST_GAMES} games in {self.folder}: move some away."
                )
            try:
                program, people = self._program(people or self.table.people)
                given = option_values(program, self.table)
            except click.UsageError as error:
                raise RefusedError(error.format_message()) from None
            wanted = {**self.table.seats, **(seats or {})}
            table = attrs.evolve(
                self.table,
                people=people,
                seats={seat: who for seat, who in wanted.items() if seat <= people},
                others=HUMAN,
            )
            if any(who not in self.kinds() for who in table.seats.values()):
                raise RefusedError("A seat can be held by those that are offered, and nobody else.")
            if all(table.who(seat) != HUMAN for seat in range(1, people + 1)):
                raise RefusedError("At least one seat must have a person.")
            called = _called(program, people, names or {})
            sitting = Sitting(self.game, table, program, people, given, secrets.randbelow(2**62))
            name = secrets.token_hex(4)
            try:
                room = Room.create(name, self.folder / f"{name}{SUFFIX}", sitting, called)
            except JournalError as error:
                raise RefusedError(str(error)) from None
            self._rooms[name] = room
            return room


def _called(program: Program, people: int, names: Mapping[int, str]) -> tuple[str, ...]:
    """Give the names of all seats.

    Raises:
        RefusedError: Two are the same, or one is none.
    """
    called = list(seat_names(program, people))
    for seat, name in names.items():
        said = " ".join(name.split())
        if not said or seat > people:
            continue
        if len(said) > LONGEST_NAME or not said.isprintable():
            raise RefusedError(f"A name has at most {LONGEST_NAME} letters.")
        called[seat - 1] = said
    if len({each.casefold() for each in called}) < len(called):
        raise RefusedError("Two seats have the same name.")
    return tuple(called)


class _in_context:  # noqa: N801 - used as a word
    """Commands' functions look for click's context, which other threads than the first do not have."""

    def __init__(self) -> None:
        self._context = click.Context(click.Command("serve"))

    def __enter__(self) -> None:
        self._context.__enter__()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._context.__exit__(None, None, None)
        if isinstance(error, click.exceptions.Exit):
            raise RefusedError(
                "The rules have errors; they are written where the server runs."
            ) from None
