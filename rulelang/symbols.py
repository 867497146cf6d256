"""What a ruleset declares, by name: the tables that the binder fills and lowering reads.

Numbers of enums, kinds and fields are those of :mod:`rulelang.ir`.
"""

from __future__ import annotations

from typing import Literal

from attrs import Factory, define, frozen

from rulelang import ir, nodes
from rulelang.ir import Type
from rulelang.source import SourceFile, Span

SymbolForm = Literal[
    "option", "definition", "permission", "table", "effect", "phase", "singleton", "rule"
]


@frozen(eq=False)
class Symbol:
    """A declared name of the one space that definitions, options, tables, doings, permissions and
    named rules share.

    ``node`` is its declaration; ``number`` the option, or the kind of a singleton. ``origin`` is
    the variant it comes from, empty for the base.
    """

    name: str
    form: SymbolForm
    span: Span
    node: nodes.Node
    number: int = -1
    origin: str = ""


@frozen(eq=False)
class PropertySymbol:
    """``define owner.name(...)``: a property of the things (or words) of type ``owner``."""

    name: str
    owner: Type
    owner_name: str
    node: nodes.DefineDecl
    origin: str = ""


@define
class Tables:
    """All declarations of a merged ruleset, for a number of seats.

    ``type_names``: every name with a capital: kinds, enumerations, unions, ``Number``, ``Flag``,
    ``Text``.
    ``words``: for a word, the enumerations that have it with its number; ``ids``: for an id of a
    data row, the kinds that have it with the things it names (several copies).
    ``fields``: by kind number and name. ``lent``: the fields that a phase lends, by phase name.
    ``seats_option``: the option that says how many seats there are; empty if none does.
    ``kept``: kept values of phases and cards: declared by lowering. ``properties``: by name.
    """

    files: list[SourceFile] = Factory(list)
    game: nodes.GameDecl | None = None
    seats: int = 0
    seats_option: str = ""
    players: tuple[int, int] = (1, 1)
    version: str = ""
    enums: list[ir.Enum] = Factory(list)
    kinds: list[ir.Kind] = Factory(list)
    fields: list[ir.Field] = Factory(list)
    options: list[ir.Option] = Factory(list)
    citations: dict[str, ir.Citation] = Factory(dict)
    type_names: dict[str, Type] = Factory(dict)
    enum_numbers: dict[str, int] = Factory(dict)
    kind_numbers: dict[str, int] = Factory(dict)
    words: dict[str, list[tuple[int, int]]] = Factory(dict)
    ids: dict[str, list[tuple[int, tuple[int, ...]]]] = Factory(dict)
    field_numbers: dict[tuple[int, str], int] = Factory(dict)
    field_nodes: dict[int, nodes.FieldDecl | nodes.KeepsDecl] = Factory(dict)
    lent: dict[str, list[int]] = Factory(dict)
    symbols: dict[str, Symbol] = Factory(dict)
    properties: dict[str, list[PropertySymbol]] = Factory(dict)
    items: list[tuple[nodes.Item, str]] = Factory(
        list
    )  # every declaration with its origin, in the published order
    scenarios: list[nodes.ScenarioDecl] = Factory(list)
    variants: list[nodes.VariantDecl] = Factory(list)
    presets: list[nodes.PresetDecl] = Factory(list)
    chosen: list[str] = Factory(list)  # names of the merged variants, in the published order
    later: frozenset[tuple[str, str]] = (
        frozenset()
    )  # of the chosen: the first comes after the second
    unread_columns: list[tuple[str, str]] = Factory(list)  # file and column that no field reads
    digest: str = ""

    def type_by_name(self, name: str) -> Type | None:
        """Give the type that a parameter's name says: the longest run of last words that names a
        kind, enumeration or union; digits at the end do not count. None if it says none."""
        parts = name.rstrip("0123456789").rstrip("_").split("_")
        for start in range(len(parts)):
            found = self._snake().get("_".join(parts[start:]))
            if found is not None:
                return self.type_names[found]
        return self.type_names.get(self._snake().get(name, ""))

    def _snake(self) -> dict[str, str]:
        if self._snake_cache[0] != len(self.type_names):
            found = {snake_case(name): name for name in self.type_names}
            found = {key: value for key, value in found.items() if value not in BUILT_IN_TYPES}
            self._snake_cache = (len(self.type_names), found)
        return self._snake_cache[1]

    _snake_cache: tuple[int, dict[str, str]] = (0, {})


BUILT_IN_TYPES = ("Number", "Flag", "Text")


def snake_case(name: str) -> str:
    """Write a kind's name as a lower-case name: ``RatingCounter`` as ``rating_counter``, ``D6`` as
    ``d6``."""
    out = []
    for index, char in enumerate(name):
        if char.isupper() and index and not name[index - 1].isupper():
            out.append("_")
        out.append(char.lower())
    return "".join(out)
