"""The colours of Pygments, and that its words are those of the language."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Error, Keyword, Name, String, _TokenType

from rulelang import words
from rulelang.highlighting import RulesLexer

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"


def tokens(text: str) -> list[tuple[_TokenType, str]]:
    return list(RulesLexer().get_tokens(text))


def test_it_is_a_plug_in() -> None:
    assert isinstance(get_lexer_by_name("rulelang"), RulesLexer)
    assert isinstance(get_lexer_for_filename("game.rules"), RulesLexer)


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("phase round:", Keyword.Declaration, "phase"),
        ("    if x: do y", Keyword, "if"),
        ("    x becomes yes", Keyword.Constant, "yes"),
        ("    n: Number", Keyword.Type, "Number"),
        ("    n: Hero", Name.Class, "Hero"),
        ("    n becomes player.gold", Name.Attribute, "gold"),
        ("effect pay [ABC-01]: do nothing", Name.Label, "[ABC-01]"),
        ("## Why.", String.Doc, "## Why."),
        ("    let n = count(x)", Name.Builtin, "count"),
    ],
)
def test_words_have_their_colours(text: str, kind: _TokenType, word: str) -> None:
    assert (kind, word) in tokens(text)


def test_every_keyword_of_the_grammar_is_one() -> None:
    for word in words.keywords():
        kind = tokens(f" {word}")[1][0]
        assert Keyword in kind.split(), word


def test_shipped_rules_have_no_word_without_a_colour() -> None:
    for path in sorted(RULESETS.rglob("*.rules")):
        text = path.read_text(encoding="utf-8")
        found = tokens(text)
        assert not [value for kind, value in found if kind is Error], path
        assert "".join(value for _, value in found).strip() == text.strip()
