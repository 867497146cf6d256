"""Windows over the table: a text, a question about the rules, a name for a file, the curtain between persons."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Static

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType


class TextWindow(ModalScreen[None]):
    """Shows a text until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss_window", "close"),
    ]

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay it out."""
        with Vertical(classes="window"):
            yield Static(Content.styled(self._title, "bold"), classes="window-title")
            with VerticalScroll(classes="window-text"):
                yield Static(self._text, id="window-content")
            yield Static("Esc closes this", classes="window-foot")

    def on_mount(self) -> None:
        """Let the keys move the text."""
        self.query_one(VerticalScroll).focus()

    def action_dismiss_window(self) -> None:
        """Close it."""
        self.dismiss(None)


class AskWindow(ModalScreen[str]):
    """Asks for a line of text; gives it, empty if nothing is wanted.

    Args:
        title: What is asked.
        value: What stands there at first.
        told: Tells something about what was typed, and the window stays; None: it closes with what was typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "close")]

    def __init__(
        self, title: str, value: str = "", told: Callable[[str], list[str]] | None = None
    ) -> None:
        super().__init__()
        self._title = title
        self._value = value
        self._told = told

    def compose(self) -> ComposeResult:
        """Lay it out."""
        with Vertical(classes="window"):
            yield Static(Content.styled(self._title, "bold"), classes="window-title")
            yield Input(self._value, id="window-input", compact=True)
            if self._told is not None:
                with VerticalScroll(classes="window-text"):
                    yield Static("", id="window-content")
            yield Static(
                "Enter asks, Esc closes this" if self._told else "Enter saves, Esc closes this",
                classes="window-foot",
            )

    def on_mount(self) -> None:
        """Ask at once about what stands there."""
        self.query_one(Input).focus()
        if self._value and self._told is not None:
            self._ask(self._value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was typed."""
        event.stop()
        text = event.value.strip()
        if self._told is None:
            self.dismiss(text)
        elif text:
            self._ask(text)

    def _ask(self, text: str) -> None:
        told = self._told
        if told is None:
            return
        content = self.query_one("#window-content", Static)
        content.update("...")

        def work() -> None:
            lines = told(text)
            self.app.call_from_thread(content.update, Content("\n".join(lines)))

        self.run_worker(work, thread=True, exclusive=True)

    def action_cancel(self) -> None:
        """Close it without an answer."""
        self.dismiss("")


class Curtain(Screen[None]):
    """Hides the table until the next person sits before the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "lift", "show the table")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def compose(self) -> ComposeResult:
        """Lay it out."""
        with Vertical(id="curtain"):
            yield Static(Content.styled(f"{self._name} is asked", "bold"), id="curtain-name")
            yield Static(Content("Nobody else looks at the screen?"))
            yield Button(f"I am {self._name}", id="lift", variant="primary")

    def on_button_pressed(self) -> None:
        """Show the table."""
        self.dismiss(None)

    def action_lift(self) -> None:
        """Show the table."""
        self.dismiss(None)
