"""Exact chances and expectations, against numbers that others have published."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from interpreter.solving.markov import distribution, expectation, graph, payoff_of
from interpreter.solving.positions import Tree
from tests.classics.games import program, tree

if TYPE_CHECKING:
    from interpreter.solving.positions import Position


def test_kuhn_at_random() -> None:
    """OpenSpiel, `expected_game_value` of the uniform policy: 1/8, and for three players 15/64, -3/64, -3/16."""
    two, three = graph(tree("kuhn")), graph(tree("kuhn", 3))
    assert expectation(two, payoff_of(0)) == Fraction(1, 8)
    assert [expectation(three, payoff_of(seat)) for seat in range(3)] == [
        Fraction(15, 64),
        Fraction(-3, 64),
        Fraction(-3, 16),
    ]


def test_pig_hold_at_20() -> None:
    """T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig, UMAP Journal 25(1), 2004.

    The paper prints the chance of nothing and the mean to two digits; the others are worked out from its model.
    """
    game = program("pig")
    score = next(field.index for field in game.fields if field.name == "score")

    def after_one_turn(position: Position) -> list[Fraction] | None:
        match = position.match
        if position.seat != 1:
            return None
        found = match.layout.read(match.standing_slots(), score, 0)
        assert isinstance(found, int)
        return [Fraction(found)]

    states = graph(Tree(game, automas=[0]), until=after_one_turn)
    chances = {
        int(points[0]): round(float(odds), 6) for points, odds in distribution(states).items()
    }
    assert chances == {
        0: 0.624541,
        20: 0.099713,
        21: 0.094991,
        22: 0.074189,
        23: 0.054196,
        24: 0.035198,
        25: 0.017173,
    }
    assert round(float(expectation(states, payoff_of(0))), 6) == 8.141795
