"""Parts of the table on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Input, Static

from interpreter.ui.terminal.drawing import Drawing, draw_map

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.events import Key, Resize

    from interpreter.ui.tabletop.model import MapPanel


class MapView(ScrollableContainer):
    """A map that is drawn to fit, and scrolls where it cannot."""

    def __init__(self) -> None:
        super().__init__(id="map-view")
        self._panel: MapPanel | None = None
        self._lit: Collection[int] = ()
        self._drawing = Static("", id="drawing")
        self._drawing.auto_links = False

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield self._drawing

    def show(self, panel: MapPanel) -> None:
        """Draw another map."""
        self._panel = panel
        self._draw()

    def light(self, things: Collection[int]) -> None:
        """Let some places stand out."""
        if set(things) != set(self._lit):
            self._lit = things
            self._draw()

    def on_resize(self, event: Resize) -> None:
        """Draw it to fit."""
        del event
        self._draw()

    def _draw(self) -> None:
        if self._panel is not None and self.size.width:
            width, height = self.container_size
            drawing = draw_map(self._panel, width - 3, height - 1, self._lit)
            self._drawing.update(drawing.text)
            self._follow(self._panel, drawing)

    def _follow(self, panel: MapPanel, drawing: Drawing) -> None:
        """Scroll to what stands out."""
        lit = set(self._lit)
        for place in panel.places:
            if lit & {place.row.thing, *(part.thing for part in place.parts)}:
                x, y = drawing.at[place.row.thing]
                around = Region(max(x - 10, 0), max(y - 2, 0), 20, 5)
                self.call_after_refresh(self.scroll_to_region, around, animate=False)
                return


class Searchable(Vertical):
    """Lines of text of which those with a word can be shown."""

    def __init__(self, name: str, placeholder: str, *, at_end: bool) -> None:
        super().__init__(id=name)
        self._lines: Sequence[str] = ()
        self._at_end = at_end
        self._placeholder = placeholder
        self._text = Static("", id=f"{name}-text")

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield Input(placeholder=self._placeholder, compact=True)
        with VerticalScroll():
            yield self._text

    def show(self, lines: Sequence[str]) -> None:
        """Show other lines."""
        self._lines = lines
        self._refresh()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._refresh()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()

    def _refresh(self) -> None:
        words = self.query_one(Input).value.casefold().split()
        lines = [each for each in self._lines if all(word in each.casefold() for word in words)]
        self._text.update(Content("\n".join(lines) or ("nothing has these words" if words else "")))
        if self._at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)


class Filter(Input):
    """Where options are typed; the keys that move in a list move in that of the options."""

    class Moved(Message):
        """The next or previous option is wanted."""

        def __init__(self, steps: int) -> None:
            super().__init__()
            self.steps = steps

    class Why(Message):
        """It was asked why."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
        Binding("escape", "clear", show=False),
    ]

    def action_move(self, steps: int) -> None:
        """Move in the list."""
        self.post_message(self.Moved(steps))

    def action_clear(self) -> None:
        """Take back what was typed."""
        self.value = ""

    def on_key(self, event: Key) -> None:
        """A question mark asks, where nothing was typed before."""
        if event.character == "?" and not self.value:
            event.prevent_default()
            event.stop()
            self.post_message(self.Why())
