"""A ruleset merged with some variants, checked, with the types of its expressions: what answers are read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang import ir, nodes
from rulelang.lowering import lower
from rulelang.scenes import scene_of
from rulelang.variants.selection import needed

if TYPE_CHECKING:
    from rulelang.diagnostics import DiagnosticBag
    from rulelang.server.project import Snapshot
    from rulelang.symbols import Tables


@attrs.frozen(eq=False)
class View:
    """A ruleset merged with some variants.

    Attributes:
        tables: What is declared.
        types: See `rulelang.lowering.lower`.
        bag: What was found.
    """

    tables: Tables
    types: dict[nodes.Node, ir.Type]
    bag: DiagnosticBag


def view(
    snapshot: Snapshot,
    variants: tuple[str, ...] = (),
    seats: int | None = None,
    *,
    scenarios: bool = False,
) -> View:
    """Merge variants into a ruleset and check it, once for each snapshot."""
    asked = (variants, seats, scenarios)
    found = snapshot.views.get(asked)
    if found is None:
        tables, bag = snapshot.texts.bind(variants, seats=seats, first=not variants)
        types: dict[nodes.Node, ir.Type] = {}
        lower(tables, bag, scenarios=scenarios, types=types)
        found = snapshot.views[asked] = View(tables, types, bag)
    return found


def view_of(snapshot: Snapshot, item: nodes.Item | None) -> View:
    """Give the view that a declaration at the left edge is read in: that with a variant, that for a scenario."""
    texts = snapshot.texts
    match item:
        case nodes.VariantDecl(name=name):
            return view(snapshot, tuple(sorted(needed(texts.variants, [name.text]))))
        case nodes.ScenarioDecl():
            scene = scene_of(item, texts.titles)
            names = tuple(sorted(needed(texts.variants, scene.variants)))
            return view(snapshot, names, scene.seats or None, scenarios=True)
        case _:
            return view(snapshot)


def item_at(module: nodes.Module, offset: int) -> nodes.Item | None:
    """Give the declaration at the left edge that a character is in, citations and blank lines behind it included."""
    found = None
    for item in module.items:
        if item.span.start <= offset:
            found = item
    return found
