"""What generated code calls: sets, bags, maps, ranges and faults.

Everything here is a plain function of values; what needs the game is in :mod:`interpreter.game`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NoReturn

from interpreter.budget import OFFERED
from interpreter.errors import BudgetExhausted, RuleFault
from interpreter.faultcodes import BUDGET_SPENT, EMPTY_SET, MISSING_VALUE, RANGE_LEFT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Items = tuple[Any, ...]

REMEMBERED = 50_000
"""So many masks are remembered with their things."""


class Sentinel:
    """A value that no rule can have."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


SUSPENDED = Sentinel("SUSPENDED")
"""What a function returns that waits for an answer; its frame is in the game."""

ENDING = Sentinel("ENDING")
"""What a function returns that was left by the end of a doing further out."""


class GameEnd(Exception):  # noqa: N818 - not an error: the main phase was ended
    """The main phase has been ended: everything stops at once."""


def fault(text: str, code: str = MISSING_VALUE) -> NoReturn:
    """Stop with a rule fault at the line that is running."""
    raise RuleFault(text, code=code)


def exhausted(text: str) -> NoReturn:
    """Stop because a budget is used up."""
    raise BudgetExhausted(text)


def flag(value: bool | None) -> bool:
    """A condition, which must not be none."""
    if value is None:
        fault("none where a value is needed")
    return value


def need(value: Any) -> Any:  # noqa: ANN401 - values of all types
    """A value that must not be none."""
    if value is None:
        fault("none where a value is needed")
    return value


def key_in(key: Any, low: int, high: int) -> Any:  # noqa: ANN401
    """A key of a keyed field, which must be one of its keys."""
    if key is None or not low <= key <= high:
        fault(f"no value for {key}")
    return key


def too_large() -> NoReturn:
    """Stop: a product is beyond bounds."""
    fault("a number beyond 1,000,000,000", code=BUDGET_SPENT)


# ------------------------------------------------------------------------------------------------ sets


class Unmask(dict[int, tuple[int, ...]]):
    """The things of a mask, remembered: ``unmask[mask]`` is a tuple in set order."""

    __slots__ = ("_base",)

    def __init__(self, base: int) -> None:
        super().__init__()
        self._base = base

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= REMEMBERED:
            self.clear()
        found = []
        left, before = mask, self._base - 1
        while left:
            lowest = left & -left
            found.append(before + lowest.bit_length())
            left ^= lowest
        self[mask] = result = tuple(found)
        return result


