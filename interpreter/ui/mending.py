"""`check --fix`: files whose findings are mended, on disk or as a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interpreter.ui.paths import from_here
from interpreter.ui.replacing import replace_file, show_difference
from rulelang import api, config
from rulelang.data import DataFileError
from rulelang.files import read_limited
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rulelang.api import LoadResult


def mended(ruleset: str, variants: Sequence[str], *, unsafe: bool, cache: bool) -> LoadResult:
    """Mend the files of a ruleset, say on standard error what was done, and give what is left.

    Args:
        ruleset: See `api.check_path`.
        variants: See `api.check_path`.
        unsafe: Whether fixes count that may change what the ruleset means.
        cache: Whether to look for what was found before, and to keep what is found.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        OSError: A file cannot be written.
    """
    done = api.mend_path(
        ruleset, variants, unsafe=unsafe, allowed=config.current().allowed, cache=cache, jobs=None
    )
    changed = [_written(*change) for change in done.changes]
    if not all(changed):
        return api.check_path([ruleset], variants, cache=cache, jobs=None)[0]
    if changed:
        click.echo(f"{_fixes(done.applied)} applied in {plural(len(changed), 'file')}", err=True)
    return done.result


def show_mended(
    rulesets: Iterable[str], variants: Sequence[str], *, unsafe: bool, colour: bool, cache: bool
) -> bool:
    """Write what mending would change as a difference; tell whether that is nothing.

    Args:
        rulesets: See `api.check_path`.
        variants: See `api.check_path`.
        unsafe: Whether fixes count that may change what a ruleset means.
        colour: Whether escape sequences may be used.
        cache: Whether to look for what was found before, and to keep what is found.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
    """
    applied = 0
    changes: dict[Path, tuple[str, str]] = {}
    for ruleset in rulesets:
        done = api.mend_path(
            ruleset,
            variants,
            unsafe=unsafe,
            allowed=config.current().allowed,
            cache=cache,
            jobs=None,
        )
        applied += done.applied
        changes |= {place: (before, after) for place, before, after in done.changes}
    for place, (before, after) in changes.items():
        show_difference(from_here(place), before, after, colour=colour)
    if changes:
        click.echo(
            f"{_fixes(applied)} would be applied in {plural(len(changes), 'file')}", err=True
        )
    return not changes


def _written(place: Path, before: str, after: str) -> bool:
    """Write a file unless somebody else has changed it since it was read."""
    target = place.resolve()
    try:
        same = read_limited(target) == before.encode("utf-8")
    except DataFileError:
        same = False
    if same:
        replace_file(target, after)
    else:
        click.echo(f"error: {from_here(place)} has changed meanwhile and is left alone", err=True)
    return same


def _fixes(count: int) -> str:
    return f"{count} {'fix' if count == 1 else 'fixes'}"
