"""Rulesets are written by strangers: whatever their texts and data say, a page shows it and does nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import html5lib
import pytest

from rulelang.rulebook.book import make_book
from rulelang.rulebook.drawings.course import course
from rulelang.rulebook.drawings.mermaid import course_as_mermaid, map_as_mermaid
from rulelang.rulebook.drawings.places import game_map
from rulelang.rulebook.drawings.svg import course_as_svg, map_as_svg
from rulelang.rulebook.html import render_html
from rulelang.rulebook.markdown import escape, render_markdown
from rulelang.rulebook.model import Picture, clean
from rulelang.written import read_tables

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.rulebook.model import Book
    from rulelang.symbols import Tables

TEXTS = [
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "'><svg onload=alert(1)>",
    "{{ 7 * 7 }} {% raw %} {# x #}",
    "[click](javascript:alert(1)) ![x](http://evil.test/x.png)",
    "</code></pre></details><script>1</script>",
    "``` ```` ~~~",
    "# heading | cell | <!-- comment --> & &lt; &#60;",
    "http://evil.test/ www.evil.test a@evil.test",
    "\u202eright to left\u2066",
    "]]> <![CDATA[ x ]]>",
    "%%{init: {}}%% --> click b1 href",
    "x" * 3000,
]
GAME = """game hostile "TEXT":
    version "TEXT"
    players 1..2
    citations "rules.csv"
define Place = Town, Player
## TEXT
option mode: mild or wild = mild "TEXT" [BAD-01]
component Town from "data/towns.csv":
    note: Text
component Road from "data/roads.csv":
    a, b: Town
component Player:
    coins: 0.. = 0
## TEXT
phase game:
    ## TEXT
    step ask [BAD-01]: # TEXT
        each player in Player:
            player may "TEXT" automa yes: do pay(player)
    end game
effect pay(player):
    player chooses "TEXT":
        "TEXT": player gains 1 coins
        "TEXT " when mode is wild: do nothing
may rest(player):
    quiet: player.coins < 3 "TEXT"
    then: player gains 1 coins
card first [BAD-01]:
    ## TEXT
    after pay(player): do nothing
always "TEXT": not any Player where its coins > 9
"""


def folder_with(text: str, tmp_path: Path) -> Path:
    """Write a ruleset that says a text wherever it can say one."""
    quoted = text.replace('"', "'")
    cell = '"' + text.replace('"', '""') + '"'
    (tmp_path / "data").mkdir()
    (tmp_path / "game.rules").write_text(GAME.replace("TEXT", quoted), "utf-8")
    (tmp_path / "rules.csv").write_text(
        f"id,section,kind,text\nBAD-01,{cell},rule,{cell}\n", "utf-8"
    )
    towns = f"id,name,note\nfirst,{cell},{cell}\nsecond,Second,{cell}\n"
    (tmp_path / "data" / "towns.csv").write_text(towns, "utf-8")
    (tmp_path / "data" / "roads.csv").write_text("a,b\nfirst,second\n", "utf-8")
    return tmp_path


def book_with(tables: Tables) -> Book:
    """Make a book with its drawings."""
    return make_book(
        tables,
        tables,
        course=Picture("The course", svg=course_as_svg(course(tables))),
        places=Picture("The map", svg=map_as_svg(game_map(tables))),
    )


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_text_does_nothing_but_show(text: str, tmp_path: Path) -> None:
    """In every place that a ruleset can fill, in all four formats."""
    tables, _ = read_tables(folder_with(text, tmp_path))
    page = render_html(book_with(tables))
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    for element in tree.iter():
        assert element.tag not in {"script", "img", "iframe", "object"}
        for name, value in element.attrib.items():
            assert not str(name).startswith("on")
            assert name != "href" or value.startswith("#")
    shown = "".join(tree.itertext())
    assert clean(text.replace('"', "'")) in shown
    assert "\u202e" not in page

    markdown = render_markdown(make_book(tables, tables))
    outside = re.sub(r"^( *)(`{3,})\w*\n.*?^\1\2$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)<(?!/?(?:a|details|summary|br)\b|!-- -->)", outside)
    assert not re.search(r"(?<!\\)\](?:\(|\[)(?!#)", outside)
    assert "\u202e" not in markdown

    for svg in (course_as_svg(course(tables)), map_as_svg(game_map(tables))):
        root = ET.fromstring(svg)  # noqa: S314 - our own document
        assert not [each for each in root.iter() if each.tag.endswith(("script", "image", "a"))]
    for graph in (course_as_mermaid(course(tables)), map_as_mermaid(game_map(tables))):
        labels = re.findall(r'"([^"\n]*)"', graph)
        assert labels
        assert not any(re.search(r"[<>`\[\]{}|%]", each) for each in labels)


def test_fences_are_longer_than_what_they_hold(tmp_path: Path) -> None:
    """Lines as written cannot end the block in which they stand."""
    tables, _ = read_tables(folder_with("`````", tmp_path))
    markdown = render_markdown(make_book(tables, tables))
    assert "``````text\n" in markdown


@pytest.mark.parametrize(
    "text", ["1. x", "- x", "+ x", "= x", "#x", "> x", "| x", "    x", "* x", "1) x"]
)
def test_a_text_begins_no_block(text: str) -> None:
    """What would begin a list, heading, quote or table at the start of a line is escaped there."""
    assert re.match(r"\s*(?:\\|\d+\\)", escape(text)) or text.startswith("    ")


def test_signs_that_cannot_be_shown() -> None:
    """They become one sign that says so; lines and tabs stay."""
    assert clean("a\x00b\x1bc\u202ed\r\ne\tf") == "a\ufffdb\ufffdc\ufffdd\ne\tf"
