"""What could stand where the pointer is: names, members after a dot, citations, words, whole constructs.

The text is being written and seldom reads as rules just then, so the place is told from its tokens; what there is to
name comes from the last state of the ruleset.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from rulelang import ir, nodes, ruletypes
from rulelang.diagnostics import DiagnosticBag
from rulelang.lexer import Token, lex
from rulelang.server import templates
from rulelang.server.hovering import written_type
from rulelang.source import SourceFile
from rulelang.words import constants, doings, functions, keywords, openers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.server.index import Index

_Kind = types.CompletionItemKind
_FORMS: Final = {
    "option": _Kind.Constant,
    "definition": _Kind.Function,
    "permission": _Kind.Interface,
    "table": _Kind.Struct,
    "effect": _Kind.Method,
    "phase": _Kind.Module,
    "singleton": _Kind.Class,
    "rule": _Kind.Event,
}
_DOING_FORMS: Final = frozenset(("effect", "phase", "table", "permission"))
_COMPARING: Final = frozenset(("IS", "EQUAL", "BECOMES", "NOT", "IN", "LBRACE"))


def complete(index: Index, source: SourceFile, offset: int) -> list[types.CompletionItem]:
    """Give what could stand at a character."""
    line = source.line_of(offset)
    start = source.line_start(line)
    before = source.text[start:offset]
    if _in_citation(before):
        return list(_citations(index))
    tokens = [
        token
        for each in lex(SourceFile("", before), DiagnosticBag()).lines
        for token in each.tokens
    ]
    if before.count('"') % 2:
        return []
    if "#" in before and not before.count('"'):
        return []
    if tokens and tokens[-1].end == len(before) and re.search(r"\w$", before):
        tokens.pop()  # the word that is being written
    scope = _Scope(index, source, offset)
    if tokens and tokens[-1].type == "DOT":
        return list(
            _members(index, scope.type_before(tokens[:-1]), scope.phase_before(tokens[:-1]))
        )
    if tokens and tokens[-1].type == "ITS":
        return list(_members(index, scope.type_of_its(tokens), ""))
    return list(_names(index, scope, tokens, before))


def _in_citation(before: str) -> bool:
    opened = before.rfind("[")
    return opened > before.rfind("]") and before.count('"', 0, opened) % 2 == 0


def _item(
    label: str, kind: types.CompletionItemKind, detail: str = "", rank: str = "5", doc: str = ""
) -> types.CompletionItem:
    return types.CompletionItem(
        label=label,
        kind=kind,
        detail=detail or None,
        sort_text=f"{rank}{label}",
        documentation=doc or None,
    )


def _citations(index: Index) -> Iterator[types.CompletionItem]:
    for rule in index.base.tables.citations.values():
        yield types.CompletionItem(
            label=rule.id,
            kind=_Kind.Reference,
            detail=rule.section or None,
            documentation=rule.text or None,
            filter_text=f"{rule.id} {rule.text[:60]}",
        )


def _members(index: Index, owner: ir.Type | None, phase: str) -> Iterator[types.CompletionItem]:
    tables = index.base.tables
    if phase:
        for key, places in index.declared.items():
            if key[0] == "kept" and key[1] == phase:
                node = places[0].node
                detail = node.type.span.text if isinstance(node, nodes.KeepsDecl) else ""
                yield _item(key[2], _Kind.Variable, detail)
            elif key[0] == "step" and key[1] == phase:
                yield _item(key[2], _Kind.Event, "step")
        return
    while owner is not None and owner.elem is not None:
        owner = owner.elem
    names: dict[str, types.CompletionItem] = {}
    for (kind, name), number in tables.field_numbers.items():
        if owner is None or (owner.shape == "thing" and kind in owner.kinds):
            detail = written_type(index, tables.fields[number].type)
            names.setdefault(name, _item(name, _Kind.Field, detail, doc=tables.fields[number].doc))
    for name, known in tables.properties.items():
        for found in known:
            same = owner is None or (
                owner.shape == found.owner.shape
                and (owner.enum == found.owner.enum if owner.shape != "thing" else True)
                and set(owner.kinds) <= set(found.owner.kinds)
            )
            if same:
                value = index.base.types.get(found.node.value)
                detail = written_type(index, value) if value is not None else ""
                names.setdefault(name, _item(name, _Kind.Property, detail, doc=found.node.doc))
    if owner is not None and owner.shape == "word":
        yield from _words(index, owner.enum)
    yield from names.values()


def _words(index: Index, enum: int, rank: str = "1") -> Iterator[types.CompletionItem]:
    known = index.base.tables.enums[enum]
    if not known.numeric:
        for word in known.words:
            yield _item(word, _Kind.EnumMember, known.name, rank)


def _rows(index: Index, kinds: Iterable[int], rank: str = "5") -> Iterator[types.CompletionItem]:
    tables = index.base.tables
    wanted = set(kinds)
    for name, places in tables.ids.items():
        for kind, _ in places:
            if kind in wanted:
                yield _item(name, _Kind.Value, tables.kinds[kind].name, rank)


def _names(
    index: Index, scope: _Scope, tokens: list[Token], before: str
) -> Iterator[types.CompletionItem]:
    tables = index.base.tables
    last = tokens[-1].type if tokens else ""
    if not tokens:
        yield from templates.snippets(top=not before)
    if last == "DO":
        for name in doings():
            yield _item(name, _Kind.Method, "built in")
    if last in _COMPARING:
        wanted = scope.type_compared(tokens)
        if wanted is not None and wanted.shape in ("word", "bag"):
            yield from _words(index, wanted.enum)
        elif wanted is not None and wanted.shape == "thing":
            yield from _rows(index, wanted.kinds, "1")
        elif wanted is not None and wanted.shape == "flag":
            yield from (_item(word, _Kind.Constant, "Flag", "1") for word in ("yes", "no"))
    for name, kind in scope.locals().items():
        yield _item(name, _Kind.Variable, kind, "2")
    for symbol in tables.symbols.values():
        if last != "DO" or symbol.form in _DOING_FORMS:
            doc = getattr(symbol.node, "doc", "")
            yield _item(symbol.name, _FORMS[symbol.form], symbol.form, "3", doc)
    if last == "DO":
        return
    for name in tables.type_names:
        yield _item(name, _Kind.Class, "", "4")  # with those that need no declaration
    for enum in range(len(tables.enums)):
        yield from _words(index, enum, "5")
    yield from _rows(index, range(len(tables.kinds)))
    for name, params in functions().items():
        yield types.CompletionItem(
            label=name,
            kind=_Kind.Function,
            detail=f"{name}({', '.join(params)})",
            insert_text=f"{name}($1)",
            insert_text_format=types.InsertTextFormat.Snippet,
            sort_text=f"6{name}",
        )
    words = openers() if not before else keywords()
    for word in sorted(words | (constants() if tokens else frozenset())):
        yield _item(word, _Kind.Keyword, "", "7")


class _Scope:
    """What is known of the place: the names bound around it, and their types."""

    def __init__(self, index: Index, source: SourceFile, offset: int) -> None:
        self._index = index
        self._source = source
        self._header = self._find_header(offset)

    def _find_header(self, offset: int) -> str:
        """Give the line at the left edge that a place is under, as it is written now."""
        line = self._source.line_of(offset)
        while line > 1:
            text = self._source.line_text(line)
            if text and not text[0].isspace() and not text.startswith("#"):
                break
            line -= 1
        return self._source.line_text(line)

    def locals(self) -> dict[str, str]:
        """Give the names bound in the declaration, with their types."""
        return {
            name: written_type(self._index, kind) if kind is not None else ""
            for name, kind in self._bound().items()
        }

    def _bound(self) -> dict[str, ir.Type | None]:
        found: dict[str, ir.Type | None] = {}
        item = self._item()
        known = self._index.base.types
        for node in nodes.walk(item) if item is not None else ():
            match node:
                case (
                    nodes.Param(name=name)
                    | nodes.LetStmt(name=name)
                    | nodes.EachStmt(name=name)
                    | nodes.SecretlyStmt(name=name)
                    | nodes.Choice(name=name)
                    | nodes.KeepsDecl(name=name, owner=None)
                ):
                    kind = known.get(name)
                    if isinstance(node, nodes.KeepsDecl):
                        kind = self._index.base.tables.type_names.get(node.type.span.text)
                    found.setdefault(name.text, kind)
                case nodes.Head(owner=nodes.Ident(text=text)):
                    found.setdefault(text, self._index.base.tables.type_by_name(text))
                case _:
                    pass
        return found

    def _item(self) -> nodes.Item | None:
        """Find the declaration of the last state whose first line is that above the place."""
        for module in self._index.snapshot.texts.modules:
            if module.file.path == self._source.path:
                for item in module.items:
                    if item.span.text.partition("\n")[0] == self._header:
                        return item
        return None

    # ------------------------------------------------------------------ types of what stands before

    def phase_before(self, tokens: list[Token]) -> str:
        """Give the phase whose name stands last; empty if it is none."""
        if not tokens or (len(tokens) > 1 and tokens[-2].type == "DOT"):
            return ""
        name = tokens[-1].text
        symbol = self._index.base.tables.symbols.get(name)
        return (
            name
            if symbol is not None and symbol.form == "phase" and name not in self._bound()
            else ""
        )

    def type_before(self, tokens: list[Token]) -> ir.Type | None:
        """Give the type of the value that ends with these tokens: a name, and members of it."""
        at = len(tokens) - 1
        if at < 0:
            return None
        if tokens[at].type == "RPAR":
            depth = 0
            while at >= 0:
                depth += {"RPAR": 1, "LPAR": -1}.get(tokens[at].type, 0)
                if not depth:
                    break
                at -= 1
            at -= 1
        if at < 0:
            return None
        name = tokens[at].text
        if at > 1 and tokens[at - 1].type == "DOT":
            return self._member(self.type_before(tokens[: at - 1]), name)
        if at > 0 and tokens[at - 1].type == "ITS":
            return self._member(self.type_of_its(tokens[:at]), name)
        return self._name(name)

    def _name(self, name: str) -> ir.Type | None:
        tables = self._index.base.tables
        bound = self._bound()
        if bound.get(name) is not None:
            return bound[name]
        if name == "you":
            return ruletypes.thing(0)
        symbol = tables.symbols.get(name)
        if symbol is not None and symbol.form == "singleton":
            return ruletypes.thing(symbol.number)
        if symbol is not None and symbol.form == "option":
            return tables.options[symbol.number].type
        if symbol is not None and isinstance(symbol.node, nodes.DefineDecl):
            return self._index.base.types.get(symbol.node.value)
        ids = tables.ids.get(name, ())
        if ids:
            return ruletypes.thing(*(kind for kind, _ in ids))
        return tables.type_names.get(name) or tables.type_by_name(name)

    def _member(self, owner: ir.Type | None, name: str) -> ir.Type | None:
        tables = self._index.base.tables
        while owner is not None and owner.elem is not None:
            owner = owner.elem
        for kind in owner.kinds if owner is not None else ():
            number = tables.field_numbers.get((kind, name))
            if number is not None:
                return tables.fields[number].type
        for found in tables.properties.get(name, ()):
            if owner is None or set(owner.kinds) <= set(found.owner.kinds):
                return self._index.base.types.get(found.node.value)
        return None

    def type_of_its(self, tokens: list[Token]) -> ir.Type | None:
        """Give the type of what the last `where`, `with` or `by` before looks at."""
        for at in range(len(tokens) - 1, 0, -1):
            if tokens[at].type in ("WHERE", "WITH", "BY"):
                return self.type_before(tokens[:at])
        return None

    def type_compared(self, tokens: list[Token]) -> ir.Type | None:
        """Give the type of what stands before `is`, `=`, `becomes` and the like."""
        at = len(tokens)
        while at and tokens[at - 1].type in _COMPARING:
            at -= 1
        return self.type_before(tokens[:at])
