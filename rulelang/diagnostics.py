"""Findings as data: what every stage reports and the renderers show.

No stage raises for a mistake of an author. It adds a `Diagnostic` to a `DiagnosticBag`; the
edge sorts them by place and renders them. Codes and severities come from `codes.py`.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Severity(enum.Enum):
    """How bad a finding is; an error keeps a ruleset from being run."""

    ERROR = "error"
    WARNING = "warning"


class Applicability(enum.Enum):
    """How safe a fix is: applied on request, applied on a stronger request, or only shown."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@attrs.frozen
class Label:
    """A place with a short text that says what is there (may be empty)."""

    span: Span
    text: str = ""


@attrs.frozen
class Edit:
    """Replace the characters of a span (an empty span inserts)."""

    span: Span
    text: str


@attrs.frozen
class Fix:
    """A change that would remove the finding.

    Attributes:
        title: What it does, as an order: "write `becomes`".
        edits: In order of place, not overlapping, all in one file.
        applicability: How safe it is.
    """

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.UNSAFE


@attrs.frozen
class Diagnostic:
    """One finding.

    Attributes:
        code: As registered, `E0101`.
        severity: Error or warning.
        headline: At most about twelve words, lower case, no full stop, source words in backquotes.
        primary: The place it is about.
        secondary: Other places involved, each with a text.
        notes: Reasons, one sentence each.
        help: What to write instead; None if there is nothing to say.
        fix: The same as edits, where it is mechanical.
        citation: Ids of the rulebook that the reported rule cites.
    """

    code: str
    severity: Severity
    headline: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None
    citation: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """The main place."""
        return self.primary.span

    @property
    def is_error(self) -> bool:
        """Whether it keeps the ruleset from being run."""
        return self.severity is Severity.ERROR


_ABOUT_PAIRS: Final = frozenset(("E0404", "E0702"))
"""Codes of two places that contradict each other: one place may contradict several others."""


@attrs.define
class DiagnosticBag:
    """Collects findings; the same code at the same place (or pair of places) is kept once."""

    _found: dict[tuple[str, Span, Span | None], Diagnostic] = attrs.field(factory=dict, init=False)

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a finding unless one of its code and place is there."""
        paired = diagnostic.code in _ABOUT_PAIRS and diagnostic.secondary
        other = diagnostic.secondary[0].span if paired else None
        self._found.setdefault((diagnostic.code, diagnostic.span, other), diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep several."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def error(
        self,
        code: str,
        span: Span,
        headline: str,
        *,
        label: str = "",
        secondary: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,  # noqa: A002 - the field's own word, as in the rendering
        fix: Fix | None = None,
        citation: Iterable[str] = (),
    ) -> None:
        """Report an error; see `Diagnostic` for the arguments."""
        self._report(
            Severity.ERROR, code, span, headline, label, secondary, notes, help, fix, citation
        )

    def warning(
        self,
        code: str,
        span: Span,
        headline: str,
        *,
        label: str = "",
        secondary: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,  # noqa: A002 - the field's own word, as in the rendering
        fix: Fix | None = None,
        citation: Iterable[str] = (),
    ) -> None:
        """Report a warning; see `Diagnostic` for the arguments."""
        self._report(
            Severity.WARNING, code, span, headline, label, secondary, notes, help, fix, citation
        )

    def _report(
        self,
        severity: Severity,
        code: str,
        span: Span,
        headline: str,
        label: str,
        secondary: Iterable[Label],
        notes: Iterable[str],
        advice: str | None,
        fix: Fix | None,
        citation: Iterable[str],
    ) -> None:
        self.add(
            Diagnostic(
                code,
                severity,
                headline,
                Label(span, label),
                tuple(secondary),
                tuple(notes),
                advice,
                fix,
                tuple(citation),
            )
        )

    @property
    def has_errors(self) -> bool:
        """Whether an error is among them."""
        return any(found.is_error for found in self._found.values())

    def has_errors_beside(self, code: str) -> bool:
        """Whether an error of another code is among them."""
        return any(found.is_error and found.code != code for found in self._found.values())

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Give all, by path and place, errors first at one place."""
        return tuple(
            sorted(
                self._found.values(),
                key=lambda found: (*found.span.sort_key, not found.is_error, found.code),
            )
        )

    def __len__(self) -> int:
        """Count them."""
        return len(self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        """Run over them as reported."""
        return iter(tuple(self._found.values()))
