"""A game as a graph in which equal positions are one: exact expectations, and the best play of games with open cards.

A game that can go on for ever has a finite graph if its positions repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs

from interpreter.solving.chances import TooManyError
from interpreter.solving.positions import SURE

if TYPE_CHECKING:
    from interpreter.solving.positions import Kind, Position, Tree

STATES: Final = 200_000
"""A graph may have so many states, unless somebody allows more."""
CIRCLE: Final = 400
"""So many states that lead to each other are solved exactly."""
ROUNDS: Final = 100_000


@attrs.frozen
class State:
    """One state.

    Attributes:
        kind: Who moves.
        seat: Who decides, from 0; -1 where nobody does.
        ways: What follows: how likely it is (1 where somebody decides), and which state.
        counts: How many draws or answers each stands for: draws that come to the same are one.
        labels: What was answered for each.
        payoffs: What the end is worth to each seat; empty elsewhere.
        path: Of the draw or decision; empty at the end.
        told: What was asked to be kept of the position.
    """

    kind: Kind
    seat: int
    ways: tuple[tuple[Fraction, int], ...]
    counts: tuple[int, ...]
    labels: tuple[object, ...]
    payoffs: tuple[Fraction, ...]
    path: str = ""
    told: object = None


Graph: TypeAlias = tuple[State, ...]
Worth: TypeAlias = Callable[[State], Fraction]


def payoff_of(seat: int) -> Worth:
    """What an end is worth to a seat."""
    return lambda state: state.payoffs[seat]


def graph(
    game: Tree,
    most: int = STATES,
    until: Callable[[Position], Sequence[Fraction] | None] | None = None,
    tell: Callable[[Position], object] | None = None,
) -> Graph:
    """Find all states that can be reached, the first one first.

    Args:
        game: The game.
        most: How many states it may have.
        until: Says of a position what it is worth to each seat if the game is looked at up to there only; None if it
            goes on.
        tell: What to keep of each position.

    Raises:
        TooManyError: There are more states, or a draw or decision has too many outcomes.
        RuleFault: A rule asked for something impossible.
        PayoffError: What an end is worth cannot be told.
    """
    numbers: dict[object, int] = {}
    waiting: list[Position] = []

    def number(position: Position) -> int:
        key = position.key()
        found = numbers.get(key)
        if found is None:
            if len(numbers) >= most:
                raise TooManyError(f"the game has more than {most:,} states")
            found = numbers[key] = len(numbers)
            waiting.append(position)
        return found

    number(game.root())
    states: list[State] = []
    while len(states) < len(waiting):
        here = waiting[len(states)]
        told = tell(here) if tell is not None else None
        worth = until(here) if until is not None else None
        if worth is not None:
            states.append(State("end", -1, (), (), (), tuple(worth), told=told))
            continue
        branches = here.branches()
        path = here.decision.path if here.kind == "decision" else ""
        if here.kind == "chance":
            path = game.tape.paths[0]
        merged: dict[tuple[object, int], tuple[Fraction, int]] = {}
        for each in branches:
            label = each.label if here.kind == "decision" else None
            way = (label, number(each.position))
            odds, count = merged.get(way, (Fraction(0), 0))
            merged[way] = (odds + each.odds, count + 1)
        states.append(
            State(
                here.kind,
                here.seat,
                tuple((odds, target) for (_, target), (odds, _) in merged.items()),
                tuple(count for _, count in merged.values()),
                tuple(label for label, _ in merged),
                here.payoffs() if here.kind == "end" else (),
                path,
                told,
            )
        )
    return tuple(states)


# ---------------------------------------------------------------- circles


def circles(states: Graph) -> list[list[int]]:
    """The strongly connected parts, each after all that follow from it (Tarjan, without recursion)."""
    order: list[int] = [-1] * len(states)
    low: list[int] = [0] * len(states)
    on: list[bool] = [False] * len(states)
    stack: list[int] = []
    found: list[list[int]] = []
    count = 0
    for root in range(len(states)):
        if order[root] >= 0:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            here, place = work.pop()
            if place == 0:
                order[here] = low[here] = count
                count += 1
                stack.append(here)
                on[here] = True
            ways = states[here].ways
            while place < len(ways):
                target = ways[place][1]
                place += 1
                if order[target] < 0:
                    work += [(here, place), (target, 0)]
                    break
                if on[target]:
                    low[here] = min(low[here], order[target])
            else:
                if low[here] == order[here]:
                    part: list[int] = []
                    while not part or part[-1] != here:
                        part.append(stack.pop())
                        on[part[-1]] = False
                    found.append(part)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[here])
    return found


# ---------------------------------------------------------------- expectations


def expectation(states: Graph, worth: Worth, along: Worth | None = None) -> Fraction:
    """The exact expectation where whoever decides takes every answer equally often.

    Args:
        states: The game.
        worth: What an end counts.
        along: What passing through a state counts; nothing if left out.

    Raises:
        TooManyError: Too many states lead to each other.
        ArithmeticError: The game never ends with certainty.
    """
    values: list[Fraction] = [Fraction(0)] * len(states)
    for part in circles(states):
        inside = set(part)
        rows: dict[int, dict[int, Fraction]] = {}
        sums: dict[int, Fraction] = {}
        for index in part:
            state = states[index]
            total = along(state) if along is not None else Fraction(0)
            if state.kind == "end":
                values[index] = total + worth(state)
                continue
            row: dict[int, Fraction] = {}
            share = SURE if state.kind == "chance" else Fraction(1, len(state.ways))
            for odds, target in state.ways:
                if target in inside:
                    row[target] = row.get(target, Fraction(0)) + odds * share
                else:
                    total += odds * share * values[target]
            if row:
                rows[index], sums[index] = row, total
            else:
                values[index] = total
        if rows:
            if len(rows) > CIRCLE:
                raise TooManyError(
                    f"{len(rows):,} states lead to each other; {CIRCLE} is the most that are solved exactly"
                )
            for index, value in _solved(rows, sums).items():
                values[index] = value
    return values[0]


def _solved(rows: dict[int, dict[int, Fraction]], sums: dict[int, Fraction]) -> dict[int, Fraction]:
    """Solve x = rows * x + sums, by taking out one state after the other."""
    taken: list[int] = []
    left = set(rows)
    for index in list(rows):
        row = rows[index]
        stays = row.pop(index, Fraction(0))
        if stays == 1:
            raise ArithmeticError("the game can come to a place from which it never ends")
        if stays:
            scale = 1 / (1 - stays)
            for target in row:
                row[target] *= scale
            sums[index] *= scale
        taken.append(index)
        left.discard(index)
        for other in left:
            further = rows[other]
            share = further.pop(index, None)
            if share is None:
                continue
            sums[other] += share * sums[index]
            for target, odds in row.items():
                further[target] = further.get(target, Fraction(0)) + share * odds
    values: dict[int, Fraction] = {}
    for index in reversed(taken):
        values[index] = sums[index] + sum(
            (odds * values[target] for target, odds in rows[index].items()), Fraction(0)
        )
    return values


def distribution(
    states: Graph, what: Callable[[State], tuple[Fraction, ...]] | None = None
) -> Mapping[tuple[Fraction, ...], Fraction]:
    """How likely each payoff is, exactly, where whoever decides takes every answer equally often.

    Args:
        states: The game.
        what: What is told of an end; its payoffs if left out.

    Raises:
        TooManyError: Too many states lead to each other.
        ArithmeticError: The game never ends with certainty.
    """
    tell = what or (lambda state: state.payoffs)
    ends = {tell(state) for state in states if state.kind == "end"}
    return {
        end: expectation(states, lambda state, end=end: Fraction(tell(state) == end))  # type: ignore[misc]
        for end in sorted(ends)
    }


# ---------------------------------------------------------------- best play


def best(states: Graph, tolerance: float = 1e-12, seat: int = 0) -> tuple[list[float], list[int]]:
    """What the game is worth to a seat under best play, by value iteration.

    It is a game of one player against chance, or of two of whom one loses what the other wins.

    Args:
        states: The game; nobody in it knows what another does not know.
        tolerance: When no value moves by more than that, it is enough.
        seat: Whose worth it is.

    Returns:
        For each state its value, and the number of the best way on (-1 where nobody decides).

    Raises:
        ArithmeticError: The values do not settle.
        ValueError: There are more than two players, or the payoffs of two are not opposite.
    """
    payoffs = [state.payoffs for state in states if state.kind == "end"]
    if any(len(each) > 2 for each in payoffs):
        raise ValueError("best play is for one or two players")
    if any(len(each) == 2 and sum(each) != 0 for each in payoffs):
        raise ValueError(
            "best play of two players is for games in which one loses what the other wins"
        )
    values = [float(state.payoffs[seat]) if state.kind == "end" else 0.0 for state in states]
    ways = [[(float(odds), target) for odds, target in state.ways] for state in states]
    choice = [-1] * len(states)
    for part in circles(states):
        here = [index for index in part if states[index].kind != "end"]
        here.sort(reverse=True)
        for _ in range(ROUNDS):
            moved = 0.0
            for index in here:
                if states[index].kind == "chance":
                    value = sum(odds * values[target] for odds, target in ways[index])
                else:
                    options = [values[target] for _, target in ways[index]]
                    value = max(options) if states[index].seat == seat else min(options)
                    choice[index] = options.index(value)
                moved = max(moved, abs(value - values[index]))
                values[index] = value
            if moved <= tolerance or (
                len(here) == 1 and part == here and not _turns(states, here[0])
            ):
                break
        else:
            raise ArithmeticError("the values do not settle")
    return values, choice


def _turns(states: Graph, index: int) -> bool:
    return any(target == index for _, target in states[index].ways)


# ---------------------------------------------------------------- games without an end


def stationary(states: Graph, tolerance: float = 1e-13) -> list[float]:
    """The share of each state among all that a game without an end goes through, in the long run.

    Whoever decides takes every answer equally often.

    Raises:
        ValueError: The game can end.
        ArithmeticError: The shares do not settle.
    """
    if any(state.kind == "end" for state in states):
        raise ValueError("the game can end")
    ways = [
        (target, index, float(odds if state.kind == "chance" else Fraction(1, len(state.ways))))
        for index, state in enumerate(states)
        for odds, target in state.ways
    ]
    shares = [1 / len(states)] * len(states)
    for _ in range(ROUNDS):
        # Half of it stays where it is: so a game that comes back in a fixed number of steps settles too.
        after = [share / 2 for share in shares]
        for target, index, odds in ways:
            after[target] += odds * shares[index] / 2
        if max(abs(new - old) for new, old in zip(after, shares, strict=True)) <= tolerance:
            return after
        shares = after
    raise ArithmeticError("the shares do not settle")
