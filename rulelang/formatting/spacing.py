"""Which two tokens stand close, and how a token is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.grammar import load_tables
from rulelang.lexer import Token, token_types

if TYPE_CHECKING:
    from collections.abc import Sequence

RANGE: Final = load_tables().literals[".."]
OPENING: Final = token_types("LPAR LBRACE")
CLOSING: Final = token_types("RPAR RBRACE")

_NOTHING_BEHIND: Final = OPENING | {"DOT"}
_NOTHING_BEFORE: Final = CLOSING | {"DOT", "COMMA", "_COLON"}
_OPERANDS: Final = token_types("NAME TYPE NUMBER ITS MAY LPAR LBRACE")
_SHORT: Final = (nodes.Number, nodes.Name, nodes.Group)
_BARE: Final = re.compile(r"(##?)(?=[^#\s])")


@attrs.frozen
class Marks:
    """What of a syntax tree a walk over tokens must know, all by offset.

    Attributes:
        brackets: Where brackets open that group, and do not hold arguments.
        signs: Where a change begins with a sign: `+1`.
        pluses: Where the `+` of `1+` stands.
        bodies: Where the colon of a body stands.
        wide: Where the parts of a range end and begin that is written with blanks: `its first .. its last`.
    """

    brackets: set[int]
    signs: set[int]
    pluses: set[int]
    bodies: set[int]
    wide: set[int]


def marks_of(tree: Sequence[nodes.Node]) -> Marks:
    """Collect the marks of all nodes of a tree."""
    marks = Marks(*(set() for _ in range(5)))
    for node in tree:
        match node:
            case nodes.Group():
                marks.brackets.add(node.span.start)
            case nodes.Change(sign="+" | "-"):
                marks.signs.add(node.span.start)
            case nodes.CountAtLeast():
                marks.pluses.add(node.span.end - 1)
            case nodes.Body():
                marks.bodies.add(node.span.start)
            case nodes.RangeExpr(low=low, high=high) if not isinstance(low, _SHORT):
                marks.wide.update((low.span.end, high.span.start))
            case _:
                pass
    return marks


def is_spaced(before: Token, token: Token, marks: Marks) -> bool:
    """Tell whether a blank stands between two tokens."""
    first, second = before.type, token.type
    if first in _NOTHING_BEHIND or second in _NOTHING_BEFORE:
        return False
    if second == RANGE:
        return before.end in marks.wide
    if first == RANGE:
        return second not in _OPERANDS or token.start in marks.wide
    if second == "LPAR" and first == "NAME":
        return token.start in marks.brackets
    return before.start not in marks.signs and token.start not in marks.pluses


def cited(token: Token) -> list[str]:
    """Give the ids of a citation, each with the signs beside it; blanks may stand between them."""
    first, *rest = re.split(r",\s*", token.text)
    parts = [first]
    for part in rest:
        parts[-1] += ","
        parts.append(part)
    return parts


def text_of(token: Token) -> str:
    """Write a token in one line."""
    return " ".join(cited(token)) if token.type == "CITE" else token.text


def comment_text(text: str) -> str:
    """Write a comment with a blank behind its sign."""
    return _BARE.sub(r"\1 ", text.rstrip(), count=1) if _BARE.match(text) else text.rstrip()
