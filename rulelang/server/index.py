"""Where names are declared and where they are used: in rules, variants, scenarios and data files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulelang import nodes, ruletypes
from rulelang.scenes import scene_of
from rulelang.server.names import Key, declarations
from rulelang.server.resolving import occurrences
from rulelang.server.sheets import Sheets
from rulelang.server.views import item_at, view, view_of
from rulelang.symbols import snake_case
from rulelang.variants.selection import needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.server.naming import Occurrence
    from rulelang.server.project import Snapshot
    from rulelang.source import Span


@attrs.frozen(eq=False)
class Declared:
    """A place where a name is declared: the name, the node that says what it is, the variant it comes from."""

    span: Span
    node: nodes.Node | None
    origin: str = ""


class Index:
    """The names of one snapshot. Declarations are looked at when somebody asks about a name in them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.base = view(snapshot)
        self.sheets = Sheets(snapshot, self.base.tables)
        self._items: dict[tuple[nodes.Item, bool], list[Occurrence]] = {}
        self.declared: dict[Key, list[Declared]] = {}
        for module in snapshot.texts.modules:
            for item in module.items:
                self._declare(item)
        for found in self.sheets.found.values():
            for each in found:
                if each.role == "declares":
                    self.declared.setdefault(each.keys[0], []).append(Declared(each.span, None))

    def _declare(self, item: nodes.Item) -> None:
        origin = item.name.text if isinstance(item, nodes.VariantDecl) else ""
        tables = self.base.tables
        for key, ident, node in declarations(item):
            keys: tuple[Key, ...] = (key,)
            if key[0] == "lent":
                owner = tables.type_by_name(key[1])
                kinds = owner.kinds if owner is not None else ()
                keys = tuple(("field", tables.kinds[kind].name, key[2]) for kind in kinds)
            for each in keys:
                self.declared.setdefault(each, []).append(Declared(ident.span, node, origin))

    # ------------------------------------------------------------------ one place

    def at(self, path: str, offset: int) -> Occurrence | None:
        """Give the name at a character; the narrowest if a text has names in it."""
        if path in self.sheets.found:
            known: Iterable[Occurrence] = self.sheets.found[path]
        elif path in self.snapshot.results:
            item = item_at(self.snapshot.module(path), offset)
            known = self.exactly(item) if item is not None else ()
        else:
            return None
        here = [each for each in known if each.span.start <= offset <= each.span.end]
        return min(here, key=lambda each: each.span.end - each.span.start, default=None)

    def exactly(self, item: nodes.Item) -> list[Occurrence]:
        """Give every name in a declaration, checked with the variants and seats that it is for."""
        key = (item, True)
        if key not in self._items:
            self._items[key] = occurrences(item, view_of(self.snapshot, item))
        return self._items[key]

    def quickly(self, item: nodes.Item) -> list[Occurrence]:
        """The same, but scenarios without types: most of what they name has one meaning only."""
        if not isinstance(item, nodes.ScenarioDecl):
            return self.exactly(item)
        key = (item, False)
        if key not in self._items:
            texts = self.snapshot.texts
            scene = scene_of(item, texts.titles)
            names = tuple(sorted(needed(texts.variants, scene.variants)))
            self._items[key] = occurrences(item, view(self.snapshot, names))
        return self._items[key]

    # ------------------------------------------------------------------ all places

    def references(self, keys: Iterable[Key]) -> list[Occurrence]:
        """Give every place where one of these is declared or used, by path and place."""
        wanted = frozenset(keys)
        names = {name for key in wanted for name in _written(key)}
        found: list[Occurrence] = []
        local = next((key for key in wanted if key[0] in ("local", "seat")), None)
        for module in self.snapshot.texts.modules:
            path = module.file.path
            if path not in self.snapshot.results or (local is not None and local[1] != path):
                continue
            for item in module.items:
                if any(_stands_in(name, item.span) for name in names):
                    found.extend(self._in_item(item, wanted))
        for cells in self.sheets.found.values() if local is None else ():
            found.extend(each for each in cells if wanted.intersection(each.keys))
        return sorted(set(found), key=lambda each: each.span.sort_key)

    def _in_item(self, item: nodes.Item, wanted: frozenset[Key]) -> Iterator[Occurrence]:
        known = self.quickly(item)
        matching = [each for each in known if wanted.intersection(each.keys)]
        if isinstance(item, nodes.ScenarioDecl) and any(len(each.keys) > 1 for each in matching):
            known = self.exactly(item)
            matching = [each for each in known if wanted.intersection(each.keys)]
        yield from matching

    def linked(self, keys: Iterable[Key]) -> tuple[frozenset[Key], list[Occurrence]]:
        """Give keys with all that are used together with them, and every place of these: what can only be renamed
        together."""
        wanted = frozenset(keys)
        while True:
            found = self.references(wanted)
            more = wanted.union(key for each in found for key in each.keys)
            if more == wanted:
                return wanted, found
            wanted = more

    def definitions(self, keys: Iterable[Key]) -> list[Declared]:
        """Give where these are declared."""
        found: list[Declared] = []
        for key in keys:
            if key[0] in ("local", "seat"):
                found.extend(self._bound_at(key))
            else:
                found.extend(self.declared.get(key, ()))
        return found

    def _bound_at(self, key: Key) -> Iterator[Declared]:
        module = self.snapshot.module(key[1])
        item = item_at(module, int(key[2]))
        known = self.quickly(item) if item is not None else ()
        found = [each for each in known if key in each.keys]
        declaring = [each for each in found if each.role == "declares"]
        for each in declaring or found[:1]:  # the first stands for a name that nothing binds
            yield Declared(each.span, None)

    def type_at(self, each: Occurrence) -> str:
        """Write the type of a name that is bound, where the checker knows it; empty otherwise."""
        item = item_at(self.snapshot.module(each.span.file.path), each.span.start)
        known = view_of(self.snapshot, item)
        for node in nodes.walk(item) if item is not None else ():
            if node.span == each.span and node in known.types:
                tables = known.tables
                return ruletypes.describe(
                    known.types[node],
                    [kind.name for kind in tables.kinds],
                    [enum.name for enum in tables.enums],
                )
        return ""


def index_of(snapshot: Snapshot) -> Index:
    """Give the index of a snapshot, made once."""
    found = snapshot.kept.get("index")
    if not isinstance(found, Index):
        found = snapshot.kept["index"] = Index(snapshot)
    return found


def _written(key: Key) -> tuple[str, ...]:
    """Give how a thing is written: the only thing of a kind is called like it, in small letters."""
    return (key[-1], snake_case(key[-1])) if key[0] == "type" else (key[-1],)


def _stands_in(name: str, span: Span) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", span.text) is not None
