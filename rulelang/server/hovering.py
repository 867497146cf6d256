"""What is shown about the name under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes, ruletypes
from rulelang.given import FUNCTIONS
from rulelang.server.touched import touches_on
from rulelang.variants.touching import flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.ir import Type
    from rulelang.server.index import Index
    from rulelang.server.names import Key
    from rulelang.server.naming import Occurrence

_LONGEST: Final = 160
_MOST: Final = 12
_LANGUAGE: Final = "rulelang"


def hover(index: Index, found: Occurrence) -> str:
    """Write what a name stands for: its declaration and type, its comment, what the rulebook says, what touches it."""
    parts = []
    for key in found.keys[:3]:
        parts += [part for part in _about(index, key, found) if part]
    return "\n\n".join(parts)


def function(name: str) -> str | None:
    """Write what a built-in function takes and gives; None if there is none of that name."""
    known = FUNCTIONS.get(name)
    return None if known is None else f"{_code(known.form)}\n\n{known.says}"


def _about(index: Index, key: Key, found: Occurrence) -> Iterator[str]:
    if key[0] == "rule":
        yield _rules(index, [key[1]])
        return
    declared = index.definitions([key])
    node = next((each.node for each in declared if each.node is not None), None)
    yield _code(_signature(index, key, node, found))
    origin = next((each.origin for each in declared), "")
    if origin:
        yield f"of the variant `{origin}`"
    doc = getattr(node, "doc", "")
    if doc:
        yield doc.replace("\n", " \n")
    if isinstance(node, nodes.Cited):
        yield _rules(index, list(dict.fromkeys(each.id for each in node.citations)))
    yield _touches(index, key)


def _signature(index: Index, key: Key, node: nodes.Node | None, found: Occurrence) -> str:
    match key[0]:
        case "local" | "seat":
            kind = "Player" if key[0] == "seat" else index.type_at(found)
            return f"{key[-1]}: {kind}" if kind else key[-1]
        case "field":
            text = _field(index, key)
            return f"{key[1]}.{key[2]}: {text}" if text else f"{key[1]}.{key[2]}"
        case "kept":
            kind = flat(node.type) if isinstance(node, nodes.KeepsDecl) else index.type_at(found)
            return f"phase {key[1]} keeps {key[2]}: {kind}"
        case "step":
            return f"step {key[1]}.{key[2]}"
        case "part":
            return _header(node) if node is not None else f"{key[1]}.{key[2]}"
        case "word":
            return f"{key[1]}.{key[2]}"
        case "id":
            return f"{key[1]}.{key[2]}: {key[1]}"
        case _:
            head = _header(node) if node is not None else key[-1]
            kind = _result(index, node)
            return f"{head}\n# {kind}" if kind else head


def _field(index: Index, key: Key) -> str:
    tables = index.base.tables
    number = tables.field_numbers.get((tables.kind_numbers.get(key[1], -1), key[2]))
    if number is None:
        node = next((each.node for each in index.declared.get(key, ())), None)
        return flat(node.type) if isinstance(node, nodes.FieldDecl) else ""
    field = tables.fields[number]
    written = written_type(index, field.type)
    hidden = f", {field.sight}" if field.sight != "open" else ""
    node = tables.field_nodes.get(number)
    return (flat(node.type) if node is not None else written) + hidden


def written_type(index: Index, kind: Type) -> str:
    """Write a type the way rules do."""
    tables = index.base.tables
    return ruletypes.describe(
        kind, [each.name for each in tables.kinds], [each.name for each in tables.enums]
    )


def _result(index: Index, node: nodes.Node | None) -> str:
    """Write the type of the value of a definition."""
    if isinstance(node, nodes.DefineDecl) and node.value in index.base.types:
        return written_type(index, index.base.types[node.value])
    return ""


def _header(node: nodes.Node) -> str:
    """Give the first line of a declaration, without its citations."""
    text = node.span.text.partition("\n")[0]
    if isinstance(node, nodes.Cited) and node.citations:
        at = node.citations[0].span.start - node.span.start
        if 0 < at < len(text):
            text = text[:at].rstrip("[ ")
    return text.rstrip()[:_LONGEST]


def _rules(index: Index, ids: Iterable[str]) -> str:
    known = index.base.tables.citations
    lines = []
    for each in ids:
        rule = known.get(each)
        said = f" {rule.text}" if rule is not None and rule.text else ""
        lines.append(f"**{each}**{said}")
    return "  \n".join(lines)


def _touches(index: Index, key: Key) -> str:
    found = touches_on(key, index)
    lines = [
        f"- {touch.how}"
        + (f" `{touch.name}`" if touch.name else "")
        + (f" in the variant `{touch.origin}`" if touch.origin else "")
        + (f" on the card `{touch.card}`" if touch.card else "")
        + f": `{flat(touch.node)[:80]}`"
        for touch in found[:_MOST]
    ]
    if len(found) > _MOST:
        lines.append(f"- and {len(found) - _MOST} more")
    return "Touched by:\n" + "\n".join(lines) if lines else ""


def _code(text: str) -> str:
    return f"```{_LANGUAGE}\n{text}\n```"
