"""One line for each finding: `path:line:column: CODE message`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.diagnostics import Diagnostic


def render_concise(diagnostics: Iterable[Diagnostic]) -> str:
    """Render findings one a line, in the order given; empty if there are none."""
    return "".join(
        f"{found.span}: {found.code} {'' if found.is_error else 'warning: '}{found.headline}"
        + (f" ({found.help})" if found.help else "")
        + "\n"
        for found in diagnostics
    )


def said(found: Diagnostic) -> str:
    """Write all that a finding says but for its places: the headline, then a line for each other part."""
    first = found.headline + (f": {found.primary.text}" if found.primary.text else "")
    notes = (f"note: {note}" for note in found.notes)
    return "\n".join((first, *notes, *([f"help: {found.help}"] if found.help else [])))
