"""Paths as people see them: as they lead from the current folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.diagnostics import Diagnostic, Label


def shown_from_here(found: Iterable[Diagnostic], root: Path | None) -> Iterator[Diagnostic]:
    """Write the paths of findings as they lead from the current folder, so that an editor can follow them."""
    if root is None or root == Path():
        yield from found
        return
    known: dict[SourceFile, SourceFile] = {}

    def moved(span: Span) -> Span:
        file = known.get(span.file)
        if file is None:
            file = known[span.file] = SourceFile(from_here(root / span.file.path), span.file.text)
        return attrs.evolve(span, file=file)

    def labelled(label: Label) -> Label:
        return attrs.evolve(label, span=moved(label.span))

    for each in found:
        fix = each.fix
        if fix is not None:
            edits = tuple(attrs.evolve(edit, span=moved(edit.span)) for edit in fix.edits)
            fix = attrs.evolve(fix, edits=edits)
        yield attrs.evolve(
            each,
            primary=labelled(each.primary),
            secondary=tuple(labelled(label) for label in each.secondary),
            fix=fix,
        )


def from_here(path: Path) -> str:
    """Write a path as it leads from the current folder; a whole one if it is not below it."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if near.startswith("..") else near
