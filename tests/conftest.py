"""How all tests are run: those first that may take long, and with fewer searches for garbage."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

gc.set_threshold(
    50_000, 20, 50
)  # as the language server does: programs live long, and nothing in them is a circle


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what is given the most time: no process is left with something long when the others have finished."""
    items.sort(key=_patience, reverse=True)


def _patience(item: pytest.Item) -> float:
    marker = item.get_closest_marker("timeout")
    given: Sequence[float] = () if marker is None else marker.args
    return given[0] if given else 0
