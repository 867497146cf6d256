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
    """Both together are a conflict, and nothing else is wrong."""
    both = found(path, ("one", "two"))
    assert {each.code for each in both} == {"E0702"}
    assert all(each.is_error for each in both)
    assert render_full(both) == snapshot


@pytest.mark.parametrize("path", COMPATIBLE, ids=lambda path: path.stem)
def test_compatible(path: Path) -> None:
    """Both together are a game."""
    assert found(path, ("one", "two")) == ()


@pytest.mark.slow
@pytest.mark.parametrize("path", CONFLICTING, ids=lambda path: path.stem)
def test_each_alone_is_a_game(path: Path) -> None:
    """What is wrong is only wrong together, and is the same whichever is named first."""
    for alone in ("one", "two"):
        assert found(path, (alone,)) == ()
    assert render_full(found(path, ("one", "two"))) == render_full(found(path, ("two", "one")))


@pytest.mark.slow
@pytest.mark.parametrize("path", COMPATIBLE, ids=lambda path: path.stem)
def test_order_does_not_matter(path: Path) -> None:
    """It is the same game whichever is named first."""
    first = api.load(path, variants=("one", "two")).program
    second = api.load(path, variants=("two", "one")).program
    assert first is not None
    assert second is not None
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize("path", CONFLICTING, ids=lambda path: path.stem)
def test_what_is_proposed_settles_it(path: Path, tmp_path: Path) -> None:
    """Two places are shown, and each header that is proposed ends the conflict or keeps the two apart."""
    both = found(path, ("one", "two"))
    for each in both:
        assert len(each.secondary) == 1
        assert each.secondary[0].span != each.span
    whole = path.read_text("utf-8")
    (tmp_path / "rules.csv").write_bytes((path.parent / "rules.csv").read_bytes())
    proposed = {line for each in both for line in (each.help or "").split("`")[1::2]}
    headers = [line for line in proposed if line.startswith("variant ")]
    assert headers
    for header in headers:
        begin = header.split('"', maxsplit=1)[0]
        old = next(line for line in whole.splitlines() if line.startswith(begin))
        settled = tmp_path / path.name
        settled.write_text(whole.replace(old, header), encoding="utf-8")
        codes = {each.code for each in api.load(settled, variants=("one", "two")).diagnostics}
        assert not any(code.startswith("E01") for code in codes)
        assert "E0703" in codes if "not with" in header else not codes & {"E0702", "E0703"}
