"""Monte-Carlo tree search over the worlds that a seat may be in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from interpreter.chance import Stream
from interpreter.errors import EngineError
from interpreter.search.advice import Advice, Ranked
from interpreter.search.backs import backs
from interpreter.search.deviating import Deviations
from interpreter.search.judging import learnt
from interpreter.search.rollouts import play_on
from interpreter.search.sealed import begun
from interpreter.search.settings import JUDGED, SearchSettings
from interpreter.search.tree import Node, Selection
from interpreter.search.worlds import Worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.decision import Decision
    from interpreter.machine import Match

FAILURES = 2
"""So many times as many worlds as are to be played may turn out impossible."""

LONGEST = 64
"""So many decisions of a playout at most are answered in the tree."""


class Search:
    """Looks ahead for whoever is asked.

    Args:
        settings: How.
        seed: Of its own draws; the dice of the game are not touched.
        clock: Gives seconds, where the budget is one of time.
        judge: Says what a world that is not played to its end is worth to each seat, from 0 to 1; None: it is learnt.
    """

    def __init__(
        self,
        settings: SearchSettings | None = None,
        seed: int | str = 0,
        clock: Callable[[], float] | None = None,
        judge: Callable[[Match], Sequence[float]] | None = None,
    ) -> None:
        self.settings = settings or SearchSettings()
        if self.settings.seconds is not None and clock is None:
            raise ValueError("a budget of seconds needs a clock")
        self._seed = seed
        self._clock = clock
        self._judge = judge

    def advise(self, match: Match) -> Advice:
        """Rank the answers to the decision that waits; the match is not changed.

        Its answers are the same for all states that the seat cannot tell apart, if the budget is one of playouts.

        Raises:
            LookupError: nothing is asked, or what others have sealed cannot be left open.
        """
        decision = match.pending
        if decision is None:
            raise LookupError("nothing is asked")
        settings = self.settings
        if settings.depth is None and decision.policy is not None:
            settings = evolve(settings, depth=JUDGED)
        if self._judge is None and settings.depth is not None:
            self._judge = learnt(match, settings.random)
        worlds = Worlds(match, backs(match))
        number = match.state()[match.layout.decisions]
        if decision.policy is not None:
            return self._beside(worlds, decision, settings, f"{self._seed}/{number}")
        below = Stream(f"{self._seed}/{number}", "search")
        seats = match.program.kinds[0].count
        trees = [Node() for _ in range(seats)]
        played = tries = 0
        begun = self._now()
        while not tries or self._spent(played, tries, begun) < 1:
            tries += 1
            world = worlds.deal(below)
            if world is None:
                continue
            try:
                played += self._playout(world, worlds, decision, trees, below)
            except EngineError:
                continue
        return Advice(_ranked(decision, trees[decision.seat]), played)

    def _beside(
        self, worlds: Worlds, decision: Decision, settings: SearchSettings, seed: str
    ) -> Advice:
        """Rank the answers beside that of the ruleset's policy."""
        found = Deviations(worlds, decision, settings, seed, self._worth)
        begun = self._now()
        found.run(lambda: self._spent(found.playouts, found.tries, begun))
        return found.advice()

    def _now(self) -> float:
        return 0.0 if self._clock is None else self._clock()

    def _spent(self, playouts: int, tries: int, begun: float) -> float:
        """The share of the budget that is spent, from 0.

        Args:
            playouts: How many have been played.
            tries: How many have been begun.
            begun: What the clock said at the beginning.
        """
        if self.settings.seconds is not None:
            return (self._now() - begun) / self.settings.seconds
        return max(playouts, tries / FAILURES) / self.settings.playouts

    def _playout(
        self,
        world: Match,
        worlds: Worlds,
        decision: Decision,
        trees: Sequence[Node],
        below: Stream,
    ) -> bool:
        """Play one world and note in the trees what came of it; False if it leads elsewhere."""
        settings = self.settings
        selection = Selection(settings.exploration, settings.widening)
        walk = _Walk(list(trees))
        reached = False
        for _ in range(LONGEST):
            asked = world.pending
            if asked is None:
                break
            if asked.seat == worlds.seat and not reached:
                if asked.index != decision.index:
                    if asked.index not in worlds.own:
                        return False
                    world.apply(worlds.own[asked.index])
                    world.next()
                    continue
                reached = True
            if begun(world):
                walk.reveal()
            answer, branch = selection.choose(walk.at[asked.seat], asked, below)
            fresh = not branch.visits
            walk.go(asked, answer, branch)
            world.apply(answer)
            world.next()
            if fresh and reached:
                break
        if not reached:
            return False
        if not world.over:
            play_on(world, below, settings.random, settings.depth)
        walk.credit(self._worth(world))
        return True

    def _worth(self, world: Match) -> Sequence[float]:
        """What came of a world for each seat, from 0 to 1."""
        seats = world.program.kinds[0].count
        if not world.over and self._judge is not None:
            return self._judge(world)
        winners = world.winners
        if not winners:
            return [0.5] * seats  # better than to see another win, worse than to win together
        shared = 0.5 + 0.5 / len(winners)
        return [shared if seat in winners else 0.0 for seat in range(seats)]


class _Walk:
    """The way of one world through the trees of all seats.

    Attributes:
        at: Where each seat stands in its tree.
    """

    def __init__(self, trees: list[Node]) -> None:
        self.at = trees
        self._taken: list[tuple[int, Node]] = []
        self._sealed: list[tuple[int, tuple[object, ...]]] = []

    def go(self, asked: Decision, answer: object, branch: Node) -> None:
        """Take a branch; the others see it too, or once the round of sealed answers is over."""
        self._taken.append((asked.seat, branch))
        self.at[asked.seat] = branch
        label = ("seen", asked.seat, asked.index, answer)
        self._sealed.append((asked.seat, label))
        if not asked.secret:
            self.reveal()

    def reveal(self) -> None:
        """Let everybody see what has been answered."""
        for whose, label in self._sealed:
            for seat, node in enumerate(self.at):
                if seat != whose:
                    self.at[seat] = node.at(label)
        self._sealed.clear()

    def credit(self, worth: Sequence[float]) -> None:
        """Note what came of it."""
        for seat, branch in self._taken:
            branch.credit(worth[seat])


def _ranked(decision: Decision, tree: Node) -> tuple[Ranked, ...]:
    """The answers that were tried, that which is surely good first."""
    domain = decision.options
    tried = [
        (label[1], branch)
        for label, branch in tree.branches.items()
        if isinstance(label, tuple) and len(label) == 2 and branch.visits
    ]
    tried.sort(key=lambda pair: pair[1].value - pair[1].error, reverse=True)
    return tuple(
        Ranked(answer, domain.text(answer), domain.key(answer), branch.visits, branch.value)
        for answer, branch in tried
    )
