"""One style for texts of rules: `format_source` writes a text anew without changing what it says.

spacing     which two tokens stand close
document    text with places where it may be broken, and its layout in lines
breaking    a line of tokens as a document, from the syntax tree
lines       indentation, blank lines, comments
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang.diagnostics import Diagnostic
from rulelang.formatting.lines import Printer, Written, written_lines
from rulelang.formatting.spacing import comment_text, text_of
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = ["Formatted", "FormattingError", "format_source"]


class FormattingError(Exception):
    """A text would not have said the same: a mistake of the formatter."""


@attrs.frozen
class Formatted:
    """What became of a text.

    Attributes:
        text: It in the one style; None if it cannot be parsed.
        diagnostics: What is wrong with it.
    """

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def format_source(source: SourceFile) -> Formatted:
    """Write a text in the one style.

    Raises:
        FormattingError: The new text would not be the same tokens, blocks and comments. No text is known for which
            that happens; a file is better left alone than spoiled.
    """
    parsed = parse(source)
    if parsed.has_errors:
        return Formatted(None, parsed.diagnostics)
    printer = Printer(source, parsed.module)
    text = printer.text()
    _prove(source, SourceFile(source.path, text), printer.written)
    return Formatted(text, parsed.diagnostics)


def _prove(old: SourceFile, new: SourceFile, intended: Sequence[Written]) -> None:
    """Read the new text, and compare it with what was to be written."""
    lines, lexed = written_lines(new)
    _old_lines, was = written_lines(old)
    comments = [[comment_text(each.text) for each in texts.comments] for texts in (was, lexed)]
    if comments[0] != comments[1] or list(map(_said, lines)) != list(map(_said, intended)):
        raise FormattingError(
            f"{old.path} was not formatted: the text would have said something else"
        )


def _said(line: Written) -> tuple[int, list[tuple[str, str]]]:
    return line.level, [(token.type, text_of(token)) for token in line.tokens]
