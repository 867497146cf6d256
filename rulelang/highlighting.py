"""The colours of rules for Pygments, which names this module as a plug-in; nothing else imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from rulelang import words as language
from rulelang.grammar import load_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["RulesLexer"]

_PATTERNS = load_tables().patterns


def _any(these: Iterable[str]) -> Any:  # noqa: ANN401 - Pygments' own type is private
    return words(sorted(these), prefix=r"\b", suffix=r"\b")


class RulesLexer(RegexLexer):
    """Rules as they are written: `pygmentize -l rulelang game.rules`."""

    name = "rulelang"
    aliases: ClassVar[Sequence[str]] = ["rulelang", "rules"]
    filenames: ClassVar[Sequence[str]] = ["*.rules"]
    url = ""

    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"[ \t\r\n]+", Whitespace),
            (r"##[^\n]*", String.Doc),
            (_PATTERNS["COMMENT"], Comment.Single),
            (_PATTERNS["STRING"], String.Double),
            (_PATTERNS["CITE"], Name.Label),
            (
                rf"(\.)({_PATTERNS['NAME']})",
                bygroups(Operator, Name.Attribute),  # type: ignore[no-untyped-call]
            ),
            (_any(language.openers()), Keyword.Declaration),
            (_any(language.keywords()), Keyword),
            (_any(language.constants()), Keyword.Constant),
            (_any(language.types()), Keyword.Type),
            (rf"\b(?:{'|'.join(sorted(language.functions()))})(?=\()", Name.Builtin),
            (_PATTERNS["TYPE"], Name.Class),
            (_PATTERNS["NAME"], Name),
            (_PATTERNS["NUMBER"], Number.Integer),
            (r"\.\.|<=|>=|[-<>=+*/.|]", Operator),
            (r"[:,(){}]", Punctuation),
        ]
    }
