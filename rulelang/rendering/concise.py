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
