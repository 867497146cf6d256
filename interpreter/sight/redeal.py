"""Other states that a seat cannot tell from this one: what it does not see is dealt anew.

Search against hidden information draws such states ("determinisation"), and a test of secrecy compares what they
show. What is dealt anew:

* Things whose whereabouts the seat does not see, in piles that it does not see or face down, change places with
  others of their kind: the state is that in which one was the other from the start. A thing that belongs to somebody
  (`owner`) only changes with others of that owner, and only with those that are equal in the fields named as backs.
* A pile that the seat does not see gets another order, and things of different kinds that may lie in two such piles of
  one owner change places.
* Fields and kept values that the seat does not see get other values of their type if that has few, else those of
  the same field of others that it does not see either.
* Chance is seeded anew.

What something names stays what it is: a visible value, an open doing, a frame of the suspended game, what is offered.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import attrs

from interpreter.chance import seeded
from interpreter.errors import EngineError
from interpreter.layout import FIRST_PILE
from interpreter.sight.observation import HIDDEN, HiddenPile, Observation, ints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from interpreter.decision import Below, Decision
    from interpreter.layout import Layout, Slots
    from interpreter.machine import Match
    from rulelang import ir

Any_Item = TypeVar("Any_Item")
_Spot: TypeAlias = "tuple[int, int]"
"""Number of a pile, and place in it."""
_Piles: TypeAlias = "dict[int, list[int]]"

FEW = 64
"""A range with more numbers is not drawn from."""

TRIES = 8
"""So often is dealt until somebody else is still asked what he is asked."""


def redealt(
    match: Match, seat: int, below: Below, backs: Mapping[str, Sequence[str]] | None = None
) -> Match:
    """A copy of a suspended match that stands at the same decision, what a seat does not see dealt anew.

    The copy has no providers.

    Args:
        match: It is not changed.
        seat: Who sees no difference.
        below: Draws from 0 to n - 1.
        backs: For kinds the data fields that everybody knows of a thing that is not seen: of what colour its back is.

    Raises:
        RuleFault: the new states make the question impossible.
    """
    decision = match.pending
    asked = seat if decision is None else decision.seat
    named = set(match.named())
    if decision is not None and asked == seat:
        named.update(ints(decision.options.groups))
    dealer = Redealer(match.layout, backs)
    states = dealer.redeals(match.state(), (seat,), below, named)
    for dealt in islice(states, TRIES if asked != seat else 0):
        try:
            twin = match.moved(dealt)
        except EngineError:
            continue
        if _path(twin.pending) == _path(decision):
            return twin
    # Somebody else is asked because of what he holds: that stays too.
    return match.moved(dealer.redeal(match.state(), {seat, asked}, below, named))


class Redealer:
    """Deals anew in the states of one layout.

    Args:
        layout: The layout.
        backs: For kinds the data fields that everybody knows of a thing that is not seen: of what colour its back is.
        known: The same of single things, whatever it is; where it is left out nothing is known.

    Attributes:
        layout: The layout.
        fields: For each kind the fields that have slots, piles left out.
        keeps: For each card what it keeps.
    """

    def __init__(
        self,
        layout: Layout,
        backs: Mapping[str, Sequence[str]] | None = None,
        known: Mapping[int, object] | None = None,
    ) -> None:
        self.layout = layout
        self._known = known or {}
        program = layout.program
        self.fields: dict[int, list[ir.Field]] = defaultdict(list)
        for each in program.fields:
            if layout.offsets[each.index] is not None and not each.pile:
                self.fields[each.kind].append(each)
        named = backs or {}
        self._backs = [
            [
                each
                for each in program.fields
                if each.kind == number
                and layout.offsets[each.index] is None
                and (each.name == "owner" or each.name in named.get(kind.name, ()))
            ]
            for number, kind in enumerate(program.kinds)
        ]
        self.keeps: dict[int, list[ir.Global]] = defaultdict(list)
        for kept in program.globals:
            if kept.card is not None:
                self.keeps[kept.card].append(kept)

    def redeal(
        self, slots: Slots, seats: Iterable[int], below: Below, named: Iterable[int] = ()
    ) -> Slots:
        """A state in which nothing differs that the seats see.

        Args:
            slots: The state; it is not changed.
            seats: Who see no difference.
            below: Draws from 0 to n - 1.
            named: Things that stay what they are.
        """
        return next(self.redeals(slots, seats, below, named))

    def redeals(
        self, slots: Slots, seats: Iterable[int], below: Below, named: Iterable[int] = ()
    ) -> Iterator[Slots]:
        """States without end as :meth:`redeal` gives them; what is alike in them is worked out once."""
        deal = self.prepare(slots, seats, named)
        while True:
            dealt = deal.deal(below)
            for path, slot in self.layout.streams.items():
                dealt[slot] = seeded(below(1 << 32), path)
            yield dealt

    def prepare(self, slots: Slots, seats: Iterable[int], named: Iterable[int] = ()) -> Deal:
        """What can be dealt anew in a state, for several deals.

        Args:
            slots: The state; it is not changed.
            seats: Who see no difference.
            named: Things that stay what they are.
        """
        layout = self.layout
        views = [Observation(layout, slots, seat) for seat in seats]
        fixed = self._named(slots, set(named))
        unseen = [
            thing
            for thing in range(len(layout.kind_of))
            if layout.positions[layout.kind_of[thing]] is not None
            and all(view.where(thing)[0] is HIDDEN for view in views)
        ]
        classes: dict[object, list[int]] = defaultdict(list)
        for thing in unseen:
            if thing not in fixed:
                kind = layout.kind_of[thing]
                backs = tuple(layout.read(slots, each.index, thing) for each in self._backs[kind])
                classes[(kind, backs, self._known.get(thing))].append(thing)
        owners: dict[int, list[int]] = defaultdict(list)
        for number, (field, owner) in enumerate(layout.piles):
            slot = layout.slot(field, owner)
            if all(isinstance(view.slots[slot], HiddenPile) for view in views):
                owners[owner].append(number)
        return Deal(
            self,
            list(slots),
            tuple(classes.values()),
            tuple(group for numbers in owners.values() for group in self._groups(numbers)),
            frozenset(fixed),
            tuple(self._values(views, frozenset(unseen))),
        )

    # ---------------------------------------------------------------------------- what stays

    def _named(self, slots: Slots, named: set[int]) -> set[int]:
        """The things that something names."""
        layout = self.layout
        found = {number for number in named if 0 <= number < len(layout.kind_of)}
        for each in layout.program.fields:
            if each.pile or layout.offsets[each.index] is None or not _names_things(each.type):
                continue
            if each.index == layout.program.kinds[each.kind].place:
                continue
            found.update(ints(slots[layout.slots_of(each)]))
        for kept in layout.program.globals:
            if _names_things(kept.type):
                found.update(ints(slots[layout.global_slot(kept.index)]))
        for slot in (*range(layout.rows, layout.durations + 1), layout.open, layout.acting):
            found.update(ints(slots[slot]))
        return found

    # ---------------------------------------------------------------------------- what changes

    def held(self, pile: int) -> frozenset[int]:
        """The kinds that may lie in a pile."""
        elem = self.layout.program.fields[self.layout.piles[pile][0]].type.elem
        return frozenset(elem.kinds if elem is not None else ())

    def _groups(self, piles: Sequence[int]) -> list[tuple[int, ...]]:
        """Part piles so that no thing of one group may change places with another kind in another group."""
        groups: list[tuple[int, ...]] = []
        for pile in piles:
            kinds = self.held(pile)
            joined = [
                each for each in groups if any(len(kinds & self.held(one)) > 1 for one in each)
            ]
            groups = [each for each in groups if each not in joined]
            groups.append((*(one for each in joined for one in each), pile))
        return groups

    def _values(
        self, views: Sequence[Observation], unseen: frozenset[int]
    ) -> Iterator[tuple[tuple[int, ...], tuple[object, ...]]]:
        """Give slots of fields and kept values that are not seen, with the values that they may have if few."""
        layout = self.layout
        program = layout.program
        for fields in self.fields.values():
            for each in fields:
                kind = program.kinds[each.kind]
                if each.sight == "open" or each.name == "face_up":
                    continue
                places = [
                    layout.slot(each.index, thing, key)
                    for thing in range(kind.base, kind.base + kind.count)
                    if thing not in unseen
                    for key in range(each.key_low, each.key_low + each.keys)
                ]
                hidden = [
                    slot for slot in places if all(view.slots[slot] is HIDDEN for view in views)
                ]
                yield tuple(hidden), self._few(each.type)
        for kept in program.globals:
            if kept.shown and kept.sight != "open" and kept.card is None:
                yield (layout.global_slot(kept.index),), self._few(kept.type)

    def _few(self, of: ir.Type) -> tuple[object, ...]:
        """All values of a type that has few and names nothing; nothing of another."""
        found: tuple[object, ...] = ()
        if of.shape == "flag":
            found = (False, True)
        elif of.shape == "word":
            enum = self.layout.program.enums[of.enum]
            low = enum.low if enum.numeric else 0
            found = tuple(range(low, low + len(enum.words)))
        elif (
            of.shape == "number" and of.lo is not None and of.hi is not None and of.hi - of.lo < FEW
        ):
            found = tuple(range(of.lo, of.hi + 1))
        return (*found, None) if found and of.optional else found


@attrs.frozen(eq=False)
class Deal:
    """What can be dealt anew in one state.

    Attributes:
        dealer: Of the layout.
        slots: The state; it is not changed.
        classes: Things that change names with each other.
        piles: For each owner the numbers of the piles that are not seen.
        fixed: Things that stay where they are.
        values: Slots that get other values, with all values that they may have; none: they change theirs.
    """

    dealer: Redealer
    slots: Slots
    classes: tuple[list[int], ...]
    piles: tuple[tuple[int, ...], ...]
    fixed: frozenset[int]
    values: tuple[tuple[tuple[int, ...], tuple[object, ...]], ...]

    def deal(self, below: Below) -> Slots:
        """Another state; its chance is that of this one.

        Args:
            below: Draws from 0 to n - 1.
        """
        dealt = self.slots[:]
        names: dict[int, int] = {}
        for things in self.classes:
            names.update(zip(things, shuffled(things, below), strict=True))
        self._rename(dealt, names)
        self._mix(dealt, self._mixed, lambda _, spots, here: here + below(len(spots) - here))
        for hidden, legal in self.values:
            if legal:
                for slot in hidden:
                    dealt[slot] = legal[below(len(legal))]
            else:
                values = [dealt[slot] for slot in hidden]
                for slot, value in zip(hidden, shuffled(values, below), strict=True):
                    dealt[slot] = value
        return dealt

    def settled(self) -> Deal:
        """The same from one state for all those that the seats cannot tell apart.

        What is dealt from there depends on nothing that they do not see.
        """
        made = self.slots[:]
        class_of = {thing: number for number, each in enumerate(self.classes) for thing in each}
        ranks = {
            thing: (class_of.get(thing, -1), repr(self._bundle(made, thing)))
            for group in self.piles
            for number in group
            for thing in self.dealer.layout.read_tuple(made, *self.dealer.layout.piles[number])
        }

        def least(piles: _Piles, spots: Sequence[_Spot], here: int) -> int:
            fitting = [
                there
                for there in range(here, len(spots))
                if self._may_change(piles, spots[here], spots[there])
            ]
            return min(
                fitting,
                key=lambda there: ranks[piles[spots[there][0]][spots[there][1]]],
                default=here,
            )

        self._mix(made, self.piles, least)
        names: dict[int, int] = {}
        for things in self.classes:
            spots = sorted(things, key=lambda thing: self._spot(made, thing))
            names.update(zip(spots, things, strict=True))
        self._rename(made, names)
        for hidden, legal in self.values:
            values = (
                [legal[0]] * len(hidden)
                if legal
                else sorted((made[each] for each in hidden), key=repr)
            )
            for slot, value in zip(hidden, values, strict=True):
                made[slot] = value
        return attrs.evolve(self, slots=made)

    def _bundle(self, slots: Slots, thing: int) -> tuple[object, ...]:
        """What a thing is marked with: it stays where it is when the thing changes names."""
        layout = self.dealer.layout
        fields = self.dealer.fields[layout.kind_of[thing]]
        return tuple(
            layout.read(slots, each.index, thing, each.key_low + key)
            for each in fields
            for key in range(each.keys)
        )

    def _spot(self, slots: Slots, thing: int) -> tuple[int, int, str]:
        """Where a thing lies, and as what."""
        layout = self.dealer.layout
        position, _ = layout.where(slots, thing)
        place = -1
        if position >= FIRST_PILE:
            place = layout.read_tuple(slots, *layout.piles[position - FIRST_PILE]).index(thing)
        return position, place, repr(self._bundle(slots, thing))

    def _rename(self, slots: Slots, names: Mapping[int, int]) -> None:
        """Let each thing be the other one from the start."""
        layout = self.dealer.layout
        old = list(slots)
        for thing, other in names.items():
            if thing == other:
                continue
            kind = layout.kind_of[thing]
            for each in self.dealer.fields[kind] if thing in self._marked else ():
                source, target = (
                    layout.slot(each.index, of, each.key_low) for of in (thing, other)
                )
                slots[target : target + each.keys] = old[source : source + each.keys]
            offset = layout.positions[kind]
            assert offset is not None  # noqa: S101 - it is somewhere unseen
            slots[offset + other] = old[offset + thing]
            for kept in self.dealer.keeps[other]:
                slots[layout.global_slot(kept.index)] = kept.initial
        for slot in self._loaded:
            inside = slots[slot]
            assert isinstance(inside, tuple)  # noqa: S101 - a pile
            slots[slot] = tuple([names.get(each, each) for each in inside])

    @cached_property
    def _marked(self) -> frozenset[int]:
        """The things of classes whose things are marked in different ways."""
        return frozenset(
            thing
            for things in self.classes
            if len({self._bundle(self.slots, thing) for thing in things}) > 1
            for thing in things
        )

    @cached_property
    def _loaded(self) -> tuple[int, ...]:
        """The slots of piles in which things may change names."""
        layout = self.dealer.layout
        loose = {thing for things in self.classes for thing in things}
        slots = (layout.slot(field, owner) for field, owner in layout.piles)
        return tuple(slot for slot in slots if not loose.isdisjoint(ints(self.slots[slot])))

    @cached_property
    def _mixed(self) -> tuple[tuple[int, ...], ...]:
        """The groups of piles that are not mixed already when their things change names."""
        layout = self.dealer.layout
        class_of = {thing: number for number, each in enumerate(self.classes) for thing in each}
        found = []
        for group in self.piles:
            inside = [
                thing
                for number in group
                for thing in layout.read_tuple(self.slots, *layout.piles[number])
            ]
            one = len({class_of.get(thing) for thing in inside}) <= 1
            if not one or not self._marked.isdisjoint(inside):
                found.append(group)
        return tuple(found)

    def _mix(
        self,
        slots: Slots,
        groups: Iterable[tuple[int, ...]],
        choose: Callable[[_Piles, Sequence[_Spot], int], int],
    ) -> None:
        """Give piles that are not seen another order; change things of other kinds between those of one owner."""
        layout = self.dealer.layout
        for group in groups:
            piles = {
                number: list(layout.read_tuple(slots, *layout.piles[number])) for number in group
            }
            spots = [
                (number, place) for number, pile in piles.items() for place in range(len(pile))
            ]
            for here, spot in enumerate(spots):
                other = spots[choose(piles, spots, here)]
                if other != spot and self._may_change(piles, spot, other):
                    mine, its = piles[spot[0]][spot[1]], piles[other[0]][other[1]]
                    piles[spot[0]][spot[1]], piles[other[0]][other[1]] = its, mine
            for number, pile in piles.items():
                slots[layout.slot(*layout.piles[number])] = tuple(pile)
                for thing in pile:
                    layout.put(slots, thing, FIRST_PILE + number, None)

    def _may_change(self, piles: _Piles, spot: _Spot, other: _Spot) -> bool:
        """May what lies in these spots change places?"""
        mine, its = piles[spot[0]][spot[1]], piles[other[0]][other[1]]
        if mine in self.fixed or its in self.fixed:
            return False
        if spot[0] == other[0]:
            return True
        kinds = {self.dealer.layout.kind_of[mine], self.dealer.layout.kind_of[its]}
        return len(kinds) > 1 and all(
            kinds <= self.dealer.held(number) for number in (spot[0], other[0])
        )


def differences(match: Match, twin: Match, seat: int) -> list[str]:
    """Say what a seat could tell two matches apart by: its view, and its question if it is asked."""
    layout = match.layout
    mine, its = match.observation(seat), twin.observation(seat)
    found = [
        f"sees {layout.describe(slot)}"
        for slot, (one, other) in enumerate(zip(mine.slots, its.slots, strict=True))
        if one != other
    ]
    if mine.face_down != its.face_down:
        found.append("sees what lies face down")
    here, there = match.pending, twin.pending
    if here is None or there is None or (here.path, here.seat) != (there.path, there.seat):
        return [*found, f"{_path(here)} becomes {_path(there)}"]
    if here.seat != seat:
        return found
    if here.prompt != there.prompt:
        found.append(f"{here.path} asks {here.prompt!r}, then {there.prompt!r}")
    if list(here.options) != list(there.options):
        found.append(f"{here.path} offers something else")
    elif here.options.some(FEW) != there.options.some(FEW):
        found.append(f"{here.path} allows something else")
    return found


def _path(decision: Decision | None) -> str:
    return "the end" if decision is None else f"{decision.path} of seat {decision.seat}"


def shuffled(items: Sequence[Any_Item], below: Below) -> list[Any_Item]:
    """The items in another order."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        place = below(last + 1)
        order[last], order[place] = order[place], order[last]
    return order


def _names_things(of: ir.Type) -> bool:
    return _names_things(of.elem) if of.elem is not None else of.shape == "thing"
