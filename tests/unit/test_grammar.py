"""The grammar is what the parser runs, and it is unambiguous."""

from __future__ import annotations

import importlib.resources
import json
import re

from rulelang.building import Builder
from rulelang.diagnostics import DiagnosticBag
from rulelang.grammar import build_lark, build_tables, grammar_digest, grammar_text, load_tables
from rulelang.lexer import lex
from rulelang.source import SourceFile


def test_tables_fit_the_grammar() -> None:
    """The shipped tables were made from the shipped grammar: run `python -m rulelang.grammar` if not."""
    assert load_tables().digest == grammar_digest()


def test_tables_are_reproducible() -> None:
    """One grammar gives one table, whatever the order of sets is in this process."""
    shipped = importlib.resources.files("rulelang").joinpath("tables.json").read_text("utf-8")
    assert json.loads(shipped) == build_tables()


def test_strict() -> None:
    """No conflict is resolved silently, and no text is two tokens: Lark's strict mode raises on either."""
    assert build_lark(strict=True).rules


def test_every_production_is_built() -> None:
    """The builder knows every production that can reach it, and no other."""
    built = {each.build for each in load_tables().productions if each.build}
    always_passed_on = {
        name
        for name in built
        if all(
            each.collapse and each.length == 1
            for each in load_tables().productions
            if each.build == name
        )
    }
    known = {name.removeprefix("on_") for name in dir(Builder) if name.startswith("on_")}
    assert built - always_passed_on <= known
    assert known <= built


def test_keywords() -> None:
    """The language has the words that its reference counts; a new one is a decision, not an accident."""
    words = {word for word in load_tables().literals if word.isalpha()}
    verbs = {"gain", "lose", "choose"}
    assert len(words - verbs) == 59
    assert all(re.search(rf'"{word}"|/{word[:-1]}s\?', grammar_text()) for word in words - verbs)


def test_tokens_cover_the_text() -> None:
    """Every visible character belongs to exactly one token or comment."""
    text = 'effect a(b): "x y" 12 [RB-1] # c\n  ++ ä 1_0 $ "open\n'
    lexed = lex(SourceFile("a", text), DiagnosticBag())
    tokens = [token for line in lexed.lines for token in line.tokens]
    ends = 0
    for start, end in sorted(
        [(t.start, t.end) for t in tokens] + [(c.span.start, c.span.end) for c in lexed.comments]
    ):
        assert text[ends:start].strip() == ""
        ends = end
    assert text[ends:].strip() == ""
