"""Semantic tokens: what every word of a text is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang.diagnostics import DiagnosticBag
from rulelang.lexer import lex
from rulelang.server.places import position_at
from rulelang.words import constants, functions, keywords
from rulelang.words import types as given_types

if TYPE_CHECKING:
    from rulelang import nodes
    from rulelang.server.index import Index
    from rulelang.server.names import Key
    from rulelang.source import SourceFile

TYPES: Final = (
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "class",  # kinds
    "enum",
    "enumMember",  # words
    "property",  # fields and defined properties
    "variable",
    "parameter",  # names of scenario seats, rows of data files
    "function",  # definitions, tables, permissions
    "method",  # effects
    "namespace",  # phases
    "event",  # steps and named rules
    "macro",  # options
    "decorator",  # citations
    "type",
)
MODIFIERS: Final = (
    "declaration",
    "modification",
    "readonly",
    "documentation",
    "defaultLibrary",
    "hidden",
)
_NUMBERS: Final = {name: number for number, name in enumerate(TYPES)}
_BITS: Final = {name: 1 << number for number, name in enumerate(MODIFIERS)}
_SYMBOLS: Final = {
    "option": "macro",
    "definition": "function",
    "permission": "function",
    "table": "function",
    "effect": "method",
    "phase": "namespace",
    "singleton": "class",
    "rule": "event",
}
_FORMS: Final = {
    "field": "property",
    "property": "property",
    "kept": "variable",
    "local": "variable",
    "seat": "parameter",
    "id": "parameter",
    "step": "event",
    "part": "event",
    "word": "enumMember",
    "variant": "namespace",
    "game": "namespace",
}


def tokens(index: Index, source: SourceFile, module: nodes.Module) -> list[int]:
    """Give the tokens of a text as the protocol has them: five numbers each, places relative to the token before."""
    known: dict[int, tuple[int, Key, str]] = {}
    for item in module.items:
        for each in index.quickly(item):
            known[each.span.start] = (each.span.end, each.keys[0], each.role)
    found: list[tuple[int, int, str, int]] = []
    lexed = lex(source, DiagnosticBag())
    for comment in lexed.comments:
        bits = _BITS["documentation"] if comment.is_doc else 0
        found.append((comment.span.start, comment.span.end, "comment", bits))
    words, fixed = keywords(), constants()
    for line in lexed.lines:
        for token in line.tokens:
            name = known.get(token.start)
            kind, bits = "", 0
            if name is not None and name[0] == token.end:
                kind, bits = _of_name(index, name[1], name[2])
            elif token.type == "STRING":
                kind = "string"
            elif token.type == "NUMBER":
                kind = "number"
            elif token.type == "CITE":
                kind = "decorator"
            elif token.text in words and token.type not in ("NAME", "TYPE"):
                kind = "keyword"
            elif token.text in fixed:
                kind, bits = "keyword", _BITS["defaultLibrary"]
            elif token.text in given_types():
                kind, bits = "type", _BITS["defaultLibrary"]
            elif token.type == "NAME" and token.text in functions():
                kind, bits = "function", _BITS["defaultLibrary"]
            elif token.type == "TYPE":
                kind = "class"
            elif token.type == "NAME":
                kind = "variable"
            elif not token.text.isalnum():
                kind = "operator"
            if kind:
                found.append((token.start, token.end, kind, bits))
    return _packed(source, sorted(found))


def _of_name(index: Index, key: Key, role: str) -> tuple[str, int]:
    bits = {"declares": _BITS["declaration"], "changes": _BITS["modification"]}.get(role, 0)
    tables = index.base.tables
    match key:
        case ("name", name):
            symbol = tables.symbols.get(name)
            kind = _SYMBOLS[symbol.form] if symbol is not None else "function"
            return kind, bits | (_BITS["readonly"] if kind == "macro" else 0)
        case ("type", name):
            return "enum" if name in tables.enum_numbers else "class", bits
        case ("field", kind, name):
            number = tables.field_numbers.get((tables.kind_numbers.get(kind, -1), name))
            hidden = number is not None and tables.fields[number].sight != "open"
            return "property", bits | (_BITS["hidden"] if hidden else 0)
        case _:
            return _FORMS.get(key[0], "variable"), bits


def _packed(source: SourceFile, found: list[tuple[int, int, str, int]]) -> list[int]:
    packed: list[int] = []
    line = column = 0
    for start, end, kind, bits in found:
        for begin, finish in _lines(source, start, end):
            at, to = position_at(source, begin), position_at(source, finish)
            same = at.line == line
            packed += [at.line - line, at.character - column if same else at.character]
            packed += [to.character - at.character, _NUMBERS[kind], bits]
            line, column = at.line, at.character
    return packed


def _lines(source: SourceFile, start: int, end: int) -> list[tuple[int, int]]:
    """Part a token that goes over several lines, as a long list of citations does."""
    text = source.text[start:end]
    if "\n" not in text:
        return [(start, end)]
    parts = []
    for part in text.split("\n"):
        lead = len(part) - len(part.lstrip())
        if part.strip():
            parts.append((start + lead, start + len(part.rstrip())))
        start += len(part) + 1
    return parts
