"""A provider that repeats the answers of a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.decision import Decision, plain
from interpreter.errors import ReplayError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.sight.observation import Observation


@attrs.frozen
class Answered:
    """One answer of a recorded game.

    Attributes:
        path: Path of the decision.
        seat: Who answered, from 0.
        answer: The value, as in :class:`interpreter.decision.Decision`.
    """

    path: str
    seat: int
    answer: object


SEEDED = "seed"
"""The dice of a game whose draws come from its seed."""

REAL = "table"
"""The dice of a game whose draws are read off a real table."""


@attrs.frozen
class Drawn:
    """One result that was read off a real table.

    Attributes:
        path: Of the roll, draw or shuffle.
        value: What was rolled or drawn, a tuple for several; of a card that was turned up the card.
        after: How many answers had been given before.
        draw: Through which shuffle or hidden draw the card came to where it was turned up, numbered from 0; None for
            a roll and an open draw.
        swaps: For a card: draws with two things that change names in their results and in those of all later ones.
    """

    path: str
    value: object
    after: int
    draw: int | None = None
    swaps: tuple[tuple[int, int, int], ...] = ()


class ReplayProvider:
    """Gives the recorded answers of all seats; one object serves them all."""

    def __init__(self, answers: Sequence[Answered]) -> None:
        self._answers = answers
        self.position = 0

    @property
    def left(self) -> int:
        """How many recorded answers were not used."""
        return len(self._answers) - self.position

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give the next recorded answer.

        Raises:
            ReplayError: there is none, or it belongs to another decision or is not legal here.
        """
        del observation
        number = self.position
        if not self.left:
            raise ReplayError(
                f"the game asks for more than the {number} recorded answers"
                f" (next: {decision.path} of seat {decision.seat + 1})",
                number,
            )
        recorded = self._answers[number]
        if (recorded.path, recorded.seat) != (decision.path, decision.seat):
            raise ReplayError(
                f"answer {number + 1} was recorded for {recorded.path} of seat"
                f" {recorded.seat + 1}, but the game asks {decision.path} of seat"
                f" {decision.seat + 1}",
                number,
            )
        answer = plain(recorded.answer)
        if not decision.options.contains(answer):
            raise ReplayError(
                f"answer {number + 1} ({recorded.path} of seat {recorded.seat + 1}) is not legal"
                f" here: {answer!r}",
                number,
            )
        self.position += 1
        return answer
