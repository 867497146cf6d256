"""Exact chances and expectations, against numbers that others have published."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from interpreter.solving.markov import (
    State,
    best,
    distribution,
    expectation,
    graph,
    payoff_of,
    stationary,
)
from interpreter.solving.positions import Tree
from tests.classics.games import program, states, tree

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

    found = graph(Tree(game, automas=[0]), until=after_one_turn)
    chances = {
        int(points[0]): round(float(odds), 6) for points, odds in distribution(found).items()
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
    assert round(float(expectation(found, payoff_of(0))), 6) == 8.141795


@pytest.mark.slow
def test_leduc_at_random() -> None:
    """OpenSpiel, the uniform policy: -5/64."""
    assert expectation(graph(tree("leduc")), payoff_of(0)) == Fraction(-5, 64)


@pytest.mark.slow
def test_tic_tac_toe_at_random_and_played_well() -> None:
    """Worked out with OpenSpiel: X wins 737/1260, O 121/420, draws 8/63. That best play draws everybody knows."""
    game = states("tic_tac_toe")
    chances = distribution(game)
    assert chances[1, -1] == Fraction(737, 1260)  # type: ignore[index]
    assert chances[-1, 1] == Fraction(121, 420)  # type: ignore[index]
    assert chances[0, 0] == Fraction(8, 63)  # type: ignore[index]
    assert best(game)[0][0] == 0


@pytest.mark.parametrize(
    ("piles", "misere", "value"),
    [
        pytest.param((100,), False, 1, marks=pytest.mark.slow),
        pytest.param((100,), True, 1, marks=pytest.mark.slow),
        ((1, 1, 1), False, 1),
        ((1, 1, 1), True, -1),
    ],
)
def test_nim(piles: tuple[int, ...], misere: bool, value: int) -> None:
    """OpenSpiel, `nim_test.cc`; C. L. Bouton, 1901."""
    names = ("first_pile", "second_pile", "third_pile", "fourth_pile")
    sizes = dict(zip(names, (*piles, 0, 0, 0), strict=False))
    assert best(graph(tree("nim", misere=misere, **sizes)))[0][0] == value


SPINS = Fraction(
    225837582538403273407117496273279920181931269186581786048583,
    5757472998140039232950575874628786131130999406013041613400,
)


def test_chutes_and_ladders() -> None:
    """S. C. Althoen, L. King and K. Schilling, How long is a game of Snakes and Ladders?, Math. Gazette 77, 1993.

    The fraction: futilitycloset.com, 21 February 2018. The other board: possiblywrong.wordpress.com, 20 February 2015.
    """

    def spins(long_chute: int) -> Fraction:
        found = graph(tree("chutes", 1, long_chute=long_chute))
        return expectation(found, lambda _: Fraction(0), _draws)

    assert spins(47) == SPINS
    assert round(float(spins(48)), 6) == 39.598366


def _draws(state: State) -> Fraction:
    return Fraction(state.kind == "chance")


def test_craps() -> None:
    """The pass line wins 244 of 495: any book on probability."""
    assert expectation(graph(tree("craps", 1)), payoff_of(0)) == Fraction(244, 495)


@pytest.mark.parametrize(
    ("attackers", "defenders", "lost", "of"),
    [
        (3, 2, (2275, 2611, 2890), 7776),
        (3, 1, (441, 855), 1296),
        (2, 2, (581, 420, 295), 1296),
        (2, 1, (91, 125), 216),
        (1, 2, (161, 55), 216),
        (1, 1, (21, 15), 36),
    ],
)
def test_a_roll_of_risk(attackers: int, defenders: int, lost: tuple[int, ...], of: int) -> None:
    """J. A. Osborne, Markov chains for the RISK board game revisited, Mathematics Magazine 76(2), 2003.

    Ways in which the attacker loses all that is at stake, and so on down to the defender doing so.
    """
    options = {"attackers": attackers, "defenders": defenders, "rolls": 1}
    found = graph(Tree(program("risk"), options=options, payoff="armies"))
    assert tuple(distribution(found).values()) == tuple(Fraction(ways, of) for ways in lost)


@pytest.mark.slow
def test_squares_of_monopoly() -> None:
    """Project Euler, problem 84: Jail 6.24 %, E3 3.18 %, Go 3.09 %; with dice of four sides Jail, R2, E3.

    It cuts figures off. With piles that are shuffled once the shares differ in the third digit only.
    """
    assert _squares("six") == [("jail", 6.24), ("e3", 3.18), ("go", 3.09)]
    assert [name for name, _ in _squares("four")] == ["jail", "r2", "e3"]


def _squares(sides: str) -> list[tuple[str, float]]:
    game = program("monopoly", 1)
    squares = next(kind for kind in game.kinds if kind.name == "Square")
    square = next(field.index for field in game.fields if field.name == "square")

    def stands_on(position: Position) -> object:
        match = position.match
        return match.layout.read(match.standing_slots(), square, 0)

    words = next(option.type.enum for option in game.options if option.name == "sides")
    number = game.enums[words].words.index(sides)
    options = {"turns": 0, "cards": 1, "sides": number}
    found = graph(Tree(game, options=options), tell=stands_on)
    shares: dict[str, float] = {}
    for state, share in zip(found, stationary(found), strict=True):
        if state.path in {"turn.throw.long_die", "turn.throw.short_die"}:
            name = squares.ids[state.told - squares.base]  # type: ignore[operator]
            shares[name] = shares.get(name, 0.0) + share
    whole = sum(shares.values())
    best_known = sorted(shares, key=lambda name: shares[name], reverse=True)[:3]
    return [(name, int(10_000 * shares[name] / whole) / 100) for name in best_known]


def test_tiny_hanabi_at_random() -> None:
    """Worked out with OpenSpiel: 67/18 for both."""
    found = graph(tree("tiny_hanabi"))
    assert [expectation(found, payoff_of(seat)) for seat in range(2)] == [Fraction(67, 18)] * 2


@pytest.mark.slow
def test_four_dice_offer_a_sum() -> None:
    """Can't Stop: in percent 13, 23, 36, 45, 56, 64 for 2 to 7 and 12 to 7 (mckoss/labs, Can't Stop notebook)."""

    def percent(wanted: int) -> int:
        found = graph(tree("cant_stop", 1, wanted=wanted))
        return round(100 * expectation(found, payoff_of(0)))

    assert [percent(wanted) for wanted in range(2, 13)] == [
        *(13, 23, 36, 45, 56, 64),
        *(56, 45, 36, 23, 13),
    ]


def test_rolls_of_craps() -> None:
    """How many rolls a bet on the pass line takes: 557/165 (E. Ethier, The Doctrine of Chances, 2010)."""
    found = graph(tree("craps", 1))
    assert expectation(found, lambda _: Fraction(0), _draws) == Fraction(557, 165)
