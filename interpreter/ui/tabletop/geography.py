"""Which things of a program are places on a map, where they are, and what connects them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.layout import Layout
from interpreter.ui.tabletop.model import Link
from rulelang.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulelang.ir import Field, Program
    from rulelang.presenting import Hints

_FEWEST = 2
"""Places that make a map."""


@attrs.frozen
class Geography:
    """The map of a program; empty if it has none.

    Attributes:
        points: For each place where it is.
        part_of: For each thing inside of a place without a point of its own, the place.
        links: Between places.
        markers: Numbers of the fields of a player that say where the player is.
        kinds: Numbers of the kinds of places and parts, in their order.
    """

    points: Mapping[int, tuple[int, int]]
    part_of: Mapping[int, int]
    links: tuple[Link, ...]
    markers: tuple[int, ...]
    kinds: tuple[int, ...]


def geography_of(program: Program, hints: Hints) -> Geography:
    """Find the map of a program, from its data and from hints."""
    return _Survey(program, hints).geography()


class _Survey:
    def __init__(self, program: Program, hints: Hints) -> None:
        self._program = program
        self._hints = hints
        self._layout = Layout(program)
        self._data: dict[int, list[Field]] = {}
        for field in program.fields:
            if not field.mutable and not field.pile and field.keys == 1 and field.sight == "open":
                self._data.setdefault(field.kind, []).append(field)

    def geography(self) -> Geography:
        points = self._points()
        if len(points) < _FEWEST:
            return Geography({}, {}, (), (), ())
        parts = self._parts(points)
        kinds = dict.fromkeys(self._layout.kind_of[thing] for thing in (*points, *parts))
        at = {**{thing: thing for thing in points}, **parts}
        return Geography(
            points, parts, tuple(self._links(at)), self._markers(tuple(kinds)), tuple(kinds)
        )

    def _points(self) -> dict[int, tuple[int, int]]:
        hints, program = self._hints, self._program
        found: dict[int, tuple[int, int]] = {}
        for number, kind in enumerate(program.kinds):
            if hints.places and kind.name not in hints.places:
                continue
            fields = {field.name: field for field in self._data.get(number, ())}
            across, down = fields.get(hints.x), fields.get(hints.y)
            for thing, name in enumerate(kind.ids, kind.base):
                if name in hints.at:
                    found[thing] = hints.at[name]
                elif across is not None and down is not None and across is not down:
                    x = self._layout.read([], across.index, thing)
                    y = self._layout.read([], down.index, thing)
                    if isinstance(x, int) and isinstance(y, int):
                        found[thing] = (x, y)
        return found

    def _parts(self, points: Mapping[int, tuple[int, int]]) -> dict[int, int]:
        """Things in which others can lie, and that have a fixed place on the map."""
        program = self._program
        holding = {
            kind
            for each in program.kinds
            if each.place is not None
            for kind in program.fields[each.place].type.kinds
        }
        found: dict[int, int] = {}
        for number in holding:
            kind = program.kinds[number]
            for field in self._data.get(number, ()):
                if field.type.shape != "thing":
                    continue
                for thing in range(kind.base, kind.base + kind.count):
                    place = self._layout.read([], field.index, thing)
                    if isinstance(place, int) and place in points and thing not in points:
                        found.setdefault(thing, place)
        return found

    def _links(self, at: Mapping[int, int]) -> Iterator[Link]:
        wanted = self._hints.links
        seen: set[tuple[int, int, str]] = set()
        for number, kind in enumerate(self._program.kinds):
            ends = [
                field
                for field in self._data.get(number, ())
                if field.type.shape == "thing" and not field.type.optional
            ]
            chosen = kind.name in wanted if wanted is not None else True
            if chosen and len(ends) == 2 and kind.base not in at:
                sort = next((f for f in self._data[number] if f.type.shape == "word"), None)
                for thing in range(kind.base, kind.base + kind.count):
                    a, b = (self._layout.read([], field.index, thing) for field in ends)
                    yield from self._link(a, b, self._word(sort, thing), at, seen)
            for field in self._data.get(number, ()):
                one = field.type.elem or field.type
                chosen = wanted is None or f"{kind.name}.{field.name}" in wanted
                if not chosen or one.shape != "thing" or field.type.shape not in {"set", "thing"}:
                    continue
                for thing in range(kind.base, kind.base + kind.count):
                    value = self._layout.read([], field.index, thing)
                    for other in value if isinstance(value, tuple) else (value,):
                        yield from self._link(thing, other, "", at, seen)

    @staticmethod
    def _link(
        a: object, b: object, sort: str, at: Mapping[int, int], seen: set[tuple[int, int, str]]
    ) -> Iterator[Link]:
        if not isinstance(a, int) or not isinstance(b, int) or a not in at or b not in at:
            return
        start, end = sorted((at[a], at[b]))
        if start != end and (start, end, sort) not in seen:
            seen.add((start, end, sort))
            yield Link(start, end, sort)

    def _word(self, field: Field | None, thing: int) -> str:
        value = None if field is None else self._layout.read([], field.index, thing)
        if field is None or not isinstance(value, int):
            return ""
        enum = self._program.enums[field.type.enum]
        return str(value) if enum.numeric else spoken(enum.words[value])

    def _markers(self, kinds: tuple[int, ...]) -> tuple[int, ...]:
        wanted = self._hints.markers
        found: list[int] = []
        for field in self._program.fields:
            if field.kind != 0 or field.type.shape != "thing" or not field.mutable or field.pile:
                continue
            called = {spoken(self._program.kinds[kind].name) for kind in field.type.kinds}
            usual = spoken(field.name) in called and field.lent_by is None
            if set(field.type.kinds) & set(kinds) and (
                usual if wanted is None else field.name in wanted
            ):
                found.append(field.index)
        return tuple(found)
