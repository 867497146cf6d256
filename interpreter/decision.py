"""Decisions as the one who answers sees them, and the legal answers as one object for all engines.

Options are made when somebody looks at them: a provider that draws one at random pays for no text.
Interchangeable things are one option with a count. A set of options is never listed as sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, cast

import attrs

from interpreter.budget import SEARCH
from interpreter.errors import IllegalChoice, Reason

if TYPE_CHECKING:
    from rulelang import ir

Below = Callable[[int], int]
Describe = Callable[[object], tuple[str, str]]
Whole = Callable[[tuple[object, ...]], bool]

TRIES = 64
FEW = 20


@attrs.frozen
class Option:
    """One option.

    Attributes:
        value: What an answer holds: a number, word or thing (as numbered in the Program), a Flag,
            the number of a label, or a tuple for an action; None for "none of them".
        text: For people.
        key: As rules and scripts write it.
        count: How many interchangeable ones there are (1 for most).
    """

    value: object
    text: str
    key: str
    count: int = 1


def plain(answer: object) -> object:
    """An answer with lists (from JSON) made tuples."""
    if isinstance(answer, (list, tuple)):
        return tuple(plain(each) for each in answer)
    return answer


MOST_PATTERNS = 512


@lru_cache(maxsize=1024)
def patterns(sizes: tuple[int, ...], least: int, most: int) -> tuple[tuple[int, ...], ...] | None:
    """All answers to a question for a set, in the order in which one is drawn.

    Each is the places of what is taken in the groups (of these sizes) one after the other. None
    if there are too many to list.
    """
    places = iter(range(sum(sizes)))
    groups = tuple(tuple(next(places) for _ in range(size)) for size in sizes)
    domain = SetOf(groups, lambda _: ("", ""), tuple(range(sum(sizes))), least, most)
    total = domain.ways()
    if total > MOST_PATTERNS:
        return None
    return tuple(domain._unrank(rank) for rank in range(total))  # type: ignore[misc]  # noqa: SLF001


@lru_cache(maxsize=512)
def listed_answers(
    groups: tuple[tuple[Any, ...], ...], least: int, most: int
) -> tuple[tuple[Any, ...], ...] | None:
    """The answers that :func:`patterns` stands for; None if there are too many to list."""
    found = patterns(tuple([len(group) for group in groups]), least, most)
    if found is None:
        return None
    flat = [value for group in groups for value in group]
    return tuple(tuple(sorted([flat[place] for place in places])) for places in found)


class Domain(ABC):
    """The legal answers of one decision."""

    def __init__(self, groups: tuple[tuple[object, ...], ...], describe: Describe) -> None:
        self.groups = groups
        self._describe = describe

    def __len__(self) -> int:
        """How many options there are, interchangeable ones counted as one."""
        return len(self.groups)

    def __iter__(self) -> Iterator[Option]:
        """The options in order."""
        for group in self.groups:
            text, key = self._describe(group[0])
            yield Option(group[0], text, key, len(group))

    @cached_property
    def _members(self) -> dict[tuple[type, object], tuple[int, int]]:
        """Group and place in it of every value; Flags and numbers are different keys."""
        return {
            (type(value), value): (number, place)
            for number, group in enumerate(self.groups)
            for place, value in enumerate(group)
        }

    def contains(self, answer: object) -> bool:
        """Is this a legal answer?"""
        try:
            self.normal(answer)
        except IllegalChoice:
            return False
        return True

    @abstractmethod
    def normal(self, answer: object) -> object:
        """The answer as the engine takes it: of interchangeable things always the first ones.

        Raises:
            IllegalChoice: it is not legal, with the reason.
        """

    @abstractmethod
    def some(self, limit: int = 2) -> tuple[object, ...]:
        """The first so many legal answers in order; fewer if there are no more."""

    @abstractmethod
    def count(self) -> int | None:
        """How many legal answers there are; None if that would take too long to find out."""

    @abstractmethod
    def sample(self, below: Below) -> object:
        """A legal answer at random; ``below(n)`` draws from 0 to n - 1. There must be one."""

    def first(self) -> object:
        """The first legal answer; there must be one."""
        return self.some(1)[0]

    def text(self, answer: object) -> str:
        """An answer for people."""
        return self._describe(answer)[0]

    def key(self, answer: object) -> str:
        """An answer as rules and scripts write it."""
        return self._describe(answer)[1]


class OneOf(Domain):
    """Exactly one of the options (forms one, label, yes, action and order)."""

    def normal(self, answer: object) -> object:
        """See :meth:`Domain.normal`."""
        answer = plain(answer)
        if len(self.groups) <= FEW:
            for group in self.groups:
                for value in group:
                    if value == answer and type(value) is type(answer):
                        return group[0]
            raise IllegalChoice(Reason.NOT_OFFERED, repr(answer))
        found = self._members.get((type(answer), answer)) if _hashable(answer) else None
        if found is None:
            raise IllegalChoice(Reason.NOT_OFFERED, repr(answer))
        return self.groups[found[0]][0]

    def some(self, limit: int = 2) -> tuple[object, ...]:
        """See :meth:`Domain.some`."""
        return tuple(group[0] for group in self.groups[:limit])

    def count(self) -> int:
        """See :meth:`Domain.count`."""
        return len(self.groups)

    def sample(self, below: Below) -> object:
        """An option at random; each of the interchangeable things counts."""
        members = sum(map(len, self.groups))
        drawn = below(members) if members > 1 else 0
        if members == len(self.groups):
            return self.groups[drawn][0]
        for group in self.groups:
            if drawn < len(group):
                return group[0]
            drawn -= len(group)
        raise AssertionError(drawn)


class SetOf(Domain):
    """A set of ``least`` to ``most`` options for which ``whole`` (None: always) holds.

    Answers are tuples in set order, which is that of the values, whatever the order of the
    options (a policy may go by that). ``whole`` is tested on at most 10,000 sets.
    """

    def __init__(
        self,
        groups: tuple[tuple[object, ...], ...],
        describe: Describe,
        order: tuple[object, ...],
        least: int,
        most: int | None,
        whole: Whole | None = None,
    ) -> None:
        super().__init__(groups, describe)
        self.order = order
        self.least = max(least, 0)
        self.most = len(order) if most is None else min(most, len(order))
        self.whole = whole
        self._cache: dict[int, tuple[tuple[object, ...], bool]] = {}

    @cached_property
    def _place(self) -> dict[object, int]:
        return {value: number for number, value in enumerate(sorted(cast("Any", self.order)))}

    def normal(self, answer: object) -> tuple[object, ...]:
        """See :meth:`Domain.normal`; any order will do."""
        answer = plain(answer)
        if not isinstance(answer, tuple):
            raise IllegalChoice(Reason.WRONG_SHAPE, "a set is asked for")
        taken = [0] * len(self.groups)
        seen: set[object] = set()
        for each in answer:
            found = self._members.get((type(each), each)) if _hashable(each) else None
            if found is None:
                raise IllegalChoice(Reason.NOT_OFFERED, repr(each))
            if each in seen:
                raise IllegalChoice(Reason.REPEATED, self.key((each,)))
            seen.add(each)
            taken[found[0]] += 1
        if len(answer) < self.least:
            raise IllegalChoice(Reason.TOO_FEW, f"{len(answer)} of at least {self.least}")
        if len(answer) > self.most:
            raise IllegalChoice(Reason.TOO_MANY, f"{len(answer)} of at most {self.most}")
        result = self._answer(taken)
        if self.whole is not None and not self.whole(result):
            raise IllegalChoice(Reason.CONDITION)
        return result

    def some(self, limit: int = 2) -> tuple[object, ...]:
        """See :meth:`Domain.some`: small sets before large ones, else in the order of options.

        With a condition, only what the search finds.
        """
        return self._found(limit)[0]

    def settled(self) -> bool:
        """Did the search for the first two answers come to its end?"""
        return self._found(2)[1]

    def count(self) -> int | None:
        """See :meth:`Domain.count`."""
        if self.whole is None:
            return self.ways()
        answers, complete = self._found(SEARCH)
        return len(answers) if complete else None

    def ways(self) -> int:
        """How many sets of that size there are, whether or not the condition holds."""
        return sum(self._ways[0][self.least : self.most + 1])

    def sample(self, below: Below) -> tuple[object, ...]:
        """An even draw of all answers; with a condition an even one among those that are found."""
        listed = listed_answers(self.groups, self.least, self.most)
        if listed is None:
            total = self.ways()
            for _ in range(TRIES if total > 1 else 0):
                drawn = self._unrank(below(total))
                if self.whole is None or self.whole(drawn):
                    return drawn
        elif listed:
            total = len(listed)
            if self.whole is None:
                return listed[below(total) if total > 1 else 0]
            for _ in range(TRIES if total > 1 else 0):
                drawn = listed[below(total)]
                if self.whole(drawn):
                    return drawn
        found, _ = self._found(SEARCH)
        answer = found[below(len(found)) if len(found) > 1 else 0]
        assert isinstance(answer, tuple)  # noqa: S101 - all answers of a set are tuples
        return answer

    def greedy(
        self, ranked: Sequence[object], wanted: Collection[object] | None = None
    ) -> tuple[object, ...] | None:
        """The legal answer that takes options in this order while size and condition allow.

        That is the first one found when each option is taken before it is left out; one that is not
        among the wanted ones, if these are given, is left out before it is taken. None if the search
        finds none.
        """
        steps = SEARCH

        def search(place: int, chosen: list[object]) -> tuple[object, ...] | None:
            nonlocal steps
            if steps == 0:
                return None
            if len(chosen) == self.most or place == len(ranked):
                if len(chosen) < self.least:
                    return None
                steps -= 1
                answer = tuple(sorted(chosen, key=self._place.__getitem__))
                return answer if self.whole is None or self.whole(answer) else None
            if len(chosen) + len(ranked) - place < self.least:
                return None
            here = ranked[place]
            for taken in (True, False) if wanted is None or here in wanted else (False, True):
                found = search(place + 1, [*chosen, here] if taken else chosen)
                if found is not None:
                    return found
            return None

        return search(0, [])

    @cached_property
    def _ways(self) -> list[list[int]]:
        """``ways[i][n]``: in how many ways groups from i on give n members."""
        size = len(self.order)
        row = [1] + [0] * size
        table = [row]
        if all(len(group) == 1 for group in self.groups):
            return [
                [comb(len(self.groups) - start, n) for n in range(size + 1)]
                for start in range(len(self.groups) + 1)
            ]
        for group in reversed(self.groups):
            row = [sum(row[n - k] for k in range(min(len(group), n) + 1)) for n in range(size + 1)]
            table.append(row)
        return table[::-1]

    def _unrank(self, rank: int) -> tuple[object, ...]:
        """Answer number ``rank`` of all, conditions aside, in the order of :meth:`some`."""
        left = self.least
        while rank >= self._ways[0][left]:
            rank -= self._ways[0][left]
            left += 1
        taken = []
        for number, group in enumerate(self.groups):
            for k in range(min(len(group), left), -1, -1):
                ways = self._ways[number + 1][left - k]
                if rank < ways:
                    taken.append(k)
                    left -= k
                    break
                rank -= ways
        return self._answer(taken)

    def _answer(self, taken: list[int]) -> tuple[object, ...]:
        chosen = [value for group, k in zip(self.groups, taken, strict=True) for value in group[:k]]
        return tuple(sorted(chosen, key=self._place.__getitem__))

    def every(self) -> Iterator[tuple[object, ...]]:
        """All answers, small ones first, whether or not the condition holds."""
        listed = listed_answers(self.groups, self.least, self.most)
        if listed is not None:
            yield from listed
            return

        def counts(number: int, left: int) -> Iterator[list[int]]:
            if number == len(self.groups):
                if left == 0:
                    yield []
                return
            if not self._ways[number][left]:
                return
            for k in range(min(len(self.groups[number]), left), -1, -1):
                for rest in counts(number + 1, left - k):
                    yield [k, *rest]

        for size in range(self.least, self.most + 1):
            for taken in counts(0, size):
                yield self._answer(taken)

    def _found(self, limit: int) -> tuple[tuple[object, ...], bool]:
        """The first ``limit`` legal answers, and whether that or the end was reached."""
        if limit not in self._cache:
            listed = listed_answers(self.groups, self.least, self.most)
            answers: list[object] = []
            complete = True
            for step, answer in enumerate(self.every() if listed is None else listed):
                if step == SEARCH:
                    complete = False
                    break
                if self.whole is None or self.whole(answer):
                    answers.append(answer)
                    if len(answers) == limit:
                        complete = limit <= 2
                        break
            self._cache[limit] = tuple(answers), complete
        return self._cache[limit]


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


class Decision:
    """One decision that waits for an answer. Never changes.

    Attributes:
        index: Number of the decision point in the Program.
        path: Its path in the ruleset.
        seat: Who is asked, from 0.
        options: The legal answers.
        form: What an answer looks like: ``one``/``order`` the value of an option, ``set`` a tuple
            of them, ``label`` the number of an alternative, ``yes`` a Flag, ``action`` a tuple of
            the action's number and its later arguments, or None for none of them.
        type: Type of one option's value (forms one and set).
        secret: Is it one of a round of sealed answers?
        citations: Rule ids behind it.
        doc: The ruleset's comment on it.
        policy: What the ruleset's own policy would answer, given a source of random numbers; None
            where it has none.
    """

    __slots__ = (
        "_prompt",
        "citations",
        "doc",
        "form",
        "index",
        "options",
        "path",
        "policy",
        "seat",
        "secret",
        "type",
    )

    def __init__(
        self,
        static: ir.Decision,
        seat: int,
        options: Domain,
        prompt: str | Callable[[], str],
        policy: Callable[[Below], object] | None = None,
    ) -> None:
        self.index = static.index
        self.path = static.path
        self.form: ir.Form = static.form
        self.type = static.type
        self.secret = static.secret
        self.citations = static.cites
        self.doc = static.doc
        self.seat = seat
        self.options = options
        self.policy = policy
        self._prompt = prompt

    @property
    def prompt(self) -> str:
        """The question, for people; may be empty."""
        return self._prompt if isinstance(self._prompt, str) else self._prompt()

    def __repr__(self) -> str:
        return f"<Decision {self.path} of seat {self.seat}, {len(self.options)} options>"
