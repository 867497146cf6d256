"""Journals: a game is written down answer by answer, each before it is acted on.

A journal is a text file. Its first line says which game it is, each other line holds one answer or the end. A line
begins with a checksum over itself and the checksum of the line before, so a line that was changed, lost, doubled or
moved is noticed. Lines are forced to the disk one by one: whatever kills the program, the game goes on from the last
whole line.

What can be wrong with the file, and what becomes of it:

* The last line is torn: it is dropped, the answer was never acted on.
* A line before is damaged: the file is refused; it can be read as far as the line before (``until``).
* Another process plays the game: it is refused.
* The rules have changed: the names of the rules that did are told.
"""

from __future__ import annotations

import json
import os
from collections import deque
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import attrs

from interpreter.errors import JournalError
from interpreter.providers.replay import SEEDED, Answered, Drawn
from interpreter.records.codes import IN_USE, NO_FILE, OTHER_FORMAT, OTHER_RULES, UNREADABLE
from interpreter.records.heading import (
    LARGEST_FILE,
    Heading,
    check_heading,
    converter,
    first_reason,
    heading_of,
    json_of,
)
from interpreter.records.replay import UNFINISHED, Replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from rulelang import ir

FORMAT = 1
_DIGITS = 16
"""Of a checksum."""
_SHOWN_RULES = 8


@attrs.frozen
class Header(Heading):
    """Which game a journal is of.

    Attributes:
        seed: Of chance.
        players: Who answers for a seat, from 1: as `--seat` says it.
        dice: `seed`, or `table` if the draws are read off a real table.
        rules: Name of each rule to a hash of its text, to say later which have changed.
    """

    seed: int | str
    players: dict[str, str]
    rules: dict[str, str]
    dice: str = SEEDED


@attrs.frozen
class Answer:
    """One answer.

    Attributes:
        path: Path of the decision.
        seat: Who answered, from 0.
        answer: The value.
        state: Hash of the state in which it was asked.
    """

    path: str
    seat: int
    answer: object
    state: str


@attrs.frozen
class TakenBack:
    """What follows the first answers and results was wrong, and counts no more.

    Attributes:
        answers: So many answers still count.
        results: So many results from a real table still count.
    """

    answers: int
    results: int


@attrs.frozen
class End:
    """The end of the game.

    Attributes:
        final: Hash of the final state.
        winners: The seats that won, from 0; None if nobody said so.
    """

    final: str
    winners: list[int] | None


@attrs.frozen
class Contents:
    """What a journal says.

    Attributes:
        header: Which game it is.
        answers: So far, without what was taken back.
        draws: What was read off a real table so far.
        end: None for a game that goes on.
        size: How many bytes of the file that is.
        torn: How many bytes of a torn last line follow.
        checksum: Of the last line.
    """

    header: Header
    answers: tuple[Answer, ...]
    draws: tuple[Drawn, ...]
    end: End | None
    size: int
    torn: int
    checksum: str

    def replay(self) -> Replay:
        """The same as a replay."""
        of = self.header
        return Replay(
            **{name: getattr(of, name) for name in attrs.fields_dict(Heading) if name != "format"},
            seed=of.seed,
            answers=[Answered(each.path, each.seat, each.answer) for each in self.answers],
            states=[each.state for each in self.answers],
            final=UNFINISHED if self.end is None else self.end.final,
            winners=None if self.end is None else self.end.winners,
            dice=of.dice,
            draws=list(self.draws),
        )


def header_of(
    program: ir.Program,
    options: Sequence[object],
    people: Sequence[int],
    names: Sequence[str],
    seed: int | str,
    players: dict[str, str],
    dice: str = SEEDED,
) -> Header:
    """Describe a game that is about to begin."""
    return Header(
        **attrs.asdict(heading_of(program, options, people, names)),
        seed=seed,
        players=players,
        rules=rules_of(program),
        dice=dice,
    )


def rules_of(program: ir.Program) -> dict[str, str]:
    """Give a hash of the text of each doing and definition, and of each column of data, by name."""
    texts: dict[str, list[str]] = {}
    lines = [source.splitlines() for source in program.sources]
    named = [(each.name, each.span) for each in program.doings]
    named += [(each.name, each.span) for each in program.definitions]
    for name, span in named:
        if span.line and span.file < len(lines):
            written = lines[span.file][span.line - 1 : max(span.end_line, span.line)]
            texts.setdefault(name, []).append("\n".join(line.strip() for line in written))
    for field in program.fields:
        if not field.mutable:
            name = f"{program.kinds[field.kind].name}.{field.name}"
            texts.setdefault(name, []).append(repr(field.values))
    for kind in program.kinds:
        texts.setdefault(kind.name, []).append(repr(kind.ids))
    return {name: _digest("\n".join(text), 4) for name, text in sorted(texts.items())}


def changed_rules(header: Header, program: ir.Program) -> tuple[str, ...]:
    """Name what of the rules has changed since a journal was begun, what came and went included."""
    now = rules_of(program)
    return tuple(
        name
        for name in sorted({*header.rules, *now})
        if header.rules.get(name) != now.get(name) and name.isprintable()
    )


def check_program(header: Header, program: ir.Program) -> None:
    """Look whether a journal is of a program.

    Raises:
        JournalError: It is not; says which rules have changed if that is the reason.
    """
    try:
        check_heading(header, program, "journal", JournalError)
    except JournalError as error:
        changed = changed_rules(header, program) if error.code == OTHER_RULES else ()
        if not changed:
            raise
        more = len(changed) - _SHOWN_RULES
        shown = ", ".join(changed[:_SHOWN_RULES]) + (f" and {more} more" if more > 0 else "")
        raise JournalError(f"{error} ({shown})", code=OTHER_RULES) from None


def read(path: str | Path, until: int | None = None) -> Contents:
    """Read a journal.

    Args:
        path: The file.
        until: Read so many answers at most; what follows may be damaged.

    Raises:
        JournalError: It is none, or it is damaged before its last line, or has fewer answers.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(error) from None
    return _Reader(data, until).contents()


class _Reader:
    """Reads one journal line by line."""

    def __init__(self, data: bytes, until: int | None = None) -> None:
        if len(data) > LARGEST_FILE:
            raise JournalError("it is too large for a journal", code=UNREADABLE)
        self._data = data
        self._until = until
        self._at = 0
        self._line = 0
        self._checksum = ""

    def contents(self) -> Contents:
        header = self._header()
        answers: list[Answer] = []
        draws: list[Drawn] = []
        end: End | None = None
        try:
            while self._at < len(self._data):
                if end is not None:
                    raise self._damaged("something follows the end of the game", len(answers))
                entry = self._next(len(answers))
                if entry is None:
                    break
                match entry:
                    case End():
                        if not entry.final:
                            raise self._damaged("the end has no state", len(answers))
                        end = entry
                    case Answer():
                        answers.append(entry)
                    case Drawn():
                        draws.append(entry)
                    case TakenBack():
                        if not self._fits(entry, answers, draws):
                            raise self._damaged("more is taken back than there was", len(answers))
                        del answers[entry.answers :], draws[entry.results :]
        except JournalError:
            if self._until is None or len(answers) < self._until:
                raise
        until = self._until
        if until is None:
            torn = len(self._data) - self._at
            found = (tuple(answers), tuple(draws), end)
            return Contents(header, *found, self._at, torn, self._checksum)
        if len(answers) < until:
            raise JournalError(f"it has no more than {len(answers)} whole answers", code=UNREADABLE)
        kept = tuple(each for each in draws if each.after <= until)
        last = end if until == len(answers) else None
        return Contents(header, tuple(answers[:until]), kept, last, self._at, 0, self._checksum)

    @staticmethod
    def _fits(taken: TakenBack, answers: Sequence[Answer], draws: Sequence[Drawn]) -> bool:
        return 0 <= taken.answers <= len(answers) and 0 <= taken.results <= len(draws)

    def _header(self) -> Header:
        content = self._content()
        if content is None or "journal" not in content:
            raise JournalError("this is no journal, or its first line is damaged", code=UNREADABLE)
        version = content["journal"]
        if version != FORMAT or isinstance(version, bool):
            raise JournalError(
                f"this journal has format {version!r:.20}, needed is {FORMAT}", code=OTHER_FORMAT
            )
        content["format"] = content.pop("journal")
        try:
            return converter().structure(content, Header)
        except Exception as error:  # noqa: BLE001 - cattrs groups errors of many classes
            raise JournalError(
                f"this is no journal: {first_reason(error)}", code=UNREADABLE
            ) from None

    def _next(self, read: int) -> Answer | Drawn | TakenBack | End | None:
        """Give the next entry; None for a torn last line."""
        whole = self._data.find(b"\n", self._at) >= 0
        content = self._content() if whole else None
        if content is None:
            if whole:
                raise self._damaged("it is not as it was written", read)
            return None
        try:
            kinds: tuple[tuple[str, type[Answer | Drawn | TakenBack | End]], ...] = (
                ("final", End),
                ("value", Drawn),
                ("results", TakenBack),
            )
            kind = next((kind for key, kind in kinds if key in content), Answer)
            return converter().structure(content, kind)
        except Exception as error:  # noqa: BLE001 - cattrs groups errors of many classes
            raise self._damaged(first_reason(error), read) from None

    def _content(self) -> dict[str, Any] | None:
        """Give what the next line holds, and step behind it; None if it is not as it was written."""
        end = self._data.find(b"\n", self._at)
        line = self._data[self._at : end]
        checksum, _, body = line.partition(b" ")
        try:
            text = body.decode("utf-8")
            if end < 0 or checksum.decode("ascii") != _checksum(self._checksum, text):
                return None
            content = json_of(text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(content, dict):
            return None
        self._at = end + 1
        self._line += 1
        self._checksum = checksum.decode("ascii")
        return content

    def _damaged(self, reason: str, read: int) -> JournalError:
        return JournalError(f"line {self._line + 1} is damaged: {reason}", rescued=read)


class Journal:
    """A journal that is written; while it is open nobody else can go on with it. Use it as a context.

    Make one with :meth:`create` or :meth:`resume`.
    """

    def __init__(self, file: BinaryIO, checksum: str = "") -> None:
        self._file = file
        self._end = file.tell()
        self._torn = False
        self._checksum = checksum

    @classmethod
    def create(cls, path: str | Path, header: Header) -> Self:
        """Begin a journal.

        Raises:
            JournalError: There is such a file, or it cannot be written.
        """
        place = Path(path)
        try:
            file = place.open("xb", buffering=0)
        except FileExistsError:
            raise JournalError(
                "there is such a file; a journal is never written over", code=NO_FILE
            ) from None
        except (OSError, ValueError) as error:
            raise _unwritable(error) from None
        _lock(file)
        made = cls(file)
        content = attrs.asdict(header)
        made._write({"journal": content.pop("format"), **content})
        return made

    @classmethod
    def resume(cls, path: str | Path) -> tuple[Self, Contents]:
        """Open a journal to go on with it; a torn last line is cut off.

        Raises:
            JournalError: It cannot be read as one, or somebody else goes on with it.
        """
        place = Path(path)
        try:
            file = place.open("r+b", buffering=0)
        except (OSError, ValueError) as error:
            raise _unreadable(error) from None
        try:
            _lock(file)
            contents = _Reader(file.read(LARGEST_FILE + 1)).contents()
            file.truncate(contents.size)
            file.seek(contents.size)
        except OSError as error:
            file.close()
            raise _unwritable(error) from None
        except JournalError:
            file.close()
            raise
        return cls(file, contents.checksum), contents

    def answer(self, entry: Answer) -> None:
        """Write an answer down, before it is acted on.

        Raises:
            JournalError: It cannot be written.
        """
        self._write(attrs.asdict(entry))

    def result(self, entry: Drawn) -> None:
        """Write down what was read off a real table, before it is acted on.

        Raises:
            JournalError: It cannot be written.
        """
        self._write(attrs.asdict(entry))

    def begin(self, answers: Iterable[Answer], draws: Iterable[Drawn]) -> None:
        """Write down a game that was played before, each result where it was read off the table.

        Raises:
            JournalError: It cannot be written.
        """
        left = deque(draws)
        number = 0
        for number, each in enumerate(answers, 1):
            while left and left[0].after < number:
                self.result(left.popleft())
            self.answer(each)
        while left and left[0].after <= number:
            self.result(left.popleft())

    def take_back(self, entry: TakenBack) -> None:
        """Write down that what followed counts no more.

        Raises:
            JournalError: It cannot be written.
        """
        self._write(attrs.asdict(entry))

    def end(self, entry: End) -> None:
        """Write down that the game is over.

        Raises:
            JournalError: It cannot be written.
        """
        self._write(attrs.asdict(entry))

    def close(self) -> None:
        """Let others go on with it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, content: dict[str, Any]) -> None:
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        checksum = _checksum(self._checksum, text)
        try:
            if self._torn:
                self._take_back()
            _write_all(self._file, f"{checksum} {text}\n".encode())
            os.fsync(self._file.fileno())
        except OSError as error:
            # The line does not count, so it must not stand there when the next one comes.
            self._torn = True
            with suppress(OSError):
                self._take_back()
            raise _unwritable(error) from None
        self._end = self._file.tell()
        self._checksum = checksum

    def _take_back(self) -> None:
        """Cut off what stands behind the last line that counts."""
        self._file.seek(self._end)
        self._file.truncate()
        self._torn = False


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write to a file without a buffer, which may take a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _lock(file: BinaryIO) -> None:
    import portalocker  # noqa: PLC0415 - only who writes pays for the import

    try:
        portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.LockException:
        file.close()
        raise JournalError("another process plays this game", code=IN_USE) from None


def _unreadable(error: OSError | ValueError) -> JournalError:
    return JournalError(f"it cannot be read: {getattr(error, 'strerror', error)}", code=NO_FILE)


def _unwritable(error: OSError | ValueError) -> JournalError:
    return JournalError(f"it cannot be written: {getattr(error, 'strerror', error)}", code=NO_FILE)


def _checksum(before: str, text: str) -> str:
    return _digest(f"{before} {text}", _DIGITS // 2)


def _digest(text: str, size: int) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
