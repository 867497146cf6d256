"""What a rulebook holds: everything that is declared, with references that lead somewhere, in well-formed pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import html5lib
import pytest

from rulelang import nodes
from rulelang.rulebook.html import render_html
from rulelang.rulebook.lexicon import Lexicon
from rulelang.rulebook.markdown import render_markdown
from rulelang.rulebook.model import (
    Card,
    Cite,
    Deck,
    Paragraph,
    Source,
    blocks,
    citation_anchor,
    plain,
)
from tests.rulebook.books import FAIR, book_of, tables_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syrupy.assertion import SnapshotAssertion

    from rulelang.rulebook.model import Book

GAMES = [
    (FAIR,),
    (FAIR, "dear", "slow"),
    ("pyrates",),
    ("pyrates", "more_gold", "secret_cargo"),
    ("pirates",),
    pytest.param(("pirate_republic",), marks=pytest.mark.slow),
]
books = pytest.mark.parametrize("game", GAMES, ids=lambda each: "-".join(each).rpartition("/")[2])
ELSEWHERE = (
    nodes.ChangeOptionDecl,
    nodes.ChangeGameDecl,
    nodes.ChangeComponentDecl,
    nodes.ChangeWordsDecl,
    nodes.ChangeTableDecl,
    nodes.GameDecl,
)


def cards(book: Book) -> Iterator[Card]:
    """Give all cards."""
    for chapter in book.chapters:
        for entry in chapter.entries:
            for block in blocks(entry.body):
                if isinstance(block, Deck):
                    yield from block.cards


@pytest.mark.parametrize("variants", [(), ("dear", "slow")], ids=["base", "variants"])
def test_a_small_ruleset(variants: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    """Both formats of a small ruleset that has one of everything."""
    book = book_of(FAIR, *variants)
    assert render_markdown(book) == snapshot
    page = render_html(book)
    assert page[page.index("<body>") :] == snapshot


@books
def test_every_declaration_has_its_place(game: tuple[str, ...]) -> None:
    """Each declaration, step and card is an entry or a card, and its lines stand there as written."""
    tables, book = tables_of(*game), book_of(*game)
    known = set(book.anchors())
    sources = {
        block.text.splitlines()[0]
        for chapter in book.chapters
        for entry in chapter.entries
        for block in (*entry.sources, *blocks(entry.body))
        if isinstance(block, Source)
    }
    lexicon = Lexicon(tables)
    for item, _ in tables.items:
        if isinstance(item, ELSEWHERE):
            continue
        first = item.span.text.splitlines()[0].rstrip()
        assert first in sources, item.span
        if not isinstance(item, nodes.CardDecl):
            assert lexicon.anchors[item] in known, item.span
        for step in (each for each in nodes.walk(item) if isinstance(each, nodes.StepStmt)):
            assert lexicon.anchors[step] in known, step.span
    titles = [card.title for card in cards(book)]
    assert len(titles) == len({card.anchor for card in cards(book)})


@books
def test_references_lead_somewhere(game: tuple[str, ...]) -> None:
    """Each place has a name of its own, and every citation and link of the book leads to one of them."""
    book = book_of(*game)
    assert book.check() == []
    anchors = book.anchors()
    assert len(anchors) == len(set(anchors))


@books
def test_every_citation_is_in_the_references(game: tuple[str, ...]) -> None:
    """What rules cite is listed with its text and with who cites it; nothing else is."""
    tables, book = tables_of(*game), book_of(*game)
    told = {part.id for run in book.lines() for part in run if isinstance(part, Cite)}
    for chapter in book.chapters:
        told |= {cited for entry in chapter.entries for cited in entry.cites}
    assert told
    listed = {each.id: each for each in book.references}
    assert told == set(listed)
    for cited, reference in listed.items():
        assert reference.cited_by
        assert reference.text == tables.citations[cited].text


@books
def test_the_page_is_well_formed(game: tuple[str, ...]) -> None:
    """A strict parser takes it; each link leads to a place on the page, and nothing is loaded from elsewhere."""
    page = render_html(book_of(*game))
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in tree.iter():
        assert element.tag not in {"script", "iframe", "object", "img", "link", "base", "form"}
        for name, value in element.attrib.items():
            assert not str(name).startswith("on")
            if name == "href":
                assert value.startswith("#")
                assert value[1:] in ids
    assert not re.search(r"(?:src|href|action)\s*=\s*[\"']?https?:|url\(|@import", page)


@books
def test_links_of_markdown_lead_to_its_anchors(game: tuple[str, ...]) -> None:
    """Each link of the Markdown file leads to an anchor in it."""
    text = render_markdown(book_of(*game))
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    links = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert links
    assert links <= anchors


def test_a_book_of_a_variant_marks_what_it_changes() -> None:
    """What a variant brings has its mark, what it changes says so, with the lines before and after."""
    book = book_of(FAIR, "dear")
    entries = {entry.anchor: entry for chapter in book.chapters for entry in chapter.entries}
    assert entries["definition-dearness"].marks
    assert not entries["definition-player.limit"].marks
    page = render_html(book)
    changed = page[page.index('id="table-price"') :].partition("</section>")[0]
    assert '<tr class="part">' in changed
    assert '<tr class="new">' in changed
    assert "<ins>3: 4</ins>" in changed
    assert "Dear &amp; &lt;cheap&gt;" in page
    assert "<cheap>" not in page


def test_an_id_is_cited_from_a_card() -> None:
    """What a card cites leads back to that card."""
    (reference,) = [each for each in book_of(FAIR).references if each.id == "FAIR-08"]
    assert reference.cited_by == (("row-Trick.nudge", "A Nudge"),)
    assert citation_anchor("FAIR-08") in book_of(FAIR).anchors()


def test_doc_comments_come_first() -> None:
    """An entry begins with what its author says, paragraph by paragraph."""
    entries = {
        entry.anchor: entry for chapter in book_of(FAIR).chapters for entry in chapter.entries
    }
    day = entries["phase-day"]
    assert day.doc == (
        "A day at the fair: everybody walks, then trades.",
        "The last day is like the others.",
    )
    assert isinstance(day.body[0], Paragraph)
    assert plain(day.title) == "Day"


def test_phases_are_chapters_in_the_order_of_play() -> None:
    """A phase that another does lies one deeper, and comes after it."""
    found = [(chapter.title, chapter.depth) for chapter in book_of("pyrates").chapters]
    assert found[:5] == [
        ("What is in the box", 0),
        ("The course of the game", 0),
        ("Setup", 1),
        ("Turn", 1),
        ("Booty phase", 2),
    ]
