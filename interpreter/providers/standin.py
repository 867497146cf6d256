"""What happens when a guest at the table fails: the game stops, or another provider goes on in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from interpreter.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation

Failure = Literal["stop", "automa", "random"]


class BotError(EngineError):
    """A program at the table has failed, and the game is to stop then; it stays at this decision."""


class StandIn:
    """Asks a guest until it fails, and then whoever goes on in its place.

    Args:
        failure: What happens if it fails: the game stops, or another provider goes on in its place.
        instead: That other provider; needed unless the game stops.
        tell: Told once, in a sentence, that another provider goes on and why.

    Attributes:
        failed: Whether another provider goes on by now.
    """

    def __init__(
        self,
        failure: Failure = "stop",
        instead: DecisionProvider | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.failed = False
        self._failure = failure
        self._instead = instead
        self._tell = tell

    def decide(
        self,
        ask: Callable[[Callable[[], Observation], Decision], object],
        observation: Callable[[], Observation],
        decision: Decision,
        dismissed: Callable[[], object] = lambda: None,
    ) -> object:
        """Ask the guest, or who goes on in its place.

        Args:
            ask: Asks the guest; raises BotError if it has failed.
            observation: What the seat sees.
            decision: What is asked.
            dismissed: Is called when it has failed, before anything else.

        Raises:
            BotError: It has failed, and the game is to stop then.
        """
        if not self.failed:
            try:
                return ask(observation, decision)
            except BotError as failed:
                dismissed()
                if self._failure == "stop" or self._instead is None:
                    raise
                self.failed = True
                self._tell(f"{failed}; {self._failure} goes on in its place")
        assert self._instead is not None  # noqa: S101 - see above
        return self._instead.decide(observation, decision)
