"""Damaged and forged files of games: a sample of what `python -m benchmarks.damage` does a thousand times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.damage import KINDS, Originals, originals, verdict

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Originals:
    folder: Path = tmp_path_factory.mktemp("damage")
    return originals(folder)


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_refused_or_rescued(kind: str, whole: Originals) -> None:
    """With a code, or exactly as they were; never with a traceback."""
    found = [verdict(whole, kind, seed) for seed in range(16)]
    assert [each.said for each in found if each.outcome == "wrong"] == []
    assert {each.outcome for each in found} >= {"refused"}


def test_what_is_whole_is_taken(whole: Originals) -> None:
    for content, _, attempt in KINDS.values():
        assert attempt(whole, content(whole), forged=False).outcome == "rescued"
