"""Fixes of findings, applied to texts; nothing is read or written here.

What a fix does not touch stays as it is, character for character. A text that could be parsed can be parsed afterwards,
and one that could not has no more mistakes than before: a fix that would break that is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang.diagnostics import Applicability, Edit, Fix
from rulelang.parser import parse
from rulelang.source import NOT_UTF8, SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulelang.diagnostics import Diagnostic

MAX_ROUNDS: Final = 100
"""How often texts are mended again: a fix may bring to light what another finding hid."""


@attrs.frozen(eq=False)
class Round:
    """What fixes have made of texts.

    Attributes:
        sources: All texts, those that were changed as new ones.
        applied: How many fixes were applied.
    """

    sources: tuple[SourceFile, ...]
    applied: int


def mend(
    sources: Sequence[SourceFile],
    found: Iterable[Diagnostic],
    *,
    unsafe: bool = False,
    only: frozenset[str] | None = None,
) -> Round:
    """Apply the fixes of findings that do not get in each other's way; the others need another round.

    Args:
        sources: The texts that the findings are about.
        found: The findings.
        unsafe: Whether fixes are wanted too that may change what a ruleset means.
        only: Paths of the texts that may be changed; None for all.
    """
    wanted = [Applicability.SAFE, *([Applicability.UNSAFE] if unsafe else [])]
    fixes: dict[SourceFile, list[Fix]] = {}
    for each in found:
        fix = each.fix
        if fix is not None and fix.applicability in wanted and fix.edits:
            fixes.setdefault(fix.edits[0].span.file, []).append(fix)
    texts: list[SourceFile] = []
    count = 0
    for source in sources:
        mine = fixes.get(source, [])
        if not mine or (only is not None and source.path not in only) or NOT_UTF8 in source.text:
            texts.append(source)  # what is no UTF-8 could not be written as it was
            continue
        text, applied = _mended(source, mine)
        texts.append(source if text == source.text else SourceFile(source.path, text))
        count += applied
    return Round(tuple(texts), count)


def _mended(source: SourceFile, fixes: Sequence[Fix]) -> tuple[str, int]:
    """Give the text with as many fixes as go together, and their number."""
    chosen: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: fix.edits[0].span.start):
        if not any(_clash(fix, other) for other in chosen):
            chosen.append(fix)
    before = _mistakes(source)
    text = _edited(source, chosen)
    if _mistakes(SourceFile(source.path, text)) <= before:
        return text, len(chosen)
    kept: list[Fix] = []
    for fix in chosen:
        text = _edited(source, [*kept, fix])
        if _mistakes(SourceFile(source.path, text)) <= before:
            kept.append(fix)
    return _edited(source, kept), len(kept)


def _clash(one: Fix, two: Fix) -> bool:
    """Tell whether two fixes touch the same characters, or insert at the same place."""
    return any(
        mine.span.start <= other.span.end and other.span.start <= mine.span.end
        for mine in one.edits
        for other in two.edits
    )


def _mistakes(source: SourceFile) -> int:
    return sum(found.is_error for found in parse(source).diagnostics)


def _edited(source: SourceFile, fixes: Iterable[Fix]) -> str:
    edits = sorted((edit for fix in fixes for edit in fix.edits), key=lambda edit: edit.span.start)
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += [source.text[at : edit.span.start], _in_style(source, edit)]
        at = edit.span.end
    return "".join((*parts, source.text[at:]))


def _in_style(source: SourceFile, edit: Edit) -> str:
    """Write the line ends of an edit as those of the text are."""
    return edit.text.replace("\n", "\r\n") if "\r\n" in source.text else edit.text
