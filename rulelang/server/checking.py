"""What is wrong with a ruleset: at once what follows from the text that was edited, and later everything.

Everything takes seconds for a game with many variants, so another process does it (`python -m
rulelang.server.checking`): it is given the texts as the editor has them and answers in plain data.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import converters, types

from rulelang import findings, nodes
from rulelang.allowing import without
from rulelang.checking import Remembering
from rulelang.scenes import scene_of
from rulelang.server.findings import UNUSED, converted
from rulelang.server.project import Project, Snapshot
from rulelang.server.views import view
from rulelang.variants.selection import needed, select

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulelang.diagnostics import Diagnostic, DiagnosticBag
    from rulelang.findings import Book

_MOST_VIEWS: Final = 2
"""How many variants or scenarios are checked at once besides the base."""

Findings = dict[Path, list[types.Diagnostic]]


def quick_check(snapshot: Snapshot, edited: Iterable[nodes.Item] = ()) -> Findings:
    """Check the base, and what was edited of variants and scenarios.

    Args:
        snapshot: The ruleset.
        edited: The declarations that were edited last.
    """
    texts = snapshot.texts
    base = view(snapshot).bag
    bags: list[DiagnosticBag] = [base, texts.wrong_headers(), texts.wrong_scenes()]
    if not base.has_errors:
        for variants, seats, scenarios in _views(snapshot, edited):
            bags.append(view(snapshot, variants, seats, scenarios=scenarios).bag)
    found = (each for each in texts.found(*bags) if not _may_be_used(each, snapshot))
    return _by_place(found, snapshot)


def _views(
    snapshot: Snapshot, edited: Iterable[nodes.Item]
) -> list[tuple[tuple[str, ...], int | None, bool]]:
    texts = snapshot.texts
    wanted: dict[tuple[tuple[str, ...], int | None, bool], None] = {}
    for item in edited:
        if isinstance(item, nodes.VariantDecl):
            wanted[tuple(sorted(needed(texts.variants, [item.name.text]))), None, False] = None
        elif isinstance(item, nodes.ScenarioDecl):
            scene = scene_of(item, texts.titles)
            if scene.seats and not select(texts.variants, scene.variants).problems:
                wanted[tuple(sorted(scene.variants)), scene.seats, True] = None
    return list(wanted)[:_MOST_VIEWS]


def _may_be_used(found: Diagnostic, snapshot: Snapshot) -> bool:
    """Tell whether something that the base does not use stands in another text: the whole check will tell."""
    if found.code != UNUSED:
        return False
    word = re.compile(rf"(?<!\w){re.escape(found.span.text)}(?!\w)")
    return sum(len(word.findall(source.text)) for source in snapshot.texts.sources) > 1


def whole_check(snapshot: Snapshot, book: Book | None = None) -> Findings:
    """Check the base, every variant and every scenario.

    Args:
        snapshot: The ruleset.
        book: What was found before; takes what is found now.
    """
    _, found = snapshot.texts.check(by=Remembering(snapshot.texts, book))
    if book is not None:
        book.close()
    return _by_place(found, snapshot)


def _by_place(found: Iterable[Diagnostic], snapshot: Snapshot) -> Findings:
    result: Findings = {}
    for each in without(found, snapshot.allowed):
        place = snapshot.place_of(each.span.file.path).resolve()
        result.setdefault(place, []).append(converted(each, snapshot.place_of))
    return result


# ---------------------------------------------------------------- the other process


def command() -> list[str]:
    """Give the command that starts the other process."""
    return [sys.executable, "-m", "rulelang.server.checking"]


def request(place: Path, opened: Mapping[Path, str]) -> bytes:
    """Write what the other process has to know."""
    texts = {str(path): text for path, text in opened.items()}
    return json.dumps({"place": str(place), "opened": texts}).encode()


def answer(data: bytes) -> Findings:
    """Read what the other process has found."""
    converter = converters.get_converter()
    raw: dict[str, list[Any]] = json.loads(data)
    return {
        Path(place): [converter.structure(each, types.Diagnostic) for each in found]
        for place, found in raw.items()
    }


def main() -> None:
    """Check what the standard input asks for, and write the findings."""
    asked = json.loads(sys.stdin.buffer.read())
    opened = {Path(path): text for path, text in asked["opened"].items()}
    snapshot = Project(Path(asked["place"]), opened).snapshot()
    found = whole_check(snapshot, findings.opened(snapshot.root))
    converter = converters.get_converter()
    document = {
        str(place): [converter.unstructure(each, types.Diagnostic) for each in diagnostics]
        for place, diagnostics in found.items()
    }
    sys.stdout.write(json.dumps(document))


if __name__ == "__main__":
    main()
