"""One ruleset as an editor has it: files on disk, and over them the texts that are open.

A `Project` keeps trees: a text is parsed again only if it has changed. A `Snapshot` is the ruleset at one moment;
whoever asks twice without an edit in between gets the same one, and with it everything that was worked out before.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from rulelang import files, nodes
from rulelang.config import allowed_near
from rulelang.data import DataFileError, is_outside
from rulelang.files import RulesetFiles, RulesetNotFoundError
from rulelang.gathering import VariantNotFoundError, game_in, gather
from rulelang.parser import ParseResult, parse
from rulelang.server.reparsing import KeptItems
from rulelang.source import SourceFile
from rulelang.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulelang.binding.context import KnownSheet
    from rulelang.server.views import View

_GAME: Final = re.compile(r"^game\s+\w+", re.MULTILINE)


class Snapshot:
    """A ruleset at one moment.

    Attributes:
        root: The folder that the paths of its texts begin in.
        texts: The texts, parsed.
        sources: The texts by path.
        results: What the parser found in each, by path.
        allowed: Names of warnings that nobody wants to see.
    """

    def __init__(
        self,
        root: Path,
        texts: Texts,
        results: Mapping[str, ParseResult],
        read: Overlay,
        allowed: tuple[str, ...] = (),
    ) -> None:
        self.root = root
        self.texts = texts
        self.sources = {source.path: source for source in texts.sources}
        self.results = results
        self.read = read
        self.allowed = allowed
        self.views: dict[tuple[tuple[str, ...], int | None, bool], View] = {}
        self.kept: dict[str, object] = {}  # whatever else was worked out, by who did

    def place_of(self, path: str) -> Path:
        """Give where a text of the ruleset lies."""
        return Path(path) if is_outside(path) else self.root / path

    def path_at(self, place: Path) -> str | None:
        """Give the path of a text of the ruleset; None if it does not belong to it."""
        return self._paths.get(place)

    @functools.cached_property
    def _paths(self) -> dict[Path, str]:
        return {self.place_of(path).resolve(): path for path in self.sources}

    def module(self, path: str) -> nodes.Module:
        """Give the tree of a text."""
        return self.results[path].module


@attrs.frozen(eq=False)
class Overlay:
    """Reads data files; those that are open as the editor has them."""

    root: Path
    below: files.FolderReader
    opened: Mapping[Path, str]

    def __call__(self, path: str) -> bytes:
        """Read a file; see `rulelang.data.Reader`."""
        place = self.place_of(path)
        if place in self.opened:
            return self.opened[place].encode()
        return self.below(path)

    def place_of(self, path: str) -> Path:
        """Give where a data file lies."""
        return (Path(path) if is_outside(path) else self.root / path).resolve()


class Project:
    """One ruleset.

    Args:
        place: Its folder, or its only file.
        opened: The texts that are open, by place; the editor's, so that they change.
    """

    def __init__(self, place: Path, opened: Mapping[Path, str]) -> None:
        self.place = place
        self._opened = opened
        self._read: RulesetFiles | None = None
        self._paths: dict[Path, str] = {}
        self._known: dict[str, tuple[SourceFile, ParseResult]] = {}
        self._kept: dict[str, KeptItems] = {}
        self._sheets: dict[str, KnownSheet] = {}
        self._allowed: tuple[str, ...] | None = None
        self._snapshot: Snapshot | None = None
        self.last: Snapshot | None = None  # the one that was taken last, whatever was edited since

    def files_changed(self) -> None:
        """Forget what was read from disk."""
        self._read = None
        self._allowed = None
        self._snapshot = None

    def text_changed(self) -> None:
        """Forget the last snapshot: a text that is open is another one now."""
        self._snapshot = None

    def snapshot(self) -> Snapshot:
        """Give the ruleset as it is now."""
        if self._snapshot is None:
            self._snapshot = self.last = self._taken()
        return self._snapshot

    def parsed(self, place: Path) -> ParseResult | None:
        """Parse one open text, if it belongs to the ruleset; what else there is stays unread."""
        path = self.path_at(place)
        if path is None:
            return None
        text = self._opened.get(place)
        if text is None:
            text = next(each.text for each in self._files().sources if each.path == path)
        return self._known_as(path, text)[1]

    def known(self, place: Path) -> nodes.Module | None:
        """Give the tree of a text as it was parsed last; None if it never was."""
        path = self.path_at(place)
        return self._known[path][1].module if path in self._known else None

    def path_at(self, place: Path) -> str | None:
        """Give the path of a text of the ruleset; None if it does not belong to it."""
        self._files()
        return self._paths.get(place)

    def _files(self) -> RulesetFiles:
        if self._read is None:
            try:
                self._read = gather(self.place, everything=True).read
            except (RulesetNotFoundError, VariantNotFoundError):
                self._read = files.read_ruleset(self.place, files.ON_REQUEST)
            root = self._read.root
            self._paths = {(root / each.path).resolve(): each.path for each in self._read.sources}
        return self._read

    def _taken(self) -> Snapshot:
        read = self._files()
        known: dict[str, tuple[SourceFile, ParseResult]] = {}
        places = {path: place for place, path in self._paths.items()}
        for source in read.sources:
            text = self._opened.get(places[source.path], source.text)
            known[source.path] = self._known_as(source.path, text)
        self._known = known
        results = {path: result for path, (_, result) in known.items()}
        overlay = Overlay(read.root, read.read, self._opened)
        texts = Texts(
            [source for source, _ in known.values()],
            overlay,
            alone=True,
            parsing=lambda source: results[source.path],
            sheets=self._sheets,
        )
        if self._allowed is None:
            self._allowed = allowed_near(read.root.resolve())
        return Snapshot(read.root, texts, results, overlay, self._allowed)

    def _known_as(self, path: str, text: str) -> tuple[SourceFile, ParseResult]:
        found = self._known.get(path)
        if found is None or found[0].text != text:
            source = SourceFile(path, text)
            kept = self._kept.setdefault(path, KeptItems())
            kept.begin()
            found = self._known[path] = (source, parse(source, kept))
        return found


def place_of_ruleset(place: Path) -> Path:
    """Give the folder of the ruleset that a file belongs to; the file itself if it is a game for itself."""
    folder = place.parent
    if place.suffix == files.SUFFIX and _is_one_of_several(place):
        return place
    if folder.name in files.ON_REQUEST and _has_rules(folder.parent):
        return folder.parent
    if not _has_rules(folder):  # a data file, or a new text in a folder of its own
        above = next((each for each in list(folder.parents)[:3] if _has_rules(each)), None)
        if above is None:
            return place if place.suffix == files.SUFFIX else folder
        folder = above
    while folder != folder.parent and _has_rules(folder.parent):
        folder = folder.parent
    return folder


def _has_rules(folder: Path) -> bool:
    try:
        return any(folder.glob(f"*{files.SUFFIX}"))
    except OSError:
        return False


def _is_one_of_several(place: Path) -> bool:
    """Tell whether a text lies among games of one file each, or beside a game it is none of."""
    games = [
        each for each in sorted(place.parent.glob(f"*{files.SUFFIX}")) if _GAME.search(_text(each))
    ]
    return len(games) > 1


def _text(place: Path) -> str:
    try:
        return files.read_limited(place).decode("utf-8", errors="replace")
    except DataFileError:
        return ""


__all__ = ["Overlay", "Project", "Snapshot", "game_in", "place_of_ruleset"]
