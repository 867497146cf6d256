"""The sample game, ready to be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tabletop import sample

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lagoon(tmp_path: Path) -> str:
    """The path of the sample game."""
    folder = tmp_path / "lagoon"
    folder.mkdir()
    path = sample.written(folder)
    assert isinstance(path, str)
    return path
