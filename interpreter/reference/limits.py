"""Games that are followed for so many decisions and no further."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.reference.machine import Watch


class EnoughError(Exception):
    """Ends a game that has been followed for long enough."""


def stop_after(decisions: int) -> Watch:
    """Give a watch for a `Reference` that lets so many decisions pass, and then raises `EnoughError`."""
    left = decisions

    def count(_: Decision) -> None:
        nonlocal left
        if left == 0:
            raise EnoughError
        left -= 1

    return count
