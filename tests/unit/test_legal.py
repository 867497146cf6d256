"""Sets with a condition that are found at once are drawn as the domain draws them."""

from __future__ import annotations

import pytest

from interpreter.chance import Stream
from interpreter.decision import SetOf
from interpreter.legal import MOST_ANSWERS, Legal, few_answers, few_sets


def domain(groups: tuple[tuple[int, ...], ...], least: int, most: int | None) -> SetOf:
    """Sets of numbers whose sum is even."""
    order = tuple(each for group in groups for each in group)
    return SetOf(groups, lambda _: ("", ""), order, least, most, even)


def even(answer: tuple[object, ...]) -> bool:
    """The condition."""
    return sum(each for each in answer if isinstance(each, int)) % 2 == 0


@pytest.mark.parametrize("size", [(0, None), (2, 3), (-1, 9), (4, 4)])
@pytest.mark.parametrize("groups", [((1,), (2,), (3,), (4,), (5,)), ((1, 3), (2,), (6, 8, 4))])
def test_like_the_domain(groups: tuple[tuple[int, ...], ...], size: tuple[int, int | None]) -> None:
    """The answers are the same, and so is what is drawn, also when most tries fail."""
    whole = domain(groups, *size)
    listed = few_answers(groups, *size)
    assert listed is not None
    legal = tuple(each for each in listed if even(each))
    assert legal == whole.some(10_000)
    if len(legal) > 1:
        for seed in range(20):
            one, other = Stream(seed, "one"), Stream(seed, "one")
            made = Legal(listed, legal, lambda: whole)
            assert [made.sample(one) for _ in range(5)] == [whole.sample(other) for _ in range(5)]


def test_too_many() -> None:
    """With many answers nothing is listed."""
    assert few_sets(tuple(range(8)), 0, 8) is None
    few = few_sets(tuple(range(6)), 0, 6)
    assert few is not None
    assert len(few) == MOST_ANSWERS
