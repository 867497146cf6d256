"""A whole game as a tree in lists: small games, with information sets, ready for computing.

What a seat knows is its history: all that it has seen wherever anybody moved (equal views one after the other once),
what it has answered, and what others have answered in the open. Two decisions of a seat are in one information set
if it is asked the same with the same history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from interpreter.solving.chances import TooManyError

if TYPE_CHECKING:
    from fractions import Fraction

    from interpreter.decision import Decision
    from interpreter.solving.positions import Kind, Position, Tree

NODES: Final = 1_000_000
"""A tree may have so many nodes, unless somebody allows more."""
_SPOKEN: Final = frozenset({"label", "yes"})


@attrs.frozen
class Node:
    """One node.

    Attributes:
        kind: Who moves.
        seat: Who decides, from 0; -1 where nobody does.
        children: The numbers of the nodes that follow.
        odds: How likely each of them is, where chance moves.
        labels: What was drawn or answered for each.
        information: The number of the information set, where somebody decides; else -1.
        payoffs: What the end is worth to each seat; empty elsewhere.
    """

    kind: Kind
    seat: int = -1
    children: tuple[int, ...] = ()
    odds: tuple[Fraction, ...] = ()
    labels: tuple[object, ...] = ()
    information: int = -1
    payoffs: tuple[Fraction, ...] = ()


@attrs.frozen
class Information:
    """One information set.

    Attributes:
        seat: Who decides.
        path: Of the decision.
        answers: How many answers there are.
        before: The information set in which the seat decided before, and what: numbers of set and answer; -1 at first.
    """

    seat: int
    path: str
    answers: int
    before: tuple[int, int]


@attrs.frozen
class Extensive:
    """A game in extensive form.

    Attributes:
        seats: How many.
        nodes: All nodes, the root first, each before those that follow it.
        information: The information sets.
    """

    seats: int
    nodes: tuple[Node, ...]
    information: tuple[Information, ...]

    def count(self, kind: Kind) -> int:
        """How many nodes of a kind there are."""
        return sum(node.kind == kind for node in self.nodes)


@attrs.define
class Histories:
    """What seats have seen and done, as numbers: equal histories have equal numbers.

    Each is known by what was before it and what came to it.
    """

    _known: dict[tuple[object, ...], int] = attrs.field(factory=dict)

    def number(self, *what: object) -> int:
        """The number of a value."""
        return self._known.setdefault(what, len(self._known))

    def seen(self, before: Known, position: Position) -> Known:
        """What every seat knows at a position, given what it knew at the one before."""
        made: list[tuple[int, int]] = []
        for seat, (history, last) in enumerate(before):
            view = self.number("view", position.sees(seat))
            made.append((history, last) if view == last else (self.number(history, view), view))
        return tuple(made)

    def told(self, before: Known, decision: Decision, answer: object) -> Known:
        """What every seat knows when somebody has answered: its own answers, and what is said in the open."""
        said = decision.form in _SPOKEN and not decision.secret
        return tuple(
            (self.number(history, decision.path, decision.seat, answer), view)
            if said or seat == decision.seat
            else (history, view)
            for seat, (history, view) in enumerate(before)
        )

    def start(self, seats: int) -> Known:
        """What is known before the game."""
        return ((self.number(), -1),) * seats


Known = tuple[tuple[int, int], ...]
"""For each seat the numbers of its history and of what it saw last."""


def extensive(game: Tree, most: int = NODES) -> Extensive:
    """Go through a whole game.

    Raises:
        TooManyError: It has more nodes than `most`, or a draw or decision has too many outcomes.
        RuleFault: A rule asked for something impossible.
        PayoffError: What an end is worth cannot be told.
    """
    histories = Histories()
    sets: dict[tuple[int, int, int], int] = {}
    found: list[Information] = []
    nodes: list[Node | None] = []
    children: list[list[int]] = []
    waiting: list[tuple[Position, Known, int, tuple[tuple[int, int], ...]]] = [
        (game.root(), histories.start(game.seats), -1, ((-1, -1),) * game.seats)
    ]
    while waiting:
        position, before, parent, last = waiting.pop()
        if len(nodes) >= most:
            raise TooManyError(f"the tree has more than {most:,} nodes")
        number = len(nodes)
        if parent >= 0:
            children[parent].append(number)
        here, branches = position.expanded()
        known = histories.seen(before, here)
        children.append([])
        if here.kind == "end":
            nodes.append(Node("end", payoffs=here.payoffs()))
            continue
        labels = tuple(each.label for each in branches)
        after = [known] * len(branches)
        lasts = [last] * len(branches)
        information = -1
        if here.kind == "decision":
            decision, seat = here.decision, here.seat
            key = (seat, decision.index, known[seat][0])
            information = sets.setdefault(key, len(sets))
            if information == len(found):
                found.append(Information(seat, decision.path, len(branches), last[seat]))
            after = [histories.told(known, decision, label) for label in labels]
            lasts = [
                (*last[:seat], (information, choice), *last[seat + 1 :])
                for choice in range(len(branches))
            ]
        odds = tuple(each.odds for each in branches) if here.kind == "chance" else ()
        nodes.append(Node(here.kind, here.seat, (), odds, labels, information))
        waiting.extend(
            (branch.position, then, number, done)
            for branch, then, done in reversed(list(zip(branches, after, lasts, strict=True)))
        )
    whole = tuple(
        attrs.evolve(node, children=tuple(below))
        for node, below in zip(nodes, children, strict=True)
        if node is not None
    )
    return Extensive(game.seats, whole, tuple(found))
