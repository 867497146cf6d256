"""Characters to tokens, line by line.

The tokens are those of `grammar.lark`; what is none of them becomes a `JUNK` token, which no rule
accepts, so that the parser can say what to write instead. Keywords are recognised everywhere
except where the language lets them be names (`phase game`, `player.automa`, `each card in hand`).
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from rulelang.diagnostics import Applicability, DiagnosticBag, Edit, Fix
from rulelang.grammar import load_tables
from rulelang.nodes import Comment
from rulelang.source import BYTE_ORDER_MARK, NOT_UTF8, SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator

JUNK: Final = "JUNK"
MAX_NUMBER: Final = 10**9
TAB_WIDTH: Final = 4


def token_types(words: str) -> frozenset[str]:
    """Give a set of token types, written with blanks between them."""
    return frozenset(words.split())


# Signs of other languages are taken as one token, so that the answer can name them.
_FOREIGN_SIGNS: Final = (
    r"\+=|-=|\*=|/=|%=|:=|={2,3}|!={1,2}|<>|=>|->|&&|\|\||\+\+|--|\*\*|//|\.\.\.|<<|>>|=<|::"
)
_KINDS: Final = re.compile(
    rf"""
    [ \t\r]*
  (?:
    (?P<line>\n)
  | (?P<comment>\#[^\n]*)
  | (?P<string>"[^"\n]*")
  | (?P<open_string>"[^\n]*)
  | (?P<cite>(?-x:{load_tables().patterns["CITE"]}))
  | (?P<number>[0-9]+(?![\w]))
  | (?P<word>[^\W\d]\w*)
  | (?P<foreign>{_FOREIGN_SIGNS})
  | (?P<sign>\.\.|<=|>=|[-:<>,.=()+|*/{{}}])
  | (?P<junk_word>\w+)
  | (?P<junk>.)
  | (?P<end>\Z)
  )
    """,
    re.VERBOSE | re.DOTALL,
)


_AFTER_A_NAME: Final = token_types(
    "GAINS LOSES CHOOSES BECOMES MAY REFUSED WHERE IS IN NOT AND OR WITH BY AT WHEN FROM TO"
)
_SOMETIMES_NAMES: Final = token_types("DOT GAME CARD AUTOMA")


class Token(NamedTuple):
    """One token; `type` is a terminal of the grammar or `JUNK`, the offsets are those of the file."""

    type: str
    text: str
    start: int
    end: int


class Line(NamedTuple):
    """One line of a file that holds tokens; `indent` counts its leading blanks, tabs as four."""

    number: int
    indent: int
    tokens: list[Token]


class Lexed(NamedTuple):
    """All lines with tokens, all comments, and the offsets of lines that have been reported already."""

    lines: list[Line]
    comments: list[Comment]
    reported: set[int]


@functools.cache
def _word_type(text: str) -> str:
    tables = load_tables()
    if text in tables.literals:
        return tables.literals[text]
    for name in ("NAME", "TYPE"):
        if re.fullmatch(tables.patterns[name], text):
            return name
    return JUNK


def lex(source: SourceFile, bag: DiagnosticBag) -> Lexed:
    """Make tokens of a text; never raises.

    Args:
        source: The text.
        bag: Takes unclosed quotes, tabs in the indentation and numbers that are too large.
    """
    lines: list[Line] = []
    comments: list[Comment] = []
    reported: set[int] = set()
    text = source.text
    start = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    current: list[Token] = []
    line_start, number = start, 1
    joined = 0  # line ends inside of citations so far in this line
    literals = load_tables().literals

    def close() -> None:
        nonlocal current
        if current:
            lead = text[line_start : current[0].start]
            if "\t" in lead:
                _report_tab(source, line_start, current[0].start, bag)
            lines.append(Line(number, len(lead.expandtabs(TAB_WIDTH)), _names(current)))
            current = []

    add = Token._make
    for match in _KINDS.finditer(text, start):
        kind = match.lastgroup or "end"
        begin, end = match.span(kind)
        if kind == "word":
            word = match[kind]
            current.append(add((_word_type(word), word, begin, end)))
        elif kind == "sign":
            sign = match[kind]
            current.append(add((literals[sign], sign, begin, end)))
        elif kind == "line":
            close()
            line_start, number, joined = end, number + 1 + joined, 0
        elif kind == "number":
            current.append(Token("NUMBER", _bounded(source, match[kind], begin, bag), begin, end))
        elif kind == "string":
            current.append(Token("STRING", match[kind], begin, end))
        elif kind == "cite":
            current.append(Token("CITE", match[kind], begin, end))
            joined += match[kind].count("\n")
        elif kind == "comment":
            written = match[kind].rstrip("\r")
            span = source.span(begin, begin + len(written))
            comments.append(Comment(span, written, written.startswith("##"), not current))
        elif kind == "open_string":
            current.extend(_open_string(source, begin, end, bag))
            reported.add(current[0].start)
        elif kind != "end":
            current.append(Token(JUNK, match[kind], begin, end))
    close()
    _report_encoding(source, lines, bag)
    return Lexed(lines, comments, reported)


def _bounded(source: SourceFile, text: str, begin: int, bag: DiagnosticBag) -> str:
    """Give the digits, or those of the largest number after reporting a larger one."""
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(MAX_NUMBER)) or int(digits) > MAX_NUMBER:
        bag.error(
            "E0109",
            source.span(begin, begin + len(text)),
            "this number is too large",
            label="numbers go up to 1000000000",
        )
        return str(MAX_NUMBER)
    return digits


def _report_tab(source: SourceFile, start: int, end: int, bag: DiagnosticBag) -> None:
    span = source.span(start, end)
    spaces = " " * len(span.text.expandtabs(TAB_WIDTH))
    bag.error(
        "E0101",
        span,
        "a tab in the indentation",
        label="only spaces indent",
        help="write four spaces for each step to the right",
        fix=Fix("replace the tab by spaces", (Edit(span, spaces),), Applicability.SAFE),
    )


def _report_encoding(source: SourceFile, lines: list[Line], bag: DiagnosticBag) -> None:
    """Report the first byte that is no UTF-8 in a comment or text; elsewhere the parser meets it."""
    place = source.text.find(NOT_UTF8)
    if place < 0 or any(
        NOT_UTF8 in token.text and token.type == JUNK for line in lines for token in line.tokens
    ):
        return
    bag.error(
        "E0108",
        source.span(place, place + 1),
        "this is not UTF-8 text",
        help="save the file as UTF-8",
    )


def _open_string(source: SourceFile, begin: int, end: int, bag: DiagnosticBag) -> Iterator[Token]:
    """Report a quote that is not closed; take the text up to a colon at the end of the line."""
    written = source.text[begin:end].rstrip(" \t\r")
    colon = written.endswith(":")
    stop = begin + len(written) - colon
    bag.error(
        "E0105",
        source.span(begin, begin + 1),
        "this quote is not closed",
        label="the text begins here",
        notes=("A text ends on the line on which it begins.",),
        help='close it with `"`',
        fix=Fix('add `"`', (Edit(source.span(stop, stop), '"'),), Applicability.UNSAFE),
    )
    yield Token("STRING", source.text[begin:stop] + '"', begin, stop)
    if colon:
        yield Token("_COLON", ":", stop, stop + 1)


def _names(tokens: list[Token]) -> list[Token]:
    """Make names of keywords where the language lets them be names."""
    if _SOMETIMES_NAMES.isdisjoint([token.type for token in tokens]):
        return tokens
    for at, token in enumerate(tokens):
        before = tokens[at - 1].type if at else ""
        if before == "DOT" and token.text.isalpha():
            # Paths name doings and moments: `anne.instead.pay.may`.
            tokens[at] = token if token.type == "TYPE" else token._replace(type="NAME")
        elif token.type in ("GAME", "CARD"):
            after = tokens[at + 1] if at + 1 < len(tokens) else token
            declares = (
                not at
                and (after.type in ("NAME", "TYPE", JUNK) or after.text.isalpha())
                and after is not token
            )
            declares = declares and after.type not in _AFTER_A_NAME
            if not declares and not (token.type == "GAME" and before == "CHANGE"):
                tokens[at] = token._replace(type="NAME")
        elif token.type == "AUTOMA":
            named = not at and len(tokens) > 1 and tokens[1].type == "_COLON"
            if named or before in ("ITS", "DROP", "AFTER"):
                tokens[at] = token._replace(type="NAME")
    return tokens
