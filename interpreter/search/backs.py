"""What everybody knows of things that nobody sees: tokens of several stacks, cards of several decks.

No ruleset says what is printed on the back of a card. But where things of one kind lie in several piles and never mix,
whoever sees the pile knows what they are. So it is looked which values of their data ever lie in the same pile, in
games of their own. Of two values that do, it is not known which of them a hidden thing has; of others it is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from interpreter.search.judging import looks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.layout import Layout, Slots
    from interpreter.machine import Match
    from rulelang import ir

GAMES = 12
"""So many games are looked at."""

LARGEST = 32
"""What was found out of so many games is kept."""

SHAPES = ("word", "flag", "thing")

_known: dict[tuple[object, ...], Mapping[int, object]] = {}


def backs(match: Match) -> Mapping[int, object]:
    """What is known of a thing wherever it lies, by its number; of the state of the match nothing is read."""
    key = (match.program.digest, match.options, match.people)
    if key not in _known:
        if len(_known) >= LARGEST:
            _known.clear()
        _known[key] = _found(match)
    return _known[key]


def _found(match: Match) -> Mapping[int, object]:
    layout = match.layout
    fields = _fields(layout)
    if not fields:
        return {}
    groups = {field.index: _Groups() for field in fields}
    for number in range(GAMES):
        for seen, _ in looks(match, 0.5, f"backs/{number}"):
            _note(layout, seen.state(), fields, groups)
    known: dict[int, object] = {}
    for thing, kind in enumerate(layout.kind_of):
        parts = tuple(
            groups[field.index].of(layout.read([], field.index, thing))
            for field in fields
            if field.kind == kind
        )
        if parts:
            known[thing] = parts
    return known


def _fields(layout: Layout) -> list[ir.Field]:
    """The data by which things may lie apart: of kinds that several piles hold that not everybody sees."""
    program = layout.program
    piles: dict[int, int] = defaultdict(int)
    for field in program.fields:
        if field.pile and field.sight != "open" and field.type.elem is not None:
            for kind in field.type.elem.kinds:
                piles[kind] += 1
    return [
        field
        for field in program.fields
        if piles[field.kind] > 1
        and layout.offsets[field.index] is None
        and field.keys == 1
        and field.type.shape in SHAPES
    ]


def _note(
    layout: Layout, slots: Slots, fields: list[ir.Field], groups: Mapping[int, _Groups]
) -> None:
    for pile in layout.program.fields:
        if not pile.pile or pile.sight == "open":
            continue
        kind = layout.program.kinds[pile.kind]
        inside = [
            thing
            for owner in range(kind.base, kind.base + kind.count)
            for thing in layout.read_tuple(slots, pile.index, owner)
        ]
        for field in fields:
            values = [
                layout.read(slots, field.index, thing)
                for thing in inside
                if layout.kind_of[thing] == field.kind
            ]
            groups[field.index].join(pile.index, values)


class _Groups:
    """Values that have lain in the same piles, and those that have lain with them."""

    def __init__(self) -> None:
        self._group: dict[object, set[object]] = {}
        self._pile: dict[int, object] = {}

    def join(self, pile: int, values: list[object]) -> None:
        """Note what lies in a pile."""
        for value in values:
            mine = self._group.setdefault(value, {value})
            other = self._group[self._pile.setdefault(pile, value)]
            if mine is not other:
                mine |= other
                for each in other:
                    self._group[each] = mine

    def of(self, value: object) -> frozenset[str]:
        """The values that a thing may have as well as this one, as texts."""
        return frozenset(map(repr, self._group.get(value, {value})))
