"""Positions of small games of our own: chance, answers, what ends are worth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from interpreter.solving.chances import TooManyError
from interpreter.solving.counting import perft, size
from interpreter.solving.extensive import extensive
from interpreter.solving.markov import best, distribution, expectation, graph, payoff_of, stationary
from interpreter.solving.positions import PayoffError, Tree
from rulelang.api import texts_in_memory

if TYPE_CHECKING:
    from rulelang.ir import Program

HEAD = 'game sample "Sample":\n    version "1.0"\n    players 1..3\n'


def compiled(text: str, seats: int = 1) -> Program:
    """A program from the text of a ruleset."""
    program, bag = texts_in_memory({"sample.rules": HEAD + text}).compile((), seats=seats)
    assert program is not None, [str(each) for each in bag]
    return program


DRAWS = """
define D3 = 1..3
component Card (4):
    number: 1..4 = each 1..4
component Board (1):
    deck: pile of Card
component Player:
    payoff: 0.. = 0
phase game:
    let dice = roll 2 of D3
    let sole_card = pick Card where its number is 4
    let cards = pick 2 of Card
    move Card where its number < 4 to board.deck
    do shuffle(board.deck)
    each player in Player:
        if any board.deck: player gains sum(dice) * sum(cards.number) * top(board.deck).number payoff
"""


def test_every_kind_of_draw_is_enumerated() -> None:
    """Dice, picks and shuffles: all outcomes with their odds, and none where there is no choice."""
    states = graph(Tree(compiled(DRAWS)))
    assert expectation(states, payoff_of(0)) == 4 * 5 * 2
    found = extensive(Tree(compiled(DRAWS)))
    assert (found.count("chance"), found.count("end")) == (1 + 9 + 9 * 6, 9 * 6 * 6)
    assert sum(distribution(states).values()) == 1


def test_too_large_a_draw_is_refused() -> None:
    """A shuffle of 20 cards has more orders than anybody looks at."""
    text = (
        DRAWS.replace("(4)", "(20)")
        .replace("1..4", "1..20")
        .replace("its number < 4", "its number < 20")
    )
    with pytest.raises(TooManyError, match=r"a draw has [\d,]+ outcomes"):
        graph(Tree(compiled(text)))


def test_budgets() -> None:
    """Of nodes and of states."""
    tree = Tree(compiled(DRAWS))
    with pytest.raises(TooManyError, match="more than 100 nodes"):
        extensive(tree, most=100)
    with pytest.raises(TooManyError, match="more than 50 states"):
        graph(tree, most=50)


SEALED = """
component Player:
    coin: 0..1 = 0
    guess: 0..1 = 0
define guesser = last(Player)
phase game:
    step hide:
        secretly each player in Player chooses number from 0..1: player.coin becomes number
    step decide:
        if guesser.coin is first(Player).coin: do win({guesser})
        else: do win({first(Player)})
"""


def test_what_is_secret_parts_no_information_sets() -> None:
    """Who is asked second does not know what the first has answered."""
    found = extensive(Tree(compiled(SEALED, 2)))
    assert (found.count("decision"), len(found.information)) == (3, 2)
    assert [tuple(map(int, node.payoffs)) for node in found.nodes if node.kind == "end"] == [
        (-1, 1), (1, -1), (1, -1), (-1, 1),
    ]  # fmt: skip


FORCED = """
component Player:
    left_over: 0..2 = 2
phase game:
    each i in 1..2:
        each player in Player: do take(player)
effect take(player):
    player chooses number from 1..player.left_over else end take
    player loses up to number left_over
"""


def test_an_only_answer_is_a_decision_too() -> None:
    """Otherwise the length of a game would depend on what can be chosen; who goes on has the same turn."""
    assert list(perft(Tree(compiled(FORCED, 2)), 5)) == [2, 4, 2, 1, 0]
    nodes = extensive(Tree(compiled(FORCED))).nodes
    assert sum(node.kind == "decision" for node in nodes) == 2


LOOP = """
define D2 = 1..2
component Player:
    square: 0..2 = 0
phase game:
    while yes:
        each player in Player: do step_on(player)
effect step_on(player):
    let die = roll D2 by player
    if die is 1: player gains up to 1 square
    else: player loses up to 1 square
    if player.square is 2:
        do win({player})
        end game
"""


def test_a_game_that_can_go_on_for_ever() -> None:
    """Its positions repeat, however many rounds have been: 3 states and the end; 6 steps on average."""
    states = graph(Tree(compiled(LOOP)))
    assert len(states) == 3
    assert size(states) is None
    assert expectation(states, payoff_of(0)) == 1
    assert (
        expectation(states, lambda _: Fraction(0), lambda state: Fraction(state.kind == "chance"))
        == 6
    )
    with pytest.raises(ValueError, match="can end"):
        stationary(states)


def test_a_game_without_an_end() -> None:
    """The long run: each of three squares equally often, as steps over the edge stay."""
    text = LOOP[: LOOP.index("    if player.square is 2")]
    states = graph(Tree(compiled(text)))
    assert [round(share, 9) for share in stationary(states)] == [round(1 / 3, 9)] * 3
    with pytest.raises(ArithmeticError, match="never ends"):
        expectation(states, payoff_of(0))


CHOICE = """
define D6 = 1..6
component Player:
    points: 0.. = 0
phase game:
    each player in Player:
        let die = roll D6 by player
        player chooses "Take it?":
            "Take": player gains die points
            "Again":
                let other_die = roll D6 by player
                player gains other_die points
"""


def test_best_play_against_chance() -> None:
    """Four and more is kept: (4 + 5 + 6) / 6 + 3.5 / 2."""
    tree = Tree(compiled(CHOICE), payoff="points")
    values, ways = best(graph(tree))
    assert values[0] == pytest.approx(4.25)
    assert set(ways) == {-1, 0, 1}


def test_what_a_game_is_worth_must_be_told() -> None:
    """A property that does not exist, and one that is no number."""
    with pytest.raises(PayoffError, match="no field and no property 'gold'"):
        Tree(compiled(CHOICE), payoff="gold")
    states = Tree(compiled(CHOICE), payoff="left")
    with pytest.raises(PayoffError, match="no number"):
        graph(
            Tree(
                compiled(
                    CHOICE.replace("points: 0..", "rank: Player or none = none\n    points: 0..")
                ),
                payoff="rank",
            )
        )
    assert states.seats == 1
