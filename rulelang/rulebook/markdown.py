"""A rulebook as one Markdown file, with anchors and tables as GitHub's dialect has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulelang.rulebook.model import (
    Block,
    Book,
    Card,
    Changed,
    Cite,
    Deck,
    Entry,
    Grid,
    Inline,
    Item,
    Line,
    Listing,
    Mark,
    Paragraph,
    Picture,
    Quote,
    Source,
    Term,
    Words,
    citation_anchor,
    clean,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#+|~$!&])")
_LINE_START = re.compile(r"^(\s*\d*)([-=.)])")  # a list or the line under a heading
_AUTOLINK = re.compile(r"(?i)(https?|ftp|www)(?=[:.])|@")


def render_markdown(book: Book) -> str:
    """Write a rulebook as Markdown."""
    lines = [*_Writer(book).lines()]
    text = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def escape(text: str) -> str:
    """Give a text that Markdown shows as it is, on one line."""
    one = " ".join(clean(text).split("\n"))
    marked = _SPECIAL.sub(r"\\\1", one)
    marked = _LINE_START.sub(r"\1\\\2", marked)
    # No address in a ruleset becomes a link by itself.
    return _AUTOLINK.sub(lambda found: f"{found[0]}<!-- -->", marked)


class _Writer:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._known = set(book.anchors())

    def lines(self) -> Iterator[str]:
        book = self._book
        yield f"# {escape(book.title)}"
        if book.subtitle:
            yield ""
            yield f"*{escape(book.subtitle)}*"
        yield from self._blocks(book.intro, "")
        yield "\n## Contents\n"
        for chapter in book.chapters:
            yield f"{'  ' * chapter.depth}- [{escape(chapter.title)}](#{chapter.anchor})"
        if book.references:
            yield "- [References](#references)"
        yield "- [Index](#index)"
        for chapter in book.chapters:
            yield f'\n<a id="{chapter.anchor}"></a>\n\n## {escape(chapter.title)}'
            yield from self._blocks(chapter.intro, "")
            for entry in chapter.entries:
                yield from self._entry(entry)
        if book.references:
            yield '\n<a id="references"></a>\n\n## References'
            yield from self._references()
        yield '\n<a id="index"></a>\n\n## Index\n'
        for term, places in book.index:
            links = ", ".join(f"[{escape(kind)}](#{anchor})" for anchor, kind in places)
            yield f"- {escape(term)}: {links}"

    def _references(self) -> Iterator[str]:
        section = None
        for each in self._book.references:
            if each.section != section:
                section = each.section
                if section:
                    yield f"\n### {escape(section)}\n"
            links = ", ".join(f"[{escape(title)}](#{anchor})" for anchor, title in each.cited_by)
            text = f" {escape(each.text)}" if each.text else ""
            yield f'- <a id="{citation_anchor(each.id)}"></a>**{escape(each.id)}**{text} ({links})'

    def _entry(self, entry: Entry) -> Iterator[str]:
        marks = f" {self.inline(entry.marks)}" if entry.marks else ""
        yield f'\n<a id="{entry.anchor}"></a>\n\n### {self.inline(entry.title)}{marks}'
        cites = " ".join(self._part(Cite(each)) for each in entry.cites)
        about = f"*{escape(entry.kind)}*"
        yield f"\n{about} {cites}".rstrip()
        for text in entry.doc:
            yield f"\n> {escape(text)}"
        yield from self._blocks(entry.body, "")
        for source in entry.sources:
            yield from self._source(source, "")

    # ------------------------------------------------------------ blocks

    def _blocks(self, blocks: tuple[Block, ...], margin: str) -> Iterator[str]:
        for block in blocks:
            yield margin.rstrip()
            yield from self._block(block, margin)

    def _block(self, block: Block, margin: str) -> Iterator[str]:
        match block:
            case Paragraph(text=text):
                yield f"{margin}{self.inline(text)}"
            case Listing(items=items, ordered=ordered):
                for number, item in enumerate(items, 1):
                    yield from self._item(item, f"{number}. " if ordered else "- ", margin)
            case Grid():
                yield from self._grid(block, margin)
            case Deck(cards=cards):
                for card in cards:
                    yield from self._card(card, margin)
            case Changed(text=text, old=old, new=new):
                yield f"{margin}> **Changed:** {self.inline(text)}"
                if old or new:
                    yield f"{margin}>"
                    yield from (f"{margin}> {each}" for each in _fenced(_marked(old, new), "diff"))
            case Source():
                yield from self._source(block, margin)
            case Picture(caption=caption, mermaid=mermaid):
                if mermaid:
                    yield from (f"{margin}{each}" for each in _fenced(mermaid, "mermaid"))
                    yield ""
                yield f"{margin}*{escape(caption)}*"

    def _item(self, item: Item, sign: str, margin: str) -> Iterator[str]:
        yield f"{margin}{sign}{self.inline(item.text)}"
        deeper = margin + " " * len(sign)
        for block in item.below:
            if not isinstance(block, Listing):
                yield ""
            yield from self._block(block, deeper)

    def _grid(self, grid: Grid, margin: str) -> Iterator[str]:
        if grid.caption:
            yield f"{margin}{self.inline(grid.caption)}:"
            yield ""
        yield f"{margin}| {' | '.join(self.inline(each) for each in grid.header)} |"
        yield f"{margin}|{'---|' * len(grid.header)}"
        for row in grid.rows:
            cells = [self._cell(cell) for cell in row.cells]
            if row.state == "gone":
                cells = [f"~~{cell}~~" if cell else "" for cell in cells]
            if row.anchor and cells:
                cells[0] = f'<a id="{row.anchor}"></a>{cells[0]}'
            yield f"{margin}| {' | '.join(cells)} |"

    def _cell(self, cell: tuple[Block, ...]) -> str:
        return "<br>".join(self._flat(cell, 0))

    def _flat(self, blocks: tuple[Block, ...], depth: int) -> Iterator[str]:
        """Give blocks as lines inside a cell, where there are no lists."""
        for block in blocks:
            match block:
                case Paragraph(text=text):
                    yield "&nbsp;" * 2 * depth + self.inline(text)
                case Listing(items=items, ordered=ordered):
                    for number, item in enumerate(items, 1):
                        sign = f"{number}. " if ordered else "\u2022 "
                        yield "&nbsp;" * 2 * depth + sign + self.inline(item.text)
                        yield from self._flat(item.below, depth + 1)
                case _:
                    pass

    def _card(self, card: Card, margin: str) -> Iterator[str]:
        yield f'\n{margin}<a id="{card.anchor}"></a>\n\n{margin}#### {escape(card.title)}'
        if card.marks:
            yield f"\n{margin}{self.inline(card.marks).strip()}"
        if card.fields:
            yield ""
            yield from (
                f"{margin}- {escape(name)}: {self.inline(value)}" for name, value in card.fields
            )
        yield from self._blocks(card.body, margin)

    def _source(self, source: Source, margin: str) -> Iterator[str]:
        yield f"\n{margin}<details><summary>As written: {escape(source.place)}</summary>\n"
        yield from (f"{margin}{each}" for each in _fenced(source.text, "text"))
        yield f"\n{margin}</details>"

    # ------------------------------------------------------------ lines

    def inline(self, run: Line) -> str:
        """Write a line."""
        return "".join(self._part(part) for part in run)

    def _part(self, part: Inline) -> str:
        match part:
            case Words(text=text):
                return escape(text)
            case Term(text=text, anchor=anchor) if anchor in self._known:
                return f"[*{escape(text)}*](#{anchor})"
            case Term(text=text):
                return f"*{escape(text)}*"
            case Quote(text=text):
                return f"\u201c{escape(text)}\u201d"
            case Cite(id=cited):
                return f"[\\[{escape(cited)}\\]](#{citation_anchor(cited)})"
            case Mark(text=text, anchor=anchor):
                return f"**[{escape(text)}](#{anchor})**"


def _marked(old: str, new: str) -> str:
    lines = [f"- {each}" for each in old.splitlines()] + [f"+ {each}" for each in new.splitlines()]
    return "\n".join(lines)


def _fenced(text: str, language: str) -> Iterator[str]:
    """Put lines between fences that are longer than any in them."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{language}"
    yield from text.splitlines()
    yield fence
