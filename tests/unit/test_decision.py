"""Domains: what is legal, in which order, how many, evenly drawn; conditions on whole answers."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import pytest

from interpreter.chance import Stream
from interpreter.decision import Decision, OneOf, SetOf, Whole
from interpreter.errors import IllegalChoice, Reason
from rulelang import ir


def named(value: object) -> tuple[str, str]:
    return f"<{value}>", f"{value}"


def set_of(
    order: tuple[object, ...], least: int, most: int | None, whole: Whole | None = None
) -> SetOf:
    return SetOf(tuple((each,) for each in order), named, order, least, most, whole)


def test_one_of_offers_each_and_refuses_others() -> None:
    domain = OneOf(((3,), (1, 2), (None,)), named)
    assert [(option.value, option.count) for option in domain] == [(3, 1), (1, 2), (None, 1)]
    assert domain.normal(2) == 1
    assert domain.contains(None)
    wrongs: tuple[object, ...] = (4, True, "3", [], {}, 3.0)
    for wrong in wrongs:
        assert not domain.contains(wrong)
    assert domain.count() == 3
    assert domain.first() == 3


def test_lists_from_json_are_actions() -> None:
    domain = OneOf((((0, 5),), ((1,),)), named)
    assert domain.normal([0, 5]) == (0, 5)


def test_draws_weigh_interchangeable_things() -> None:
    domain = OneOf(((1, 2, 3), (9,)), named)
    counts = Counter(domain.sample(Stream(1, "x")) for _ in range(1))
    stream = Stream(2, "x")
    counts = Counter(domain.sample(stream) for _ in range(400))
    assert 250 < counts[1] < 350
    assert counts[1] + counts[9] == 400


def test_sets_come_small_first_and_in_order() -> None:
    order = (5, 3, 9)
    taken = chain.from_iterable(combinations(order, size) for size in (0, 1, 2))
    expected = tuple(tuple(sorted(each)) for each in taken)
    domain = set_of(order, 0, 2)
    assert domain.some(99) == expected
    assert domain.count() == len(expected)
    assert Counter(domain._unrank(rank) for rank in range(7)) == Counter(expected)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (5, Reason.WRONG_SHAPE),
        ((5, 8), Reason.NOT_OFFERED),
        ((5, True), Reason.NOT_OFFERED),
        (([5],), Reason.NOT_OFFERED),
        ((5, 5), Reason.REPEATED),
        ((), Reason.TOO_FEW),
        ((3, 5, 9), Reason.TOO_MANY),
        ((3, 5), Reason.CONDITION),
    ],
)
def test_illegal_sets_say_why(answer: object, reason: Reason) -> None:
    domain = set_of((5, 3, 9), 1, 2, lambda chosen: sum(chosen) > 8)  # type: ignore[arg-type]
    with pytest.raises(IllegalChoice) as caught:
        domain.normal(answer)
    assert caught.value.reason is reason


def test_alike_things_are_counted() -> None:
    domain = SetOf(((1, 2, 3), (7,)), named, (1, 2, 3, 7), 1, 3)
    assert domain.some(99) == (
        (1,), (7,), (1, 2), (1, 7), (1, 2, 3), (1, 2, 7),
    )  # fmt: skip
    assert domain.count() == 6
    assert domain.normal([7, 3, 2]) == (1, 2, 7)
    stream = Stream(3, "x")
    assert {domain.sample(stream) for _ in range(200)} == set(domain.some(99))


def test_a_condition_leaves_one_answer() -> None:
    domain = set_of((1, 2, 4, 8), 0, None, lambda chosen: sum(chosen) == 11)  # type: ignore[arg-type]
    assert domain.some() == ((1, 2, 8),)
    assert domain.settled()
    assert domain.count() == 1
    assert domain.sample(Stream(1, "x")) == (1, 2, 8)


def test_an_endless_search_stops() -> None:
    domain = set_of(tuple(range(40)), 0, None, lambda _: False)
    assert domain.some() == ()
    assert not domain.settled()
    assert domain.count() is None
    assert domain.greedy(domain.order) is None


def test_greedy_takes_in_order_while_it_can() -> None:
    small = set_of((1, 2, 3), 0, 2)
    assert small.greedy((3, 1, 2)) == (1, 3)
    exact = set_of((4, 3, 2, 5), 0, None, lambda chosen: sum(chosen) == 7)  # type: ignore[arg-type]
    assert exact.greedy((4, 2, 3, 5)) == (3, 4)
    assert exact.greedy((2, 4, 3, 5)) == (2, 5)


def test_a_set_is_in_set_order_whatever_the_order_of_the_options() -> None:
    domain = set_of((9, 2, 5), 0, None)
    assert [option.value for option in domain] == [9, 2, 5]
    assert domain.normal((9, 2)) == domain.normal((2, 9)) == (2, 9)
    assert set(domain.every()) == {(), (2,), (5,), (9,), (2, 5), (2, 9), (5, 9), (2, 5, 9)}
    stream = Stream(1, "x")
    assert {domain.sample(stream) for _ in range(200)} == set(domain.every())


def test_a_decision_reads_its_prompt_late() -> None:
    asked: list[int] = []

    def prompt() -> str:
        asked.append(1)
        return "What now?"

    static = ir.Decision(3, "turn.what", "one", ir.NUMBER, cites=("A-1",), doc="Choose.")
    decision = Decision(static, 1, OneOf(((1,), (2,)), named), prompt)
    assert not asked
    assert decision.prompt == "What now?"
    assert (decision.seat, decision.path, decision.citations) == (1, "turn.what", ("A-1",))
