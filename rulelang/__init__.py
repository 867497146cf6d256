"""The language: texts in, checked programs out.

These names are the public face; they are imported when they are first used, so that a program which needs one stage
loads one stage. Everything else may change.

    load_ruleset    a program, compiled or from the cache
    load, LoadResult, check_text, check_path
                    programs with all that was found in their texts
    Diagnostic, Severity, render_full, render_concise, render_json
                    findings as data and as text
    RulesetError, RulesetNotFoundError
                    what is raised for a ruleset that has errors, or that is not there
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.api import (
        LoadResult,
        RulesetError,
        RulesetNotFoundError,
        check_path,
        check_text,
        load,
        load_ruleset,
    )
    from rulelang.diagnostics import Diagnostic, Severity
    from rulelang.rendering import render_concise, render_full, render_json

__version__ = "0.1.0"

_PLACES = {
    "LoadResult": "api",
    "RulesetError": "api",
    "RulesetNotFoundError": "api",
    "check_path": "api",
    "check_text": "api",
    "load": "api",
    "load_ruleset": "api",
    "Diagnostic": "diagnostics",
    "Severity": "diagnostics",
    "render_concise": "rendering",
    "render_full": "rendering",
    "render_json": "rendering",
}

__all__ = [
    "Diagnostic",
    "LoadResult",
    "RulesetError",
    "RulesetNotFoundError",
    "Severity",
    "check_path",
    "check_text",
    "load",
    "load_ruleset",
    "render_concise",
    "render_full",
    "render_json",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    place = _PLACES.get(name)
    if place is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    found: object = getattr(import_module(f"{__name__}.{place}"), name)
    globals()[name] = found
    return found
