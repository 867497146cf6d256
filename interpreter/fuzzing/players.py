"""Who plays: at random, as the ruleset would, or in ways that no sensible person would."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from interpreter.chance import Draws, Stream, seeded
from interpreter.decision import SetOf
from interpreter.errors import IllegalChoice
from interpreter.fuzzing.script import simplest

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation


class Player:
    """Answers at random; other kinds of players only say what they prefer.

    Args:
        seed: For what is left to chance.
    """

    def __init__(self, seed: str) -> None:
        self.below = Stream(seed, "player")

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """See :class:`interpreter.providers.protocol.DecisionProvider`."""
        del observation
        wish = self.wish(decision)
        return decision.options.sample(self.below) if wish is None else wish[0]

    def wish(self, decision: Decision) -> tuple[object] | None:
        """The answer that is preferred, in a tuple; None if it is left to chance."""
        del decision
        return None


class First(Player):
    """Always the first option, and as few of a set as possible."""

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        return (decision.options.first(),)


class Last(Player):
    """Always the last option, and as many of a set as possible."""

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        domain = decision.options
        if isinstance(domain, SetOf):
            found = domain.greedy(domain.order[::-1])
            return None if found is None else (found,)
        values = [group[0] for group in domain.groups if group[0] is not None]
        return (values[-1] if values else domain.first(),)


class Passing(Player):
    """Does as little as possible: no, none, the smallest set; now and then something else."""

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        return None if self.below(10) == 0 else (simplest(decision),)


class Eager(Player):
    """Never declines, and takes as much as possible."""

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        domain = decision.options
        if decision.form == "yes":
            return (True,)
        if decision.form == "action":
            some = [group[0] for group in domain.groups if group[0] is not None]
            return (some[self.below(len(some))],) if some else None
        if isinstance(domain, SetOf):
            found = domain.greedy(self.below.mix(domain.order))
            return None if found is None else (found,)
        return None


class Rare(Player):
    """Does what it has done least often so far: other actions, other answers to the same question."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._done: Counter[tuple[str, str]] = Counter()

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        domain = decision.options
        if isinstance(domain, SetOf):
            return None
        keys = {
            group[0]: (decision.path, domain.key(group[0]).partition("(")[0])
            for group in domain.groups
        }
        least = min(self._done[key] for key in keys.values())
        rare = [value for value, key in keys.items() if self._done[key] == least]
        chosen = rare[self.below(len(rare))]
        self._done[keys[chosen]] += 1
        return (chosen,)


class Stubborn(Player):
    """Has one favourite among the answers to each question, then a second one, and keeps to them."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._seed = seed

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        domain = decision.options
        if isinstance(domain, SetOf):
            return None
        ranks = {
            group[0]: seeded(
                self._seed, f"{decision.path} {domain.key(group[0]).partition('(')[0]}"
            )
            for group in domain.groups
        }
        return (min(ranks, key=ranks.__getitem__),)


class ByTheRules(Player):
    """As the ruleset's own policy would, where it has one."""

    def wish(self, decision: Decision) -> tuple[object] | None:
        """See :meth:`Player.wish`."""
        if decision.policy is None:
            return None
        try:
            return (decision.options.normal(decision.policy(Draws(self.below))),)
        except IllegalChoice:  # of actions none may be wanted
            return None


PLAYERS: Final[dict[str, Callable[[str], Player]]] = {
    "random": Player,
    "first": First,
    "last": Last,
    "passing": Passing,
    "eager": Eager,
    "rare": Rare,
    "stubborn": Stubborn,
    "policy": ByTheRules,
}
"""Every kind of player by name; all that they do follows from a seed and from what they are asked."""
