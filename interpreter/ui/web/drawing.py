"""Where the things of a map are drawn: a map of the table in units of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from interpreter.ui.tabletop.model import MapPanel, Piece, Place

_APART: Final = 78
"""Units of the picture between places that are close together."""
_WIDEST: Final = 1150
_MARGIN: Final = 60
_MARK: Final = 17
_IN_ROW: Final = 4
_MOST_MARKS: Final = 12


@attrs.frozen
class Mark:
    """A piece on the map.

    Attributes:
        x: Of its middle.
        y: Of its middle.
        text: A few letters, or how many there are.
        title: All about it.
        colour: A word; empty: none.
        round: Whether it stands for a player.
        offered: Whether the question is about it.
    """

    x: float
    y: float
    text: str
    title: str
    colour: str
    round: bool
    offered: bool


@attrs.frozen
class Node:
    """A place on the map.

    Attributes:
        thing: Its number.
        x: Of its middle.
        y: Of its middle.
        label: Its name, briefly.
        title: All about it, and what lies there.
        colour: A word; empty: none.
        offered: Whether the question is about it.
        marks: What lies there.
        more: How many more lie there than are drawn.
    """

    thing: int
    x: float
    y: float
    label: str
    title: str
    colour: str
    offered: bool
    marks: tuple[Mark, ...]
    more: int


@attrs.frozen
class Line:
    """A connection of two places.

    Attributes:
        x1: Of one end.
        y1: Of one end.
        x2: Of the other.
        y2: Of the other.
        kind: What sort of connection it is, as a number from 0.
    """

    x1: float
    y1: float
    x2: float
    y2: float
    kind: int


@attrs.frozen
class Picture:
    """A map.

    Attributes:
        title: In words.
        width: In units.
        height: In units.
        lines: Between places.
        nodes: The places.
    """

    title: str
    width: int
    height: int
    lines: tuple[Line, ...]
    nodes: tuple[Node, ...]


def picture(panel: MapPanel, offered: Collection[int]) -> Picture:
    """Draw a map.

    Args:
        panel: What is to be seen.
        offered: Numbers of the things that a question is about.
    """
    left = min(place.x for place in panel.places)
    top = min(place.y for place in panel.places)
    wide = max(place.x for place in panel.places) - left
    high = max(place.y for place in panel.places) - top
    unit = _unit(panel, max(wide, 1))

    def at(place: Place) -> tuple[float, float]:
        return (
            round((place.x - left) * unit + _MARGIN, 1),
            round((place.y - top) * unit + _MARGIN, 1),
        )

    where = {place.row.thing: at(place) for place in panel.places}
    kinds = {kind: n for n, kind in enumerate(sorted({link.kind for link in panel.links}))}
    lines = tuple(
        Line(*where[link.start], *where[link.end], kinds[link.kind])
        for link in panel.links
        if link.start in where and link.end in where
    )
    nodes = tuple(_node(place, *at(place), offered) for place in panel.places)
    return Picture(
        panel.title,
        round(wide * unit) + 2 * _MARGIN,
        round(high * unit) + 2 * _MARGIN,
        lines,
        nodes,
    )


def _unit(panel: MapPanel, wide: int) -> float:
    """Give how much of the picture one unit of the ruleset is, so that most places have room for their names."""
    nearest = sorted(
        min(
            (each.x - other.x) ** 2 + (each.y - other.y) ** 2
            for other in panel.places
            if (other.x, other.y) != (each.x, each.y)
        )
        ** 0.5
        for each in panel.places
        if any((other.x, other.y) != (each.x, each.y) for other in panel.places)
    )
    close = nearest[len(nearest) // 4] if nearest else 1.0
    return min(_APART / close, _WIDEST / wide)


def _node(place: Place, x: float, y: float, offered: Collection[int]) -> Node:
    row = place.row
    pieces = place.pieces
    told = [
        row.name,
        *map(str, row.facts),
        *(f"{part.name}: {', '.join(map(str, part.facts))}" for part in place.parts if part.facts),
        *map(str, pieces),
    ]
    marks = tuple(_marks(pieces[:_MOST_MARKS], x, y, offered))
    return Node(
        row.thing,
        x,
        y,
        row.short,
        "\n".join(told),
        row.colour,
        row.thing in offered or any(part.thing in offered for part in place.parts),
        marks,
        max(0, len(pieces) - _MOST_MARKS),
    )


def _marks(
    pieces: tuple[Piece, ...], x: float, y: float, offered: Collection[int]
) -> Iterator[Mark]:
    """Put pieces in rows above a place."""
    for number, piece in enumerate(pieces):
        line, place = divmod(number, _IN_ROW)
        count = min(_IN_ROW, len(pieces) - line * _IN_ROW)
        shift = (place - (count - 1) / 2) * (_MARK + 2)
        player = piece.owner is not None and piece.things == (piece.owner,)
        yield Mark(
            round(x + shift, 1),
            round(y - 20 - line * (_MARK + 2), 1),
            _letters(piece, player=player),
            str(piece),
            piece.colour,
            player,
            any(thing in offered for thing in piece.things),
        )


def _letters(piece: Piece, *, player: bool) -> str:
    if piece.count > 1:
        return str(piece.count)
    numbers = [fact.number for fact in piece.facts if fact.number is not None]
    if len(numbers) == len(piece.facts) == 1:
        return str(numbers[0])
    if player:
        return piece.name.split()[-1][:1].upper()
    return "".join(letter for letter in piece.short if letter.isalnum() or letter == "?")[:2]
