"""Counterfactual regret minimisation (CFR+): play that nobody can gain much against, for small games of two.

O. Tammelin, Solving large imperfect information games using CFR+, 2014: regrets below nothing are forgotten, the
seats take turns, and later rounds count more in the average, which is the strategy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.solving.strategies import demand_zero_sum

if TYPE_CHECKING:
    from interpreter.solving.extensive import Extensive
    from interpreter.solving.strategies import Strategy


class Regrets:
    """A game that is being solved.

    Args:
        game: Of two seats of whom one loses what the other wins.

    Raises:
        ValueError: It is another one.
    """

    def __init__(self, game: Extensive) -> None:
        demand_zero_sum(game)
        self.game = game
        self.rounds = 0
        sets = game.information
        self._regrets = [[0.0] * each.answers for each in sets]
        self._sums = [[0.0] * each.answers for each in sets]
        self._now = [[1 / each.answers] * each.answers for each in sets]
        self._sets = [
            [index for index, each in enumerate(sets) if each.seat == seat] for seat in range(2)
        ]
        self._ends = [float(node.payoffs[0]) if node.payoffs else 0.0 for node in game.nodes]
        self._odds = [[float(each) for each in node.odds] for node in game.nodes]
        # A node that is not the root: what stands above it, who moves there, and with which answer.
        self._inner = [
            (index, node.seat, node.information, node.children)
            for index, node in enumerate(game.nodes)
            if node.kind != "end"
        ]

    def step(self, rounds: int = 1) -> None:
        """Play so many rounds against itself."""
        for _ in range(rounds):
            self.rounds += 1
            for seat in range(2):
                self._improve(seat)

    def _improve(self, seat: int) -> None:
        now, sums = self._now, self._sums
        count = len(self.game.nodes)
        mine, others = [1.0] * count, [1.0] * count
        for index, mover, information, children in self._inner:
            own, other = mine[index], others[index]
            if mover == seat:
                for share, child in zip(now[information], children, strict=True):
                    mine[child] = own * share
                    others[child] = other
            else:
                odds = self._odds[index] if mover < 0 else now[information]
                for share, child in zip(odds, children, strict=True):
                    mine[child] = own
                    others[child] = other * share
        sign = 1.0 if seat == 0 else -1.0
        worth = self._ends[:]
        regrets = self._regrets
        for index, mover, information, children in reversed(self._inner):
            odds = self._odds[index] if mover < 0 else now[information]
            below = [worth[child] for child in children]
            value = 0.0
            for share, each in zip(odds, below, strict=True):
                value += share * each
            worth[index] = value
            if mover == seat:
                weight = sign * others[index]
                mass = self.rounds * mine[index]
                regret, sum_ = regrets[information], sums[information]
                for choice, each in enumerate(below):
                    regret[choice] += weight * (each - value)
                    sum_[choice] += mass * odds[choice]
        for information in self._sets[seat]:
            regret = [max(each, 0.0) for each in regrets[information]]
            regrets[information] = regret
            total = sum(regret)
            size = len(regret)
            now[information] = [each / total for each in regret] if total > 0 else [1 / size] * size

    def strategy(self) -> Strategy:
        """The average strategy so far."""
        return [
            [each / total for each in sums]
            if (total := sum(sums)) > 0
            else [1 / len(sums)] * len(sums)
            for sums in self._sums
        ]
