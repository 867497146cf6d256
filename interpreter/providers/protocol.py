"""What a provider is: it sees a decision and an observation, and never the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation


class DecisionProvider(Protocol):
    """Answers the decisions of one or more seats."""

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give a legal answer.

        Args:
            observation: Makes what the seat sees; call it only if it is needed, before answering.
            decision: What is asked.

        Returns:
            An answer in the decision's form. An engine that can be driven from outside also takes
            its ``SUSPENDED`` for "later".
        """
        ...
