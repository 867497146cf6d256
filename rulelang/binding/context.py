"""What all parts of the binder share: the tables, the findings, the data files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import ir, nodes, ruletypes
from rulelang.codes import BY_NUMBER
from rulelang.data import DataFileError, Reader, Sheet, located, parse_sheet
from rulelang.diagnostics import Diagnostic, DiagnosticBag, Fix, Label
from rulelang.source import Span
from rulelang.suggest import did_you_mean
from rulelang.symbols import Tables

if TYPE_CHECKING:
    from collections.abc import Iterable

BROKEN: Final = ir.Type("text", enum=-2)
"""The type of what has been reported already; it fits everywhere, so that one mistake is reported once."""

MAX_COMPONENTS: Final = 20_000


class Failed:
    """The value of a constant or cell that has been reported."""

    def __repr__(self) -> str:
        return "FAILED"


FAILED: Final = Failed()


@attrs.frozen(eq=False)
class KnownSheet:
    """A data file that was parsed: its bytes, what they say, and what is wrong with them."""

    data: bytes
    sheet: Sheet
    found: tuple[Diagnostic, ...]


def known_sheet(path: str, data: bytes) -> KnownSheet:
    """Parse a data file."""
    bag = DiagnosticBag()
    sheet = parse_sheet(path, data, bag)
    return KnownSheet(data, sheet, bag.sorted())


@attrs.define(eq=False)
class Binding:
    """The state of one binding.

    Attributes:
        tables: What is being filled.
        bag: Takes the findings.
        read: Gives the bytes of data files.
        known: Data files that were parsed before, perhaps for another set of variants, by path.
        sheets: Data files read so far, by path; None for one that could not be read.
        read_columns: Columns that a field, an amount or the binder itself has read, by path.
        origins: The variant that a data file belongs to, by path; files of the base are not there.
        props: Where fields and properties are declared, by owner (a kind's number, or an
            enumeration's as `-1 - number`) and name.
    """

    tables: Tables
    bag: DiagnosticBag
    read: Reader
    known: dict[str, KnownSheet] = attrs.field(factory=dict)
    sheets: dict[str, Sheet | None] = attrs.field(factory=dict)
    read_columns: dict[str, set[str]] = attrs.field(factory=dict)
    origins: dict[str, str] = attrs.field(factory=dict)
    props: dict[tuple[int, str], Span] = attrs.field(factory=dict)

    # ------------------------------------------------------------------ findings

    def error(
        self,
        number: int,
        at: nodes.Node | Span,
        headline: str,
        *,
        label: str = "",
        secondary: Iterable[Label] = (),
        notes: Iterable[str] = (),
        advice: str | None = None,
        fix: Fix | None = None,
        cited: nodes.Cited | None = None,
    ) -> None:
        """Report an error under the code of a row of the reference's table."""
        self.bag.error(
            BY_NUMBER[number].code,
            at.span if isinstance(at, nodes.Node) else at,
            headline,
            label=label,
            secondary=secondary,
            notes=notes,
            help=advice,
            fix=fix,
            citation=[citation.id for citation in cited.citations] if cited else (),
        )

    def warning(
        self,
        number: int,
        at: nodes.Node | Span,
        headline: str,
        *,
        notes: Iterable[str] = (),
        advice: str | None = None,
    ) -> None:
        """Report a warning under the code of a row of the reference's table."""
        span = at.span if isinstance(at, nodes.Node) else at
        self.bag.warning(BY_NUMBER[number].code, span, headline, notes=notes, help=advice)

    def unknown(
        self,
        at: nodes.Ident,
        what: str,
        known: Iterable[str],
        *,
        number: int = 5,
        advice: str | None = None,
    ) -> None:
        """Report an unknown name with the nearest known one."""
        self.error(
            number,
            at,
            f"unknown {what} `{at.text}`",
            advice=advice or did_you_mean(at.text, known),
        )

    def twice(self, name: nodes.Ident, first: Span, what: str = "") -> None:
        """Report a second declaration of a name."""
        self.error(
            13,
            name,
            f"`{name.text}` is declared twice{what}",
            label="declared again here",
            secondary=[Label(first, "first declared here")],
            advice="give one of them another name",
        )

    def say(self, kind: ir.Type) -> str:
        """Write a type for a message."""
        return ruletypes.describe(
            kind,
            [each.name for each in self.tables.kinds],
            [each.name for each in self.tables.enums],
        )

    # ------------------------------------------------------------------ places

    def span(self, at: nodes.Node | Span) -> ir.Span:
        """Give the place of a node for the IR."""
        span = at.span if isinstance(at, nodes.Node) else at
        file = self.tables.files.index(span.file) if span.file in self.tables.files else 0
        line, column = span.file.position(span.start)
        end_line, end_column = span.file.position(span.end)
        return ir.Span(file, line, column - 1, end_line, end_column - 1)

    @staticmethod
    def cites(node: nodes.Cited) -> tuple[str, ...]:
        """Give the ids that a node cites."""
        return tuple(citation.id for citation in node.citations)

    # ------------------------------------------------------------------ data files

    def sheet(self, name: nodes.Text) -> Sheet | None:
        """Read a data file; None if it cannot be read, which is reported where it is named."""
        try:
            path = located(name.span.file.path, name.value)
        except DataFileError:
            path = name.value  # `file` reports it
        if path not in self.sheets:
            data = self.file(name)
            self.sheets[path] = None if data is None else self.parsed(path, data)
            self.read_columns[path] = {"id", "name"}
        return self.sheets[path]

    def parsed(self, path: str, data: bytes) -> Sheet:
        """Give a data file as a sheet, and report what is wrong with it."""
        known = self.known.get(path)
        if known is None or known.data != data:
            known = self.known[path] = known_sheet(path, data)
        self.bag.extend(known.found)
        return known.sheet

    def file(self, name: nodes.Text) -> bytes | None:
        """Read a file of the ruleset; None if it cannot be read, which is reported where it is named."""
        try:
            return self.read(located(name.span.file.path, name.value))
        except DataFileError as problem:
            self.error(18, name, f"cannot read `{name.value}`: {problem}")
            return None
