"""Recorded games from files: read, compared with a program, and the names that they give the players."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from interpreter.errors import ReplayError
from interpreter.records import replay as recording
from interpreter.records.codes import OTHER_GAME, UNREADABLE
from rulelang.api import VariantNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.errors import RecordError
    from rulelang.ir import Program


@contextmanager
def variants_of_file(file: str | None) -> Iterator[None]:
    """Say what helps if a variant that a replay names cannot be found by its name."""
    try:
        yield
    except VariantNotFoundError as error:
        if file is None:
            raise
        raise VariantNotFoundError(
            f"{error}\nnote: {file} was played with it; --with FILE says where it is."
        ) from None


def read_replay(file: str) -> recording.Replay:
    """Read a replay.

    Raises:
        click.UsageError: The file is none.
    """
    try:
        return recording.loads(Path(file).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        error = ReplayError("this is no replay, not even text", code=UNREADABLE)
        raise refused(file, error) from None
    except ReplayError as error:
        raise refused(file, error) from None
    except ValueError as error:  # a path that is none
        raise click.UsageError(f"{file!r}: {error}") from None


def check_match(replay: recording.Replay, program: Program, file: str) -> None:
    """Look whether a replay is of a program.

    Raises:
        click.UsageError: It is of another one, or says too little.
    """
    try:
        recording.matches(replay, program)
    except ReplayError as error:
        raise refused(file, error) from None
    check_options(replay, program, file)


def check_options(replay: recording.Replay, program: Program, file: str) -> None:
    """Look whether a recorded game says what each option is.

    Raises:
        click.UsageError: It does not.
    """
    missing = [option.name for option in program.options if option.name not in replay.options]
    if missing:
        error = ReplayError(f"it does not say what {missing[0]!r} is", code=OTHER_GAME)
        raise refused(file, error)


def refused(file: str, error: RecordError, more: str = "") -> click.UsageError:
    """Say what is wrong with a file, with the code about which `explain` tells what can be done.

    Args:
        file: Its name.
        error: What is wrong.
        more: Sentences about this file.
    """
    help_ = f"\nhelp: `rulelang explain {error.code}` says what this is and what helps"
    return click.UsageError(f"{file}: {error} [{error.code}].{more}{help_}")


class Named(Protocol):
    """What replays and saved games say of the players."""

    @property
    def names(self) -> list[str]:
        """The names of the seats; may be empty."""
        ...


def names_of(recorded: Named, program: Program, people: int) -> tuple[str, ...]:
    """Take the recorded names if they are names for every seat, without anything that a terminal would obey."""
    if len(recorded.names) == program.seats and all(name.isprintable() for name in recorded.names):
        return tuple(recorded.names)
    return seat_names(program, people)


def seat_names(program: Program, people: int) -> tuple[str, ...]:
    """Name the seats: people first, then seats without a person."""
    return tuple(
        f"Player {seat + 1}" if seat < people else f"Automa {seat + 1}"
        for seat in range(program.seats)
    )
