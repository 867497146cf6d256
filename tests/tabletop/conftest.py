"""The sample game, ready to be played."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType


def _sample() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sample", Path(__file__).parent / "sample.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def lagoon(tmp_path: Path) -> str:
    """The path of the sample game."""
    folder = tmp_path / "lagoon"
    folder.mkdir()
    path = _sample().written(folder)
    assert isinstance(path, str)
    return path
