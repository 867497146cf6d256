"""Texts and places in them.

The first stage: everything later points into a `SourceFile` by `Span`. Offsets count
characters of the decoded text, from 0; lines and columns count from 1, as editors show them.
"""

from __future__ import annotations

import bisect
import functools

import attrs

BYTE_ORDER_MARK = "\ufeff"
NOT_UTF8 = "\ufffd"


@attrs.frozen(eq=False)
class SourceFile:
    """One text with the path it is shown under; compared by identity.

    Attributes:
        path: As shown to people, relative to the folder of the ruleset where there is one.
        text: The text as it is in the file, line ends included.
    """

    path: str
    text: str = attrs.field(repr=False)
    _starts: list[int] = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Find where the lines begin."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        object.__setattr__(self, "_starts", starts)

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> SourceFile:
        """Decode UTF-8; bytes that are none become U+FFFD, which the parser reports."""
        return cls(path, data.decode("utf-8", errors="replace"))

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one, as has a text without a line end."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """Give the line (from 1) in which a character stands."""
        return bisect.bisect_right(self._starts, max(offset, 0))

    def position(self, offset: int) -> tuple[int, int]:
        """Give line and column, both from 1."""
        line = self.line_of(offset)
        return line, max(offset, 0) - self._starts[line - 1] + 1

    def positions(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Give line and column, both from 1, of two characters that are seldom in two lines."""
        starts = self._starts
        line = bisect.bisect_right(starts, start)
        column = start - starts[line - 1] + 1
        if line == len(starts) or end < starts[line]:
            return line, column, line, column + end - start
        return (line, column, *self.position(end))

    def line_start(self, line: int) -> int:
        """Give the offset of the first character of a line (from 1)."""
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """Give one line (from 1) without its line end; empty if there is no such line."""
        if not 1 <= line <= len(self._starts):
            return ""
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return self.text[self._starts[line - 1] : end].rstrip("\r\n")

    def span(self, start: int, end: int) -> Span:
        """Make a span in this text."""
        return Span(self, start, end)


@functools.total_ordering
@attrs.frozen(eq=True, order=False, hash=True)
class Span:
    """A half-open range of offsets in one text; ordered by path, then place."""

    file: SourceFile
    start: int
    end: int

    def __lt__(self, other: Span) -> bool:
        """Order by path, start, end."""
        return self.sort_key < other.sort_key

    @property
    def sort_key(self) -> tuple[str, int, int]:
        """Path, start, end."""
        return self.file.path, self.start, self.end

    @property
    def text(self) -> str:
        """The characters inside."""
        return self.file.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.file.line_of(self.start)

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.file.position(self.start)[1]

    def to(self, other: Span) -> Span:
        """Give the smallest span that holds this one and another of the same file."""
        return Span(self.file, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        """Write `path:line:column`."""
        return f"{self.file.path}:{self.line}:{self.column}"


def first_line(span: Span) -> Span:
    """Give the first line of a place."""
    line = span.text.partition("\n")[0]
    return attrs.evolve(span, end=span.start + len(line))
