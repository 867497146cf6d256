"""Reports for people: pages with pictures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import html5lib
import pytest

from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("matplotlib")
SHORT = 'variant short "Short" of pig:\n    change option goal = 15\n'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game and a variant; the current one."""
    (tmp_path / "pig" / "variants").mkdir(parents=True)
    (tmp_path / "pig" / "pig.rules").write_text(PIG, "utf-8")
    (tmp_path / "pig" / "variants" / "short.rules").write_text(SHORT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("simulate", "pig"), "No seat wins more often|Wins of seat"),
        (("compare", "pig", "--with", "short"), "Fewer decisions in a game"),
        (("compare", "pig", "--options", "goal=15,90"), "2 of 2 change something for sure"),
    ],
)
def test_pages(game: Path, arguments: tuple[str, ...], said: str) -> None:
    """A page is whole, says its answer first, has pictures, and is the same every time."""
    assert run(*arguments, "--games", "64", "--report", "a.html")[0] == 0
    assert run(*arguments, "--games", "64", "--report", "b.html")[0] == 0
    text = (game / "a.html").read_text("utf-8")
    assert text == (game / "b.html").read_text("utf-8")
    html5lib.HTMLParser(strict=True).parse(text)
    assert re.search(said, text[: text.index("<h2>")])
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert pictures
    for picture in pictures:
        ET.fromstring(picture)  # noqa: S314 - our own


def test_a_report_needs_its_folder(game: Path) -> None:
    """What is wrong is said before anything is played."""
    del game
    code, out, err = run("simulate", "pig", "--games", "8", "--report", "nowhere/a.html")
    assert (code, out) == (2, "")
    assert "no folder 'nowhere'" in err
