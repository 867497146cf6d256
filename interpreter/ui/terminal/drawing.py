"""Views of the table as text with colours: a map of characters, players, tables of things.

Colours only repeat what words say: without them nothing is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs
from textual.content import Content
from textual.style import Style

from interpreter.ui.tabletop.model import KindPanel, MapPanel
from rulelang.wording import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from interpreter.ui.tabletop.model import Piece, Pile, Place, Row, Seat, SeatsPanel, View

PAINTS: Final = {
    "black": "#8a8a8a",
    "blue": "#6ea8fe",
    "brown": "#c08f5f",
    "cyan": "#56c8d8",
    "green": "#6fcf7c",
    "grey": "#a8a8a8",
    "magenta": "#e07be0",
    "orange": "#ff9e4a",
    "pink": "#ff9ecf",
    "purple": "#b794f6",
    "red": "#ff6b6b",
    "white": "#ffffff",
    "yellow": "#f2d45c",
}
_DOT = "·"
_WIDEST, _TALLEST = 220, 90
"""Largest map, in characters."""
_STEPS = 24
"""So many sizes are tried until no two labels cover each other."""
_SHOWN_MARKS = 5
_NUDGES: Final = sorted(
    ((aside, below) for aside in range(-9, 10) for below in range(-2, 3)),
    key=lambda each: (abs(each[0]) + 4 * abs(each[1]), each),
)
"""How far a label may be moved, the nearest first."""


def paint(colour: str) -> str:
    """Give the colour of a word as Textual writes it; empty for none."""
    return PAINTS.get(colour, "")


def styled(text: str, colour: str = "", *, strong: bool = False) -> Content:
    """Write a text in a colour."""
    style = " ".join(each for each in ("bold" if strong else "", paint(colour)) if each)
    return Content.styled(text, style) if style else Content(text)


# ---------------------------------------------------------------- the map


def mark(piece: Piece) -> str:
    """Write a piece in a few characters: `@1` a player, `3s2` three ships of the second, `Gov` a thing."""
    if piece.owner is not None:
        seat = piece.owner + 1
        if piece.things == (piece.owner,):
            return f"@{seat}"
        count = piece.count if piece.count > 1 else ""
        return f"{count}{piece.kind[:1].lower()}{seat}"
    if piece.short.endswith("?"):
        return "?" * min(piece.count, 3)
    numbers = [str(fact.number) for fact in piece.facts if fact.number is not None]
    if piece.kind and piece.count == 1 and piece.name.startswith(("a ", "an ")) and numbers:
        return f"{piece.short[:1].upper()}{numbers[0]}"
    return f"{piece.count if piece.count > 1 else ''}{piece.short[:3]}"


class _Canvas:
    """Characters with styles."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[" "] * width for _ in range(height)]
        self._styles: list[list[str]] = [[""] * width for _ in range(height)]
        self._things: list[list[int]] = [[-1] * width for _ in range(height)]

    def line(self, x: int, y: int, to_x: int, to_y: int) -> None:
        steps = max(abs(to_x - x), abs(to_y - y) * 2, 1)
        for step in range(1, steps):
            column = x + round((to_x - x) * step / steps)
            row = y + round((to_y - y) * step / steps)
            if (column + row) % 2 == 0 and self._cells[row][column] == " ":
                self._cells[row][column] = _DOT
                self._styles[row][column] = "dim"

    def write(self, x: int, y: int, text: str, style: str, thing: int) -> None:
        for offset, letter in enumerate(text):
            if 0 <= x + offset < self.width and 0 <= y < self.height:
                self._cells[y][x + offset] = letter
                self._styles[y][x + offset] = style
                self._things[y][x + offset] = thing

    def content(self) -> Content:
        lines: list[Content] = []
        for cells, styles, things in zip(self._cells, self._styles, self._things, strict=True):
            parts: list[Content] = []
            start = 0
            for at in range(1, self.width + 1):
                if at == self.width or (styles[at], things[at]) != (styles[start], things[start]):
                    part = Content("".join(cells[start:at]))
                    if styles[start]:
                        part = part.stylize(styles[start])
                    if things[start] >= 0:
                        part = part.stylize(
                            Style.from_meta({"@click": f"screen.about({things[start]})"})
                        )
                    parts.append(part)
                    start = at
            lines.append(Content("").join(parts).rstrip())
        return Content("\n").join(lines)


