"""Documents: text with places where it may be broken, and how it is laid out in lines.

A `Fill` is a row of segments with a blank, or a line end, between each two. As many as fit stand in one line; a
segment moves to the next line as a whole, and is broken inside, at the fills that it holds, only if it is longer than
a line. So a line is broken at its outermost places first. A `Note` is a comment: nothing can follow it in its line.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import attrs

WIDTH: Final = 120
STEP: Final = 4


@attrs.frozen
class Note:
    """A comment in the middle, or without text a line end that must be.

    Attributes:
        text: As it is written.
        own_line: Whether it stands in a line of its own.
    """

    text: str
    own_line: bool


Segment: TypeAlias = "list[str | Fill | Note]"


@attrs.define
class Fill:
    """A row of segments; each holds at least one element.

    Attributes:
        segments: They.
        brackets: Whether it is what brackets hold.
        apart: Whether wide segments get a line each if two lines do not hold all.
    """

    segments: list[Segment]
    brackets: bool = False
    apart: bool = False
    _width: int = -1

    @property
    def width(self) -> int:
        """How wide it is in one line, comments left out."""
        if self._width < 0:
            blanks = len(self.segments) - 1
            self._width = sum(width(segment) for segment in self.segments) + blanks
        return self._width


@attrs.define
class OutLine:
    """A line that is written: what stands in it, indentation included, and the comment behind it."""

    code: str
    comment: str = ""


def width(segment: Segment) -> int:
    """Give how wide a segment is in one line, comments left out."""
    return sum(
        len(part) if isinstance(part, str) else 0 if isinstance(part, Note) else part.width
        for part in segment
    )


def lay_out(document: Fill, indent: int, hang: int) -> list[OutLine]:
    """Break a document into lines.

    Args:
        document: What is written.
        indent: Column of the first line.
        hang: Column of the others.
    """
    layout = _Layout(indent)
    layout.fill(document, hang, 0)
    return layout.lines


class _Layout:
    """Lines in the making."""

    def __init__(self, indent: int) -> None:
        self.lines = [OutLine(" " * indent)]
        self._fresh = True
        self._closed = False

    @property
    def _column(self) -> int:
        return len(self.lines[-1].code)

    def fill(self, document: Fill, hang: int, tail: int) -> None:
        """Write a fill.

        Args:
            document: It.
            hang: Column of lines that begin in it.
            tail: Width of what must stand in the line in which it ends.
        """
        last = len(document.segments) - 1
        room = WIDTH - self._column
        is_apart = document.apart and document.width + tail > room + WIDTH - hang
        for number, segment in enumerate(document.segments):
            rest = tail if number == last else 0
            inner = hang
            if number:
                wide = width(segment) + rest
                free = WIDTH - self._column - 1
                stays = wide > WIDTH - hang  # it is broken inside in any case
                if self._closed or is_apart or wide > free:
                    if stays and not self._closed and not is_apart and _head(segment)[0] <= free:
                        self._text(" ", hang)
                    else:
                        self._end_line(hang)
                        inner += STEP
                else:
                    self._text(" ", hang)
            self._segment(segment, inner, rest, hang)

    def _segment(self, segment: Segment, inner: int, tail: int, hang: int) -> None:
        for number, part in enumerate(segment):
            match part:
                case str():
                    self._text(part, hang)
                case Note():
                    self._note(part, hang)
                case Fill():
                    after, open_end = _lead(segment[number + 1 :])
                    self.fill(part, inner, after if open_end else after + tail)

    def _text(self, text: str, hang: int) -> None:
        if self._closed:
            self._end_line(hang)
        self.lines[-1].code += text.lstrip(" ") if self._fresh else text
        self._fresh = self._fresh and not text.strip(" ")

    def _note(self, note: Note, hang: int) -> None:
        if note.own_line and not self._fresh:
            self._end_line(hang)
        if note.own_line:
            self.lines[-1].code += note.text
        elif note.text:
            self.lines[-1].comment = note.text
        self._fresh, self._closed = False, True

    def _end_line(self, hang: int) -> None:
        self.lines.append(OutLine(" " * hang))
        self._fresh, self._closed = True, False


def _lead(parts: Segment) -> tuple[int, bool]:
    """Give how wide some parts are up to the first place where they can be broken, and whether there is one."""
    wide = 0
    for part in parts:
        match part:
            case str():
                wide += len(part)
            case Note():
                return wide, True
            case Fill(segments=segments):
                more, is_open = _lead(segments[0])
                wide += more
                if is_open or len(segments) > 1:
                    return wide, True
    return wide, False


def _head(parts: Segment) -> tuple[int, bool]:
    """Give how wide some parts are up to the first place outside of brackets, and whether there is one."""
    wide = 0
    for part in parts:
        match part:
            case Fill(brackets=False, segments=[only]):
                more, is_open = _head(only)
                wide += more
                if is_open:
                    return wide, True
            case Fill(brackets=False, segments=[first, *_]):
                return wide + width(first), True
            case _:
                wide += width([part])
    return wide, False
