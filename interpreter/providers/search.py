"""A provider that looks ahead, see `interpreter.search`."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from interpreter.machine import LATER
from interpreter.providers.automa import AutomaProvider

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.machine import Match
    from interpreter.search.advice import Advice
    from interpreter.search.searching import Search
    from interpreter.sight.observation import Observation


class SearchProvider:
    """Answers with what a search ranks first.

    It is told the match once that has begun; of that it takes worlds that its seat cannot tell apart, and nothing else.

    Args:
        search: What looks ahead.
        seed: For where nothing can be searched: the ruleset's policy answers there.

    Attributes:
        advice: What was found out about the last decision; None: nothing.
    """

    def __init__(self, search: Search, seed: int | str = 0) -> None:
        self._search = search
        self._seed = seed
        self._match: Match | None = None
        self.advice: Advice | None = None

    def sit(self, match: Match) -> None:
        """Take a seat in a match."""
        self._match = match

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Search.

        Raises:
            LookupError: It was not told the match.
        """
        if self._match is None:
            raise LookupError("a search has to be told which match it plays in")
        if self._match.pending is not decision:
            return LATER  # a match is searched from where it waits
        self.advice = None
        with contextlib.suppress(LookupError):
            self.advice = self._search.advise(self._match)
        if self.advice is not None and self.advice.ranked:
            return self.advice.ranked[0].answer
        number = self._match.state()[self._match.layout.decisions]
        return AutomaProvider(f"{self._seed}/{number}").decide(observation, decision)