@attrs.frozen
class Drawing:
    """A drawn map.

    Attributes:
        text: The characters.
        at: For each place the column and row of the middle of its name.
    """

    text: Content
    at: Mapping[int, tuple[int, int]]


_Label = tuple[str, list[tuple[str, str]]]


def draw_map(panel: MapPanel, width: int, height: int, lit: Collection[int] = ()) -> Drawing:
    """Draw a map in at least so many characters; more where labels would cover each other.

    Args:
        panel: The map.
        width: Of the window.
        height: Of the window.
        lit: Numbers of things that are to stand out.
    """
    width, height = max(width, 20), max(height, 6)
    labels = {place.row.thing: _label(place) for place in panel.places}
    at: dict[int, tuple[int, int]] | None = None
    wide, tall = width, height
    for step in range(_STEPS):
        wide, tall = min(_WIDEST, width + step * 6), min(_TALLEST, height + step * 2)
        at = _arranged(_scaled(panel.places, labels, wide, tall), labels, wide, tall)
        if at is not None:
            break
    if at is None:
        at = _scaled(panel.places, labels, wide, tall)
    return Drawing(_drawn(panel, labels, at, wide, tall, lit), at)


def _label(place: Place) -> _Label:
    """The name of a place, and the marks of what lies there with their colours."""
    marks = [(mark(piece), piece.colour) for piece in place.pieces]
    numbers = [
        (f"{fact.name[:1]}{fact.number}", "") for fact in place.row.facts if fact.number is not None
    ]
    shown = [*marks, *numbers]
    if len(shown) > _SHOWN_MARKS:
        shown = [*shown[: _SHOWN_MARKS - 1], (f"+{len(shown) - _SHOWN_MARKS + 1}", "")]
    return place.row.short, shown


def _size(label: _Label) -> tuple[int, int]:
    name, marks = label
    below = sum(len(text) + 1 for text, _ in marks) - 1 if marks else 0
    return max(len(name), below), 2 if marks else 1


def _scaled(
    places: Sequence[Place], labels: Mapping[int, _Label], width: int, height: int
) -> dict[int, tuple[int, int]]:
    """The column and row of the middle of each label, as the coordinates say."""
    left, right = min(each.x for each in places), max(each.x for each in places)
    top, bottom = min(each.y for each in places), max(each.y for each in places)
    margin = max(_size(label)[0] for label in labels.values()) // 2 + 1
    across, down = max(width - 2 * margin - 1, 1), max(height - 2, 1)
    return {
        each.row.thing: (
            margin + round((each.x - left) * across / max(right - left, 1)),
            round((each.y - top) * down / max(bottom - top, 1)),
        )
        for each in places
    }


def _arranged(
    at: Mapping[int, tuple[int, int]], labels: Mapping[int, _Label], width: int, height: int
) -> dict[int, tuple[int, int]] | None:
    """Move labels a little where they would cover each other; None if that is not enough."""
    taken: set[tuple[int, int]] = set()
    found: dict[int, tuple[int, int]] = {}
    for thing, (x, y) in sorted(at.items(), key=lambda each: (each[1][1], each[1][0])):
        wide, tall = _size(labels[thing])
        for aside, below in _NUDGES:
            left, top = x + aside - wide // 2, y + below
            if left < 0 or top < 0 or left + wide > width or top + tall > height:
                continue
            cells = {(left + dx, top + dy) for dx in range(-1, wide + 1) for dy in range(tall)}
            if not taken & cells:
                taken |= cells
                found[thing] = (x + aside, top)
                break
        else:
            return None
    return found


