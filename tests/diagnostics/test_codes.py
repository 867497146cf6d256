"""Every code has a page, and its examples are right: the first fails with this code only, the second passes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rulelang.api import check_text
from rulelang.codes import BY_NUMBER, CODES, explanation, lookup
from rulelang.diagnostics import Severity
from rulelang.rendering import render_full

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r'^```(\w+)(?: title="([^"\n]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
SECTIONS = ["What it finds", "Why it matters", "Example", "Instead"]
PATH = "example.rules"

# Checking one text chooses no set of variants, plays nothing, asks for no coverage: these pages show what other
# commands report.
ELSEWHERE = frozenset(("E0212", "E0702", "E0706", "E0902", "L0205"))
CHECKED = [code for code in CODES if code[0] in "EL"]
PLAYED = [code for code in CODES if code.startswith("R01")]
RULES = [*CHECKED, *PLAYED]  # tests/diagnostics/test_records.py has those about files of games


@attrs.frozen
class Page:
    """The examples of an explanation: rules and the data files they read."""

    example: str
    instead: str
    files: dict[str, str]
    files_instead: dict[str, str]


def read_page(code: str) -> Page:
    """Take an explanation apart."""
    parts = re.split(r"^## (.+)$", explanation(code), flags=re.MULTILINE)
    assert parts[1::2] == SECTIONS
    blocks = [BLOCK.findall(text) for text in parts[6::2]]
    rules = [next(text for _, title, text in found if not title) for found in blocks]
    files = [{title: text for _, title, text in found if title} for found in blocks]
    return Page(rules[0], rules[1], files[0], {**files[0], **files[1]})


@pytest.mark.parametrize("code", CODES)
def test_page(code: str) -> None:
    """The page begins with code and name and has the four sections, with an example."""
    text = explanation(code)
    assert text.startswith(f"# {code} {CODES[code].name}\n")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    assert parts[1::2] == SECTIONS
    assert all(BLOCK.search(part) for part in parts[6::2])


@pytest.mark.parametrize("code", [code for code in CHECKED if code not in ELSEWHERE])
def test_example(code: str, snapshot: SnapshotAssertion) -> None:
    """The example is reported with this code and no other; its rendering is kept."""
    page = read_page(code)
    found = check_text(page.example, PATH, page.files)
    assert {each.code for each in found} == {code}
    expected = {CODES[code].severity}
    if CODES[code].may_warn:
        expected.add(Severity.WARNING)
    assert {each.severity for each in found} <= expected
    assert render_full(found) == snapshot


@pytest.mark.parametrize("code", RULES)
def test_instead(code: str) -> None:
    """What is proposed instead passes without a finding."""
    page = read_page(code)
    assert check_text(page.instead, PATH, page.files_instead) == ()


@pytest.mark.parametrize("code", PLAYED)
def test_fault_example(code: str) -> None:
    """What goes wrong only while playing is not an error before."""
    page = read_page(code)
    assert [each for each in check_text(page.example, PATH, page.files) if each.is_error] == []


def test_numbers() -> None:
    """Each row of the reference's table has exactly one code."""
    assert sorted(BY_NUMBER) == list(range(1, 61))
    assert len({entry.name for entry in CODES.values()}) == len(CODES)


def test_no_page_without_code() -> None:
    """No page is left over from a code that is gone, and the index lists all of them."""
    pages = {path.stem for path in (ROOT / "rulelang" / "explanations").glob("*.md")}
    assert pages == set(CODES)
    index = (ROOT / "docs" / "reference" / "diagnostics.md").read_text("utf-8")
    listed = re.findall(r"^\| \[(\w+)\]\(\S+\) \| (\S+) \|", index, re.MULTILINE)
    assert listed == [(entry.code, entry.name) for entry in CODES.values()]


def test_lookup() -> None:
    """A code is found in either case and by its name."""
    assert lookup("e0104") is lookup("foreign-operator") is CODES["E0104"]
    assert lookup("E9999") is None
    assert explanation("../codes") == ""
