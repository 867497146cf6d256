"""A tree whose unchanged declarations were moved is the tree that a fresh parse gives."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rulelang import nodes
from rulelang.parser import ParseResult, parse
from rulelang.server.reparsing import KeptItems
from rulelang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
TEXTS = [*sorted((RULESETS / "pirates").glob("*.rules")), RULESETS / "pyrates/booty.rules"]


def dumped(result: ParseResult, source: SourceFile) -> list[object]:
    """Write a tree down with all places; every place must be in this text."""

    def parts(value: object) -> Iterator[object]:
        if isinstance(value, nodes.Node):
            yield type(value).__name__
            for field in attrs.fields(type(value)):
                yield from parts(getattr(value, field.name))
        elif isinstance(value, Span):
            assert value.file is source
            yield value.start, value.end
        elif isinstance(value, tuple):
            for each in value:
                yield from parts(each)
            yield "end"
        elif not isinstance(value, SourceFile):
            yield value

    found = [(each.code, each.span.start, each.headline) for each in result.diagnostics]
    return [*found, *parts(result.module)]


def edits(text: str, chance: random.Random) -> Iterator[str]:
    """Give a text after each of several edits: lines deleted, doubled, moved, words written wrong, and mended."""
    for _ in range(12):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[at])
            case 2:
                lines.insert(chance.randrange(len(lines)), lines.pop(at))
            case 3:
                lines[at] = lines[at].replace(" ", " if ", 1)
            case _:
                lines.insert(at, "## A comment.")
        text = "\n".join(lines)
        yield text


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(RULESETS)))
def test_moved_declarations_are_those_of_a_fresh_parse(path: Path) -> None:
    kept = KeptItems()
    original = path.read_text(encoding="utf-8")
    for text in (
        original,
        *edits(original, random.Random(path.name)),  # noqa: S311 - the same edits each time
        original,
    ):
        kept.begin()
        source, fresh = SourceFile("x.rules", text), SourceFile("x.rules", text)
        assert dumped(parse(source, kept), source) == dumped(parse(fresh), fresh)


def test_what_is_unchanged_is_the_same_object() -> None:
    kept = KeptItems()
    text = "define one = 1\n\ndefine two = 2\n"
    kept.begin()
    before = parse(SourceFile("x.rules", text), kept).module.items
    kept.begin()
    after = parse(
        SourceFile("x.rules", f"# New.\n{text.replace('= 1', '= 11')}"), kept
    ).module.items
    assert after[0] is not before[0]
    assert after[1] is before[1]
    assert after[1].span.text == "define two = 2"
    assert after[1].span.line == 4


def test_a_comment_above_belongs_to_a_declaration() -> None:
    kept = KeptItems()
    for doc in ("Old.", "New."):
        kept.begin()
        (item,) = parse(SourceFile("x.rules", f"## {doc}\ndefine one = 1\n"), kept).module.items
        assert isinstance(item, nodes.Decl)
        assert item.doc == doc
