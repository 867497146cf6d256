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
from typing import TYPE_CHECKING, TypeVar

from interpreter.chance import seeded
from interpreter.errors import EngineError
from interpreter.layout import FIRST_PILE
from interpreter.observation import HIDDEN, HiddenPile, Observation, ints

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from interpreter.decision import Below, Decision
    from interpreter.layout import Layout, Slots
    from interpreter.machine import Match
    from rulelang import ir

Any_Item = TypeVar("Any_Item")

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
    for _ in range(TRIES if asked != seat else 0):
        try:
            twin = match.moved(dealer.redeal(match.state(), (seat,), below, named))
        except EngineError:
            continue
        if _path(twin.pending) == _path(decision):
            return twin
    # Somebody else is asked because of what he holds: that stays too.
    return match.moved(dealer.redeal(match.state(), {seat, asked}, below, named))


class Redealer:
    """Deals anew in the states of one layout."""

    def __init__(self, layout: Layout, backs: Mapping[str, Sequence[str]] | None = None) -> None:
        self.layout = layout
        program = layout.program
        self._fields: dict[int, list[ir.Field]] = defaultdict(list)
        for each in program.fields:
            if layout.offsets[each.index] is not None and not each.pile:
                self._fields[each.kind].append(each)
        known = backs or {}
        self._backs = [
            [
                each
                for each in program.fields
                if each.kind == number
                and layout.offsets[each.index] is None
                and (each.name == "owner" or each.name in known.get(kind.name, ()))
            ]
            for number, kind in enumerate(program.kinds)
        ]
        self._keeps: dict[int, list[ir.Global]] = defaultdict(list)
        for kept in program.globals:
            if kept.card is not None:
                self._keeps[kept.card].append(kept)

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
        layout = self.layout
        views = [Observation(layout, slots, seat) for seat in seats]
        fixed = self._named(slots, set(named))
        unseen = [
            thing
            for thing in range(len(layout.kind_of))
            if layout.positions[layout.kind_of[thing]] is not None
            and all(view.where(thing)[0] is HIDDEN for view in views)
        ]
        dealt = list(slots)
        loose = [thing for thing in unseen if thing not in fixed]
        self._rename(dealt, loose, below)
        self._mix(dealt, views, fixed, below)
        self._values(dealt, views, frozenset(unseen), below)
        for path, slot in layout.streams.items():
            dealt[slot] = seeded(below(1 << 32), path)
        return dealt

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
            kind = layout.program.kinds[each.kind]
            start = layout.slot(each.index, kind.base, each.key_low)
            found.update(ints(slots[start : start + kind.count * each.keys]))
        for kept in layout.program.globals:
            if _names_things(kept.type):
                found.update(ints(slots[layout.global_slot(kept.index)]))
        for slot in (*range(layout.rows, layout.durations + 1), layout.open, layout.acting):
            found.update(ints(slots[slot]))
        return found

    # ---------------------------------------------------------------------------- what changes

    def _rename(self, slots: Slots, loose: Sequence[int], below: Below) -> None:
        """Let things with the same back change names."""
        layout = self.layout
        classes: dict[object, list[int]] = defaultdict(list)
        for thing in loose:
            kind = layout.kind_of[thing]
            backs = tuple(layout.read(slots, each.index, thing) for each in self._backs[kind])
            classes[(kind, backs)].append(thing)
        names: dict[int, int] = {}
        for things in classes.values():
            names.update(zip(things, shuffled(things, below), strict=True))
        old = list(slots)
        for thing, other in names.items():
            if thing == other:
                continue
            kind = layout.kind_of[thing]
            for each in self._fields[kind]:
                source, target = (
                    layout.slot(each.index, of, each.key_low) for of in (thing, other)
                )
                slots[target : target + each.keys] = old[source : source + each.keys]
            offset = layout.positions[kind]
            assert offset is not None  # noqa: S101 - it is somewhere unseen
            slots[offset + other] = old[offset + thing]
            for kept in self._keeps[other]:
                slots[layout.global_slot(kept.index)] = kept.initial
        for field, owner in layout.piles:
            slot = layout.slot(field, owner)
            inside = slots[slot]
            assert isinstance(inside, tuple)  # noqa: S101 - a pile
            slots[slot] = tuple([names.get(each, each) for each in inside])

    def _mix(
        self, slots: Slots, views: Sequence[Observation], fixed: set[int], below: Below
    ) -> None:
        """Give piles that are not seen another order; change things of other kinds between those of one owner."""
        layout = self.layout
        fields = layout.program.fields
        owners: dict[int, list[int]] = defaultdict(list)
        for number, (field, owner) in enumerate(layout.piles):
            slot = layout.slot(field, owner)
            if all(isinstance(view.slots[slot], HiddenPile) for view in views):
                owners[owner].append(number)
        for owner, numbers in owners.items():
            piles = {
                number: list(layout.read_tuple(slots, layout.piles[number][0], owner))
                for number in numbers
            }
            spots = [
                (number, place) for number, pile in piles.items() for place in range(len(pile))
            ]
            for here, (number, place) in enumerate(spots):
                other, there = spots[here + below(len(spots) - here)]
                mine, its = piles[number][place], piles[other][there]
                if mine in fixed or its in fixed:
                    continue
                kinds = {layout.kind_of[mine], layout.kind_of[its]}
                apart = number != other and (
                    len(kinds) == 1
                    or not all(
                        kinds <= set(_held(fields[layout.piles[each][0]]))
                        for each in (number, other)
                    )
                )
                if not apart:
                    piles[number][place], piles[other][there] = its, mine
            for number, pile in piles.items():
                slots[layout.slot(layout.piles[number][0], owner)] = tuple(pile)
                for thing in pile:
                    layout.put(slots, thing, FIRST_PILE + number, None)

    def _values(
        self, slots: Slots, views: Sequence[Observation], unseen: frozenset[int], below: Below
    ) -> None:
        """Give fields and kept values that are not seen other values."""
        layout = self.layout
        program = layout.program
        for fields in self._fields.values():
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
                self._other(slots, hidden, each.type, below)
        for kept in program.globals:
            if kept.shown and kept.sight != "open" and kept.card is None:
                self._other(slots, [layout.global_slot(kept.index)], kept.type, below)

    def _other(self, slots: Slots, hidden: Sequence[int], of: ir.Type, below: Below) -> None:
        legal = self._few(of)
        if legal:
            for slot in hidden:
                slots[slot] = legal[below(len(legal))]
        else:
            values = [slots[slot] for slot in hidden]
            for slot, value in zip(hidden, shuffled(values, below), strict=True):
                slots[slot] = value

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


def _held(pile: ir.Field) -> tuple[int, ...]:
    return pile.type.elem.kinds if pile.type.elem is not None else ()
