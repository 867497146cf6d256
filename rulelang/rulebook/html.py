"""A rulebook as one HTML file: nothing is loaded from elsewhere, no script runs, all texts of a ruleset are escaped."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from rulelang.rulebook.model import (
    Book,
    Cite,
    Inline,
    Line,
    Mark,
    Picture,
    Quote,
    Reference,
    Term,
    Words,
    citation_anchor,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulelang.rulebook.model import Block

_FOLDER = Path(__file__).parent / "page"


def render_html(book: Book) -> str:
    """Write a rulebook as an HTML document."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["groupby_run"] = _sections
    known = frozenset(book.anchors())
    environment.globals.update(
        line=lambda run: _line(run, known),
        cite=lambda cited: _part(Cite(cited), known),
        kind_of=_kind_of,
        anchor_of=citation_anchor,
        drawing=_drawing,
        style=Markup((_FOLDER / "book.css").read_text("utf-8")),  # noqa: S704 - our own file
    )
    return environment.get_template("book.html.j2").render(book=book)


def _kind_of(block: Block) -> str:
    return type(block).__name__


def _sections(references: Iterable[Reference]) -> Iterator[tuple[str, list[Reference]]]:
    """Put references of one section of the rulebook together that follow each other."""
    for section, members in groupby(references, key=lambda each: each.section):
        yield section, list(members)


def _drawing(picture: Picture) -> Markup:
    """Give an SVG document as a part of the page; its texts were escaped when it was drawn."""
    return Markup(picture.svg[picture.svg.index("<svg") :])  # noqa: S704 - see above


def _line(run: Line, known: frozenset[str]) -> Markup:
    return Markup("").join(_part(part, known) for part in run)


def _part(part: Inline, known: frozenset[str]) -> Markup:
    match part:
        case Words(text=text):
            return escape(text)
        case Term(text=text, anchor=anchor) if anchor in known:
            return Markup('<a class="term" href="#{}">{}</a>').format(anchor, text)
        case Term(text=text):
            return Markup('<i class="term">{}</i>').format(text)
        case Quote(text=text):
            return Markup("<q>{}</q>").format(text)
        case Cite(id=cited):
            return Markup('<a class="cite" href="#{}">{}</a>').format(citation_anchor(cited), cited)
        case Mark(text=text, anchor=anchor):
            return Markup('<a class="mark" href="#{}">{}</a>').format(anchor, text)
