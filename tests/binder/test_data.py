"""Comma-separated files with the places of their cells."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.codes import CODES
from rulelang.data import parse_sheet
from rulelang.diagnostics import DiagnosticBag


def rows_of(text: str) -> list[list[str]]:
    """Read a text and give its cells, the header first."""
    bag = DiagnosticBag()
    sheet = parse_sheet("x.csv", text.encode(), bag)
    assert not bag
    for row in sheet.rows:
        for cell in row.cells:
            raw = sheet.span(cell).text
            assert cell.text == raw or raw.startswith('"')
    return [list(sheet.columns), *([cell.text for cell in row.cells] for row in sheet.rows)]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        "a,b\r\n1,2\r\n",
        "a,b\n1,2",
        'a,b\n"1,5","say ""hi"""\n',
        'a,b\n"two\nlines",2\n',
        "a,b\n,\n",
        "\ufeffa,b\n1,2\n",
        "a,b\n\n1,2\n\n",
    ],
)
def test_the_same_as_the_library(text: str) -> None:
    """Cells are those that Python's reader finds; empty lines are none."""
    expected = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff"), newline="")) if row]
    assert rows_of(text) == expected


CELLS = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\0\ufffd\ufeff\"'"), max_size=8
)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=5))
def test_what_the_library_writes_is_read(rows: list[list[str]]) -> None:
    """Whatever stands in the cells."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerows([["a", "b"], *rows])
    assert rows_of(out.getvalue()) == [["a", "b"], *rows]


@pytest.mark.parametrize(
    ("data", "number", "place"),
    [
        (b"", 18, "1:1"),
        (b"a,a\n1,2\n", 18, "1:3"),
        (b"a,b\n1\n", 19, "2:1"),
        (b"a,b\n1,2,3\n", 19, "2:1"),
        (b'a,b\n"1,2\n', 19, "2:1"),
        (b'a,b\n"1"x,2\n', 19, "2:1"),
        (b"a,b\n1,\xff\n", 18, "2:3"),
    ],
)
def test_reported(data: bytes, number: int, place: str) -> None:
    """What is wrong with a file is reported at its place."""
    bag = DiagnosticBag()
    parse_sheet("x.csv", data, bag)
    (found,) = bag
    assert CODES[found.code].number == number
    assert str(found.span) == f"x.csv:{place}"


@given(st.binary(max_size=60))
def test_nothing_makes_it_fail(data: bytes) -> None:
    """Any bytes at all are read or reported."""
    parse_sheet("x.csv", data, DiagnosticBag())
