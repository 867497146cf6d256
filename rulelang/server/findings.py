"""Findings as an editor takes them, and where they move while a text is edited."""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from rulelang.codes import CODES
from rulelang.diagnostics import Diagnostic, Severity
from rulelang.server.places import address_of, range_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulelang.diagnostics import Fix
    from rulelang.source import SourceFile

SOURCE: Final = "rulelang"
UNUSED: Final = "E0210"
_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}


def converted(found: Diagnostic, place_of: Callable[[str], Path]) -> types.Diagnostic:
    """Write a finding for an editor.

    Args:
        found: The finding.
        place_of: Gives where a text lies.
    """
    said = [found.headline + (f": {found.primary.text}" if found.primary.text else "")]
    said += [f"note: {note}" for note in found.notes]
    said += [f"help: {found.help}"] if found.help else []
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(address_of(place_of(label.span.file.path)), range_of(label.span)),
            label.text or "see here",
        )
        for label in found.secondary
    ]
    return types.Diagnostic(
        range=range_of(found.span),
        message="\n".join(said),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=_page(found.code),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if found.code == UNUSED else None,
        related_information=related or None,
        data=_fix(found.fix, place_of) if found.fix is not None else None,
    )


def _page(code: str) -> types.CodeDescription | None:
    """Give the page of a code, which is part of the package."""
    page = importlib.resources.files("rulelang").joinpath(f"explanations/{code}.md")
    if code not in CODES or not isinstance(page, Path):
        return None
    return types.CodeDescription(address_of(page))


def _fix(fix: Fix, place_of: Callable[[str], Path]) -> dict[str, Any]:
    """Write a fix as plain data, which an editor gives back when it asks what can be done."""
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [
            {
                "uri": address_of(place_of(edit.span.file.path)),
                "range": _plain(range_of(edit.span)),
                "text": edit.text,
            }
            for edit in fix.edits
        ],
    }


def _plain(found: types.Range) -> list[int]:
    return [found.start.line, found.start.character, found.end.line, found.end.character]


def moved(
    findings: Iterable[types.Diagnostic], before: SourceFile, after: SourceFile
) -> list[types.Diagnostic]:
    """Move findings along with an edit; those in lines that were edited are dropped."""
    old, new = before.text.split("\n"), after.text.split("\n")
    top = 0
    while top < min(len(old), len(new)) and old[top] == new[top]:
        top += 1
    below = 0
    while below < min(len(old), len(new)) - top and old[-1 - below] == new[-1 - below]:
        below += 1
    shift = len(new) - len(old)
    kept = []
    for each in findings:
        if each.range.end.line < top:
            kept.append(each)
        elif each.range.start.line >= len(old) - below:
            kept.append(_shifted(each, shift))
    return kept


def _shifted(found: types.Diagnostic, lines: int) -> types.Diagnostic:
    if not lines:
        return found
    start, end = found.range.start, found.range.end
    return types.Diagnostic(
        range=types.Range(
            types.Position(start.line + lines, start.character),
            types.Position(end.line + lines, end.character),
        ),
        message=found.message,
        severity=found.severity,
        code=found.code,
        code_description=found.code_description,
        source=found.source,
        tags=found.tags,
        related_information=found.related_information,
    )  # without its fix, whose place has moved too
