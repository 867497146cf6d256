"""Names in data files: the ids of rows, and cells that name rows and words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.binding.settings import settings_of
from rulelang.data import DataFileError, Sheet, located, parse_sheet
from rulelang.diagnostics import DiagnosticBag
from rulelang.server.names import constants
from rulelang.server.naming import Occurrence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.ir import Type
    from rulelang.server.project import Snapshot
    from rulelang.source import SourceFile
    from rulelang.symbols import Tables

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_TABLE: Final = ".csv"


class Sheets:
    """The data files of a ruleset, with every name in them."""

    def __init__(self, snapshot: Snapshot, tables: Tables) -> None:
        self._snapshot = snapshot
        self._tables = tables
        self._sheets: dict[str, Sheet | None] = {}
        self.found: dict[str, list[Occurrence]] = {}
        for source in snapshot.texts.modules:
            for item in source.items:
                for inner in item.items if isinstance(item, nodes.VariantDecl) else (item,):
                    if isinstance(inner, nodes.ComponentDecl | nodes.ChangeComponentDecl):
                        self._read_component(inner)
        self._read_citations()

    def file(self, path: str) -> SourceFile | None:
        """Give the text of a data file."""
        sheet = self._sheets.get(path)
        return sheet.file if sheet is not None else None

    def path_at(self, path: str) -> str | None:
        """Tell whether a data file is one of the ruleset."""
        return path if self._sheets.get(path) is not None else None

    def _sheet(self, name: nodes.Text) -> tuple[str, Sheet | None]:
        try:
            path = located(name.span.file.path, name.value)
            if path not in self._sheets:
                data = self._snapshot.read(path)
                self._sheets[path] = parse_sheet(path, data, DiagnosticBag())
        except DataFileError:
            return name.value, None
        return path, self._sheets[path]

    def _read_component(self, item: nodes.ComponentDecl | nodes.ChangeComponentDecl) -> None:
        kind = item.kind.text
        number = self._tables.kind_numbers.get(kind)
        if number is None:
            return
        fields = [
            field
            for field in self._tables.fields
            if field.kind == number and not (field.name == "owner" or field.pile)
        ]
        for name in item.files:
            path, sheet = self._sheet(name)
            if sheet is None:
                continue
            found = self.found.setdefault(path, [])
            column = sheet.column("id")
            if column is not None:
                for row in sheet.rows:
                    cell = row.cells[column]
                    if _NAME.fullmatch(cell.text.strip()):
                        key = ("id", kind, cell.text.strip())
                        found.append(Occurrence(sheet.span(cell), (key,), "declares"))
            for field in fields:
                for place in self._columns(
                    sheet, field.name, self._tables.field_nodes.get(field.index)
                ):
                    found.extend(self._cells(sheet, place, field.type))

    def _columns(
        self, sheet: Sheet, name: str, node: nodes.FieldDecl | nodes.KeepsDecl | None
    ) -> Iterator[int]:
        """Give the columns that a field is read from."""
        if not isinstance(node, nodes.FieldDecl):
            return
        given = [
            each.text if isinstance(each, nodes.Ident) else each.value for each in node.columns
        ]
        wanted = "|".join(re.escape(each).replace("\\#", r"\w+") for each in given or [name])
        for index, column in enumerate(sheet.columns):
            if re.fullmatch(wanted, column):
                yield index

    def _cells(self, sheet: Sheet, column: int, kind: Type) -> Iterator[Occurrence]:
        while kind.elem is not None:
            kind = kind.elem
        if kind.shape not in ("thing", "word", "bag"):
            return
        for row in sheet.rows:
            cell = row.cells[column]
            start = cell.start + (sheet.file.text[cell.start : cell.start + 1] == '"')
            for word in _NAME.finditer(cell.text):
                keys = constants(word[0], self._tables, kind)
                if keys:
                    span = sheet.file.span(start + word.start(), start + word.end())
                    yield Occurrence(span, keys)

    def _read_citations(self) -> None:
        items = [item for item, _ in self._tables.items]
        game = [self._tables.game] if self._tables.game is not None else []
        setting = settings_of([*game, *items]).get("citations")
        for value in setting.values if setting is not None else ():
            if not isinstance(value, nodes.Text) or not value.value.endswith(_TABLE):
                continue
            path, sheet = self._sheet(value)
            column = sheet.column("id") if sheet is not None else None
            if sheet is None or column is None:
                continue
            for row in sheet.rows:
                cell = row.cells[column]
                key = ("rule", cell.text.strip())
                self.found.setdefault(path, []).append(
                    Occurrence(sheet.span(cell), (key,), "declares")
                )
