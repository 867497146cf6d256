"""The same histories in both engines: who moves, what is legal, odds, returns, and what cannot be told apart."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import attrs
import pyspiel

from interpreter.solving.extensive import Histories, Known
from interpreter.solving.positions import SURE, Position, Tree
from rulelang import load_ruleset
from rulelang.ir import Program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.chance import Draws

Steps = tuple[tuple[str, Any], ...]
"""Paths with what was drawn or answered there."""
Translate = Callable[[Steps, Position], int | None]
"""Gives OpenSpiel's action for steps, the last of which was taken at a position; None if more steps belong to it."""
State = Any
"""A state of OpenSpiel, which has no types."""


_SHOWN = 60


class DifferenceError(Exception):
    """The engines disagree."""


@attrs.frozen
class Same:
    """What is the same game in both engines.

    Attributes:
        ruleset: The name of ours.
        spiel: What OpenSpiel calls it, with its parameters.
        action: Gives for a program what translates its steps into OpenSpiel's actions.
        people: How many play.
        options: Of ours.
        scale: Our payoffs times this are OpenSpiel's returns.
        nodes: How many the whole tree has, if that can be looked at.
        knows: Whether OpenSpiel has information states for it that recall everything.
    """

    ruleset: str
    spiel: str
    action: Callable[[Program], Translate]
    people: int = 2
    options: Mapping[str, object] = attrs.field(factory=dict)
    scale: int = 1
    nodes: float = inf
    knows: bool = True


@attrs.frozen
class Move:
    """One action of OpenSpiel, with what it is in ours."""

    action: int
    odds: Fraction
    position: Position
    known: Known


@attrs.define
class Comparison:
    """Compares a game; raises at the first difference.

    Attributes:
        game: Which.
        compared: How many nodes were compared.
    """

    game: Same
    compared: int = 0
    _tree: Tree = attrs.field(init=False)
    _action: Translate = attrs.field(init=False)
    _histories: Histories = attrs.field(factory=Histories, init=False)
    _theirs: dict[tuple[int, int], str] = attrs.field(factory=dict, init=False)
    _ours: dict[tuple[int, str], int] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Load both games."""
        program = load_ruleset(self.game.ruleset, people=self.game.people)
        self._tree = Tree(program, options=self.game.options)
        self._action = self.game.action(program)

    def whole(self, most: int = 1_000_000) -> int:
        """Compare all histories, short ones first.

        Returns:
            How many nodes there are.

        Raises:
            DifferenceError: The engines disagree.
            OverflowError: There are more nodes than `most`.
        """
        waiting = deque([self._start()])
        while waiting:
            position, known, state = waiting.popleft()
            if self.compared >= most:
                raise OverflowError(f"{self.game.ruleset} has more than {most:,} nodes")
            for move in self._compared(position, known, state):
                waiting.append((move.position, move.known, state.child(move.action)))
        return self.compared

    def one(self, draws: Draws) -> None:
        """Compare the nodes of a game in which all moves are drawn.

        Raises:
            DifferenceError: The engines disagree.
        """
        position, known, state = self._start()
        while moves := self._compared(position, known, state):
            move = draws.pick(tuple(moves))
            position, known = move.position, move.known
            state.apply_action(move.action)

    def _start(self) -> tuple[Position, Known, State]:
        histories = self._histories
        root = self._tree.root()
        known = histories.seen(histories.start(self._tree.seats), root)
        return root, known, pyspiel.load_game(self.game.spiel).new_initial_state()

    def _compared(self, position: Position, known: Known, state: State) -> list[Move]:
        self.compared += 1
        here, branches = position.expanded()
        if here is not position:
            known = self._histories.seen(known, here)
        self._same(state, "who moves", _mover(here), _mover_there(state))
        if here.kind == "end":
            ours = [float(each * self.game.scale) for each in here.payoffs()]
            self._same(state, "returns", ours, [round(each, 9) + 0.0 for each in state.returns()])
            return []
        if here.kind == "decision" and self.game.knows:
            self._told(state, here.seat, known[here.seat][0])
        moves = list(self._moves(here, branches, known, (), SURE))
        if here.kind == "chance":
            ours_odds: dict[int, float] = {}
            for move in moves:
                ours_odds[move.action] = ours_odds.get(move.action, 0.0) + float(move.odds)
            odds = {action: round(each, 9) for action, each in ours_odds.items()}
            there = {action: round(each, 9) for action, each in state.chance_outcomes()}
            self._same(state, "odds", odds, there)
        else:
            ours_legal = sorted(move.action for move in moves)
            self._same(state, "legal actions", ours_legal, sorted(state.legal_actions()))
        return moves

    def _moves(
        self, here: Position, branches: list[Any], known: Known, before: Steps, odds: Fraction
    ) -> Iterator[Move]:
        for branch in branches:
            then = known
            if here.kind == "decision":
                path = here.decision.path
                then = self._histories.told(known, here.decision, branch.label)
            else:
                path = "chance"
            steps: Steps = (*before, (path, branch.label))
            after = branch.position
            action = self._action(steps, here)
            then = self._histories.seen(then, after)
            if action is not None:
                yield Move(action, odds * branch.odds, after, then)
            else:
                yield from self._moves(after, after.branches(), then, steps, odds * branch.odds)

    def _told(self, state: State, seat: int, history: int) -> None:
        told = state.information_state_string(seat)
        there = self._theirs.setdefault((seat, history), told)
        self._same(state, "one information set of ours", there, told)
        ours = self._ours.setdefault((seat, told), history)
        self._same(state, "one information set of theirs", ours, history)

    def _same(self, state: State, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise DifferenceError(
                f"{self.game.spiel}: {what}: ours {ours!r}, theirs {theirs!r},"
                f" after {state.history()[-_SHOWN:]}\n{state}"
            )


def _mover(position: Position) -> int:
    return {"chance": -1, "end": -4}.get(position.kind, position.seat)


def _mover_there(state: State) -> int:
    return int(state.current_player())