class Weights(dict[int, int]):
    """The sum of a number over the things of a mask, remembered; bit 0 is the first number."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, mask: int) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        result = sum(n for bit, n in enumerate(self._numbers) if mask >> bit & 1)
        self[mask] = result
        return result


def span(low: int, high: int) -> tuple[int, ...]:
    """The numbers from low to high."""
    return tuple(steps(low, high))


def steps(low: int, high: int) -> range:
    """The numbers from low to high, to walk over."""
    if high - low >= OFFERED:
        exhausted(f"a range of more than {OFFERED:,} numbers")
    return range(low, high + 1)


class OnlyOne(dict[int, Any]):
    """The thing of a mask of one: ``only_one[mask]``; other masks are a fault."""

    __slots__ = ()

    def __init__(self, base: int, count: int, *, maybe: bool) -> None:
        super().__init__({1 << number: base + number for number in range(count)})
        if maybe:
            self[0] = None

    def __missing__(self, mask: int) -> NoReturn:
        word = "maybe" if 0 in self else "only"
        fault(f"{word} of {'several' if mask else 'nothing'}", EMPTY_SET)


class Lookup(dict[Any, Any]):
    """A table, nested perhaps, in which what is missing is a fault of this text and code."""

    __slots__ = ("_code", "_text")

    def __init__(self, table: dict[Any, Any], text: str, code: str) -> None:
        super().__init__(
            {
                key: Lookup(value, text, code) if isinstance(value, dict) else value
                for key, value in table.items()
            }
        )
        self._text = text
        self._code = code

    def __missing__(self, key: object) -> NoReturn:
        fault(self._text, self._code)


def make_set(items: Items) -> Items:
    """The different items in set order, without None."""
    return tuple(sorted(set(items) - {None}))


def as_set(items: Items) -> Items:
    """A list as a set."""
    return tuple(sorted(set(items)))


def union(left: Items, right: Items) -> Items:
    """All members of both."""
    if not right:
        return tuple(sorted(set(left)))
    return tuple(sorted({*left, *right}))


def minus(left: Items, right: Items) -> Items:
    """Those of left that are not in right."""
    return tuple([item for item in left if item not in right])


def overlap(left: Items, right: Items) -> bool:
    """Have they a member in common?"""
    for item in left:  # noqa: SIM110 - faster than any() for the few there are
        if item in right:
            return True
    return False


def same_items(left: Items, right: Items) -> bool:
    """Are they equal, whatever the order?"""
    return left == right or sorted(left) == sorted(right)


def only(items: Items) -> Any:  # noqa: ANN401
    """The only one."""
    if len(items) != 1:
        fault("only of several" if items else "only of nothing", code=EMPTY_SET)
    return items[0]


def maybe(items: Items) -> Any:  # noqa: ANN401
    """The only one, or None."""
    if len(items) > 1:
        fault("maybe of several", code=EMPTY_SET)
    return items[0] if items else None


def take(items: Items, count: int) -> Items:
    """The first so many."""
    return items[: max(count, 0)]


def index_of(item: object, items: Items) -> int:
    """1 for the first."""
    if item not in items:
        fault("position of what is not there", code=EMPTY_SET)
    return items.index(item) + 1


def in_order(rows: list[Items]) -> Items:
    """The last entries of rows, sorted by the ones before."""
    rows.sort()
    return tuple([row[-1] for row in rows])


def settle_clauses(found: list[tuple[str, tuple[str, ...], Any]]) -> Any:  # noqa: ANN401
    """The value of the unsigned exceptions that apply: (label, labels it beats, value) each."""
    if len(found) > 1:
        beaten = {label for _, beats, _ in found for label in beats}
        found = [each for each in found if each[0] not in beaten]
        if any(value != found[0][2] for _, _, value in found):
            raise RuleFault.between([label for label, _, _ in found])
    return found[0][2]


# ------------------------------------------------------------------------------------------------ bags


def bag_item(bag: Items, word: int) -> Any:  # noqa: ANN401
    """How many of a word (from 0)."""
    return bag[word] if bag else 0


def make_bag(words: Items, low: int, size: int) -> Items:
    """A bag of words (the first is ``low``), None left out."""
    counts = [0] * size
    for word in words:
        if word is not None:
            counts[word - low] += 1
    return tuple(counts)


def bag_plus(left: Items, right: Items, size: int) -> Items:
    """Both together; an empty tuple is a bag of nothing."""
    nothing = (0,) * size
    return tuple([a + b for a, b in zip(left or nothing, right or nothing, strict=True)])


def bag_minus(left: Items, right: Items, size: int) -> Items:
    """What is left, never below 0."""
    nothing = (0,) * size
    pairs = zip(left or nothing, right or nothing, strict=True)
    return tuple([max(a - b, 0) for a, b in pairs])


def bag_times(bag: Items, times: int, size: int) -> Items:
    """So many times the bag."""
    return tuple([each * times for each in bag or (0,) * size])


@functools.lru_cache(4_096)
def bag_words(bag: Items, low: int) -> Items:
    """The words it holds; ``low`` is the first word."""
    return tuple([low + word for word, held in enumerate(bag) if held])


def bag_largest(bag: Items) -> Any:  # noqa: ANN401
    """The largest count."""
    return max(bag, default=0)


# ------------------------------------------------------------------------------------------------ lines


def lying(slots: list[Any], mask: int, start: int, count: int) -> int:
    """Those things of a mask that are neither in the box nor in a pile; ``start``: where their positions are."""
    found = 0
    for number in range(count):
        if mask >> number & 1 and slots[start + number] == 0:
            found |= 1 << number
    return found


def ranged(value: Any, low: int, high: int, name: str) -> Any:  # noqa: ANN401
    """A number that must be in a range."""
    if value is None or not low <= value <= high:
        fault(f"{name} cannot be {value!r}", code=RANGE_LEFT)
    return value


def negative_amount(amount: int) -> NoReturn:
    """Stop: amounts are never negative."""
    fault(f"an amount of {amount}", code=RANGE_LEFT)


def least(left: int, right: int) -> int:
    """The smaller one."""
    return min(left, right)


def most(left: int, right: int) -> int:
    """The larger one."""
    return max(left, right)


def at_most(limit: int | None, size: int) -> int:
    """A limit, None for no limit, and not more than there are."""
    return size if limit is None or limit > size else limit


def without(pile: Items, thing: int) -> Items:
    """A pile without a thing that is in it."""
    if pile[0] == thing:
        return pile[1:]
    place = pile.index(thing)
    return pile[:place] + pile[place + 1 :]


def distinct(items: Items) -> Items:
    """A list without repeats, in its order."""
    return tuple(dict.fromkeys(items))


def members(groups: tuple[Items, ...]) -> Items:
    """All things in groups."""
    return tuple([each for group in groups for each in group])


def first_alike(groups: tuple[Items, ...], item: object) -> Any:  # noqa: ANN401
    """The first of the things that cannot be told from this one."""
    for group in groups:
        if item in group:
            return group[0]
    return item


def players(who: Any) -> Items:  # noqa: ANN401
    """Those who have won."""
    if who is None:
        return ()
    return (who,) if isinstance(who, int) else who


def serials(rows: tuple[Items, ...]) -> Items:
    """The serial numbers of rows."""
    return tuple([row[0] for row in rows])


def row_now(rows: tuple[Items, ...], serial: int) -> Items | None:
    """The row with a serial number, if it is still in force."""
    for row in rows:
        if row[0] == serial:
            return row
    return None


def labels_of(candidates: tuple[Items, ...]) -> Items:
    """The labels of replacements that apply."""
    return tuple([each[3] for each in candidates])


def ranked(candidates: tuple[Items, ...], yields: tuple[tuple[int, ...], ...]) -> tuple[Items, ...]:
    """The replacements with those before all others that yield to none of them; see ir.Hook.yields."""
    here = {each[0] for each in candidates}
    free = [each for each in candidates if here.isdisjoint(yields[each[0]])]
    rest = [each for each in candidates if not here.isdisjoint(yields[each[0]])]
    return (*free, *rest)


def free_of(candidates: tuple[Items, ...], yields: tuple[tuple[int, ...], ...]) -> int:
    """How many replacements yield to none of the others."""
    here = {each[0] for each in candidates}
    return sum(here.isdisjoint(yields[each[0]]) for each in candidates)


def first_of(candidates: tuple[Items, ...], number: int) -> tuple[Items, ...]:
    """The replacements with one of them first."""
    return (candidates[number], *candidates[:number], *candidates[number + 1 :])


def exported(functions: Iterable[Callable[..., Any]]) -> dict[str, object]:
    """Names and functions for the namespace of generated code."""
    return {function.__name__: function for function in functions}


FUNCTIONS: dict[str, object] = exported(
    (
        fault, exhausted, flag, need, key_in, too_large, span, steps, make_set, as_set, union, minus,
        overlap, same_items, only, maybe, take, index_of, in_order, settle_clauses, bag_item, make_bag,
        bag_plus, bag_minus, bag_times, bag_words, bag_largest, lying, ranged, negative_amount, least,
        most, at_most, without, distinct, members, first_alike, players, serials, row_now, labels_of,
        first_of, ranked, free_of,
    )
)  # fmt: skip
