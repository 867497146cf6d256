"""The figures of single games as a table: CSV, or Parquet made of it at the end."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from interpreter.statistics.backends import MissingExtraError, needed

if TYPE_CHECKING:
    from interpreter.statistics.batches import Row

PARQUET: Final = ".parquet"
_FIRST: Final = ("version", "game", "seed", "ending", "winners")


class Rows:
    """Writes rows as they come; a run that was stopped goes on after those that count.

    Args:
        path: Ends in `.csv` or `.parquet`; the latter is written as CSV first, in a file beside it.
        written: How many bytes count.
        fresh: Whether it begins anew.

    Raises:
        click.UsageError: The file has another ending, or cannot be written; a package is missing.
    """

    def __init__(self, path: str, written: int, *, fresh: bool) -> None:
        self._path = Path(path)
        suffix = self._path.suffix.lower()
        if suffix not in (".csv", PARQUET):
            raise click.UsageError(f"--rows writes .csv or .parquet, not {path!r}.")
        self._parquet = suffix == PARQUET
        if self._parquet:
            _arrow("pyarrow")
        self._csv = self._path.with_name(f"{self._path.name}.csv") if self._parquet else self._path
        self._names: tuple[str, ...] | None = None
        try:
            if not fresh and self._csv.exists():
                with self._csv.open("r+b") as file:
                    self._names = tuple(
                        next(csv.reader([file.readline().decode("utf-8")]))[len(_FIRST) :]
                    )
                    file.truncate(written)
                self._file = self._csv.open("ab")
            else:
                self._file = self._csv.open("wb")
        except OSError as error:
            raise click.UsageError(f"{self._csv} cannot be written: {error.strerror}") from None

    def add(self, rows: tuple[Row, ...]) -> None:
        """Write the rows of a batch."""
        if not rows:
            return
        text = StringIO()
        write = csv.writer(text, lineterminator="\n")
        if self._names is None:
            names: dict[str, None] = {}
            for row in rows:
                names.update(dict.fromkeys(pair[0] for pair in row[len(_FIRST) :]))  # type: ignore[index]
            self._names = tuple(names)
            write.writerow((*_FIRST, *self._names))
        for row in rows:
            found: dict[str, float] = dict(row[len(_FIRST) :])  # type: ignore[arg-type]
            write.writerow(
                (*row[: len(_FIRST)], *(_short(found.get(name)) for name in self._names))
            )
        self._file.write(text.getvalue().encode())
        self._file.flush()

    def size(self) -> int:
        """How many bytes are written."""
        return self._file.tell()

    def close(self) -> None:
        """Finish the file; make Parquet of it in pieces, so that memory does not grow."""
        self._file.close()
        if not self._parquet:
            return
        source = _arrow("pyarrow.csv").open_csv(str(self._csv))
        parquet = _arrow("pyarrow.parquet")
        with parquet.ParquetWriter(str(self._path), source.schema) as writer:
            for piece in source:
                writer.write_batch(piece)
        self._csv.unlink()


def _short(value: float | None) -> object:
    if value is None:
        return ""
    return int(value) if value == int(value) else round(value, 6)


def _arrow(name: str) -> Any:  # noqa: ANN401 - a module
    try:
        return needed(name, "parquet")
    except MissingExtraError:
        raise click.UsageError(
            'Parquet needs the package pyarrow: pip install "rulelang[parquet]"; --rows games.csv needs none.'
        ) from None
