"""Emphasis on a terminal. Meaning never depends on it."""

from __future__ import annotations

from typing import Final

_STYLES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
}


class Paint:
    """Wraps text in escape sequences, or leaves it alone.

    Args:
        colour: Whether escape sequences are wanted at all.
    """

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, *styles: str) -> str:
        """Give `text` in some of the styles bold, dim, red, green, yellow, cyan."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"
