"""Rulebooks for tests: made once, because a large game takes a while."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.rulebook.book import make_book
from rulelang.rulebook.drawings.course import course
from rulelang.rulebook.drawings.places import game_map
from rulelang.rulebook.drawings.svg import course_as_svg, map_as_svg
from rulelang.rulebook.model import Picture
from rulelang.written import read_tables

if TYPE_CHECKING:
    from rulelang.rulebook.model import Book
    from rulelang.symbols import Tables

FAIR = str(Path(__file__).parent / "fair")


@functools.cache
def tables_of(game: str, *variants: str) -> Tables:
    """Read a game with some variants."""
    return read_tables(game, variants)[0]


@functools.cache
def book_of(game: str, *variants: str) -> Book:
    """Make the rulebook of a game with its drawings."""
    tables = tables_of(game, *variants)
    places = game_map(tables)
    return make_book(
        tables,
        tables_of(game),
        course=Picture("The course", svg=course_as_svg(course(tables))),
        places=Picture("The map", svg=map_as_svg(places)) if places.places else None,
    )
