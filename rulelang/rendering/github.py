"""Findings as commands of a GitHub workflow, which shows them beside the lines of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.codes import CODES
from rulelang.rendering.concise import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.diagnostics import Diagnostic


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Render findings one a line, in the order given; empty if there are none.

    Lines and columns count from 1. Columns are left out of what goes over several lines: there they mean nothing.
    """
    return "".join(map(_command, diagnostics))


def _command(found: Diagnostic) -> str:
    span = found.span
    line, column = span.file.position(span.start)
    end_line, end_column = span.file.position(span.end)
    entry = CODES.get(found.code)
    named = {
        "title": f"{found.code} {entry.name}" if entry is not None else found.code,
        "file": span.file.path,
        "line": str(line),
        "endLine": str(end_line),
    }
    if line == end_line:
        named |= {"col": str(column), "endColumn": str(end_column)}
    properties = ",".join(f"{name}={_property(value)}" for name, value in named.items())
    return f"::{found.severity.value} {properties}::{_escaped(said(found))}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