def _drawn(
    panel: MapPanel,
    labels: Mapping[int, _Label],
    at: Mapping[int, tuple[int, int]],
    width: int,
    height: int,
    lit: Collection[int],
) -> Content:
    canvas = _Canvas(width, height)
    for link in panel.links:
        canvas.line(*at[link.start], *at[link.end])
    for place in panel.places:
        thing = place.row.thing
        x, y = at[thing]
        name, marks = labels[thing]
        inside = {thing, *(part.thing for part in place.parts)}
        reverse = " reverse" if inside & set(lit) else ""
        style = f"bold {paint(place.row.colour)}{reverse}".strip()
        canvas.write(x - len(name) // 2, y, name, style, thing)
        left = x - (sum(len(text) + 1 for text, _ in marks) - 1) // 2
        for text, colour in marks:
            canvas.write(left, y + 1, text, paint(colour) or "italic", thing)
            left += len(text) + 1
    return canvas.content()


# ---------------------------------------------------------------- tables


def players(panel: SeatsPanel, asked: int | None) -> Content:
    """Write the players, who is asked marked by an arrow."""
    return Content("\n").join(
        line
        for seat in panel.seats
        for line in (*_seat(seat, asked=seat.seat == asked), Content(""))
    )


def _seat(seat: Seat, *, asked: bool) -> Iterator[Content]:
    tags = [
        tag
        for tag, holds in (("you", seat.you), ("automa", seat.automa), ("has won", seat.won))
        if holds
    ]
    name = f"{'>' if asked else ' '} {seat.row.name}{f' ({listed(tags)})' if tags else ''}"
    score = "  ".join(map(str, seat.score))
    yield styled(name, seat.row.colour, strong=True) + Content(f"  {score}" if score else "")
    yield from _inside(seat.row, "    ")


def _inside(row: Row, indent: str) -> Iterator[Content]:
    if row.facts:
        yield Content(f"{indent}{', '.join(map(str, row.facts))}")
    for pile in row.piles:
        if pile.size:
            yield Content(f"{indent}{_pile(pile)}")
    if row.pieces:
        parts = [styled(str(piece), piece.colour) for piece in row.pieces]
        yield Content(f"{indent}here: ") + Content(", ").join(parts)


def _pile(pile: Pile) -> str:
    if not pile.seen:
        return f"{pile.name}: {pile.size} unseen"
    return f"{pile.name} ({pile.size}): {', '.join(map(str, pile.pieces))}"


def things(view: View) -> Content:
    """Write everything that is not a player: places of the map and tables of things by kind."""
    lines: list[Content] = []
    for panel in view.panels:
        if isinstance(panel, MapPanel):
            rows = [each for place in panel.places for each in (place.row, *place.parts)]
            lines += [*_table(panel.title, rows), Content("")]
        elif isinstance(panel, KindPanel):
            lines += _table(panel.title, panel.rows)
            for name, pieces in (("not on the table", panel.supply), ("in the box", panel.box)):
                if pieces:
                    lines.append(Content(f"  {name}: {', '.join(map(str, pieces))}"))
            lines.append(Content(""))
    return Content("\n").join(lines)


def _table(title: str, rows: Iterable[Row]) -> Iterator[Content]:
    yield styled(title.capitalize(), strong=True)
    for row in rows:
        inside = list(_inside(row, "      "))
        if inside:
            yield styled(f"  {row.name}", row.colour)
            yield from inside


def about(row: Row) -> Content:
    """Write all about a thing."""
    lines = [styled(row.name, row.colour, strong=True)]
    lines += [
        Content(f"  {fact}") + Content.styled(f"  {fact.doc}" if fact.doc else "", "dim")
        for fact in row.facts
    ]
    lines += [Content(f"  {_pile(pile)}") for pile in row.piles]
    if row.pieces:
        lines.append(Content(f"  here: {', '.join(map(str, row.pieces))}"))
    return Content("\n").join(lines)
