"""What touches a name: exceptions, rules that wait for it, variants that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rulelang.variants.touching import Target, Touch, declared, touches, variant_touches

if TYPE_CHECKING:
    from rulelang.server.index import Index
    from rulelang.server.names import Key


def touched(index: Index) -> dict[Target, list[Touch]]:
    """Give everything that changes a thing with a name, in the base and in every variant, by what is changed."""
    found = index.snapshot.kept.get("touched")
    if found is None:
        made: dict[Target, list[Touch]] = {}
        tables = index.base.tables
        everything = touches(tables)
        for variant in index.snapshot.texts.variants.values():
            everything += variant_touches(variant, tables)
        for touch in everything:
            if touch.how != "declares":
                made.setdefault(touch.target, []).append(touch)
        found = index.snapshot.kept["touched"] = made
    return cast("dict[Target, list[Touch]]", found)


def targets(key: Key, index: Index) -> tuple[Target, ...]:
    """Give what rules call a name."""
    match key:
        case ("name", name):
            symbol = index.base.tables.symbols.get(name)
            target = declared(symbol.node) if symbol is not None else None
            if target is None:
                nodes_of = (each.node for each in index.declared.get(key, ()))
                target = next((declared(node) for node in nodes_of if node is not None), None)
            return (target,) if target is not None else ()
        case ("property", owner, name):
            return (Target("definition", f"{owner}.{name}"),)
        case ("step", phase, name):
            return (Target("step", f"{phase}.{name}"),)
        case ("type", name):
            return (
                Target("component", name),
                Target("enumeration", name),
                Target("event", f"roll {name}"),
            )
        case ("field", _, name):
            return (Target("event", f"gains {name}"), Target("event", f"loses {name}"))
        case ("id", kind, name):
            return (Target("card", f"{kind}.{name}"), Target("card", name))
        case _:
            return ()


def touches_on(key: Key, index: Index) -> list[Touch]:
    """Give everything that changes what a name stands for."""
    known = touched(index)
    return [touch for target in targets(key, index) for touch in known.get(target, ())]
