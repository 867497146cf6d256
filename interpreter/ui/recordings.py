"""Games in files of any kind: read, compared with a program, and the names that they give the players."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import click

from interpreter.errors import JournalError, ReplayError
from interpreter.records import journal
from interpreter.records import replay as recording
from interpreter.records.codes import OTHER_GAME, UNREADABLE
from rulelang import discovery
from rulelang.api import VariantNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.errors import RecordError
    from rulelang.ir import Program

Kind: TypeAlias = Literal["journal", "replay", "saved game"]
"""What a game was written down as."""

_BEGINNING = 100_000
"""So many bytes tell a saved game from a replay: its state comes before anything that is long."""


def kind_of(file: str) -> Kind:
    """Tell by its beginning what a file is; one that cannot be read, or is nothing of that, counts as a replay."""
    try:
        with Path(file).open("rb") as opened:
            first = opened.read(_BEGINNING)
    except (OSError, ValueError):
        return "replay"  # reading it as one says what is wrong
    if first.lstrip()[:1] == b"{":
        return "saved game" if b'"slots":' in first else "replay"
    checksum, blank, _ = first.partition(b" ")
    return "journal" if blank and checksum.isalnum() else "replay"


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
        click.UsageError: The file is none; says what reads it if it is a game of another kind.
    """
    match kind_of(file):
        case "journal":
            error = ReplayError("this is a journal, no replay", code=UNREADABLE)
            raise refused(file, error, f" It is played on by: rulelang resume {file}")
        case "saved game":
            error = ReplayError(
                "this is a saved game, a position without the answers that led to it",
                code=UNREADABLE,
            )
            raise refused(file, error, " `why` and `why-not` read it.")
        case _:
            pass
    try:
        return recording.loads(Path(file).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        error = ReplayError("this is no replay, not even text", code=UNREADABLE)
        raise refused(file, error) from None
    except ReplayError as error:
        raise refused(file, error) from None
    except ValueError as error:  # a path that is none
        raise click.UsageError(f"{file!r}: {error}") from None


def read_recorded(file: str) -> recording.Replay:
    """Read a replay, or a journal as one.

    Raises:
        click.UsageError: The file is neither; says what of a damaged journal can be rescued.
    """
    if kind_of(file) != "journal":
        return read_replay(file)
    try:
        return journal.read(file).replay()
    except JournalError as error:
        rescue = (
            f" Its first answers can be rescued: rulelang resume {file} --until {error.rescued} --copy FILE"
            if error.rescued is not None
            else ""
        )
        raise refused(file, error, rescue) from None


def check_game(recorded: Of, game: str, file: str) -> None:
    """Look whether a game that was written down is one of a ruleset, before that is compiled as the file says.

    Args:
        recorded: What was written down.
        game: Name or path of the ruleset.
        file: Where.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: The file is of another one.
    """
    named = discovery.game_of(discovery.find_ruleset(game))
    if named is not None and named != recorded.ruleset:
        what = f"this is a {kind_of(file)} of {recorded.ruleset!r:.40}, not of {named}"
        raise refused(file, ReplayError(what, code=OTHER_GAME))


def check_match(replay: recording.Replay, program: Program, file: str) -> None:
    """Look whether a recorded game is of a program; of a journal it is told which rules have changed.

    Raises:
        click.UsageError: It is of another one, or says too little.
    """
    try:
        if kind_of(file) == "journal":
            journal.check_program(journal.read(file).header, program)
        else:
            recording.matches(replay, program)
    except (JournalError, ReplayError) as error:
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


class Of(Protocol):
    """What replays, journals and saved games say of their ruleset."""

    @property
    def ruleset(self) -> str:
        """Its name."""
        ...


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
