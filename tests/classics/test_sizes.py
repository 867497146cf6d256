"""How large small games are, against numbers that others have published."""

from __future__ import annotations

import pytest

from tests.classics.games import whole

# OpenSpiel, python/algorithms/exploitability and integration tests (`api_test.py`): nodes of chance, of decisions,
# ends, information sets.
OPEN_SPIEL = [("kuhn", 2, (4, 24, 30, 12)), ("kuhn", 3, (17, 288, 312, 48))]


@pytest.mark.parametrize(("game", "people", "size"), OPEN_SPIEL)
def test_sizes_of_open_spiel(game: str, people: int, size: tuple[int, int, int, int]) -> None:
    """Chance nodes, decision nodes, ends and information sets."""
    found = whole(game, people)
    counts = (found.count("chance"), found.count("decision"), found.count("end"))
    assert (*counts, len(found.information)) == size
