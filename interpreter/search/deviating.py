"""A search that starts from the ruleset's policy: would another answer be better, if everybody goes on as usual?"""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from interpreter.chance import Stream
from interpreter.errors import EngineError
from interpreter.search.advice import Advice, Ranked
from interpreter.search.comparing import Arm, compare
from interpreter.search.rollouts import Rollout, play_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interpreter.decision import Below, Decision
    from interpreter.machine import Match
    from interpreter.search.settings import SearchSettings
    from interpreter.search.worlds import Worlds

ASKED = 8
"""In so many worlds the ruleset's policy is asked what it would answer."""

LISTED = 64
"""So many answers are listed; of more, some are drawn."""

MOST = 32
"""So many other answers are compared at most."""

EACH = 12
"""And not more than one for so many playouts."""

CAUTION = 2.0
"""So many standard errors an answer has to be better than that of the policy to come before it."""

BEFORE = 64
"""So many answers of others are given at most before the seat is asked."""


class Deviations:
    """Compares other answers with that of the ruleset's policy.

    Args:
        worlds: Where the seat may be.
        decision: What it is asked; the ruleset has a policy for that.
        settings: How far playouts go.
        seed: Of all draws.
        worth: What came of a world for each seat, from 0 to 1.

    Attributes:
        usual: What the policy answers, in most of the worlds where it was asked; None: it answers nothing legal.
        others: What it is compared with.
        playouts: How many have been played.
        tries: How many have been begun, also in worlds that turned out impossible.
    """

    def __init__(
        self,
        worlds: Worlds,
        decision: Decision,
        settings: SearchSettings,
        seed: str,
        worth: Callable[[Match], Sequence[float]],
    ) -> None:
        self._worlds = worlds
        self._decision = decision
        self._settings = settings
        self._seed = seed
        self._worth = worth
        self._number = 0
        self.playouts = 0
        self.tries = 0
        answers, domain = self._asked()
        self.usual = None if not answers else Arm(answers[0])
        known = answers if domain is None else [*answers, *self._listed(domain)]
        self.others: list[Arm] = []
        for answer in known:
            if not any(_same(answer, each) for each in (*answers[:1], *_answers(self.others))):
                self.others.append(Arm(answer))

    def run(self, spent: Callable[[], float]) -> None:
        """Compare until a budget is spent, or nothing is left to find out.

        Args:
            spent: The share of the budget that is spent.
        """
        if self.usual is not None:
            compare(self.usual, self.others, self._play, spent)

    def advice(self) -> Advice:
        """What has been found out.

        The policy is known to be sensible: another answer comes before its own only if it is surely better.
        """
        if self.usual is None:
            return Advice((), self.playouts)
        domain = self._decision.options
        tried = [arm for arm in (self.usual, *self.others) if arm.values]
        tried.sort(key=self._surely, reverse=True)
        ranked = tuple(
            Ranked(
                arm.answer,
                domain.text(arm.answer),
                domain.key(arm.answer),
                len(arm.values),
                arm.value,
            )
            for arm in tried
        )
        return Advice(ranked, self.playouts, domain.text(self.usual.answer))

    def _surely(self, arm: Arm) -> float:
        return 0.0 if arm is self.usual else arm.gain - CAUTION * arm.error

    def _asked(self) -> tuple[list[object], Decision | None]:
        """What the policy answers in some worlds, most frequent first, and the decision as one of them puts it."""
        answers: Counter[object] = Counter()
        asked = None
        for number in range(ASKED):
            below = Stream(f"{self._seed}/asked/{number}", "search")
            world = self._world(below)
            found = None if world is None else world.pending
            if found is None or found.policy is None:
                continue
            asked = asked or found
            try:
                answer = found.policy(below)
            except EngineError:
                continue
            if found.options.contains(answer):
                answers[found.options.normal(answer)] += 1
        return [answer for answer, _ in answers.most_common()], asked

    def _listed(self, asked: Decision) -> Iterator[object]:
        """Other answers: all, or if there are too many for the budget some that are drawn."""
        settings = self._settings
        most = MOST
        if settings.seconds is None:
            most = min(most, ceil(settings.playouts / EACH))
        listed = [asked.options.normal(each) for each in asked.options.some(LISTED + 1)]
        below = Stream(f"{self._seed}/listed", "search")
        if len(listed) > LISTED:
            for _ in range(most):
                yield asked.options.normal(asked.options.sample(below))
            return
        while len(listed) > most + 1:
            listed.pop(below(len(listed)))
        yield from listed

    def _world(self, below: Below) -> Match | None:
        """A world in which the seat is asked; None if it turns out impossible."""
        world = self._worlds.deal(below)
        if world is None:
            return None
        others = Rollout(below, self._settings.random)
        try:
            for _ in range(BEFORE):
                asked = world.pending
                if asked is None:
                    return None
                if asked.seat == self._worlds.seat:
                    if asked.index == self._decision.index:
                        return world
                    if asked.index not in self._worlds.own:
                        return None
                    world.apply(self._worlds.own[asked.index])
                else:
                    world.apply(others.decide(partial(world.observation, asked.seat), asked))
                world.next()
        except EngineError:
            return None
        return None

    def _play(self, arms: Sequence[Arm]) -> bool:
        """Give each of some answers in one new world; the first is what the others are compared with."""
        self._number += 1
        below = Stream(f"{self._seed}/{self._number}", "search")
        world = self._world(below)
        self.tries += 1 if world is None else len(arms)
        asked = None if world is None else world.pending
        if world is None or asked is None:
            return False
        depth = self._settings.depth
        if depth is not None:
            depth = ceil(depth / 2) + below(depth)
        draws = below(1 << 32)
        usual = None
        for arm in arms:
            if not asked.options.contains(arm.answer):
                continue
            value = self._playout(world.clone(), arm.answer, draws, depth)
            if value is None:
                if usual is None:
                    return False
                continue
            arm.values.append(value)
            if usual is None:
                usual = value
            else:
                arm.gains.append(value - usual)
        return usual is not None

    def _playout(self, world: Match, answer: object, draws: int, depth: int | None) -> float | None:
        """What comes of an answer if everybody goes on as the policies do; None if a rule stops it."""
        below = Stream(draws, "playout")
        self.playouts += 1
        try:
            world.apply(answer)
            world.next()
            if not world.over:
                play_on(world, below, self._settings.random, depth)
        except EngineError:
            return None
        return self._worth(world)[self._worlds.seat]


def _answers(arms: Sequence[Arm]) -> Iterator[object]:
    return (each.answer for each in arms)


def _same(one: object, other: object) -> bool:
    """Are these the same answer? True and 1 are different answers."""
    return one == other and type(one) is type(other)
