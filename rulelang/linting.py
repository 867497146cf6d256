"""What a lint is, and what it looks at. The lints themselves are in `lints/`, one file each.

A lint gives advice about a ruleset that could be played: it looks only where no error is, and reports warnings,
which authors can silence by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang.codes import BY_NAME
from rulelang.diagnostics import Diagnostic, Label, Severity
from rulelang.nodes import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulelang import ir
    from rulelang.checker.graph import Graph
    from rulelang.diagnostics import Fix
    from rulelang.source import SourceFile, Span
    from rulelang.symbols import Tables
    from rulelang.texts import Texts


@attrs.frozen(eq=False)
class Subject:
    """What a lint looks at: a ruleset merged with one set of variants, for one number of seats.

    Attributes:
        graph: The lowered rules with their calls; `graph.ctx` is how they were lowered.
        program: The same, finished.
        settled: Numbers of texts in which no finding counts: lints need not look for any there.
    """

    graph: Graph
    program: ir.Program
    settled: frozenset[int] = frozenset()

    @property
    def tables(self) -> Tables:
        """What is declared; `tables.items` are the trees, merged."""
        return self.graph.ctx.tables

    def counts(self, span: ir.Span) -> bool:
        """Tell whether a finding at a place may count; where it is nowhere, it may."""
        return span.file not in self.settled or not span.line

    def counts_in(self, file: SourceFile) -> bool:
        """Tell whether a finding in a text may count."""
        return self.graph.ctx.file_numbers.get(file, -1) not in self.settled

    def place(self, span: ir.Span) -> Span:
        """Give the place in the text of a part of the program."""
        return self.graph.place(span)


@attrs.frozen
class Lint:
    """One lint.

    Attributes:
        name: The name of its code, as in `codes.py`; reads well after "allow".
        find: Looks at the base, and then at each set of variants that is checked. What it finds in the base is
            taken from the look at the base only: with variants it may leave out what `Subject.counts` says, unless
            it is for `everywhere`. What was found in a set is kept until something in the set
            changes (`rulelang.checking`), so a lint looks at nothing of variants that are not in it.
        survey: Looks once at all texts, variants and scenarios, if the base has no error.
        everywhere: Whether a finding of `find` counts only if it is found in every set of variants that has its
            place: what one of them uses is used.
    """

    name: str
    find: Callable[[Subject], Iterable[Diagnostic]] | None = None
    survey: Callable[[Texts], Iterable[Diagnostic]] | None = None
    everywhere: bool = False

    @property
    def code(self) -> str:
        """Its code, `L0101`."""
        return BY_NAME[self.name].code


def finding(
    name: str,
    at: Node | Span,
    headline: str,
    *,
    label: str = "",
    secondary: Iterable[Label] = (),
    notes: Iterable[str] = (),
    advice: str | None = None,
    fix: Fix | None = None,
    citation: Iterable[str] = (),
) -> Diagnostic:
    """Make a warning under the code of a name; see `Diagnostic` for the arguments.

    Args:
        name: Of the code.
        at: The main place.
        headline: See `Diagnostic.headline`.
        label: What is at the main place.
        secondary: Other places.
        notes: Reasons.
        advice: What to write instead, for `Diagnostic.help`.
        fix: The same as edits.
        citation: Ids of the rulebook.
    """
    span = at.span if isinstance(at, Node) else at
    return Diagnostic(
        BY_NAME[name].code,
        Severity.WARNING,
        headline,
        Label(span, label),
        tuple(secondary),
        tuple(notes),
        advice,
        fix,
        tuple(citation),
    )
