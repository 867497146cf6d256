"""OpenSpiel plays the same games: movers, legal actions, odds, returns and information sets, history by history."""

from __future__ import annotations

import pytest

from benchmarks.spiel.comparing import Comparison, DifferenceError, Same
from benchmarks.spiel.games import GAMES
from interpreter.chance import Stream

SMALL = 700
LARGE = 10_000


def _marked(same: Same) -> object:
    slow = same.ruleset in {"battleship", "breakthrough", "connect_four", "goofspiel", "sheriff"}
    return pytest.param(same, id=same.spiel, marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize("same", [_marked(same) for same in GAMES])
def test_random_games(same: Same) -> None:
    """Thousands of them: `python -m benchmarks.spiel`."""
    comparison = Comparison(same)
    for seed in range(2):
        comparison.one(Stream(seed, "moves"))
    assert comparison.compared > 4


@pytest.mark.parametrize(
    "same", [same for same in GAMES if same.nodes <= SMALL], ids=lambda same: same.spiel
)
def test_small_trees(same: Same) -> None:
    """Every history."""
    assert Comparison(same).whole() == same.nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    "same", [same for same in GAMES if SMALL < same.nodes <= LARGE], ids=lambda same: same.spiel
)
def test_larger_trees(same: Same) -> None:
    """Every history."""
    assert Comparison(same).whole() == same.nodes


def test_a_difference_is_found() -> None:
    """Two games that are not the same."""
    kuhn = GAMES[0]
    other = Same(kuhn.ruleset, "kuhn_poker(players=3)", kuhn.action)
    with pytest.raises(DifferenceError, match="odds"):
        Comparison(other).whole()
