"""Which files have changed, found by looking at them again and again.

Looking costs nothing that could be noticed for the few files of a ruleset, works on every file system, and sees what
editors do that write another file and rename it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

POLL: Final = 0.2
"""Seconds between two looks."""

_SETTLE: Final = 0.1
"""So long nothing may change before files count as written."""

_SUFFIXES: Final = (".rules", ".csv", ".toml")

_Seen: TypeAlias = "dict[Path, tuple[int, int]]"


class Watcher:
    """Looks at the files in the folders of some files."""

    def __init__(self) -> None:
        self._folders: tuple[Path, ...] = ()
        self._seen: _Seen = {}

    def watch(self, places: Iterable[Path]) -> None:
        """Look at the folders of these files from now on; what they are like now is known."""
        self._folders = tuple(sorted({each.parent for each in places}))
        self._seen = self._look()

    def changed(self) -> bool:
        """Say whether anything has changed since the last time; waits until it has been written."""
        now = self._look()
        if now == self._seen:
            return False
        while True:
            time.sleep(_SETTLE)
            later = self._look()
            if later == now:
                break
            now = later
        self._seen = now
        return True

    def wait(self) -> None:
        """Wait for a change."""
        while not self.changed():
            time.sleep(POLL)

    def _look(self) -> _Seen:
        found: _Seen = {}
        for folder in self._folders:
            for place in _files(folder):
                try:
                    state = place.stat()
                except OSError:
                    continue
                found[place] = state.st_mtime_ns, state.st_size
        return found


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(each for each in folder.iterdir() if each.suffix in _SUFFIXES)
    except OSError:
        return
