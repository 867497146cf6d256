"""Findings for people: the author's own lines, what is wrong in them, and what to write.

The form is the one that rustc and Elm have made known. Colour is used only if asked for, and
never carries a meaning of its own.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from rulelang.diagnostics import Diagnostic, Fix, Label, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.source import SourceFile

TAB: Final = "    "
_MARGIN: Final = 20
_STYLES: Final = {
    "error": "1;31",
    "warning": "1;33",
    "place": "36",
    "help": "1;36",
    "mark": "1;32",
    "strong": "1",
}


def render_full(diagnostics: Iterable[Diagnostic], *, color: bool = False, width: int = 100) -> str:
    """Render findings, in the order given, with a blank line after each.

    Args:
        diagnostics: The findings.
        color: Use ANSI colours.
        width: Source lines longer than this are shown around the place only.
    """
    return "".join(_Page(color, width).render(found) + "\n" for found in diagnostics)


def display_width(text: str) -> int:
    """Count the columns a terminal needs: wide characters two, combining ones none."""
    return sum(
        0
        if unicodedata.combining(letter)
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )


def visible(text: str) -> str:
    """Replace tabs by spaces and characters that would disturb a terminal by a sign."""
    return "".join(
        TAB if letter == "\t" else letter if letter.isprintable() else "·" for letter in text
    )


class _Page:
    """Renders one finding."""

    def __init__(self, color: bool, width: int) -> None:
        self._color = color
        self._width = max(width, 30)
        self._out: list[str] = []
        self._gutter = 1

    def _styled(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._color and text else text

    def render(self, found: Diagnostic) -> str:
        labels = [found.primary, *found.secondary]
        edits = found.fix.edits if found.fix else ()
        last = max([label.span.line for label in labels] + [edit.span.line for edit in edits])
        self._gutter = len(str(last))
        style = "error" if found.severity is Severity.ERROR else "warning"
        head = self._styled(f"{found.severity.value}[{found.code}]", style)
        self._out.append(f"{head}: {self._styled(found.headline, 'strong')}")
        self._labels(found, style)
        for note in found.notes:
            self._remark("note", note, "place")
        if found.citation:
            self._remark("rule", ", ".join(found.citation), "place")
        if found.help:
            self._remark("help", found.help, "help")
        if found.fix:
            self._fix(found.fix)
        return "\n".join(line.rstrip() for line in self._out) + "\n"

    def _row(self, number: str, text: str, bar: str = "|") -> None:
        self._out.append(f" {self._styled(number.rjust(self._gutter) + ' ' + bar, 'place')} {text}")

    def _remark(self, kind: str, text: str, style: str) -> None:
        lines = text.splitlines() or [""]
        pad = " " * (self._gutter + 2)
        self._out.append(f"{pad}= {self._styled(kind + ':', style)} {lines[0]}")
        self._out.extend(f"{pad}  {' ' * (len(kind) + 1)} {line}" for line in lines[1:])

    def _labels(self, found: Diagnostic, style: str) -> None:
        by_file: dict[SourceFile, list[tuple[Label, bool]]] = {}
        for label in (found.primary, *found.secondary):
            by_file.setdefault(label.span.file, []).append((label, label is found.primary))
        for file, labels in by_file.items():
            arrow = "-->" if labels[0][1] else ":::"
            self._out.append(
                f" {' ' * self._gutter}{self._styled(arrow, 'place')} {labels[0][0].span}"
            )
            self._row("", "")
            shown = 0
            lines = sorted({label.span.line for label, _ in labels})
            for line in lines:
                if shown and line > shown + 1:
                    self._out.append(self._styled(" ...", "place"))
                shown = line
                here = [entry for entry in labels if entry[0].span.line == line]
                self._source_line(file, line, here, style)
        if found.notes or found.citation or found.help:
            self._row("", "")

    def _source_line(
        self, file: SourceFile, line: int, labels: list[tuple[Label, bool]], style: str
    ) -> None:
        text = file.line_text(line)
        start = file.line_start(line)
        cuts = [
            (max(label.span.start - start, 0), max(label.span.end - start, 0))
            for label, _ in labels
        ]
        window = self._window(text, min(cut[0] for cut in cuts))
        self._row(str(line), self._cut(text, window))
        for (label, primary), (begin, end) in zip(labels, cuts, strict=True):
            end_here = min(end, len(text))
            pad = self._cut_width(text, begin, window)
            length = max(display_width(visible(text[begin : min(end_here, window[1])])), 1)
            mark = ("^" if primary else "-") * length
            manner = style if primary else "place"
            if not label.text or pad + length + display_width(label.text) < self._width + _MARGIN:
                words = f" {label.text}" if label.text else ""
                self._row("", " " * pad + self._styled(mark + words, manner))
                continue
            self._row("", " " * pad + self._styled(mark, manner))
            left = max(0, min(pad, self._width + _MARGIN - display_width(label.text)))
            self._row("", " " * left + self._styled(label.text, manner))

    def _window(self, text: str, begin: int) -> tuple[int, int]:
        """Choose which part of a long line is shown."""
        if display_width(visible(text)) <= self._width:
            return 0, len(text)
        first = max(0, begin - self._width // 3)
        return first, min(len(text), first + self._width)

    def _cut(self, text: str, window: tuple[int, int]) -> str:
        before = "..." if window[0] else ""
        after = "..." if window[1] < len(text) else ""
        return before + visible(text[window[0] : window[1]]) + after

    def _cut_width(self, text: str, begin: int, window: tuple[int, int]) -> int:
        return (3 if window[0] else 0) + display_width(visible(text[window[0] : begin]))

    def _fix(self, fix: Fix) -> None:
        """Show the lines as they would be."""
        edits = sorted(fix.edits, key=lambda edit: edit.span.sort_key)
        file = edits[0].span.file if edits else None
        if file is None or any(edit.span.file is not file for edit in edits):
            return
        lines = sorted({edit.span.line for edit in edits})
        if lines[-1] - lines[0] > 8 or any(
            "\n" in edit.span.text or "\n" in edit.text for edit in edits
        ):
            return
        rows: list[tuple[str, str]] = []
        for line in lines:
            start = file.line_start(line)
            here = [edit for edit in edits if edit.span.line == line]
            new, marks, at = "", "", 0
            text = file.line_text(line)
            for edit in here:
                kept = text[at : edit.span.start - start]
                new += kept + edit.text
                marks += " " * display_width(visible(kept)) + "~" * display_width(
                    visible(edit.text)
                )
                at = edit.span.end - start
            new += text[at:]
            if display_width(visible(new)) > 2 * self._width:
                continue
            rows.append((str(line), visible(new)))
            if marks.strip():
                rows.append(("", self._styled(marks, "mark")))
        if rows:
            self._row("", "")
        for number, text in rows:
            self._row(number, text)
