"""The map of a game as data: places, and what leads from one to another, as the data files say it.

A place is a thing that others can be at, or that a kind of link joins: a kind each of whose rows names two things of
one kind. Where a place names another place in its data, that is a link too. `x` and `y` in the data of a kind are where
its things lie; others are put beside those that they belong to, or laid out by their links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import nodes
from rulelang.rulebook.drawings.spreading import spread
from rulelang.rulebook.model import clean
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang.ir import Kind
    from rulelang.symbols import Tables

_AROUND: Final = ((-3, 4), (3, 4), (0, 6), (-5, 0), (5, 0), (-3, -4), (3, -4), (0, -6))
_BESIDE: Final = 5  # hundredths of the width of the map between a place and those that belong to it
_MOST: Final = 400


@attrs.frozen(eq=False)
class Place:
    """A place: its kind, what it is called, and where it lies (in units of the data)."""

    key: str
    kind: str
    title: str
    x: int
    y: int
    tip: str


@attrs.frozen(eq=False)
class Way:
    """What joins two places: from key to key, what it is called, and whether it leads one way only."""

    first: str
    second: str
    label: str
    one_way: bool
    tip: str


@attrs.frozen(eq=False)
class Map:
    """Places and ways; `drawn` says that the data give coordinates."""

    title: str
    places: tuple[Place, ...]
    ways: tuple[Way, ...]
    drawn: bool


def game_map(tables: Tables) -> Map:
    """Find the map of a game in its data; one without places if they hold none."""
    return _Maker(tables).map()


class _Maker:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._printed: dict[int, list[int]] = {}
        for (kind, _), field in tables.field_numbers.items():
            node = tables.field_nodes.get(field)
            if kind and isinstance(node, nodes.FieldDecl) and node.initial is None:
                self._printed.setdefault(kind, []).append(field)

    def map(self) -> Map:
        joints = dict(self._joints())
        of_links = {
            kind for pair in joints.values() for kind in self._tables.fields[pair[0]].type.kinds
        }
        kinds = of_links | self._can_be_at()
        kinds -= set(joints)
        ways = self._ways(joints, kinds)
        used = dict.fromkeys(end for way in ways for end in way[:2])
        things = [thing for thing in sorted(used) if self._kind_of(thing) in kinds][:_MOST]
        known = set(things)
        ways = [way for way in ways if way[0] in known and way[1] in known]
        spots, drawn = self._spots(things, ways)
        places = tuple(self._place(thing, *spots[thing]) for thing in things)
        game = self._tables.game
        title = clean(game.title.value) if game is not None else ""
        return Map(title, places, tuple(_both_ways(ways)), drawn)

    def _joints(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Give the kinds whose rows each name two things of one kind, with these two fields."""
        for kind, fields in self._printed.items():
            ends = [each for each in fields if self._tables.fields[each].type.shape == "thing"]
            for at, first in enumerate(ends):
                second = next(
                    (
                        each
                        for each in ends[at + 1 :]
                        if self._tables.fields[each].type == self._tables.fields[first].type
                    ),
                    None,
                )
                if second is not None:
                    yield kind, (first, second)
                    break

    def _can_be_at(self) -> set[int]:
        """Give the kinds of places: those that a field `place` can name, but people and what there is one of."""
        found: set[int] = set()
        for field in self._tables.fields:
            if field.name == "place":
                found |= set(field.type.kinds)
        return {kind for kind in found if kind and not self._tables.kinds[kind].singleton}

    def _ways(
        self, joints: dict[int, tuple[int, int]], kinds: set[int]
    ) -> list[tuple[int, int, str, str]]:
        found: list[tuple[int, int, str, str]] = []
        for kind, (first, second) in joints.items():
            for at in range(self._tables.kinds[kind].count):
                one, other = (self._tables.fields[each].values[at] for each in (first, second))
                if isinstance(one, int) and isinstance(other, int):
                    tip = self._tip(self._tables.kinds[kind])
                    found.append((one, other, self._label(kind, at), tip))
        for kind in sorted(kinds):
            for number in self._printed.get(kind, ()):
                field = self._tables.fields[number]
                of = field.type.elem or field.type
                if of.shape == "thing" and field.keys == 1 and set(of.kinds) <= kinds:
                    base = self._tables.kinds[kind].base
                    tip = f"{spoken(field.name)} of the {spoken(self._tables.kinds[kind].name)}"
                    for at, value in enumerate(field.values):
                        several = value if isinstance(value, tuple) else (value,)
                        ends = [each for each in several if isinstance(each, int)]
                        found += [(base + at, end, spoken(field.name), tip) for end in ends]
        return found

    def _label(self, kind: int, at: int) -> str:
        """Say what sort of link a row is: by its first word, else by its kind."""
        for number in self._printed.get(kind, ()):
            field = self._tables.fields[number]
            value = field.values[at]
            if field.type.shape == "word" and isinstance(value, int) and field.keys == 1:
                enum = self._tables.enums[field.type.enum]
                return str(value) if enum.numeric else spoken(enum.words[value])
        return spoken(self._tables.kinds[kind].name)

    def _tip(self, kind: Kind) -> str:
        node = next(
            (
                item
                for item, _ in self._tables.items
                if isinstance(item, nodes.ComponentDecl) and item.kind.text == kind.name
            ),
            None,
        )
        cites = (
            ", ".join(dict.fromkeys(each.id for each in node.citations)) if node is not None else ""
        )
        return f"{spoken(kind.name)} [{cites}]" if cites else spoken(kind.name)

    def _kind_of(self, thing: int) -> int:
        return next(
            number
            for number, kind in enumerate(self._tables.kinds)
            if kind.base <= thing < kind.base + kind.count
        )

    def _place(self, thing: int, x: int, y: int) -> Place:
        kind = self._tables.kinds[self._kind_of(thing)]
        title = clean(kind.titles[thing - kind.base])
        if title == kind.ids[thing - kind.base]:
            title = spoken(title)
        return Place(f"p{thing}", spoken(kind.name), title, x, y, f"{title}: {self._tip(kind)}")

    # ------------------------------------------------------------ where they lie

    def _spots(
        self, things: list[int], ways: list[tuple[int, int, str, str]]
    ) -> tuple[dict[int, tuple[int, int]], bool]:
        spots = {thing: spot for thing in things if (spot := self._written(thing)) is not None}
        if not spots:
            pairs = [way[:2] for way in ways]
            return spread(things, pairs), False
        xs = [x for x, _ in spots.values()]
        unit = max(1, (max(xs) - min(xs)) * _BESIDE // 500)
        beside: dict[int, int] = {}
        left = [thing for thing in things if thing not in spots]
        for thing in left:
            # What a place itself names last in its data is what it belongs to, before links that other data give.
            own = [way[1] for way in reversed(ways) if way[0] == thing]
            ends = [*own, *(end for way in ways for end in _other_end(way, thing))]
            other = next((end for end in ends if end in spots), None)
            if other is None:
                continue
            dx, dy = _AROUND[beside.get(other, 0) % len(_AROUND)]
            beside[other] = beside.get(other, 0) + 1
            x, y = spots[other]
            spots[thing] = (x + dx * unit, y + dy * unit)
        low = max(y for _, y in spots.values())
        for number, thing in enumerate(thing for thing in things if thing not in spots):
            spots[thing] = (min(xs) + number * 20 * unit, low + 20 * unit)
        return spots, True

    def _written(self, thing: int) -> tuple[int, int] | None:
        kind = self._kind_of(thing)
        spot = []
        for name in ("x", "y"):
            number = self._tables.field_numbers.get((kind, name))
            if number is None or number not in self._printed.get(kind, ()):
                return None
            value = self._tables.fields[number].values[thing - self._tables.kinds[kind].base]
            if not isinstance(value, int):
                return None
            spot.append(value)
        return spot[0], spot[1]


def _other_end(way: tuple[int, int, str, str], thing: int) -> tuple[int, ...]:
    if way[0] == thing:
        return (way[1],)
    return (way[0],) if way[1] == thing else ()


def _both_ways(ways: list[tuple[int, int, str, str]]) -> Iterator[Way]:
    """Make one way of two that lead there and back."""
    there = {(first, second, label) for first, second, label, _ in ways}
    # A kind of links that is ever given in one direction only is one of two-way links unless some row has its return.
    returning = {label for first, second, label in there if (second, first, label) in there}
    told: set[tuple[int, int, str]] = set()
    for first, second, label, tip in ways:
        if (first, second, label) in told or first == second:
            continue
        told |= {(first, second, label)}
        back = (second, first, label) in there
        if back:
            told.add((second, first, label))
        yield Way(f"p{first}", f"p{second}", label, label in returning and not back, tip)
