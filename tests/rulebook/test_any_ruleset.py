"""Every ruleset that can be merged has a rulebook: those of the language's own tests, and random ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import html5lib
import pytest

from rulelang import nodes
from rulelang.binder import bind
from rulelang.diagnostics import DiagnosticBag
from rulelang.fuzzing import generate
from rulelang.parser import parse
from rulelang.rulebook.book import make_book
from rulelang.rulebook.drawings.course import course
from rulelang.rulebook.drawings.mermaid import course_as_mermaid, map_as_mermaid
from rulelang.rulebook.drawings.places import game_map
from rulelang.rulebook.drawings.svg import course_as_svg, map_as_svg
from rulelang.rulebook.html import render_html
from rulelang.rulebook.markdown import render_markdown
from rulelang.rulebook.model import plain
from rulelang.source import SourceFile
from rulelang.written import read_tables

if TYPE_CHECKING:
    from rulelang.symbols import Tables

SPEC = sorted((Path(__file__).parents[1] / "spec" / "rules").glob("*.rules"))


def whole(tables: Tables) -> None:
    """Make everything of a ruleset, and look whether its links lead somewhere and nothing is left unsaid."""
    book = make_book(tables, tables)
    assert book.check() == []
    html5lib.HTMLParser(strict=True).parse(render_html(book))
    assert render_markdown(book).startswith("# ")
    assert course_as_mermaid(course(tables)).startswith("flowchart")
    assert "</svg>" in course_as_svg(course(tables))
    assert map_as_mermaid(game_map(tables)).startswith("flowchart")
    assert "</svg>" in map_as_svg(game_map(tables))
    for run in book.lines():
        assert plain(run) != "\u2026"
    known = set(book.anchors())
    entries = [entry.anchor for chapter in book.chapters for entry in chapter.entries]
    assert len(entries) == len(set(entries))
    assert set(entries) <= known
    steps = [
        node
        for item, _ in tables.items
        for node in nodes.walk(item)
        if isinstance(node, nodes.StepStmt)
    ]
    assert sum(anchor.startswith("step-") for anchor in entries) == len(steps)


@pytest.mark.parametrize("path", SPEC, ids=lambda path: path.stem)
def test_the_language(path: Path) -> None:
    """Each file of the language's own tests uses what other files do not."""
    whole(read_tables(path)[0])


@pytest.mark.parametrize("seed", range(1, 13))
def test_random_rulesets(seed: int) -> None:
    """Games that nobody has written."""
    whole(_random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_random_rulesets(seed: int) -> None:
    """The same with more of them."""
    whole(_random(seed))


def _random(seed: int) -> Tables:
    texts = generate(seed)
    bag = DiagnosticBag()
    modules = [
        parse(SourceFile(path, text)).module
        for path, text in sorted(texts.items())
        if path.endswith(".rules")
    ]
    tables = bind(modules, lambda path: texts[path].encode(), bag)
    assert not bag.has_errors
    return tables
