"""Texts that say the same in another layout: blanks, line ends, indentation, comments, blank lines are drawn anew."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.diagnostics import DiagnosticBag
from rulelang.formatting.lines import lines_of
from rulelang.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.fuzzing.dice import Dice
    from rulelang.lexer import Token
    from rulelang.source import SourceFile

# These are keywords or names by what stands beside them in their line.
_KEEP_TOGETHER: Final = frozenset(("game", "card", "automa", "."))


@attrs.frozen
class Ways:
    """What may be drawn, each in so many of a hundred places."""

    blanks: int = 20
    line_ends: int = 10
    comments: int = 0
    blank_lines: int = 0


def mangled(source: SourceFile, dice: Dice, ways: Ways) -> str:
    """Write a text without mistakes and without comments in another layout.

    Args:
        source: The text; its comments are lost.
        dice: For what is drawn.
        ways: What may be drawn.
    """
    out: list[str] = []
    step = dice.between(1, 7)
    for line in lines_of(source, lex(source, DiagnosticBag())):
        if dice.chance(ways.blank_lines):
            out += [""] * dice.between(1, 3)
        if dice.chance(ways.comments):
            out.append(" " * dice.between(0, 12) + "# a comment of its own")
        lead = " " * (step * line.level)
        out.append(lead + _line(line.tokens, step * line.level, dice, ways))
        if dice.chance(ways.comments):
            out[-1] += " #behind"
    return "\n".join(out) + "\n" * dice.between(0, 3)


def _line(tokens: Sequence[Token], column: int, dice: Dice, ways: Ways) -> str:
    said = tokens[0].text
    depth = 0
    for before, token in itertools.pairwise(tokens):
        depth += before.text in "({"
        depth -= before.text in ")}"
        may_end = (depth or before.type != "_COLON") and not (
            {before.text, token.text} & _KEEP_TOGETHER
        )
        if may_end and dice.chance(ways.line_ends):
            if dice.chance(ways.comments):
                said += "  # in between"
            if dice.chance(ways.comments):
                said += "\n# and more"
            said += "\n" + " " * dice.between(column + 1, column + 20) + token.text
        elif dice.chance(ways.blanks):
            said += " " * dice.between(1, 4) + token.text
        else:
            said += _least(before, token) + token.text
    return said


def _least(before: Token, token: Token) -> str:
    """Give the blank without which two tokens would be another one."""
    last, first = before.text[-1], token.text[0]
    glued = (last.isalnum() or last == "_") and (first.isalnum() or first == "_")
    signs = set("+-*/=<>:.|")
    return " " if glued or {last, first} <= signs or "" in (last, first) else ""
