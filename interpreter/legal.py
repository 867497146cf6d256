"""Sets among few answers with a condition: all that are legal, worked out at once by generated code.

A provider that answers evenly at random needs no more; everybody else gets the domain.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.decision import TRIES, Below, SetOf, listed_answers

if TYPE_CHECKING:
    from collections.abc import Callable

Items = tuple[Any, ...]

MOST_ANSWERS = 64
"""With more answers they are looked at one by one, as long as need be."""


class Legal:
    """The answers to a question for a set with a condition.

    Attributes:
        listed: All sets of the right size, in order.
        legal: Those for which the condition holds.
        domain: Makes the same as a domain.
    """

    __slots__ = ("domain", "legal", "listed")

    def __init__(
        self, listed: tuple[Items, ...], legal: tuple[Items, ...], domain: Callable[[], SetOf]
    ) -> None:
        self.listed = listed
        self.legal = legal
        self.domain = domain

    def sample(self, below: Below) -> Items:
        """One of the two or more legal answers, drawn as :meth:`SetOf.sample` draws it."""
        listed, legal = self.listed, self.legal
        total = len(listed)
        for _ in range(TRIES):
            drawn = listed[below(total)]
            if drawn in legal:
                return drawn
        return legal[below(len(legal))]


@lru_cache(maxsize=2048)
def few_answers(
    groups: tuple[Items, ...], least: int, most: int | None
) -> tuple[Items, ...] | None:
    """All sets of ``least`` to ``most`` members of these groups of like things; None if many."""
    size = sum(map(len, groups))
    listed = listed_answers(groups, max(least, 0), size if most is None else min(most, size))
    return None if listed is None or len(listed) > MOST_ANSWERS else listed


@lru_cache(maxsize=2048)
def few_sets(items: Items, least: int, most: int | None) -> tuple[Items, ...] | None:
    """The same for items that all differ."""
    return few_answers(tuple([(item,) for item in items]), least, most)
