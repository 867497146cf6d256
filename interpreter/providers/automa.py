"""A provider that answers as the ruleset's own policy would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.chance import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation


class AutomaProvider:
    """Plays any seat by the ruleset's policies.

    Where the ruleset has none for a decision (its automas never come there) it answers at random.
    Its draws come from a generator of its own, so a replay does not depend on it.
    """

    def __init__(self, seed: int | str = 0) -> None:
        self._below = Stream(seed, "automa provider")

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Ask the policy."""
        del observation
        if decision.policy is not None:
            answer = decision.policy(self._below)
            if decision.options.contains(answer):
                return answer
        return decision.options.sample(self._below)
