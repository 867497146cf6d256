"""Spans of the language as ranges of the protocol, which counts columns in UTF-16, and paths as addresses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls import uris

if TYPE_CHECKING:
    from rulelang.source import SourceFile, Span


def position_at(file: SourceFile, offset: int) -> types.Position:
    """Give the position of a character."""
    line, column = file.position(offset)
    before = file.text[offset - column + 1 : offset]
    return types.Position(line - 1, _units(before))


def range_of(span: Span) -> types.Range:
    """Give the range of a span."""
    return types.Range(position_at(span.file, span.start), position_at(span.file, span.end))


def offset_at(file: SourceFile, position: types.Position) -> int:
    """Give the character at a position; behind the end of a line the end of the line."""
    if position.line >= file.line_count:
        return len(file.text)
    start = file.line_start(position.line + 1)
    end = file.text.find("\n", start)
    line = file.text[start : len(file.text) if end < 0 else end]
    if line.isascii():
        return start + min(position.character, len(line))
    units = 0
    for index, char in enumerate(line):
        if units >= position.character:
            return start + index
        units += _units(char)
    return start + len(line)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def address_of(place: Path) -> str:
    """Give the address of a file."""
    return uris.from_fs_path(str(place)) or ""


def path_of(address: str) -> Path | None:
    """Give the path of an address; None if it is no file."""
    found = uris.to_fs_path(address) if address.startswith("file:") else None
    return Path(found).resolve() if found else None
