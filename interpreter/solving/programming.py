"""The value of a game of two by linear programming over sequences of answers: exact but for rounding. Needs SciPy.

D. Koller, N. Megiddo and B. von Stengel, Fast algorithms for finding randomized strategies in game trees, 1994.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.solving.strategies import demand_zero_sum

if TYPE_CHECKING:
    from interpreter.solving.extensive import Extensive
    from interpreter.solving.strategies import Strategy


class Sequences:
    """The sequences of answers that each seat can give, numbered; 0 is the empty one."""

    def __init__(self, game: Extensive) -> None:
        self.count = [1] * game.seats
        self.first: list[int] = []
        for each in game.information:
            self.first.append(self.count[each.seat])
            self.count[each.seat] += each.answers

    def before(self, game: Extensive, information: int) -> int:
        """The sequence that leads to an information set."""
        set_, answer = game.information[information].before
        return 0 if set_ < 0 else self.first[set_] + answer


def equilibrium(game: Extensive) -> tuple[float, Strategy]:
    """What a game is worth to the first of two seats, and how both must play for that.

    Raises:
        ValueError: It is no game of two of whom one loses what the other wins.
        ImportError: SciPy is not installed.
        ArithmeticError: No solution was found.
    """
    demand_zero_sum(game)
    first, plan = _solved(game, 0)
    _, other = _solved(game, 1)
    sequences = Sequences(game)
    strategy: list[list[float]] = []
    for number, each in enumerate(game.information):
        weights = (plan if each.seat == 0 else other)[
            sequences.first[number] : sequences.first[number] + each.answers
        ]
        whole = sum(weights)
        # Where a seat never comes it does not matter what it would do there.
        strategy.append(
            [weight / whole for weight in weights]
            if whole > 0
            else [1 / each.answers] * each.answers
        )
    return first, strategy


def _solved(game: Extensive, seat: int) -> tuple[float, list[float]]:
    """The most that a seat can make sure of, and how likely its sequences then are, chance and others aside."""
    from scipy.optimize import linprog  # noqa: PLC0415 - heavy, and an extra
    from scipy.sparse import coo_array  # noqa: PLC0415

    sequences = Sequences(game)
    mine, other = sequences.count[seat], sequences.count[1 - seat]
    sets = [
        [number for number, each in enumerate(game.information) if each.seat == who]
        for who in (seat, 1 - seat)
    ]
    width = (
        mine + 1 + len(sets[1])
    )  # my sequences; then what each set of the other is worth, the start first
    # Each of my sequences is as likely as those that go on from it.
    equal: list[tuple[int, int, float]] = [(0, 0, 1.0)]
    for row, number in enumerate(sets[0], start=1):
        equal.append((row, sequences.before(game, number), -1.0))
        equal += [
            (row, sequences.first[number] + choice, 1.0)
            for choice in range(game.information[number].answers)
        ]
    # What a sequence of the other is worth to me is at most what follows from it.
    place = {number: mine + 1 + at for at, number in enumerate(sets[1])}
    most: list[tuple[int, int, float]] = [(0, mine, 1.0)]
    for number in sets[1]:
        most.append((sequences.before(game, number), place[number], -1.0))
        most += [
            (sequences.first[number] + choice, place[number], 1.0)
            for choice in range(game.information[number].answers)
        ]
    most += [(theirs, own, -worth) for own, theirs, worth in _payoffs(game, sequences, seat)]

    def matrix(entries: list[tuple[int, int, float]], rows: int) -> Any:  # noqa: ANN401 - of a library without types
        at, to, weights = zip(*entries, strict=True)
        return coo_array((weights, (at, to)), shape=(rows, width)).tocsr()

    objective = [0.0] * width
    objective[mine] = -1.0
    found: Any = linprog(
        objective,
        A_ub=matrix(most, other),
        b_ub=[0.0] * other,
        A_eq=matrix(equal, 1 + len(sets[0])),
        b_eq=[1.0] + [0.0] * len(sets[0]),
        bounds=[(0, None)] * mine + [(None, None)] * (width - mine),
        method="highs",
    )
    if not found.success:
        raise ArithmeticError(f"no solution was found: {found.message}")
    return -float(found.fun), [max(float(each), 0.0) for each in found.x[:mine]]


def _payoffs(game: Extensive, sequences: Sequences, seat: int) -> list[tuple[int, int, float]]:
    """For each end my sequence, the other's, and what it is worth to me times the odds of chance."""
    reached: list[tuple[tuple[int, int], float]] = [((0, 0), 1.0)] * len(game.nodes)
    found: list[tuple[int, int, float]] = []
    for index, node in enumerate(game.nodes):
        (own, theirs), odds = reached[index]
        if node.kind == "end":
            found.append((own, theirs, odds * float(node.payoffs[seat])))
        for choice, child in enumerate(node.children):
            if node.kind == "chance":
                reached[child] = ((own, theirs), odds * float(node.odds[choice]))
                continue
            sequence = sequences.first[node.information] + choice
            pair = (sequence, theirs) if node.seat == seat else (own, sequence)
            reached[child] = (pair, odds)
    return found
