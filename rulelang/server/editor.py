"""What an editor has open: the texts, the rulesets that they belong to, and what was last said about each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulelang import files, nodes
from rulelang.server.checking import Findings, quick_check
from rulelang.server.findings import converted, moved
from rulelang.server.index import Index, index_of
from rulelang.server.project import Project, place_of_ruleset
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types

    from rulelang.server.project import Snapshot


@attrs.define(eq=False)
class Ruleset:
    """A ruleset with what was found in it.

    Attributes:
        project: It.
        quick: What the last quick check found, by place.
        beyond: What only a whole check finds (other variants, other scenarios), by place; moved along with edits.
        edited: The declarations that were edited since the last quick check.
        shown: What was last shown, by place.
    """

    project: Project
    quick: Findings = attrs.field(factory=dict)
    beyond: Findings = attrs.field(factory=dict)
    edited: list[nodes.Item] = attrs.field(factory=list)
    shown: Findings = attrs.field(factory=dict)

    def findings(self) -> Findings:
        """Give all that is known to be wrong, by place; a place that is fine again has an empty list."""
        places = {*self.quick, *self.beyond, *self.shown}
        return {
            place: _without_repeats([*self.quick.get(place, ()), *self.beyond.get(place, ())])
            for place in places
        }


class Editor:
    """Texts and rulesets; everything that the service asks for."""

    def __init__(self) -> None:
        self.opened: dict[Path, str] = {}
        self.rulesets: dict[Path, Ruleset] = {}
        self._places: dict[Path, Path] = {}

    def ruleset_of(self, place: Path) -> Ruleset:
        """Give the ruleset that a file belongs to."""
        if place not in self._places:
            self._places[place] = place_of_ruleset(place)
        root = self._places[place]
        if root not in self.rulesets:
            self.rulesets[root] = Ruleset(Project(root, self.opened))
        return self.rulesets[root]

    # ------------------------------------------------------------------ edits

    def open(self, place: Path, text: str) -> Ruleset:
        """Take over a text from the editor."""
        known = place in self._places
        ruleset = self.ruleset_of(place)
        before = self.opened.get(place)
        self.opened[place] = text
        if not known and ruleset.project.path_at(place) is None:
            ruleset.project.files_changed()  # a file that is new
        if before != text:
            ruleset.project.text_changed()
        return ruleset

    def edit(self, place: Path, text: str) -> tuple[Ruleset, list[types.Diagnostic]]:
        """Take over an edit. Gives what the parser finds in it at once, with what was known before where it is now."""
        ruleset = self.ruleset_of(place)
        before = SourceFile("", self.opened.get(place, ""))
        old = ruleset.project.known(place)
        self.opened[place] = text
        ruleset.project.text_changed()
        after = SourceFile("", text)
        for kept in (ruleset.quick, ruleset.beyond):
            kept[place] = moved(kept.get(place, ()), before, after)
        result = ruleset.project.parsed(place)
        if result is None:
            return ruleset, []
        was = {item.span.text for item in old.items} if old is not None else set()
        ruleset.edited = [item for item in result.module.items if item.span.text not in was]
        found = [converted(each, lambda _: place) for each in result.diagnostics]
        others = [each for each in ruleset.quick[place] if not str(each.code).startswith("E01")]
        ruleset.quick[place] = [*found, *others]
        return ruleset, ruleset.findings()[place]

    def close(self, place: Path) -> Ruleset:
        """Go back to the text on disk."""
        self.opened.pop(place, None)
        ruleset = self.ruleset_of(place)
        ruleset.project.files_changed()
        return ruleset

    def files_changed(self) -> None:
        """Files were made, changed or deleted beside the editor."""
        self._places.clear()
        for ruleset in self.rulesets.values():
            ruleset.project.files_changed()

    # ------------------------------------------------------------------ answers

    def check(self, ruleset: Ruleset) -> Findings:
        """Check what follows from the last edits. Gives what has to be shown anew, by place."""
        ruleset.quick = quick_check(ruleset.project.snapshot(), ruleset.edited)
        return self.show(ruleset)

    def take_whole(self, ruleset: Ruleset, found: Findings) -> Findings:
        """Take over what the whole check has found in the texts as they are now. Gives what has to be shown anew."""
        ruleset.beyond = {
            place: [each for each in these if not _is_among(each, ruleset.quick.get(place, ()))]
            for place, these in found.items()
        }
        ruleset.quick = {
            place: [each for each in these if _is_among(each, found.get(place, ()))]
            for place, these in ruleset.quick.items()
        }
        return self.show(ruleset)

    @staticmethod
    def show(ruleset: Ruleset) -> Findings:
        """Give what has changed since it was last shown."""
        now = ruleset.findings()
        changed = {
            place: these for place, these in now.items() if these != ruleset.shown.get(place)
        }
        ruleset.shown = {place: these for place, these in now.items() if these}
        return changed

    def index(self, place: Path) -> tuple[Index, str] | None:
        """Give the names of the ruleset that a file belongs to, and its path there; None if it does not take part."""
        snapshot = self.snapshot(place)
        path = snapshot.path_at(place)
        index = index_of(snapshot)
        if path is None and place.suffix != files.SUFFIX and place.is_relative_to(snapshot.root):
            data = place.relative_to(snapshot.root).as_posix()
            path = data if index.sheets.file(data) is not None else None
        return (index, path) if path is not None else None

    def last_index(self, place: Path) -> tuple[Index, str] | None:
        """The same, but of the state that was looked at last: good enough to complete from, and there at once."""
        last = self.ruleset_of(place).project.last
        path = last.path_at(place) if last is not None else None
        if last is None or path is None or "index" not in last.kept:
            return self.index(place)
        return index_of(last), path

    def snapshot(self, place: Path) -> Snapshot:
        """Give the ruleset that a file belongs to as it is now."""
        return self.ruleset_of(place).project.snapshot()

    def module(self, place: Path) -> nodes.Module | None:
        """Give the tree of a text."""
        result = self.ruleset_of(place).project.parsed(place)
        return result.module if result is not None else None


def _is_among(found: types.Diagnostic, known: object) -> bool:
    return isinstance(known, list) and any(
        each.code == found.code and each.range == found.range for each in known
    )


def _without_repeats(found: list[types.Diagnostic]) -> list[types.Diagnostic]:
    kept: dict[tuple[object, ...], types.Diagnostic] = {}
    for each in found:
        start = each.range.start
        kept.setdefault((start.line, start.character, each.code, each.message), each)
    return [kept[key] for key in sorted(kept, key=lambda key: (key[0], key[1], str(key[2])))]
