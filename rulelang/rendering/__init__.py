"""Findings as text: one module for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang.rendering.concise import render_concise
from rulelang.rendering.full import render_full
from rulelang.rendering.github import render_github
from rulelang.rendering.json import render_json, render_json_lines
from rulelang.rendering.junit import render_junit
from rulelang.rendering.sarif import render_sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rulelang.diagnostics import Diagnostic

__all__ = [
    "FORMATS",
    "render_concise",
    "render_full",
    "render_github",
    "render_json",
    "render_json_lines",
    "render_junit",
    "render_sarif",
]

FORMATS: Final[Mapping[str, Callable[[Sequence[Diagnostic]], str]]] = {
    "full": render_full,
    "concise": render_concise,
    "json": render_json,
    "json-lines": render_json_lines,
    "sarif": render_sarif,
    "github": render_github,
    "junit": render_junit,
}
"""What writes findings, by the names that `--output-format` has for it."""
