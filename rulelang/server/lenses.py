"""Lines above declarations: scenarios can be run, and what variants change is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from rulelang import nodes
from rulelang.server.names import declarations
from rulelang.server.places import address_of, range_of
from rulelang.server.touched import touches_on
from rulelang.source import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.server.index import Index

RUN: Final = "rulelang.runScenario"
SHOW: Final = "rulelang.showPlaces"


def lenses(index: Index, module: nodes.Module) -> list[types.CodeLens]:
    """Give the lenses of a text."""
    return [lens for item in module.items for lens in _lenses(index, item)]


def _lenses(index: Index, item: nodes.Item) -> Iterator[types.CodeLens]:
    here = range_of(first_line(item.span))
    if isinstance(item, nodes.ScenarioDecl):
        place = str(index.snapshot.place_of(item.span.file.path))
        yield types.CodeLens(
            here, types.Command("run scenario", RUN, arguments=[place, item.title.value])
        )
        return
    if isinstance(item, nodes.VariantDecl):
        return
    for key, ident, node in declarations(item):
        if key[0] not in ("name", "property", "step", "type"):
            continue
        touches = [touch for touch in touches_on(key, index) if touch.origin]
        variants = dict.fromkeys(touch.origin for touch in touches)
        if not variants:
            continue
        places = [
            {
                "uri": address_of(index.snapshot.place_of(touch.node.span.file.path)),
                "range": _plain(range_of(touch.node.span)),
            }
            for touch in touches
        ]
        title = f"changed by {len(variants)} variant{'s' * (len(variants) != 1)}"
        at = {"uri": address_of(index.snapshot.place_of(ident.span.file.path))}
        arguments = [{**at, "range": _plain(range_of(ident.span))}, places]
        yield types.CodeLens(
            range_of(first_line(node.span)),
            types.Command(title, SHOW, ", ".join(variants), arguments),
        )


def _plain(found: types.Range) -> list[int]:
    return [found.start.line, found.start.character, found.end.line, found.end.character]
