"""Data files: comma-separated tables as cells with places, so that a finding can point at one.

The form is that of RFC 4180: a line of column names, then one row a line; a cell with commas,
quotes or line ends stands in double quotes, a quote in it is doubled. Text is UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs

from rulelang.source import BYTE_ORDER_MARK, NOT_UTF8, SourceFile, Span

if TYPE_CHECKING:
    from rulelang.diagnostics import DiagnosticBag

MISSING_FILE: Final = "E0801"
WRONG_CELL: Final = "E0802"

Reader: TypeAlias = Callable[[str], bytes]
"""Gives the bytes of a file by its path, as `located` gives it; raises `DataFileError`."""

_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"[ \t]*')
_BARE: Final = {sign: re.compile(rf"[^{sign}\r\n]*") for sign in ",;\t"}
_SIGNS: Final = {";": "semicolons", "\t": "tabs"}
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class DataFileError(Exception):
    """A file of a ruleset that cannot be read; the message completes "cannot read `x.csv`: ..."."""


def is_outside(path: str) -> bool:
    """Tell whether a text lies outside of the folder of its ruleset: its path is then a whole one."""
    return path.startswith("/") or ":" in path.split("/", 1)[0]


def located(source: str, path: str) -> str:
    """Give the path under which a `Reader` knows a file that a text names.

    Args:
        source: The path of the text. What it names lies in the folder of the ruleset; what a text outside
            of it names lies in that text's own folder.
        path: As written.

    Raises:
        DataFileError: It is no path inside of that folder.
    """
    if is_outside(path) or path.startswith("~"):
        raise DataFileError(
            "only paths inside the folder of the ruleset can be named, parted by `/`"
        )
    return f"{source.rpartition('/')[0]}/{path}" if is_outside(source) else path


@attrs.frozen
class Cell:
    """One cell: its text without quotes, and where it stands in the file."""

    text: str
    start: int
    end: int


@attrs.frozen
class Row:
    """One row. `number` counts as a spreadsheet does: the line of column names is row 1."""

    number: int
    cells: tuple[Cell, ...]


@attrs.frozen(eq=False)
class Sheet:
    """One data file.

    Attributes:
        file: The text, for places in it.
        header: The column names.
        rows: As many cells as columns in each.
    """

    file: SourceFile
    header: tuple[Cell, ...]
    rows: tuple[Row, ...]
    _columns: dict[str, int] = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Find the columns by name."""
        columns: dict[str, int] = {}
        for index, cell in enumerate(self.header):
            columns.setdefault(cell.text, index)
        object.__setattr__(self, "_columns", columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(cell.text for cell in self.header)

    def column(self, name: str) -> int | None:
        """Give the number of a column, from 0; None if there is none of that name."""
        return self._columns.get(name)

    def span(self, cell: Cell) -> Span:
        """Give the place of a cell."""
        return self.file.span(cell.start, cell.end)


def parse_sheet(path: str, data: bytes, bag: DiagnosticBag) -> Sheet:
    """Read a data file; never raises.

    Args:
        path: As findings show it.
        data: The bytes of the file.
        bag: Takes bytes that are no UTF-8, unclosed quotes, and rows and headers that do not fit together.
    """
    source = SourceFile.from_bytes(path, data)
    bad = source.text.find(NOT_UTF8)
    if bad >= 0:
        bag.error(
            MISSING_FILE,
            source.span(bad, bad + 1),
            f"`{path}` is not UTF-8",
            label="from here on",
            help="save the file as UTF-8",
        )
    sign = _sign(source, bag)
    records = _records(source, bag, sign)
    if not records:
        bag.error(
            MISSING_FILE,
            source.span(0, 0),
            f"`{path}` is empty",
            help="begin it with a line of column names",
        )
        return Sheet(source, (), ())
    header = tuple(attrs.evolve(cell, text=cell.text.strip()) for cell in records[0].cells)
    seen: dict[str, Cell] = {}
    for cell in header:
        if cell.text in seen:
            what = (
                f"two columns are named `{cell.text}`" if cell.text else "two columns have no name"
            )
            bag.error(MISSING_FILE, source.span(cell.start, cell.end), what)
        seen[cell.text] = cell
    rows = []
    for record in records[1:]:
        if len(record.cells) == len(header):
            rows.append(record)
            continue
        first, last = record.cells[0], record.cells[-1]
        bag.error(
            WRONG_CELL,
            source.span(first.start, last.end),
            f"row {record.number} has {len(record.cells)} cells, the file has {len(header)} columns",
            notes=("a cell that has a comma in it stands in double quotes",),
        )
    return Sheet(source, header, tuple(rows))


def _sign(source: SourceFile, bag: DiagnosticBag) -> str:
    """Give what parts the columns; another sign than the comma is told, and read, so that nothing follows from it."""
    header = source.line_text(1)
    for sign, called in _SIGNS.items():
        if sign in header and "," not in header:
            bag.error(
                MISSING_FILE,
                source.span(0, len(header)),
                f"the columns of `{source.path}` are parted by {called}, commas are wanted",
                help="save it as a table parted by commas; a cell with a comma in it stands in double quotes",
            )
            return sign
    return ","


def _records(source: SourceFile, bag: DiagnosticBag, sign: str) -> list[Row]:
    """Part a text into rows; lines without any character between line ends are no rows."""
    bare = _BARE[sign]
    text = source.text
    at = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    records: list[Row] = []
    cells: list[Cell] = []
    number = 1
    while at < len(text):
        quoted = _QUOTED.match(text, at) if text[at] == '"' else None
        if quoted is not None:
            cells.append(Cell(quoted[1].replace('""', '"'), at, quoted.end()))
            at = quoted.end()
            if at < len(text) and text[at] not in f"{sign}\r\n":
                bag.error(
                    WRONG_CELL,
                    source.span(cells[-1].start, at),
                    "text after the closing quote of a cell",
                    help='write a quote inside a quoted cell twice: `""`',
                )
                at = bare.match(text, at).end()  # type: ignore[union-attr]
        else:
            if text[at] == '"':
                bag.error(WRONG_CELL, source.span(at, at + 1), "the quote of a cell is not closed")
            end = bare.match(text, at).end()  # type: ignore[union-attr]
            cells.append(Cell(text[at:end], at, end))
            at = end
        if at < len(text) and text[at] == sign:
            at += 1
            if at == len(text) or text[at] in "\r\n":
                cells.append(Cell("", at, at))
            else:
                continue
        if len(cells) > 1 or cells[0].text.strip():
            records.append(Row(number, tuple(cells)))
        number += 1
        cells = []
        ending = _LINE_END.match(text, at)
        at = ending.end() if ending else at
    return records
