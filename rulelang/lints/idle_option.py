"""Options that change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulelang import nodes
from rulelang.linting import Lint, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang import ir
    from rulelang.diagnostics import Diagnostic
    from rulelang.linting import Subject

_TELLING: Final = 2  # 0 and 1 stand everywhere
_FEW: Final = 3


def _find(subject: Subject) -> Iterator[Diagnostic]:
    ctx = subject.graph.ctx
    for option in subject.tables.options:
        symbol = ctx.symbol(option.name)
        unread = option.index not in ctx.used_options and option.name != subject.tables.seats_option
        if unread and symbol is not None:
            yield finding(
                LINT.name,
                symbol.span,
                f"the option `{option.name}` changes nothing",
                label="no rule reads it",
                advice=_meant(subject, option),
            )


def _meant(subject: Subject, option: ir.Option) -> str | None:
    """Point at the few numbers of rules that are equal to the default of an option that no rule reads."""
    numeric = option.type.shape == "number" and not isinstance(option.default, bool)
    if not (numeric and isinstance(option.default, int) and option.default >= _TELLING):
        return None
    places = [
        f"line {part.span.line}"
        if part.span.file.path == subject.tables.files[option.span.file].path
        else f"{part.span.file.path}:{part.span.line}"
        for item, _ in subject.tables.items
        if not isinstance(item, nodes.OptionDecl | nodes.ChangeOptionDecl)
        for part in nodes.walk(item)
        if isinstance(part, nodes.Number) and part.value == option.default
    ]
    if not 0 < len(places) <= _FEW:
        return None
    return f"is it meant where {option.default} stands, in {' and '.join(places)}?"


LINT: Final = Lint("idle-option", _find, everywhere=True)
