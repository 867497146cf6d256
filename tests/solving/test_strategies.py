"""Equilibria and best answers of small games."""

from __future__ import annotations

from fractions import Fraction

import pytest

from interpreter.solving.extensive import extensive
from interpreter.solving.positions import Tree
from interpreter.solving.programming import equilibrium
from interpreter.solving.regret import Regrets
from interpreter.solving.strategies import best_response, bounds, nash_conv, uniform, values
from tests.solving.test_positions import compiled

pytestmark = pytest.mark.slow

PENNIES = """
component Player:
    coin: 0..1 = 0
    payoff: Number = 0
define player.other = only(Player where it is not player)
phase game:
    secretly each player in Player chooses number from 0..1: player.coin becomes number
    if first(Player).coin is last(Player).coin: do pay(first(Player), 1 + 2 * first(Player).coin)
    else: do pay(last(Player), 1)
effect pay(player, n: 1..3):
    player gains n payoff
    player.other loses n payoff
"""
# Who matches wins 1 or 3, else loses 1: the mixed equilibrium plays 1 in one of three times, for 1/3... of nothing:
# p * 3 - (1 - p) = (1 - p) - p gives p = 1/3, worth 1/3 * 3 - 2/3 = 1/3.
WORTH = Fraction(1, 3)


def test_matching_pennies() -> None:
    """Regret and the linear program come to what is worked out by hand; nobody can gain against it."""
    game = extensive(Tree(compiled(PENNIES, 2)))
    value, strategy = equilibrium(game)
    assert value == pytest.approx(float(WORTH))
    assert strategy[0][1] == pytest.approx(1 / 3)
    assert nash_conv(game, strategy) == pytest.approx(0, abs=1e-9)
    regrets = Regrets(game)
    regrets.step(300)
    low, high = bounds(game, regrets.strategy())
    assert low <= WORTH <= high
    assert high - low < 0.02


def test_best_answers() -> None:
    """Against even coins the first gains by always showing 1."""
    game = extensive(Tree(compiled(PENNIES, 2)))
    even = uniform(game)
    assert values(game, even) == (0.5, -0.5)
    assert best_response(game, even, 0) == (1.0, [1, -1])
    assert best_response(game, even, 1) == (0.0, [-1, 0])
    assert nash_conv(game, even) == pytest.approx(0.5 + 0.5)


def test_only_games_of_two() -> None:
    """Where both win or lose there is no such equilibrium."""
    game = extensive(Tree(compiled(PENNIES.replace("loses n", "gains n"), 2)))
    for solve in (Regrets, equilibrium):
        with pytest.raises(ValueError, match="two players"):
            solve(game)
