"""What happened in a game from outside, in order: draws and answers; noted while it is played, and played again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

import attrs

from interpreter.errors import IllegalChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from interpreter.chance import ChanceProvider
    from interpreter.decision import Decision
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation

PATIENCE: Final = 64
"""So often in a row a draw comes out as the luck of a game wants it."""

Form = Literal["roll", "pick", "shuffle", "choose"]


@attrs.frozen
class Entry:
    """One draw or answer.

    Attributes:
        form: ``roll``: a number; ``pick``: one value, or with ``many`` a tuple of them; ``shuffle``: a tuple;
            ``choose``: an answer in the form of its decision.
        path: Of the draw or decision.
        value: What came out; of a shuffle the first ones, the rest being in its old order.
        seat: Who answered, from 0; -1 for a draw.
        needed: Could anything else have come out? Only that has to be written.
        many: Were several picked?
        key: The answer as its decision names it, where it is an action, a label or a rule.
    """

    form: Form
    path: str
    value: object
    seat: int = -1
    needed: bool = True
    many: bool = False
    key: str = ""


class Scribe:
    """Passes questions on to whoever answers, and notes what came out.

    It is chance provider and decision provider at once.

    Args:
        chance: Who draws.
        providers: Who answers, by seat.
        relief: Who draws instead where one draw is repeated more than :data:`PATIENCE` times and nobody is asked in
            between: rules that roll again until the dice differ end with any dice but those that never do. None:
            nobody.
    """

    def __init__(
        self,
        chance: ChanceProvider,
        providers: Sequence[DecisionProvider],
        relief: ChanceProvider | None = None,
    ) -> None:
        self.chance = chance
        self.providers = providers
        self.relief = relief
        self.entries: list[Entry] = []
        self._drawn: Counter[str] = Counter()

    def _drawing(self, path: str) -> ChanceProvider:
        """Give who draws now."""
        self._drawn[path] += 1
        if self.relief is not None and self._drawn[path] > PATIENCE:
            return self.relief
        return self.chance

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        value = self._drawing(path).roll(path, low, high, by)
        self.entries.append(Entry("roll", path, value))
        return value

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        value = self._drawing(path).pick(path, source, count)
        needed = len(source) > (1 if count is None else count)
        self.entries.append(
            Entry("pick", path, value, needed=needed and count != 0, many=count is not None)
        )
        return value

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        value = self._drawing(path).shuffle(path, items)
        self.entries.append(
            Entry("shuffle", path, moved_first(value, items), needed=len(items) > 1)
        )
        return value

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """See :class:`interpreter.providers.protocol.DecisionProvider`."""
        given = self.providers[decision.seat].decide(observation, decision)
        answer = decision.options.normal(given)
        self.note(decision, answer)
        return answer

    def note(self, decision: Decision, answer: object) -> None:
        """Note an answer that was given without this provider."""
        self._drawn.clear()
        named = decision.form in ("action", "label", "order")
        key = decision.options.key(answer) if named else ""
        self.entries.append(Entry("choose", decision.path, answer, decision.seat, key=key))


class Follower:
    """Plays entries again as far as they fit; where one does not, the simplest thing happens.

    Each form and, for answers, each path has its own queue, so that what no longer happens does not shift the rest.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._queues: dict[tuple[str, str, int], list[object]] = {}
        for each in reversed(entries):
            self._queues.setdefault((each.form, each.path, each.seat), []).append(each.value)

    def _take(self, form: Form, path: str, seat: int = -1) -> tuple[object] | None:
        queue = self._queues.get((form, path, seat))
        return (queue.pop(),) if queue else None

    def roll(self, path: str, low: int, high: int, by: int | None) -> int:
        """See :class:`interpreter.chance.ChanceProvider`."""
        del by
        taken = self._take("roll", path)
        value = taken[0] if taken is not None else low
        return value if isinstance(value, int) and low <= value <= high else low

    def pick(
        self, path: str, source: tuple[object, ...], count: int | None
    ) -> object | tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        taken = self._take("pick", path)
        value = taken[0] if taken is not None else None
        if count is None:
            return value if value in source else source[0]
        if isinstance(value, tuple) and len(value) == min(count, len(source)):
            return value if all(each in source for each in value) else source[:count]
        return source[:count]

    def shuffle(self, path: str, items: tuple[object, ...]) -> tuple[object, ...]:
        """See :class:`interpreter.chance.ChanceProvider`."""
        taken = self._take("shuffle", path)
        wanted = taken[0] if taken is not None else ()
        first = tuple(each for each in wanted if each in items) if isinstance(wanted, tuple) else ()
        return (*first, *(each for each in items if each not in first))

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """See :class:`interpreter.providers.protocol.DecisionProvider`."""
        del observation
        taken = self._take("choose", decision.path, decision.seat)
        if taken is not None:
            try:
                return decision.options.normal(taken[0])
            except IllegalChoice:
                pass
        return simplest(decision)


def moved_first(value: tuple[object, ...], items: tuple[object, ...]) -> tuple[object, ...]:
    """The shortest beginning of a new order, at least one, behind which all is in the old order."""
    for count in range(1, len(value)):
        first = value[:count]
        if value[count:] == tuple(each for each in items if each not in first):
            return first
    return value


def simplest(decision: Decision) -> object:
    """The answer that does least: no, none of the actions, the smallest set, else the first."""
    if decision.form == "yes":
        return False
    if decision.form == "action":
        return None
    return decision.options.first()
