"""The digest of a ruleset: the same for the same rules, whatever their layout, comments, citations and files."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import attrs

from rulelang import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.binding.components import KindPlan
    from rulelang.binding.context import Binding
    from rulelang.symbols import Tables

_SKIPPED = frozenset(("span", "citations", "doc"))
_NAMES: dict[type, tuple[str, ...]] = {}
_known: WeakKeyDictionary[nodes.Item, str] = (
    WeakKeyDictionary()
)  # one base has many sets of variants


def digest(binding: Binding, plans: Iterable[KindPlan]) -> str:
    """Hash the merged declarations, the cells that are read, and the defaults.

    Declarations with a name count by name, so moving one changes nothing; rules about doings and
    the order of kinds and enumerations count in their order, which the game can tell.
    """
    tables = binding.tables
    named: list[str] = []
    ordered: list[str] = []
    for item, origin in tables.items:
        if isinstance(item, nodes.GameDecl):
            continue
        text = _known.get(item)
        if text is None:
            text = _known[item] = written(item)
        name = _name(item)
        (ordered if name is None else named).append(f"{origin}|{name or ''}|{text}")
    parts = [_game(tables), *sorted(named), *ordered]
    parts.extend(f"{one} after {two}" for one, two in sorted(tables.later))
    parts.extend(kind.name for kind in tables.kinds)
    parts.extend(f"{enum.name}={enum.words}" for enum in tables.enums)
    parts.extend(_cells(binding, plan) for plan in plans)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _game(tables: Tables) -> str:
    if tables.game is None:
        return ""
    settings = [
        written(setting) for setting in tables.game.settings if setting.name.text != "citations"
    ]
    return f"{tables.game.name.text}|{tables.game.title.value}|{sorted(settings)}"


def _name(item: nodes.Item) -> str | None:
    match item:
        case nodes.DefineDecl(head=head):
            return f"{head.owner.text if head.owner else ''}.{head.name.text}"
        case nodes.ComponentDecl(kind=kind):
            return kind.text
        case nodes.CardDecl(kind=kind, name=name):
            return f"card {kind.text if kind else ''}.{name.text}"
        case (
            nodes.OptionDecl(name=name)
            | nodes.EnumDecl(name=name)
            | nodes.TableDecl(name=name)
            | nodes.MayDecl(name=name)
            | nodes.EffectDecl(name=name)
            | nodes.PhaseDecl(name=name)
        ):
            return name.text
        case nodes.AlwaysDecl(text=text):
            return text.value
        case _:
            return None


def written(value: object) -> str:
    """Write a tree down without places, comments and citations."""
    out: list[str] = []
    waiting: list[object] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, nodes.Node):
            kind = type(here)
            names = _NAMES.get(kind)
            if names is None:
                names = tuple(
                    field.name for field in attrs.fields(kind) if field.name not in _SKIPPED
                )
                _NAMES[kind] = names
            out.append(f"({kind.__name__}")
            waiting.append(_CLOSE)
            waiting.extend(getattr(here, name) for name in reversed(names))
        elif isinstance(here, tuple):
            out.append("[")
            waiting.append(_CLOSE_LIST)
            waiting.extend(reversed(here))
        elif here is _CLOSE or here is _CLOSE_LIST:
            out.append(")" if here is _CLOSE else "]")
        else:
            out.append(repr(here))
    return " ".join(out)


_CLOSE = object()
_CLOSE_LIST = object()


def _cells(binding: Binding, plan: KindPlan) -> str:
    """Write down the cells of a kind that are read."""
    rows: list[str] = []
    changes = [(number, pair) for number, found in plan.changes.items() for pair in found]
    for number, (sheet, row) in [*((-1, pair) for pair in plan.rows), *changes]:
        wanted = binding.read_columns[sheet.file.path]
        cells = [
            f"{name}={row.cells[index].text.strip()}"
            for name, index in sorted((name, sheet.column(name)) for name in wanted)
            if index is not None
        ]
        rows.append(f"{number}:{';'.join(cells)}" if changes else ";".join(cells))
    return f"{plan.name}:{rows}"
