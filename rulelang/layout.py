"""Lines to blocks: what the indentation means.

A line that ends with a colon opens a block. A deeper line after any other line continues it,
and inside brackets lines join. A declaration is a *chunk*: a line at the left edge with all
that follows deeper. Chunks are parsed one by one, so a broken one never hides another.

The parser may ask for corrections and lay a chunk out again: a colon after a line that lacks
it, a line that stands on its own although it is deeper, a bracket that counts for nothing.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.lexer import Line, Token, token_types

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.diagnostics import DiagnosticBag
    from rulelang.source import SourceFile

MAX_BLOCKS: Final = 20
MAX_LINE_TOKENS: Final = 1_500

DECLARATIONS: Final = token_types(
    "GAME VARIANT PRESET OPTION COMPONENT DEFINE TABLE EFFECT PHASE CARD ALWAYS SCENARIO "
    "BEFORE AFTER INSTEAD WHEN DROP CHANGE MAY"
)
_NEVER_IN_BRACKETS: Final = (
    DECLARATIONS | token_types("STEP IF ELSE WHILE SECRETLY LET MOVE DO END UNTIL KEEPS")
) - {
    "MAY",
    "AFTER",
    "WHEN",
}
_NEVER_INSIDE: Final = frozenset(
    ("GAME", "VARIANT", "PRESET", "COMPONENT", "EFFECT", "PHASE", "TABLE", "SCENARIO")
)
_OPENING: Final = frozenset(("LPAR", "LBRACE"))
_CLOSING: Final = frozenset(("RPAR", "RBRACE"))
_BRACKETS: Final = _OPENING | _CLOSING


@attrs.define
class LogicalLine:
    """One line as the grammar sees it.

    Attributes:
        indent: Level at which it stands, after corrections.
        tokens: Its tokens, those of continuing lines included.
        continued: Positions in `tokens` at which a line continues.
        lacks_block: It ends with a colon and nothing deeper follows.
    """

    indent: int
    tokens: list[Token]
    continued: set[int] = attrs.field(factory=set)
    lacks_block: bool = False

    @property
    def start(self) -> int:
        """Offset of its first token, which names the line."""
        return self.tokens[0].start

    @property
    def opens(self) -> bool:
        """Whether it ends with a colon."""
        return self.tokens[-1].type == "_COLON"


@attrs.define
class Corrections:
    """What the parser has found out about a chunk.

    Attributes:
        colons: Offsets of the last token of lines after which a colon is missing.
        starts: Offsets of first tokens of lines that stand on their own although they are deeper.
        brackets: Offsets of brackets that are never closed; their lines end as if they were.
    """

    colons: set[int] = attrs.field(factory=set)
    starts: set[int] = attrs.field(factory=set)
    brackets: set[int] = attrs.field(factory=set)


def chunks(lines: Iterable[Line]) -> list[list[Line]]:
    """Divide a file into declarations: each begins with a line at the left edge."""
    found: list[list[Line]] = []
    depth = 0
    for line in lines:
        first = line.tokens[0].type
        inside = depth > 0 and first not in DECLARATIONS
        block = _block_indent(found[-1]) if found else 0
        # A declaration that is a little indented has not become part of the one above.
        shifted = line.indent < block and first in _NEVER_INSIDE
        if not found or ((line.indent == 0 or shifted) and not inside):
            found.append([])
            depth = 0
        found[-1].append(line)
        for token in line.tokens:
            if token.type in _OPENING:
                depth += 1
            elif token.type in _CLOSING:
                depth = max(depth - 1, 0)
    return found


def _block_indent(chunk: list[Line]) -> int:
    """Give how far the block of a declaration is pushed in; its header may go over several lines."""
    for line, below in itertools.pairwise(chunk):
        if line.tokens[-1].type == "_COLON":
            return below.indent
    if chunk[-1].tokens[-1].type == "_COLON":
        return 0  # the next line says it
    return chunk[1].indent if len(chunk) > 1 else 0


def logical_lines(
    source: SourceFile,
    chunk: list[Line],
    corrections: Corrections,
    bag: DiagnosticBag,
    indents: DiagnosticBag,
    reported: set[int],
) -> list[LogicalLine]:
    """Lay out one chunk.

    Args:
        source: The text.
        chunk: Its lines with tokens.
        corrections: See there; brackets found unclosed are added.
        bag: Takes brackets that are not closed.
        indents: Takes indentation that fits no block in this layout; another may be right.
        reported: Offsets of the first token of lines that need no further report; added to.
    """
    _find_unclosed(source, chunk, corrections, bag, reported)
    done: list[LogicalLine] = []
    levels = [0]
    depth = 0
    odd: tuple[int, int] | None = None
    for line in chunk:
        tokens = line.tokens
        start = tokens[0].start
        if depth and done:
            done[-1].tokens.extend(tokens)
        elif (
            done
            and line.indent > levels[-1]
            and not done[-1].opens
            and start not in corrections.starts
        ):
            done[-1].continued.add(len(done[-1].tokens))
            done[-1].tokens.extend(tokens)
        else:
            indent = line.indent
            if not done:
                indent = 0
                if line.indent:
                    _report_indent(
                        source, tokens[0], "a declaration begins at the left edge", indents
                    )
            elif start in corrections.starts and indent > levels[-1]:
                indent = levels[-1]
            elif odd is not None and odd[0] == indent:
                indent = odd[1]
            elif indent < levels[-1] and indent not in levels:
                nearest = min(
                    levels[1:] or levels, key=lambda level: (abs(level - line.indent), -level)
                )
                _report_indent(source, tokens[0], "this indentation fits no block", indents)
                odd = (indent, nearest)
                indent = nearest
            if line.indent in levels:
                odd = None
            while indent < levels[-1]:
                levels.pop()
            if indent > levels[-1]:
                levels.append(indent)
            done.append(LogicalLine(indent, list(tokens)))
        for token in tokens:
            if token.type in _OPENING and token.start not in corrections.brackets:
                depth += 1
            elif token.type in _CLOSING:
                depth = max(depth - 1, 0)
        last = tokens[-1]
        if last.start in corrections.colons:
            done[-1].tokens.append(Token("_COLON", ":", last.end, last.end))
    for line_, following in zip(done, [*done[1:], None], strict=True):
        line_.lacks_block = line_.opens and (following is None or following.indent <= line_.indent)
    return done


def _find_unclosed(
    source: SourceFile,
    chunk: list[Line],
    corrections: Corrections,
    bag: DiagnosticBag,
    reported: set[int],
) -> None:
    """Report brackets that a line which cannot stand in brackets, or the end, shows to be unclosed."""
    open_brackets: list[tuple[Token, Token]] = []

    def give_up() -> None:
        if not open_brackets:
            return
        bracket, _first = open_brackets[-1]
        closing = ")" if bracket.type == "LPAR" else "}"
        bag.error(
            "E0105",
            source.span(bracket.start, bracket.end),
            f"this `{bracket.text}` is not closed",
            label=f"`{closing}` is missing",
        )
        for token, owner in open_brackets:
            corrections.brackets.add(token.start)
            reported.add(owner.start)
        open_brackets.clear()

    for line in chunk:
        if open_brackets and line.tokens[0].type in _NEVER_IN_BRACKETS:
            give_up()
        owner = open_brackets[0][1] if open_brackets else line.tokens[0]
        for token in line.tokens:
            if token.type not in _BRACKETS or token.start in corrections.brackets:
                continue
            if token.type in _OPENING:
                open_brackets.append((token, owner))
            elif open_brackets:
                open_brackets.pop()
    give_up()


def _report_indent(source: SourceFile, token: Token, headline: str, bag: DiagnosticBag) -> None:
    bag.error(
        "E0101",
        source.span(token.start, token.end),
        headline,
        help="give it the same number of spaces as the lines it belongs with",
    )
