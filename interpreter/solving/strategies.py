"""How seats play in a game in extensive form: what that is worth, and how much could be gained by playing otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from interpreter.solving.extensive import Extensive

Strategy: TypeAlias = Sequence[Sequence[float]]
"""For each information set how likely each answer is."""


def uniform(game: Extensive) -> list[list[float]]:
    """Every answer equally often."""
    return [[1 / each.answers] * each.answers for each in game.information]


def values(game: Extensive, strategy: Strategy) -> tuple[float, ...]:
    """What the game is worth to each seat, if all play so."""
    worth: list[tuple[float, ...]] = [()] * len(game.nodes)
    for index in range(len(game.nodes) - 1, -1, -1):
        node = game.nodes[index]
        if node.kind == "end":
            worth[index] = tuple(float(each) for each in node.payoffs)
            continue
        odds: Sequence[float] = (
            strategy[node.information]
            if node.kind == "decision"
            else [float(each) for each in node.odds]
        )
        worth[index] = tuple(
            sum(
                share * worth[child][seat] for share, child in zip(odds, node.children, strict=True)
            )
            for seat in range(game.seats)
        )
    return worth[0]


def best_response(game: Extensive, strategy: Strategy, seat: int) -> tuple[float, list[int]]:
    """The most that a seat can get while all others play so, and its answer in each of its information sets.

    Returns:
        The value; for each information set the number of an answer, -1 where another seat decides.
    """
    nodes = game.nodes
    reach = [0.0] * len(nodes)  # by chance and the others
    reach[0] = 1.0
    members: list[list[int]] = [[] for _ in game.information]
    for index, node in enumerate(nodes):
        if node.kind == "end":
            continue
        odds: Sequence[float] = [1.0] * len(node.children)
        if node.kind == "chance":
            odds = [float(each) for each in node.odds]
        elif node.seat != seat:
            odds = strategy[node.information]
        else:
            members[node.information].append(index)
        for share, child in zip(odds, node.children, strict=True):
            reach[child] = reach[index] * share
    answers = [-1] * len(game.information)
    known: list[float | None] = [None] * len(nodes)

    def worth(index: int) -> float:
        found = known[index]
        if found is None:
            node = nodes[index]
            if node.kind == "end":
                found = reach[index] * float(node.payoffs[seat])
            elif node.kind == "decision" and node.seat == seat:
                found = worth(node.children[answer(node.information)])
            else:
                found = sum(map(worth, node.children))
            known[index] = found
        return found

    def answer(information: int) -> int:
        if answers[information] < 0:
            here = members[information]
            totals = [
                sum(worth(nodes[index].children[choice]) for index in here)
                for choice in range(game.information[information].answers)
            ]
            answers[information] = totals.index(max(totals))
        return answers[information]

    return worth(0), answers


def nash_conv(game: Extensive, strategy: Strategy) -> float:
    """What all seats together could gain if each alone played its best answer to the others; 0 in an equilibrium."""
    now = values(game, strategy)
    return sum(best_response(game, strategy, seat)[0] - now[seat] for seat in range(game.seats))


def bounds(game: Extensive, strategy: Strategy) -> tuple[float, float]:
    """What the game is worth to the first of two seats at least and at most, proved by this way to play.

    Raises:
        ValueError: It is no game of two of whom one loses what the other wins.
    """
    demand_zero_sum(game)
    return -best_response(game, strategy, 1)[0], best_response(game, strategy, 0)[0]


def demand_zero_sum(game: Extensive) -> None:
    """Raise an error if it is no game of two of whom one loses what the other wins.

    Raises:
        ValueError: It is none.
    """
    if game.seats != 2 or any(sum(node.payoffs) for node in game.nodes):
        raise ValueError("this needs a game of two players of whom one loses what the other wins")
