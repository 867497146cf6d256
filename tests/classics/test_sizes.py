"""How large small games are, against numbers that others have published."""

from __future__ import annotations

import pytest

from interpreter.solving.counting import perft, size
from interpreter.solving.markov import graph
from tests.classics.games import tree, whole

# OpenSpiel, python/algorithms/exploitability and integration tests (`api_test.py`): nodes of chance, of decisions,
# ends, information sets.
OPEN_SPIEL = [
    ("kuhn", 2, (4, 24, 30, 12)),
    ("kuhn", 3, (17, 288, 312, 48)),
    ("leduc", 2, (157, 3780, 5520, 936)),
]


@pytest.mark.parametrize(("game", "people", "size"), OPEN_SPIEL)
def test_sizes_of_open_spiel(game: str, people: int, size: tuple[int, int, int, int]) -> None:
    """Chance nodes, decision nodes, ends and information sets."""
    found = whole(game, people)
    counts = (found.count("chance"), found.count("decision"), found.count("end"))
    assert (*counts, len(found.information)) == size


def test_tic_tac_toe() -> None:
    """Histories and states: OpenSpiel, `get_all_histories_test.cc` and `get_all_states_test.py`.

    Games after so many moves: the same, and J. Orwant et al., Mastering Algorithms with Perl, 1999, p. 183.
    """
    found = size(graph(tree("tic_tac_toe")))
    assert found is not None
    assert (found.states, found.decision, found.end) == (5478, 294_778, 255_168)
    moves = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]
    assert list(perft(tree("tic_tac_toe"), 10)) == moves
