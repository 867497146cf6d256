"""The command `check`: find rulesets under the paths given, and write what was found in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.ui.positions import with_positions
from rulelang import api, files, rendering
from rulelang.source import SourceFile, Span
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.diagnostics import Diagnostic, Label


def check_paths(
    paths: Iterable[str], variants: Sequence[str], output_format: str, *, colour: bool
) -> bool:
    """Check rulesets and write the findings to standard output.

    Args:
        paths: Folders, files or names. A folder that holds no rules itself stands for every ruleset in it.
        variants: If there are any, only the game with just these is checked.
        output_format: `full`, `concise` or `json`.
        colour: Whether escape sequences may be used.

    Returns:
        Whether there is no error.

    Raises:
        RulesetNotFoundError: One of the paths leads nowhere.
    """
    rulesets = list(dict.fromkeys(ruleset for path in paths for ruleset in _rulesets(path)))
    found: list[Diagnostic] = []
    notes: list[str] = []
    read = 0
    for ruleset, result in zip(rulesets, api.check_path(rulesets, variants), strict=True):
        read += len(result.files)
        notes.extend(result.notes)
        met = with_positions(result.diagnostics, ruleset, variants)
        found.extend(shown_from_here(met, result.root))
    click.echo(render(found, output_format, colour=colour), nl=False, color=colour)
    errors = sum(each.is_error for each in found)
    if output_format == "full":
        for note in notes:
            click.echo(f"note: {note}", err=True)
        warnings = len(found) - errors
        counts = f"{plural(errors, 'error')}, {plural(warnings, 'warning')}"
        click.echo(f"{plural(read, 'file')} checked: {counts}", err=True)
        for part in filter(_is_part, rulesets if errors else ()):
            click.echo(
                f"note: {part} says no `game`: it is a part of the ruleset in {Path(part).parent},"
                " and is checked with all of it.",
                err=True,
            )
    return errors == 0


def _is_part(path: str) -> bool:
    """Is this one file of several?"""
    place = Path(path)
    if not place.is_file() or len(list(place.parent.glob(f"*{files.SUFFIX}"))) == 1:
        return False
    whole = (b"game ", b"variant ", b"preset ", b"scenario ")
    return not any(line.startswith(whole) for line in files.read_limited(place).splitlines())


def render(found: Sequence[Diagnostic], output_format: str, *, colour: bool) -> str:
    """Write findings in one of the formats."""
    match output_format:
        case "json":
            return rendering.render_json(found)
        case "concise":
            return rendering.render_concise(found)
        case _:
            return rendering.render_full(found, color=colour)


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


def _rulesets(path: str) -> Iterator[str]:
    place = api.find_ruleset(path)
    yield from map(str, files.rulesets_under(place) if place.is_dir() else (place,))
