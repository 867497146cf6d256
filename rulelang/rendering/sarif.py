"""Findings as SARIF 2.1.0, the form in which tools that analyse texts exchange results."""

from __future__ import annotations

import json
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from rulelang import __version__
from rulelang.codes import CODES, explanation
from rulelang.rendering.concise import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.codes import Code
    from rulelang.diagnostics import Diagnostic, Edit, Fix, Label
    from rulelang.source import Span

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_VERSION: Final = "2.1.0"


def render_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """Render findings, in the order given, as a log with one run.

    Lines and columns count from 1, columns in characters; ends are exclusive. The rules of the run are the codes that
    were found, each with its page.
    """
    found = list(diagnostics)
    codes = sorted({each.code for each in found if each.code in CODES})
    run = {
        "tool": {
            "driver": {
                "name": "rulelang",
                "semanticVersion": __version__,
                "rules": [_rule(CODES[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, codes) for each in found],
    }
    log = {"$schema": _SCHEMA, "version": _VERSION, "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    page = explanation(code.code)
    return {
        "id": code.code,
        "name": code.name,
        "shortDescription": {"text": code.summary},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": code.severity.value},
    }


def _result(found: Diagnostic, codes: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": found.severity.value,
        "message": {"text": said(found)},
        "locations": [{"physicalLocation": _place(found.span)}],
    }
    if found.code in codes:
        result["ruleIndex"] = codes.index(found.code)
    if found.secondary:
        result["relatedLocations"] = [
            _related(number, label) for number, label in enumerate(found.secondary)
        ]
    if found.fix is not None and found.fix.edits:
        result["fixes"] = [_fix(found.fix)]
    if found.citation:
        result["properties"] = {"citation": list(found.citation)}
    return result


def _related(number: int, label: Label) -> dict[str, Any]:
    related: dict[str, Any] = {"id": number, "physicalLocation": _place(label.span)}
    if label.text:
        related["message"] = {"text": label.text}
    return related


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(fix.edits[0].span.file.path),
                "replacements": [_replacement(edit) for edit in fix.edits],
            }
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _replacement(edit: Edit) -> dict[str, Any]:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


def _place(span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(span.file.path), "region": _region(span)}


def _region(span: Span) -> dict[str, Any]:
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }


def _artifact(path: str) -> dict[str, str]:
    """Give a file as an address: a relative one, or a whole one for a whole path."""
    for kind in (PurePosixPath, PureWindowsPath):
        place: PurePath = kind(path)
        if place.is_absolute():
            return {"uri": place.as_uri()}
    return {"uri": quote(path.replace("\\", "/"))}
