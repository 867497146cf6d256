"""The command `fmt`: texts of rules in the one style, on disk or from a pipe."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs
import click

from interpreter.ui.checking import render
from interpreter.ui.paths import from_here
from interpreter.ui.replacing import replace_file, show_difference
from rulelang.data import DataFileError
from rulelang.discovery import find_ruleset
from rulelang.files import MAX_FILE_BYTES, SUFFIX, RulesetNotFoundError, read_limited
from rulelang.formatting import FormattingError, format_source
from rulelang.source import SourceFile
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.diagnostics import Diagnostic

PIPE: Final = "-"
Became: TypeAlias = Literal["same", "other", "refused"]


@attrs.frozen
class Wanted:
    """What is to be done with texts that are in another style.

    Attributes:
        check: Only list them.
        diff: Only show what would change.
        colour: Whether escape sequences may be used.
    """

    check: bool
    diff: bool
    colour: bool

    @property
    def writes(self) -> bool:
        """Whether files are changed at all."""
        return not self.check and not self.diff


def format_paths(paths: Sequence[str], wanted: Wanted) -> bool:
    """Format files, and say on standard error how many.

    Args:
        paths: Folders, files or names of rulesets.
        wanted: What is to be done.

    Returns:
        Whether all could be read, and, where nothing is to be written, are in the one style.

    Raises:
        RulesetNotFoundError: One of the paths leads nowhere.
        OSError: A file cannot be written.
    """
    places = {place.resolve(): place for path in paths for place in _files(path)}
    became: list[Became] = []
    for target, place in places.items():
        shown = from_here(place)
        try:
            data = read_limited(target)
        except DataFileError as problem:
            click.echo(f"error: {shown}: {problem}", err=True)
            became.append("refused")
            continue
        text = _formatted(shown, data, colour=wanted.colour)
        became.append(_settle(shown, data, text, wanted))
        if text is not None and wanted.writes and became[-1] == "other":
            replace_file(target, text)
    _tell(became, wanted)
    return "refused" not in became and (wanted.writes or "other" not in became)


def format_pipe(name: str, wanted: Wanted) -> bool:
    """Format standard input to standard output.

    Args:
        name: What it is called in findings and differences.
        wanted: What is to be done; without `check` and `diff` the whole text is written.

    Returns:
        As `format_paths`.
    """
    data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        click.echo(f"error: {name}: it has more than {MAX_FILE_BYTES:,} bytes", err=True)
        return False
    text = _formatted(name, data, colour=wanted.colour)
    if text is None:
        return False
    if wanted.writes:
        click.echo(text.encode("utf-8"), nl=False)
        return True
    return _settle(name, data, text, wanted) == "same"


def _files(path: str) -> Iterator[Path]:
    """Give the files that a path stands for; links in folders are passed over."""
    place = find_ruleset(path)
    if place.is_file():
        yield place
        return
    found = False
    for folder, below, names in os.walk(place):
        below[:] = sorted(each for each in below if not each.startswith("."))
        for name in sorted(names):
            file = Path(folder) / name
            if name.endswith(SUFFIX) and not name.startswith(".") and not file.is_symlink():
                found = True
                yield file
    if not found:
        raise RulesetNotFoundError(f"There is no {SUFFIX} file in {path!r}.")


def _formatted(shown: str, data: bytes, *, colour: bool) -> str | None:
    """Give a text in the one style; None after telling why it is left alone."""
    try:
        done = format_source(SourceFile.from_bytes(shown, data))
    except FormattingError as problem:
        click.echo(f"error: {problem}. Please report it with the file.", err=True)
        return None
    if done.text is None:
        _show(done.diagnostics, colour=colour)
    return done.text


def _show(found: Iterable[Diagnostic], *, colour: bool) -> None:
    errors = [each for each in found if each.is_error]
    click.echo(render(errors, "full", colour=colour), nl=False, err=True, color=colour)


def _settle(shown: str, data: bytes, text: str | None, wanted: Wanted) -> Became:
    """Say what a text is, and show what was asked for."""
    if text is None:
        return "refused"
    if text.encode("utf-8") == data:
        return "same"
    if wanted.diff:
        show_difference(shown, data.decode("utf-8"), text, colour=wanted.colour)
    elif wanted.check:
        click.echo(shown)
    return "other"


def _tell(became: Sequence[Became], wanted: Wanted) -> None:
    """Say how many files there are of each kind."""
    changed, left = became.count("other"), became.count("same")
    verb = "formatted" if wanted.writes else "not in the one style"
    said = [f"{plural(changed, 'file')} {verb}"] if changed else []
    said += (
        [f"{plural(left, 'file')} left as {'it is' if left == 1 else 'they are'}"] if left else []
    )
    refused = became.count("refused")
    said += [f"{plural(refused, 'file')} could not be read"] if refused else []
    click.echo(", ".join(said), err=True)
