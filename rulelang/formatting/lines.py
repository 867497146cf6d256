"""The text of a file, line by line: indentation, blank lines, comments and where they stand.

What an author decides is kept: whether the body of a rule stands behind its colon or below (unless it is too long), the
order of everything, and where a blank line parts groups. All else follows from the tokens.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import attrs

from rulelang import nodes
from rulelang.diagnostics import DiagnosticBag
from rulelang.formatting.breaking import Breaker
from rulelang.formatting.document import STEP, WIDTH, Note, OutLine, lay_out
from rulelang.formatting.spacing import comment_text, is_spaced, marks_of, text_of
from rulelang.layout import Corrections, chunks, logical_lines
from rulelang.lexer import TAB_WIDTH, Lexed, Token, lex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.source import SourceFile

BLOCK_HANG: Final = 2 * STEP
"""How much further in a header goes on, so that it is told from the block below it."""
FIRST_STOP: Final = 52
NEXT_STOP: Final = 12


@attrs.frozen(eq=False)
class _Line:
    """One line as the grammar sees it.

    Attributes:
        level: How many blocks it stands in.
        column: How far it is pushed in.
        tokens: What it says.
        notes: Comments in its middle, by the offset of the token that they follow.
        comment: What stands behind it.
    """

    level: int
    column: int
    tokens: Sequence[Token]
    notes: Mapping[int, list[Note]] = attrs.field(factory=dict)
    comment: str = ""

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    @property
    def opens(self) -> bool:
        return self.tokens[-1].type == "_COLON"


_Part: TypeAlias = "_Line | nodes.Comment"


def lines_of(source: SourceFile, lexed: Lexed) -> Iterator[_Line]:
    """Give the lines of a text that has no mistakes, comments left out."""
    unused = DiagnosticBag()
    for chunk in chunks(lexed.lines):
        columns = [0]
        for line in logical_lines(source, chunk, Corrections(), unused, unused, set()):
            while line.indent < columns[-1]:
                columns.pop()
            if line.indent > columns[-1]:
                columns.append(line.indent)
            yield _Line(len(columns) - 1, line.indent, line.tokens)


class Printer:
    """Writes one file anew.

    Args:
        source: A text without mistakes.
        module: Its syntax tree.
    """

    def __init__(self, source: SourceFile, module: nodes.Module) -> None:
        tree = [node for item in module.items for node in nodes.walk(item)]
        self._source = source
        self._marks = marks_of(tree)
        self._breaker = Breaker(tree, self._marks)
        self._out: list[OutLine] = []
        self._moved: list[tuple[int, int]] = []

    def text(self) -> str:
        """Write the text."""
        parts = self._parts()
        columns: list[int] = []  # of the blocks that are open, in the old text
        for number, (part, below) in enumerate(zip(parts, _below(parts), strict=True)):
            if number and self._is_parted(parts[number - 1], part):
                self._out.append(OutLine(""))
            if isinstance(part, _Line):
                del columns[part.level :]
                columns.append(part.column)
                self._line(part)
            else:
                level = below.level if below.owns else self._level(part, columns, below.level)
                self._out.append(OutLine(self._indent(level) + comment_text(part.text)))
        return "".join(f"{_with_comment(line)}\n" for line in self._out)

    # -------------------------------------------------------------- lines and comments in order

    def _parts(self) -> list[_Part]:
        """Give lines and the comments between them; the others become part of their line."""
        lexed = lex(self._source, DiagnosticBag())
        waiting = list(reversed(lexed.comments))
        parts: list[_Part] = []
        for line in lines_of(self._source, lexed):
            while waiting and waiting[-1].span.start < line.start:
                parts.append(waiting.pop())
            notes: dict[int, list[Note]] = {}
            while waiting and waiting[-1].span.start < line.end:
                comment = waiting.pop()
                after = [token for token in line.tokens if token.start < comment.span.start][-1]
                note = Note(comment_text(comment.text), comment.own_line)
                notes.setdefault(after.start, []).append(note)
            behind = ""
            if waiting and waiting[-1].span.start < self._line_end(line.end):
                behind = comment_text(waiting.pop().text)
            parts.append(attrs.evolve(line, notes=notes, comment=behind))
        parts.extend(reversed(waiting))
        return parts

    def _line_end(self, offset: int) -> int:
        end = self._source.text.find("\n", offset)
        return end if end >= 0 else len(self._source.text)

    def _is_parted(self, before: _Part, part: _Part) -> bool:
        """Tell whether a blank line stands between two parts; none does directly below a header."""
        if isinstance(before, _Line) and before.opens:
            return False
        return self._source.text.count("\n", _end(before), _start(part)) > 1

    def _level(self, comment: nodes.Comment, columns: Sequence[int], below: int) -> int:
        """Give the block of a comment: the innermost that ends here and is not further in."""
        begin = self._source.line_start(comment.span.line)
        lead = self._source.text[begin : comment.span.start]
        column = len(lead.expandtabs(TAB_WIDTH))
        inside = (level for level in range(below + 1, len(columns)) if columns[level] <= column)
        return max(inside, default=below)

    # -------------------------------------------------------------- one line

    def _line(self, line: _Line) -> None:
        while self._moved and self._moved[-1][0] >= line.level:
            self._moved.pop()
        pieces = self._pieces(line.tokens, self._indent(line.level), line.notes)
        for number, tokens in enumerate(pieces):
            indent = self._indent(line.level) + " " * STEP * number
            self._out += self._lay_out(tokens, indent, _of(line.notes, tokens))
        self._out[-1].comment = line.comment
        if line.opens and len(pieces) > 1:
            self._moved.append((line.level, len(pieces) - 1))

    def _indent(self, level: int) -> str:
        """Give the blanks in front of a line: more where a header above has been parted into several lines."""
        return " " * STEP * (level + sum(more for above, more in self._moved if above < level))

    def _pieces(
        self, tokens: Sequence[Token], indent: str, notes: Mapping[int, Sequence[Note]]
    ) -> list[Sequence[Token]]:
        """Part a line that is too long behind the colons of its bodies, until what is left fits."""
        if self._fits(tokens, indent, notes):
            return [tokens]
        for number, token in enumerate(tokens[:-1], start=1):
            if token.type == "_COLON" and token.start in self._marks.bodies:
                rest = tokens[number:]
                below = self._pieces(rest, indent + " " * STEP, _of(notes, rest))
                return [tokens[:number], *below]
        return [tokens]

    def _lay_out(
        self, tokens: Sequence[Token], indent: str, notes: Mapping[int, Sequence[Note]]
    ) -> list[OutLine]:
        if self._fits(tokens, indent, notes):
            return [OutLine(indent + self._flat(tokens))]
        hang = BLOCK_HANG if tokens[-1].type == "_COLON" else STEP
        return lay_out(self._breaker.document(tokens, notes), len(indent), len(indent) + hang)

    def _fits(
        self, tokens: Sequence[Token], indent: str, notes: Mapping[int, Sequence[Note]]
    ) -> bool:
        return not notes and len(indent) + len(self._flat(tokens)) <= WIDTH

    def _flat(self, tokens: Sequence[Token]) -> str:
        written = [text_of(tokens[0])]
        for before, token in itertools.pairwise(tokens):
            if is_spaced(before, token, self._marks):
                written.append(" ")
            written.append(text_of(token))
        return "".join(written)


def _start(part: _Part) -> int:
    return part.start if isinstance(part, _Line) else part.span.start


def _end(part: _Part) -> int:
    return part.end if isinstance(part, _Line) else part.span.end


class _Below(NamedTuple):
    """What follows a comment: the level of the next line, and whether that line owns it."""

    level: int
    owns: bool


def _below(parts: Sequence[_Part]) -> list[_Below]:
    """Tell of each part what follows it."""
    found: list[_Below] = []
    level, owns = 0, False
    for part in reversed(parts):
        if isinstance(part, _Line):
            level, owns = part.level, True
        else:
            owns = owns and part.is_doc
        found.append(_Below(level, owns))
    return found[::-1]


def _of(notes: Mapping[int, Sequence[Note]], tokens: Sequence[Token]) -> dict[int, Sequence[Note]]:
    first, last = tokens[0].start, tokens[-1].start
    return {start: found for start, found in notes.items() if first <= start <= last}


def _with_comment(line: OutLine) -> str:
    """Write a line with the comment behind it, at the first stop that leaves room for both."""
    if not line.comment:
        return line.code.rstrip()
    least = len(line.code) + 2
    column = FIRST_STOP
    while column < least:
        column += NEXT_STOP
    if column + len(line.comment) > WIDTH:
        column = least
    return f"{line.code:<{column}}{line.comment}"
