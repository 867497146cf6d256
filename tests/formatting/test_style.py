"""What the style looks like: texts before and after, and the shipped rulesets, which are in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.formatting import format_source
from rulelang.formatting.document import WIDTH
from rulelang.source import SourceFile

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "tests" / "formatting" / "style.md").read_text("utf-8")
EXAMPLE = re.compile(
    r"^## (?P<title>.*?)\n.*?^```rules\n(?P<before>.*?)^```\n+^```rules\n(?P<after>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
EXAMPLES = {found["title"]: (found["before"], found["after"]) for found in EXAMPLE.finditer(PAGE)}
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```rules(?: title=[^\n]*)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHIPPED = sorted((ROOT / "rulesets").rglob("*.rules"))


def formatted(text: str) -> str:
    """Format a text without mistakes."""
    done = format_source(SourceFile("x.rules", text))
    assert done.text is not None, done.diagnostics
    return done.text


@pytest.mark.parametrize("title", EXAMPLES)
def test_example(title: str) -> None:
    """The first text becomes the second."""
    before, after = EXAMPLES[title]
    assert formatted(before) == after
    assert formatted(after) == after


def test_every_example_is_read() -> None:
    """No heading of the page is without its two texts."""
    assert len(EXAMPLES) == PAGE.count("\n\n## ")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_rulesets_are_in_the_style(path: Path) -> None:
    """`rulelang fmt` has been run over them."""
    text = path.read_text("utf-8")
    assert formatted(text) == text, f"rulelang fmt {path.relative_to(ROOT)}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_show_the_style(path: Path) -> None:
    """But for the one example of a line that is broken although it is short."""
    for text in BLOCK.findall(path.read_text("utf-8")):
        if "this line continues the one above" not in text:
            assert formatted(text) == text


def test_lines_are_not_too_long() -> None:
    """Only a text or a comment may reach further."""
    for path in SHIPPED:
        for line in path.read_text("utf-8").splitlines():
            assert len(line) <= WIDTH or '"' in line or "#" in line, f"{path}: {line}"


@pytest.mark.parametrize(
    "text", ["", "\n\n", "\ufeffdefine D6 = 1..6\n", "define D6 = 1..6", "define D6 = 1..6\r\n"]
)
def test_files_end_alike(text: str) -> None:
    """No byte order mark, no carriage returns, one line end at the end, nothing for nothing."""
    assert formatted(text) == ("define D6 = 1..6\n" if text.strip() else "")


@pytest.mark.parametrize("text", ["effect", "phase game:\n\tdo x\n", 'game x "X:\n'])
def test_what_does_not_parse_is_left_alone(text: str) -> None:
    """There is no text then, but findings."""
    done = format_source(SourceFile("x.rules", text))
    assert done.text is None
    assert done.diagnostics
