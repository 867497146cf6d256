"""How large small games are, against numbers that others have published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.solving.counting import perft, size
from interpreter.solving.extensive import extensive
from tests.classics.games import states, tree, whole

if TYPE_CHECKING:
    from interpreter.solving.extensive import Extensive

# OpenSpiel, python/algorithms/exploitability and integration tests (`api_test.py`): nodes of chance, of decisions,
# ends, information sets.
OPEN_SPIEL = [
    ("kuhn", 2, (4, 24, 30, 12)),
    ("kuhn", 3, (17, 288, 312, 48)),
    pytest.param("leduc", 2, (157, 3780, 5520, 936), marks=pytest.mark.slow),
    ("tiny_hanabi", 2, (3, 16, 36, 8)),
    ("goofspiel", 2, (0, 501, 576, 162)),
]


@pytest.mark.parametrize(("game", "people", "size"), OPEN_SPIEL)
def test_sizes_of_open_spiel(game: str, people: int, size: tuple[int, int, int, int]) -> None:
    """Chance nodes, decision nodes, ends and information sets."""
    found = whole(game, people)
    counts = (found.count("chance"), found.count("decision"), found.count("end"))
    assert (*counts, len(found.information)) == size


@pytest.mark.slow
def test_tic_tac_toe() -> None:
    """Histories and states: OpenSpiel, `get_all_histories_test.cc` and `get_all_states_test.py`.

    Games after so many moves: the same, and J. Orwant et al., Mastering Algorithms with Perl, 1999, p. 183.
    """
    found = size(states("tic_tac_toe"))
    assert found is not None
    assert (found.states, found.decision, found.end) == (5478, 294_778, 255_168)
    moves = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]
    assert list(perft(tree("tic_tac_toe"), 10)) == moves


@pytest.mark.slow
def test_liars_dice() -> None:
    """OpenSpiel, `api_test.py`: 7 chance nodes, 147,456 decisions, 147,420 ends."""
    found = size(states("liars_dice"))
    assert found is not None
    assert (found.chance, found.decision, found.end) == (7, 147_456, 147_420)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "positions"),
    [
        ("connect_four", {}, [7, 49, 343, 2401]),
        ("breakthrough", {}, [22, 484]),
        ("breakthrough", {"rows": 5, "columns": 5}, [13, 169, 1911]),
    ],
)
def test_positions_after_so_many_turns(
    game: str, options: dict[str, object], positions: list[int]
) -> None:
    """Run with OpenSpiel. More turns: `rulelang count connect_four --turns 7`."""
    assert list(perft(tree(game, 2, **options), len(positions))) == positions


# Information sets of both, and ends.
SHERIFF = [
    ((3, 3, 1), (5, 4, 32)),
    ((3, 5, 2), (55, 36, 384)),
    ((5, 3, 1), (5, 6, 48)),
    ((5, 3, 2), (53, 78, 576)),
    pytest.param((3, 3, 3), (293, 292, 2048), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("setting", "published"), SHERIFF)
def test_sheriff(setting: tuple[int, int, int], published: tuple[int, int, int]) -> None:
    """OpenSpiel, `games/sheriff/sheriff_test.cc`: greatest bribe, most goods, rounds."""
    bribe, items, rounds = setting
    found = extensive(tree("sheriff", 2, most_bribe=bribe, most_items=items, rounds=rounds))
    assert _both(found) == published


# Columns, rows, shots and both ships.
BATTLESHIP = [
    ((2, 2, 2, 1, 0), (53, 109, 1072)),
    pytest.param((2, 2, 3, 1, 0), (341, 397, 2224), marks=pytest.mark.slow),
    pytest.param((2, 2, 2, 1, 2), (397, 1189, 9216), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("setting", "published"), BATTLESHIP)
def test_battleship(setting: tuple[int, ...], published: tuple[int, int, int]) -> None:
    """OpenSpiel, `games/battleship/battleship_test.cc`, without repeated shots."""
    names = ("columns", "rows", "shots", "first_ship", "second_ship")
    found = extensive(tree("battleship", 2, **dict(zip(names, setting, strict=True))))
    assert _both(found) == published


def _both(found: Extensive) -> tuple[int, int, int]:
    seats = [each.seat for each in found.information]
    return seats.count(0), seats.count(1), found.count("end")
