"""What a definition, permission, doing or built-in function takes, while its arguments are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from rulelang import nodes
from rulelang.diagnostics import DiagnosticBag
from rulelang.given import DOINGS, FUNCTIONS
from rulelang.lexer import Token, lex
from rulelang.server.hovering import written_type
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.given import Given
    from rulelang.server.index import Index

TRIGGERS: Final = ("(", ",")


def signatures(index: Index, source: SourceFile, offset: int) -> types.SignatureHelp | None:
    """Give what the call around a character takes; None if it stands in none.

    Args:
        index: The names of the ruleset, as it was when it was looked at last.
        source: The text as it is.
        offset: The character.
    """
    start = source.line_start(source.line_of(offset))
    before = source.text[start:offset]
    tokens = [
        token
        for line in lex(SourceFile("", before), DiagnosticBag()).lines
        for token in line.tokens
    ]
    opened = _call(tokens)
    if opened is None:
        return None
    name, is_property, commas = opened
    found = list(_called(index, name, is_property=is_property))
    if not found:
        return None
    fitting = next((at for at, each in enumerate(found) if commas < len(each.parameters or ())), 0)
    return types.SignatureHelp(found, fitting, commas)


def _call(tokens: Sequence[Token]) -> tuple[str, bool, int] | None:
    """Find the innermost call that is still open: its name, whether it is a property, and how many commas follow."""
    open_: list[tuple[int, int]] = []
    for at, token in enumerate(tokens):
        if token.type in ("LPAR", "LBRACE"):
            open_.append((at, 0))
        elif token.type in ("RPAR", "RBRACE") and open_:
            open_.pop()
        elif token.type == "COMMA" and open_:
            place, commas = open_[-1]
            open_[-1] = place, commas + 1
    if not open_:
        return None
    place, commas = open_[-1]
    if not place or tokens[place].type != "LPAR" or not tokens[place - 1].text.isidentifier():
        return None
    before = tokens[place - 2].type if place > 1 else ""
    return tokens[place - 1].text, before in ("DOT", "ITS"), commas


def _called(index: Index, name: str, *, is_property: bool) -> Iterator[types.SignatureInformation]:
    tables = index.base.tables
    if is_property:
        for each in tables.properties.get(name, ()):
            yield _declared(index, each.node, f"{each.owner_name}.{name}", each.node.head.params)
        return
    symbol = tables.symbols.get(name)
    match symbol.node if symbol is not None else None:
        case nodes.DefineDecl() as node:
            yield _declared(index, node, name, node.head.params)
        case nodes.MayDecl() | nodes.EffectDecl() | nodes.PhaseDecl() | nodes.TableDecl() as node:
            yield _declared(index, node, name, node.params)
        case _:
            given = FUNCTIONS.get(name) or DOINGS.get(name)
            if given is not None:
                yield from _given(given)


def _declared(
    index: Index, node: nodes.Decl, name: str, params: Iterable[nodes.Param] | None
) -> types.SignatureInformation:
    said = [_param(index, each) for each in params or ()]
    return _written(name, said, node.doc)


def _param(index: Index, param: nodes.Param) -> str:
    kind = index.base.types.get(param.name)
    if param.type is not None:
        return f"{param.name.text}: {param.type.span.text}"
    return param.name.text if kind is None else f"{param.name.text}: {written_type(index, kind)}"


def _given(given: Given) -> Iterator[types.SignatureInformation]:
    """Read each way to write a built-in function: `top(pile[, n])`, `min(S), min(a, b, ...)`."""
    for form in given.form.replace("), ", ")\n").split("\n"):
        name, _, rest = form.partition("(")
        said = [each.strip(" []") for each in rest.rstrip(")").split(",")]
        yield _written(name, [each for each in said if each], given.says)


def _written(name: str, params: Sequence[str], doc: str) -> types.SignatureInformation:
    label = f"{name}({', '.join(params)})"
    places: list[types.ParameterInformation] = []
    at = len(name) + 1
    for each in params:
        places.append(types.ParameterInformation((at, at + len(each))))
        at += len(each) + 2
    return types.SignatureInformation(label, doc or None, places)
