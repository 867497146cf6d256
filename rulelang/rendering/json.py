"""Findings for other programs: one JSON document with a version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from rulelang.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.diagnostics import Diagnostic, Edit, Label
    from rulelang.source import Span

VERSION: Final = 1
"""Raised when a key changes its meaning or goes; new keys may come without."""


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Render findings, in the order given, as `{"version": 1, "diagnostics": [...]}`.

    Offsets count characters from 0; lines and columns count from 1; ends are exclusive.
    """
    document = {"version": VERSION, "diagnostics": [_diagnostic(found) for found in diagnostics]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def render_json_lines(diagnostics: Iterable[Diagnostic]) -> str:
    """Render findings one a line, in the order given, each an object as in `render_json` with the version."""
    return "".join(
        json.dumps({"version": VERSION, **_diagnostic(found)}, ensure_ascii=False) + "\n"
        for found in diagnostics
    )


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    entry = CODES.get(found.code)
    return {
        "code": found.code,
        "name": entry.name if entry else "",
        "severity": found.severity.value,
        "message": found.headline,
        "primary": _label(found.primary),
        "secondary": [_label(label) for label in found.secondary],
        "notes": list(found.notes),
        "help": found.help,
        "fix": None
        if found.fix is None
        else {
            "title": found.fix.title,
            "applicability": found.fix.applicability.value,
            "edits": [_edit(edit) for edit in found.fix.edits],
        },
        "citation": list(found.citation),
    }


def _label(label: Label) -> dict[str, Any]:
    return {"text": label.text, **_span(label.span)}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"text": edit.text, **_span(edit.span)}


def _span(span: Span) -> dict[str, Any]:
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    return {
        "path": span.file.path,
        "start": span.start,
        "end": span.end,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }
