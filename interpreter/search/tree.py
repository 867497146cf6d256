"""What each seat has learnt of its own answers: a tree for each, whose branches are what that seat has seen.

Chance and what others hold are no branches: a node stands for all worlds that lead to it, so another decision, or the
same with other options, may be asked there each time. How often an answer could have been given is counted with it.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from interpreter.decision import Below, Decision

LISTED = 64
"""So many answers are listed; of more, some are drawn."""

FOLLOWED = 0.25
"""So much more slowly other answers are looked at where the ruleset has a policy."""

DRAWS = 8
"""So often is an answer drawn that has not been tried."""


class Node:
    """What has been seen so far, and what the branch that leads here is worth to whoever took it.

    Attributes:
        branches: By what is seen next.
        visits: How often this branch was taken.
        offered: How often it could have been taken.
        total: The sum of what came of it.
        squares: The sum of the squares.
    """

    __slots__ = ("branches", "offered", "squares", "total", "visits")

    def __init__(self) -> None:
        self.branches: dict[Hashable, Node] = {}
        self.visits = 0
        self.offered = 0
        self.total = 0.0
        self.squares = 0.0

    def at(self, label: Hashable) -> Node:
        """The node behind a branch, made if need be."""
        found = self.branches.get(label)
        if found is None:
            found = self.branches[label] = Node()
        return found

    def credit(self, value: float) -> None:
        """Note what came of this branch."""
        self.visits += 1
        self.total += value
        self.squares += value * value

    @property
    def error(self) -> float:
        """How far the value may be from the true one: its standard error, as if a win and a loss had been seen too."""
        seen = self.visits + 2
        mean = (self.total + 1) / seen
        spread = max((self.squares + 1) / seen - mean * mean, 0.0)
        return sqrt(spread / seen)

    @property
    def value(self) -> float:
        """What came of it on average; one half where nothing has."""
        return self.total / self.visits if self.visits else 0.5


@attrs.frozen
class Selection:
    """How an answer is chosen where something is known already.

    Attributes:
        exploration: Weight of what has been tried seldom, in units of value.
        widening: With n visits about ``widening * sqrt(n)`` answers are looked at.
    """

    exploration: float
    widening: float

    def choose(self, node: Node, decision: Decision, below: Below) -> tuple[object, Node]:
        """Take an answer, and give it with its node; one that was never tried has no visits.

        Args:
            node: Where the seat that is asked stands in its tree.
            decision: What is asked.
            below: Draws from 0 to n - 1.
        """
        domain = decision.options
        index = decision.index
        known = [
            (label[1], branch)
            for label, branch in node.branches.items()
            if isinstance(label, tuple)
            and label[0] == index
            and branch.visits
            and domain.contains(label[1])
        ]
        tried = sum(branch.visits for _, branch in known)
        # Where the rules know what to do, other answers wait.
        slower = FOLLOWED if decision.policy is not None else 1.0
        if len(known) < 1 + self.widening * slower * sqrt(tried):
            fresh = _untried(decision, [answer for answer, _ in known], below)
            if fresh is not None:
                known.append((fresh[0], node.at((index, fresh[0]))))
                self._offer(known)
                return known[-1]
        self._offer(known)
        return max(known, key=lambda pair: self._bound(pair[1]))

    def _bound(self, branch: Node) -> float:
        return branch.value + self.exploration * sqrt(log(branch.offered + 1) / branch.visits)

    @staticmethod
    def _offer(known: Iterable[tuple[object, Node]]) -> None:
        for _, branch in known:
            branch.offered += 1


def _untried(decision: Decision, known: Sequence[object], below: Below) -> tuple[object] | None:
    """An answer that has not been tried: that of the ruleset's policy first, then any; None if all have been."""
    domain = decision.options
    if decision.policy is not None and not known:
        answer = decision.policy(below)
        if domain.contains(answer):
            return (domain.normal(answer),)
    for _ in range(DRAWS):
        answer = domain.normal(domain.sample(below))
        if not _among(answer, known):
            return (answer,)
    for answer in domain.some(LISTED):
        if not _among(answer, known):
            return (answer,)
    return None


def _among(answer: object, known: Iterable[object]) -> bool:
    """Is the answer one of these? True and 1 are different answers."""
    return any(each == answer and type(each) is type(answer) for each in known)
