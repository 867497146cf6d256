"""The commands `docs` and `graph`: a ruleset as a rulebook, and drawings of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from interpreter.ui.merged import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.rulebook.drawings.course import Course
    from rulelang.rulebook.drawings.places import Map
    from rulelang.rulebook.model import Picture
    from rulelang.symbols import Tables

_COURSE: Final = "The course of the game, and the rules that act on it"
_PLACES: Final = "The map"
_MANY: Final = 40  # rules in a drawing that is shown without being asked for
_ENDINGS: Final = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".svg": "svg",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
}


def write_rulebook(game: str, variants: Sequence[str], form: str | None, out: str | None) -> bool:
    """Write the rulebook of a game.

    Args:
        game: Name or path of the ruleset.
        variants: What to merge; what they change is marked.
        form: `html` or `markdown`. None: by the ending of `out`.
        out: The file. None: standard output.

    Returns:
        True.

    Raises:
        RulesetNotFoundError: There is no such ruleset or variant.
        click.UsageError: A package that is needed is not installed, or the ending says another format.
        click.exceptions.Exit: The ruleset has errors; they have been written to standard error.
        OSError: The file cannot be written.
    """
    chosen = _format(form, out, ("html", "markdown"))
    if chosen == "html":
        _needs("jinja2", "markupsafe", "drawsvg")
    from rulelang.rulebook.book import make_book

    tables = merged(game, variants)
    course, places = _pictures(tables, chosen)
    book = make_book(tables, merged(game, bare=True), course=course, places=places)
    if chosen == "html":
        from rulelang.rulebook.html import render_html

        _write(render_html(book), out)
    else:
        from rulelang.rulebook.markdown import render_markdown

        _write(render_markdown(book), out)
    return True


def write_drawing(
    game: str, variants: Sequence[str], what: str, form: str | None, out: str | None
) -> bool:
    """Write a drawing of a game.

    Args:
        game: Name or path of the ruleset.
        variants: What to merge.
        what: `phases` or `map`.
        form: `svg` or `mermaid`. None: by the ending of `out`.
        out: The file. None: standard output.

    Returns:
        Whether there is anything to draw.

    Raises:
        RulesetNotFoundError: There is no such ruleset or variant.
        click.UsageError: A package that is needed is not installed, or the ending says another format.
        click.exceptions.Exit: The ruleset has errors; they have been written to standard error.
        OSError: The file cannot be written.
    """
    chosen = _format(form, out, ("svg", "mermaid"))
    if chosen == "svg":
        _needs("drawsvg")
    tables = merged(game, variants)
    text = _map(tables, chosen) if what == "map" else _phases(tables, chosen)
    if text is None:
        click.echo(
            "error: The data of this ruleset name no places and nothing that joins them.", err=True
        )
        return False
    _write(text, out)
    return True


def _pictures(tables: Tables, form: str) -> tuple[Picture, Picture | None]:
    """Draw the course and the map as a page of a format can show them."""
    from rulelang.rulebook.drawings.course import course
    from rulelang.rulebook.drawings.places import game_map
    from rulelang.rulebook.model import Picture

    play, places = course(tables), game_map(tables)
    large = len(play.rules) > _MANY
    if form == "html":
        svg = _drawn_map(places, "svg") if places.places else ""
        first = Picture(_COURSE, svg=_drawn_course(play, "svg"), folded=large)
        return first, Picture(_PLACES, svg=svg) if svg else None
    text = _drawn_map(places, "mermaid") if places.places else ""
    first = Picture(_COURSE, mermaid=_drawn_course(play, "mermaid"), folded=large)
    return first, Picture(_PLACES, mermaid=text) if text else None


def _phases(tables: Tables, form: str) -> str:
    from rulelang.rulebook.drawings.course import course

    return _drawn_course(course(tables), form)


def _map(tables: Tables, form: str) -> str | None:
    from rulelang.rulebook.drawings.places import game_map

    found = game_map(tables)
    return _drawn_map(found, form) if found.places else None


def _drawn_course(found: Course, form: str) -> str:
    if form == "svg":
        from rulelang.rulebook.drawings.svg import course_as_svg

        return course_as_svg(found)
    from rulelang.rulebook.drawings.mermaid import course_as_mermaid

    return course_as_mermaid(found)


def _drawn_map(found: Map, form: str) -> str:
    if form == "svg":
        from rulelang.rulebook.drawings.svg import map_as_svg

        return map_as_svg(found)
    from rulelang.rulebook.drawings.mermaid import map_as_mermaid

    return map_as_mermaid(found)


def _format(form: str | None, out: str | None, known: tuple[str, ...]) -> str:
    ending = _ENDINGS.get(Path(out).suffix.lower()) if out is not None else None
    if form is not None:
        return form
    if ending is not None and ending not in known:
        raise click.UsageError(f"{out}: this command writes {' or '.join(known)}.")
    return ending or known[0]


def _needs(*packages: str) -> None:
    """Say what to install if something that only drawings and pages need is not there."""
    from importlib.util import find_spec

    missing = [each for each in packages if find_spec(each) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise click.UsageError(
            f"{' and '.join(missing)} {verb} not installed: pip install 'rulelang[docs]'."
            " Markdown and Mermaid can be written without."
        )


def _write(text: str, out: str | None) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    Path(out).write_text(text, "utf-8", newline="\n")
    click.echo(f"{out} is written.", err=True)
