"""The command `check`: find rulesets under the paths given, and write what was found in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.ui.mending import mended, show_mended
from interpreter.ui.paths import shown_from_here
from interpreter.ui.positions import with_positions
from rulelang import api, config, files, rendering
from rulelang.allowing import without
from rulelang.diagnostics import Applicability
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulelang.diagnostics import Diagnostic


@attrs.frozen
class Wanted:
    """What is to be done with findings.

    Attributes:
        output_format: One of `rendering.FORMATS`.
        colour: Whether escape sequences may be used.
        fix: Mend what can be mended safely.
        unsafe: Mend also where that may change what a ruleset means.
        diff: Only show what mending would change.
        cache: Look for what was found before, and keep what is found.
    """

    output_format: str = "full"
    colour: bool = False
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    cache: bool = True


def check_paths(paths: Iterable[str], variants: Sequence[str], wanted: Wanted) -> bool:
    """Check rulesets, mend them if that is wanted, and write the findings to standard output.

    Args:
        paths: Folders, files or names. A folder that holds no rules itself stands for every ruleset in it.
        variants: If there are any, only the game with just these is checked.
        wanted: What is to be done.

    Returns:
        Whether there is no error; where only a difference is shown, whether there is none.

    Raises:
        RulesetNotFoundError: One of the paths leads nowhere.
        OSError: A file cannot be written.
    """
    rulesets = list(dict.fromkeys(ruleset for path in paths for ruleset in _rulesets(path)))
    if wanted.diff:
        return show_mended(
            rulesets, variants, unsafe=wanted.unsafe, colour=wanted.colour, cache=wanted.cache
        )
    found: list[Diagnostic] = []
    notes: list[str] = []
    read = 0
    for ruleset in rulesets:
        if wanted.fix:
            result = mended(ruleset, variants, unsafe=wanted.unsafe, cache=wanted.cache)
        else:
            (result,) = api.check_path([ruleset], variants, cache=wanted.cache, jobs=None)
        read += len(result.files)
        notes.extend(result.notes)
        shown = without(result.diagnostics, config.current().allowed)
        met = with_positions(shown, ruleset, variants)
        found.extend(shown_from_here(met, result.root))
    written = render(found, wanted.output_format, colour=wanted.colour)
    click.echo(written, nl=False, color=wanted.colour)
    errors = sum(each.is_error for each in found)
    if wanted.output_format == "full":
        for note in notes:
            click.echo(f"note: {note}", err=True)
        _tell_counts(found, read, wanted)
        for part in filter(_is_part, rulesets if errors else ()):
            click.echo(
                f"note: {part} says no `game`: it is a part of the ruleset in {Path(part).parent},"
                " and is checked with all of it.",
                err=True,
            )
    return errors == 0


def _tell_counts(found: Sequence[Diagnostic], read: int, wanted: Wanted) -> None:
    """Say on standard error how much was found, and what of that can be mended."""
    errors = sum(each.is_error for each in found)
    counts = f"{plural(errors, 'error')}, {plural(len(found) - errors, 'warning')}"
    click.echo(f"{plural(read, 'file')} checked: {counts}", err=True)
    fixes = [each.fix.applicability for each in found if each.fix is not None]
    safe, unsafe = fixes.count(Applicability.SAFE), fixes.count(Applicability.UNSAFE)
    if safe and not wanted.fix:
        click.echo(f"note: --fix mends {safe} of them", err=True)
    if unsafe and not wanted.unsafe:
        click.echo(
            f"note: --fix --unsafe-fixes mends {unsafe} {'more' if safe else 'of them'}, and may change what the"
            " rules mean",
            err=True,
        )


def _is_part(path: str) -> bool:
    """Is this one file of several?"""
    place = Path(path)
    if not place.is_file() or len(list(place.parent.glob(f"*{files.SUFFIX}"))) == 1:
        return False
    whole = (b"game ", b"variant ", b"preset ", b"scenario ")
    return not any(line.startswith(whole) for line in files.read_limited(place).splitlines())


def render(found: Sequence[Diagnostic], output_format: str, *, colour: bool) -> str:
    """Write findings in one of the formats."""
    if output_format == "full":
        return rendering.render_full(found, color=colour)
    return rendering.FORMATS[output_format](found)


def _rulesets(path: str) -> Iterator[str]:
    place = api.find_ruleset(path)
    yield from map(str, files.rulesets_under(place) if place.is_dir() else (place,))
