"""The document that a rulebook is: chapters of entries, made of sentences, lists, tables and cards.

It knows neither HTML nor Markdown. A `Line` is a run of inline parts; everything that refers to an entry does so by its
anchor, and `Book.check` says which references lead nowhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNSHOWN = re.compile(
    # What no document may hold, and what turns the order of letters around.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def clean(text: str) -> str:
    """Give a text without signs that cannot be shown or that hide what is written."""
    return _UNSHOWN.sub("\ufffd", text.replace("\r\n", "\n"))


@attrs.frozen
class Words:
    """Plain words."""

    text: str


@attrs.frozen
class Term:
    """A name of the ruleset; with an anchor it leads to its entry."""

    text: str
    anchor: str = ""


@attrs.frozen
class Quote:
    """A text that is shown to people during play."""

    text: str


@attrs.frozen
class Cite:
    """An id of the rulebook that a rule comes from."""

    id: str


@attrs.frozen
class Mark:
    """Says that what stands here comes from a variant."""

    text: str
    anchor: str


Inline: TypeAlias = Words | Term | Quote | Cite | Mark
Line: TypeAlias = tuple[Inline, ...]
Said: TypeAlias = str | Inline | Line


def line(*parts: Said) -> Line:
    """Put parts together; neighbouring words become one."""
    found: list[Inline] = []
    for part in parts:
        pieces = (Words(part),) if isinstance(part, str) else part
        for piece in pieces if isinstance(pieces, tuple) else (pieces,):
            last = found[-1] if found else None
            if isinstance(piece, Words) and isinstance(last, Words):
                found[-1] = Words(last.text + piece.text)
            elif not isinstance(piece, Words) or piece.text:
                found.append(piece)
    return tuple(found)


def joined(parts: list[Line], last: str = "and", sign: str = ",") -> Line:
    """Join lines as a sentence does: `a, b and c`."""
    if len(parts) < 2:
        return parts[0] if parts else ()
    head = parts[0]
    for part in parts[1:-1]:
        head = line(head, f"{sign} ", part)
    return line(head, f" {last} ", parts[-1])


def commas(parts: list[Line]) -> Line:
    """Join lines by commas alone."""
    found: Line = ()
    for number, part in enumerate(parts):
        found = line(found, ", " if number else "", part)
    return found


def plain(parts: Line) -> str:
    """Give the letters of a line without what they lead to."""
    return "".join(f"[{part.id}]" if isinstance(part, Cite) else part.text for part in parts)


def sentence(*parts: Said) -> Line:
    """Begin a line with a capital and end it as a sentence."""
    whole = line(*parts)
    if not whole:
        return whole
    first, *rest = whole
    if isinstance(first, Words | Term) and first.text:
        first = attrs.evolve(first, text=first.text[0].upper() + first.text[1:])
    whole = (first, *rest)
    end = plain(whole).rstrip()
    return whole if end.endswith((".", ":", "!", "?")) else line(whole, ".")


# ---------------------------------------------------------------- blocks


@attrs.frozen
class Paragraph:
    """Sentences."""

    text: Line


@attrs.frozen
class Item:
    """One point of a list, with what belongs to it."""

    text: Line
    below: tuple[Block, ...] = ()


@attrs.frozen
class Listing:
    """Points; of an ordered one the order counts."""

    items: tuple[Item, ...]
    ordered: bool = False


@attrs.frozen
class Row:
    """A row of a table; `state` is empty, `new` (of a variant), `gone` or `part` (replaced by one, or in part)."""

    cells: tuple[tuple[Block, ...], ...]
    state: str = ""
    anchor: str = ""


@attrs.frozen
class Grid:
    """A table. A long one is folded away behind its caption."""

    header: tuple[Line, ...]
    rows: tuple[Row, ...]
    caption: Line = ()
    folded: bool = False


@attrs.frozen
class Card:
    """A card or other piece with printed words: fields, texts and rules."""

    anchor: str
    title: str
    fields: tuple[tuple[str, Line], ...] = ()
    body: tuple[Block, ...] = ()
    marks: tuple[Inline, ...] = ()


@attrs.frozen
class Deck:
    """Cards beside each other."""

    cards: tuple[Card, ...]


@attrs.frozen
class Changed:
    """What a variant does to an entry: in words, with the lines before and after."""

    text: Line
    old: str = ""
    new: str = ""


@attrs.frozen
class Source:
    """Lines of the ruleset as they are written."""

    place: str
    text: str


@attrs.frozen
class Picture:
    """A drawing: a whole SVG document, or the text of a Mermaid graph. A large one is folded away."""

    caption: str
    svg: str = ""
    mermaid: str = ""
    folded: bool = False


Block: TypeAlias = Paragraph | Listing | Grid | Deck | Changed | Source | Picture


# ---------------------------------------------------------------- the whole


@attrs.frozen(eq=False)
class Entry:
    """One declaration.

    Attributes:
        anchor: Where references to it lead.
        title: What it is called, as a heading.
        kind: What it is: `definition`, `step`.
        doc: What its author says about it.
        body: What it says.
        marks: The variant that it comes from.
        cites: What it cites.
        sources: Its lines as written.
        terms: The names under which the index lists it.
    """

    anchor: str
    title: Line
    kind: str
    doc: tuple[str, ...] = ()
    body: tuple[Block, ...] = ()
    marks: tuple[Inline, ...] = ()
    cites: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    terms: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class Chapter:
    """Some entries under a heading; `depth` says how deep a phase lies in the course of the game."""

    anchor: str
    title: str
    intro: tuple[Block, ...] = ()
    entries: tuple[Entry, ...] = ()
    depth: int = 0


@attrs.frozen(eq=False)
class Reference:
    """An id of the rulebook with its text and the entries that cite it (anchor and title)."""

    id: str
    section: str
    text: str
    cited_by: tuple[tuple[str, str], ...]


@attrs.frozen(eq=False)
class Book:
    """A rulebook.

    Attributes:
        title: Of the game.
        subtitle: The variants that are in it, and the version.
        intro: What comes first.
        chapters: In the order in which they are read.
        references: What is cited, in the order of the rulebook.
        index: Each term with the anchors it leads to and what these are, in order of the alphabet.
    """

    title: str
    subtitle: str
    intro: tuple[Block, ...]
    chapters: tuple[Chapter, ...]
    references: tuple[Reference, ...]
    index: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    def anchors(self) -> list[str]:
        """Give every place that a reference can lead to, in order."""
        found = [citation_anchor(each.id) for each in self.references]
        for chapter in self.chapters:
            found.append(chapter.anchor)
            for entry in chapter.entries:
                found.append(entry.anchor)
                for block in blocks(entry.body):
                    if isinstance(block, Deck):
                        found += [card.anchor for card in block.cards]
                    if isinstance(block, Grid):
                        found += [row.anchor for row in block.rows if row.anchor]
        return found

    def lines(self) -> Iterator[Line]:
        """Give every line."""
        for chapter in self.chapters:
            yield from _lines(chapter.intro)
            for entry in chapter.entries:
                yield entry.title
                yield entry.marks
                yield tuple(Cite(each) for each in entry.cites)
                yield from _lines(entry.body)
        yield from _lines(self.intro)

    def check(self) -> list[str]:
        """Give the references that lead nowhere; none if the book is whole."""
        known = set(self.anchors())
        wanted = {
            each.anchor for run in self.lines() for each in run if isinstance(each, Term | Mark)
        }
        wanted |= {
            citation_anchor(each.id)
            for run in self.lines()
            for each in run
            if isinstance(each, Cite)
        }
        wanted |= {anchor for _, places in self.index for anchor, _ in places}
        wanted |= {anchor for each in self.references for anchor, _ in each.cited_by}
        return sorted(wanted - known - {""})


def citation_anchor(cited: str) -> str:
    """Give the anchor of an id of the rulebook."""
    return f"cite-{cited}"


def blocks(of: tuple[Block, ...]) -> Iterator[Block]:
    """Give blocks with all that lie inside them."""
    for block in of:
        yield block
        match block:
            case Listing(items=items):
                for item in items:
                    yield from blocks(item.below)
            case Grid(rows=rows):
                for row in rows:
                    for cell in row.cells:
                        yield from blocks(cell)
            case Deck(cards=cards):
                for card in cards:
                    yield from blocks(card.body)
            case _:
                pass


def _lines(of: tuple[Block, ...]) -> Iterator[Line]:
    for block in blocks(of):
        match block:
            case Paragraph(text=text) | Changed(text=text):
                yield text
            case Listing(items=items):
                for item in items:
                    yield item.text
            case Grid(header=header, caption=caption):
                yield from header
                yield caption
            case Deck(cards=cards):
                for card in cards:
                    yield card.marks
                    yield from (value for _, value in card.fields)
            case _:
                pass
