"""What a seat sees of the table as pieces of HTML: each place, player and kind by itself, to be exchanged alone."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import attrs
from jinja2 import Environment, PackageLoader, StrictUndefined

from interpreter.ui.tabletop.model import KindPanel, MapPanel, SeatsPanel
from interpreter.ui.web.drawing import picture

if TYPE_CHECKING:
    from interpreter.ui.tabletop.model import Panel, Seat, View

_PACKAGE: Final = "interpreter.ui.web"
_KEPT: Final = 2000
"""Pieces of HTML."""


def environment() -> Environment:
    """Give the templates; what is put into them is text, never markup."""
    return Environment(
        loader=PackageLoader(_PACKAGE, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@attrs.frozen
class Shown:
    """A panel as HTML.

    Attributes:
        key: What it is called among the panels.
        before: HTML that stays.
        slots: Names of its parts with their HTML, in order; a part is what stands inside of its element.
        after: HTML that stays.
        element: What a part stands in.
    """

    key: str
    before: str
    slots: tuple[tuple[str, str], ...]
    after: str
    element: str

    @property
    def html(self) -> str:
        """All of it."""
        inside = "".join(
            f'<{self.element} data-slot="{name}" class="slot">{html}</{self.element}>'
            for name, html in self.slots
        )
        return f"{self.before}{inside}{self.after}"

    @property
    def empty(self) -> str:
        """All of it, with nothing in its parts."""
        return attrs.evolve(self, slots=tuple((name, "") for name, _ in self.slots)).html


class Renderer:
    """Writes views of the table as HTML. What was written a short time ago is not written again.

    Args:
        templates: See :func:`environment`.
    """

    def __init__(self, templates: Environment) -> None:
        macros: Any = templates.get_template("panels.html").module

        @lru_cache(maxsize=_KEPT)
        def written(macro: str, *about: object) -> str:
            return str(getattr(macros, macro)(*about))

        self._written = written

    def panels(self, view: View, offered: frozenset[int] = frozenset()) -> list[Shown]:
        """Write the panels of a view.

        Args:
            view: What a seat sees.
            offered: Numbers of the things that a question is about: they are marked.
        """
        now = str(self._written("now", view.phases, view.now))
        return [
            Shown("now", "", (("now", now),), "", "div"),
            *(self._panel(panel, offered) for panel in view.panels),
        ]

    def _panel(self, panel: Panel, offered: frozenset[int]) -> Shown:
        written = self._written
        match panel:
            case MapPanel():
                drawn = picture(panel, offered)
                slots = tuple(
                    (f"place-{node.thing}", written("node", node)) for node in drawn.nodes
                )
                before = written("map_begin", drawn.title, drawn.width, drawn.height, drawn.lines)
                return Shown("map", before, slots, "</svg></div>", "g")
            case SeatsPanel():
                slots = tuple(
                    (f"seat-{seat.seat}", written("seat", seat, _about(offered, seat)))
                    for seat in panel.seats
                )
                return Shown("players", '<div class="seats">', slots, "</div>", "div")
            case KindPanel():
                key = f"kind-{panel.kind}"
                return Shown(key, "", ((key, written("kind", panel, offered)),), "", "section")


def _about(offered: frozenset[int], seat: Seat) -> frozenset[int]:
    """Give those of the things that are at a seat."""
    pieces = [*seat.row.pieces, *(piece for pile in seat.row.piles for piece in pile.pieces)]
    return offered & {seat.row.thing, *(thing for piece in pieces for thing in piece.things)}
