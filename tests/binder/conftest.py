"""Rulesets in memory, bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs
import pytest

from rulelang.binder import bind
from rulelang.codes import CODES
from rulelang.data import DataFileError
from rulelang.diagnostics import Diagnostic, DiagnosticBag
from rulelang.parser import parse
from rulelang.source import SourceFile
from rulelang.symbols import Tables

if TYPE_CHECKING:
    from rulelang.ir import Field

HEADER = 'game sample "Sample":\n    players 1..4\n'


@attrs.frozen
class Bound:
    """A bound ruleset and what was found in it."""

    tables: Tables
    found: tuple[Diagnostic, ...]

    def field(self, kind: str, name: str) -> Field:
        """Give a field by name."""
        tables = self.tables
        return tables.fields[tables.field_numbers[tables.kind_numbers[kind], name]]

    def values(self, kind: str, name: str) -> tuple[object, ...]:
        """Give the initial values of a field."""
        return self.field(kind, name).values

    def thing(self, name: str) -> int:
        """Give the one thing of an id."""
        ((_, (only,)),) = self.tables.ids[name]
        return only

    @property
    def numbers(self) -> list[int]:
        """Rows of the table of diagnostics, by place."""
        return [CODES[each.code].number for each in self.found]

    @property
    def errors(self) -> list[Diagnostic]:
        """Those that are errors."""
        return [each for each in self.found if each.is_error]


Binder: TypeAlias = Callable[..., Bound]


@pytest.fixture
def bound() -> Binder:
    """Bind a text with data files, under a header of its own if it has none."""

    def run(text: str, files: Mapping[str, str] | None = None, **more: object) -> Bound:
        texts = {"x.rules": text if "game " in text else HEADER + text, **(files or {})}
        bag = DiagnosticBag()
        modules = []
        for path in sorted(path for path in texts if path.endswith(".rules")):
            parsed = parse(SourceFile(path, texts[path]))
            bag.extend(parsed.diagnostics)
            modules.append(parsed.module)

        def read(path: str) -> bytes:
            if path not in texts:
                raise DataFileError("there is no such file")
            return texts[path].encode()

        tables = bind(modules, read, bag, **more)  # type: ignore[arg-type]
        return Bound(tables, bag.sorted())

    return run
