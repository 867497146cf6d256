"""Renderers: nothing but the finding, at the right place, in every format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rulelang.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Severity
from rulelang.rendering import render_concise, render_full, render_json
from rulelang.rendering.full import display_width
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

RULES = SourceFile(
    "a.rules", "effect a(p):\n\tp.gold = 3\n    move 日本 to b\n" + "x" * 300 + " end\n"
)
CARDS = SourceFile("data/cards.csv", "id,cost\nfeast,many\n")


def finding(start: int, end: int) -> Diagnostic:
    """Make a finding with every part."""
    return Diagnostic(
        "E0104",
        Severity.ERROR,
        "`=` does not change a value",
        Label(RULES.span(start, end), "here"),
        (Label(RULES.span(0, 6), "in this effect"), Label(CARDS.span(14, 18), "from this cell")),
        ("One note.", "Another\nof two lines."),
        "write `becomes`",
        Fix("write `becomes`", (Edit(RULES.span(start, end), "becomes"),), Applicability.SAFE),
        ("RB-1", "RB-2"),
    )


EQUALS = finding(21, 22)
WARNING = Diagnostic("E0210", Severity.WARNING, "never used", Label(RULES.span(0, 6)))


def test_full(snapshot: SnapshotAssertion) -> None:
    """All parts are shown, tabs do not shift the marks."""
    assert RULES.text[21] == "="
    assert render_full([EQUALS, WARNING]) == snapshot


def test_wide_characters() -> None:
    """Marks stand under characters that take two columns."""
    start = RULES.text.index("日")
    shown = render_full(
        [Diagnostic("E0103", Severity.ERROR, "x", Label(RULES.span(start, start + 2)))]
    )
    row, marks = shown.splitlines()[3:5]
    assert display_width(row[: row.index("日")]) == marks.index("^")
    assert marks.count("^") == display_width("日本") == 4


def test_long_line() -> None:
    """A long line is cut around the place."""
    start = RULES.text.index(" end")
    shown = render_full(
        [Diagnostic("E0103", Severity.ERROR, "x", Label(RULES.span(start + 1, start + 4)))],
        width=60,
    )
    row, marks = shown.splitlines()[3:5]
    assert max(len(line) for line in shown.splitlines()) < 80
    assert row.index("end") == marks.index("^")


def test_color() -> None:
    """Colour is used only if asked for, and taking it away gives the plain text."""
    plain, colored = render_full([EQUALS]), render_full([EQUALS], color=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31merror[E0104]" in colored


def test_hostile_text() -> None:
    """Characters that a terminal would obey are not passed on."""
    source = SourceFile("a", "x\x1b[2J\x07 y\n")
    shown = render_full([Diagnostic("E0108", Severity.ERROR, "x", Label(source.span(1, 2)))])
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_place_outside_text() -> None:
    """The end of a text without a last line end is a place too."""
    source = SourceFile("a", "x")
    shown = render_full([Diagnostic("E0103", Severity.ERROR, "x", Label(source.span(1, 1)))])
    assert "--> a:1:2" in shown


def test_concise() -> None:
    """One line each, with path, line, column, severity and code."""
    assert render_concise([EQUALS, WARNING]) == (
        "a.rules:2:9: E0104 `=` does not change a value (write `becomes`)\n"
        "a.rules:1:1: E0210 warning: never used\n"
    )
    assert render_concise([]) == ""


def test_json(snapshot: SnapshotAssertion) -> None:
    """The document has a version and all parts, and can be read back."""
    text = render_json([EQUALS])
    document = json.loads(text)
    assert document["version"] == 1
    assert document["diagnostics"][0]["fix"]["edits"][0]["text"] == "becomes"
    assert text == snapshot


def test_words_that_do_not_fit_stand_below() -> None:
    """A long label behind a long mark goes on a row of its own, where it can be read."""
    start = RULES.text.index("xxx")
    label = Label(RULES.span(start, start + 300), "nothing above shows that there is one")
    shown = render_full([Diagnostic("E0501", Severity.WARNING, "empty", label)])
    rows = shown.splitlines()
    assert rows[4].endswith("^")
    assert rows[5].endswith("| nothing above shows that there is one")
    assert max(map(display_width, rows)) < 125
