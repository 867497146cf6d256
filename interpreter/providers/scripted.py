"""A provider that reads its answers from a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.errors import ScriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation


class ScriptedProvider:
    """Gives prepared answers in order.

    Args:
        answers: Each is an answer's value, or a text: the key of an option as rules write it.
    """

    def __init__(self, answers: Iterable[object]) -> None:
        self._answers = list(answers)
        self._next = 0

    @property
    def left(self) -> int:
        """How many answers were not used."""
        return len(self._answers) - self._next

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give the next answer.

        Raises:
            ScriptError: there is none.
        """
        del observation
        if not self.left:
            raise ScriptError(f"the script has no answer for {decision.path}")
        answer = self._answers[self._next]
        self._next += 1
        if isinstance(answer, str):
            for option in decision.options:
                if option.key == answer:
                    return option.value
        return answer
