"""Reasons as people and programs read them: lines for a terminal, and data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.ui.paths import from_here
from rulelang.questions import Origins
from rulelang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.ui.paint import Paint
    from interpreter.why import Answer, Asked, Reason
    from rulelang.ir import Program, Span


def never(at: Asked, option: str) -> str:
    """Say that something can never be an answer, and what may have been meant."""
    near = nearest(option, at.possible())
    hint = f" Did you mean {' or '.join(repr(each) for each in near)}?" if near else ""
    return f"{option!r} can never be an answer.{hint}"


class Telling:
    """Writes answers of one program.

    Args:
        program: What the answers are about.
        paint: How things look.
    """

    def __init__(self, program: Program, paint: Paint) -> None:
        self._program = program
        self._paint = paint
        self._origins = Origins(program)

    def lines(self, answer: Answer) -> Iterator[str]:
        """Write an answer: the value, then each need and exception with what it reads and where it stands."""
        paint = self._paint
        source = self._source(answer.span, answer.cites)
        yield paint(f"{answer.asked}: {answer.value}", "bold") + paint(source, "dim")
        if answer.doc:
            yield from (f"    {line}" for line in answer.doc.splitlines())
        for fact in answer.facts:
            if fact.said == answer.asked:
                continue  # it has just been told
            yield f"    {fact.said}: {fact.value}"
        for reason in answer.reasons:
            said, style = _said(reason)
            yield f"  {paint(said, *style)}{paint(self._source(reason.span, reason.cites), 'dim')}"
            for fact in reason.facts:
                yield f"      {fact.said}: {fact.value}"

    def document(self, answer: Answer) -> dict[str, Any]:
        """Give an answer as data."""
        return {
            "asked": answer.asked,
            "value": answer.value,
            **self._place(answer.span),
            "cites": list(answer.cites),
            "doc": answer.doc,
            "facts": {fact.said: fact.value for fact in answer.facts},
            "reasons": [
                {
                    "form": reason.form,
                    "name": reason.name,
                    "holds": reason.holds,
                    "change": reason.change,
                    "text": reason.text,
                    "beaten": reason.beaten,
                    **self._place(reason.span),
                    "cites": list(reason.cites),
                    "facts": {fact.said: fact.value for fact in reason.facts},
                }
                for reason in answer.reasons
            ],
        }

    def _source(self, span: Span, cites: Sequence[str]) -> str:
        cited = f"  [{', '.join(cites)}]" if cites else ""
        if span.line == 0:
            return cited
        path = self._program.files[span.file]
        place = from_here(Path(path)) if Path(path).is_absolute() else path
        variant = self._origins.variant_at(span)
        return f"{cited}  {place}:{span.line}" + (f", variant {variant}" if variant else "")

    def _place(self, span: Span) -> dict[str, Any]:
        if span.line == 0:
            return {"path": None, "line": None, "variant": None}
        path = self._program.files[span.file]
        return {"path": path, "line": span.line, "variant": self._origins.variant_at(span) or None}


def _said(reason: Reason) -> tuple[str, tuple[str, ...]]:
    text = f' "{reason.text}"' if reason.text else ""
    unknown = "cannot be said"
    match reason.form:
        case "usual":
            return f"usually {reason.change}", ()
        case "exception":
            if reason.holds is None:
                return f"{reason.name}: {unknown}", ()
            if not reason.holds:
                return f"{reason.name}: does not apply", ("dim",)
            beaten = " (another exception wins)" if reason.beaten else ""
            change = f" {reason.change}" if reason.change else ""
            return f"{reason.name}: applies{change}{text}{beaten}", ("cyan",)
        case _:
            name = reason.name or "condition"
            if reason.holds is None:
                return f"{name}: {unknown}", ()
            if reason.holds:
                return f"{name}: yes", ("green",)
            return f"{name}: no{text}", ("red",)
