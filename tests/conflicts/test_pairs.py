"""Pairs of variants: which of them contradict each other, and what is said about it.

Each file is a small game with two variants, `one` and `two`, and begins with a sentence about them.
Those in `conflicting` contradict each other; those in `compatible` are their twins, which do not.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulelang import api
from rulelang.rendering import render_full

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from rulelang.diagnostics import Diagnostic

HERE = Path(__file__).parent
CONFLICTING = sorted((HERE / "conflicting").glob("*.rules"))
COMPATIBLE = sorted((HERE / "compatible").glob("*.rules"))
ABOUT_VARIANTS = "E07"


@cache
def found(path: Path, variants: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """Give the errors of a game with some variants, and every finding about variants."""
    result = api.load(path, variants=variants)
    return tuple(
        each for each in result.diagnostics if each.is_error or each.code.startswith(ABOUT_VARIANTS)
    )


def test_there_are_enough() -> None:
    """Thirty pairs of either sort at least, and every conflict has a twin."""
    twins = {path.stem for path in COMPATIBLE}
    assert len(CONFLICTING) >= 30
    assert len(COMPATIBLE) >= 30
    assert [path.stem for path in CONFLICTING if path.stem not in twins] == ["words_of_tables"]


@pytest.mark.parametrize("path", CONFLICTING, ids=lambda path: path.stem)
def test_conflicting(path: Path, snapshot: SnapshotAssertion) -> None:
    """Each alone is fine, both together are a conflict and nothing else, whichever is named first."""
    for alone in ("one", "two"):
        assert [each.code for each in found(path, (alone,)) if each.code != "E0308"] == []
    both = found(path, ("one", "two"))
    assert {each.code for each in both} == {"E0702"}
    assert all(each.is_error for each in both)
    assert api.load(path, variants=("two", "one")).program is None
    assert render_full(both) == render_full(found(path, ("two", "one")))
    assert render_full(both) == snapshot


@pytest.mark.parametrize("path", COMPATIBLE, ids=lambda path: path.stem)
def test_compatible(path: Path) -> None:
    """Both together are a game, and the same one whichever is named first."""
    assert found(path, ("one", "two")) == ()
    first = api.load(path, variants=("one", "two")).program
    second = api.load(path, variants=("two", "one")).program
    assert first is not None
    assert second is not None
    assert first.variants == second.variants
    assert first.digest == second.digest


@pytest.mark.parametrize("path", CONFLICTING, ids=lambda path: path.stem)
def test_every_conflict_names_two_places_and_a_way_out(path: Path) -> None:
    """Both places are shown, in different variants, and the line that settles it can be read."""
    for each in found(path, ("one", "two")):
        (other,) = each.secondary
        assert other.span != each.span
        assert each.help is not None
        assert "variant " in each.help
        for line in each.help.split("`")[1::2]:
            if line.startswith("variant "):
                whole = path.read_text("utf-8")
                old = next(
                    start for start in whole.splitlines() if start.startswith(line.split('"')[0])
                )
                settled = {path.name: whole.replace(old, line)}
                rules = (path.parent / "rules.csv").read_text("utf-8")
                assert not any(
                    found.code.startswith("E01")
                    for found in api.check_text(settled[path.name], path.name, {"rules.csv": rules})
                )
