"""What a seat sees of the table as pieces of HTML: each place, player and kind by itself, to be exchanged alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
from jinja2 import Environment, PackageLoader, StrictUndefined

from interpreter.ui.tabletop.model import KindPanel, MapPanel, SeatsPanel
from interpreter.ui.web.drawing import picture

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from interpreter.ui.tabletop.model import Panel, View

_PACKAGE = "interpreter.ui.web"


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


class Renderer:
    """Writes views of the table as HTML."""

    def __init__(self, templates: Environment) -> None:
        self._macros: Any = templates.get_template("panels.html").module

    def panels(self, view: View, offered: Collection[int] = ()) -> list[Shown]:
        """Write the panels of a view.

        Args:
            view: What a seat sees.
            offered: Numbers of the things that a question is about: they are marked.
        """
        made = [*self._now(view), *(self._panel(panel, offered) for panel in view.panels)]
        return [panel for panel in made if panel is not None]

    def _now(self, view: View) -> Iterator[Shown]:
        yield Shown("now", "", (("now", str(self._macros.now(view))),), "", "div")

    def _panel(self, panel: Panel, offered: Collection[int]) -> Shown | None:
        macros = self._macros
        match panel:
            case MapPanel():
                drawn = picture(panel, offered)
                slots = tuple(
                    (f"place-{node.thing}", str(macros.node(node))) for node in drawn.nodes
                )
                before, after = str(macros.map_begin(drawn)), str(macros.map_end())
                return Shown("map", before, slots, after, "g")
            case SeatsPanel():
                slots = tuple(
                    (f"seat-{seat.seat}", str(macros.seat(seat, offered))) for seat in panel.seats
                )
                before, after = str(macros.seats_begin(panel)), str(macros.seats_end())
                return Shown("players", before, slots, after, "div")
            case KindPanel():
                key = f"kind-{panel.kind}"
                return Shown(key, "", ((key, str(macros.kind(panel, offered))),), "", "section")
