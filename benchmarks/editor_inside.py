"""How long the parts of the language server take, without the protocol, in processor time.

Run it with `python -m benchmarks.editor_inside`. The ruleset is one of those that come with the program; its base is
written into one file of more than 1,000 lines, whose whole text is taken anew with each edit.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rulelang.formatting import format_source
from rulelang.server import (
    colouring,
    completing,
    hints,
    hovering,
    lenses,
    outline,
    renaming,
)
from rulelang.server.editor import Editor
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.server.index import Index
    from rulelang.server.naming import Occurrence

T = TypeVar("T")
RULESETS = Path(__file__).resolve().parents[1] / "rulesets"


def _there(found: T | None) -> T:
    if found is None:
        raise LookupError
    return found


def joined(name: str, folder: Path) -> Path:
    """Copy a ruleset, with its base in one file; gives that file."""
    place = folder / name
    shutil.copytree(RULESETS / name, place)
    parts = sorted(place.glob("*.rules"))
    text = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    for part in parts:
        part.unlink()
    whole = place / "whole.rules"
    whole.write_text(text, encoding="utf-8")
    return whole


class Bench:
    """One ruleset that is open in an editor."""

    def __init__(self, whole: Path, times: int) -> None:
        self.whole = whole
        self.text = whole.read_text(encoding="utf-8")
        self.times = times
        self.editor = Editor()
        self.ruleset = self.editor.open(whole, self.text)
        self.editor.check(self.ruleset)
        self.edits = 0

    def edit(self) -> None:
        """Send the whole text anew, with another number in its first line."""
        self.edits += 1
        self.editor.edit(self.whole, f"# {self.edits}\n{self.text}")

    def measure(
        self, what: str, asked: Callable[[], object], before: Callable[[], object] | None = None
    ) -> None:
        """Print the median and the worst of several times."""
        took = []
        for _ in range(self.times):
            if before is not None:
                before()
            start = time.process_time()
            asked()
            took.append(1000 * (time.process_time() - start))
        print(f"{what:42} median {statistics.median(took):7.1f} ms   worst {max(took):7.1f} ms")

    def index(self) -> Index:
        """Give the names as they are now."""
        found = self.editor.index(self.whole)
        return _there(found)[0]

    def name(self, word: str) -> Occurrence:
        """Give the first place where a name stands."""
        index = self.index()
        source = index.snapshot.sources[self.whole.name]
        found = index.at(self.whole.name, source.text.index(word))
        return _there(found)

    def run(self, word: str) -> None:
        """Measure everything."""
        source = _there(self.editor.module(self.whole)).file
        print(f"{source.line_count} lines in one file, {len(self.index().snapshot.sources)} files")
        self.measure("edit, what the parser finds", self.edit)
        self.measure(
            "edit, what the checker finds", lambda: self.editor.check(self.ruleset), self.edit
        )

        def both() -> None:
            self.edit()
            self.editor.check(self.ruleset)

        self.measure("edit, both: the whole file is checked", both)
        tree = _there(self.editor.module(self.whole))
        source = tree.file
        end = len(source.text)
        self.measure("names of everything (after an edit)", self.index, both)
        self.measure("symbols", lambda: outline.symbols(tree))
        self.measure("folding", lambda: outline.folds(tree))
        self.measure("formatting", lambda: format_source(source))
        self.measure("hover", lambda: hovering.hover(self.index(), self.name(word)), both)
        self.measure("definition", lambda: self.index().definitions(self.name(word).keys), both)
        self.measure("references", lambda: self.index().references(self.name(word).keys), both)
        self.measure(
            "renaming", lambda: renaming.rename(self.index(), self.name(word), "quite_new"), both
        )
        index = self.index()
        self.measure(
            "completion",
            lambda: completing.complete(index, SourceFile(source.path, source.text), end),
        )
        self.measure(
            "semantic tokens", lambda: colouring.tokens(self.index(), tree.file, tree), both
        )
        self.measure("inlay hints", lambda: hints.hints(self.index(), tree, 0, end), both)
        self.measure("lenses", lambda: lenses.lenses(self.index(), tree), both)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="pyrates")
    parser.add_argument("--word", default="place_goods", help="the name that is asked about")
    parser.add_argument("--times", type=int, default=9)
    given = parser.parse_args()
    gc.set_threshold(50_000, 20, 50)  # as the server does
    with tempfile.TemporaryDirectory() as folder:
        Bench(joined(given.ruleset, Path(folder).resolve()), given.times).run(given.word)


if __name__ == "__main__":
    main()
