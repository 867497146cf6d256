"""The pages of the site that do not lie in `docs`, and what of a page is written differently there.

Nothing here needs the generator of the site, so that all of it can be tested without.
"""

from __future__ import annotations

import fnmatch
import importlib.resources
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rulelang.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["explanations", "filled", "loaded", "outside", "shown"]

ROOT: Final = Path(__file__).resolve().parents[2]

# Pages at the root of the project, by where the site has them.
_ROOT_PAGES: Final = {
    "index.md": "README.md",
    "about/architecture.md": "ARCHITECTURE.md",
    "about/contributing.md": "CONTRIBUTING.md",
    "about/changelog.md": "CHANGELOG.md",
}
_EXPLANATIONS: Final = "reference/diagnostics/"
_FENCE: Final = re.compile(r"^```rules-wrong (?P<code>\w+)(?P<rest>[^\n]*)$", re.MULTILINE)
_EXCERPT: Final = re.compile(r"^```rules-from (?P<ruleset>\w+)$", re.MULTILINE)
_ROW: Final = re.compile(r"^\|[^\n]*\|$", re.MULTILINE)
_CODE: Final = re.compile(r"`[^`\n]+`")
_LINK: Final = re.compile(r"(\]\()([^)#\s:]+)(#[^)\s]*)?(\))")

# What a browser loads by itself; a link waits until somebody follows it.
_LOADED: Final = re.compile(
    r"<(?:script|img|iframe|link|source|video|audio)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\s\"'>]+)"
)


def outside() -> dict[str, str]:
    """Give the text of each page from the root of the project, by its place in the site."""
    return {place: (ROOT / name).read_text("utf-8") for place, name in _ROOT_PAGES.items()}


def explanations() -> dict[str, str]:
    """Give the page about each code of findings, by its place in the site."""
    pages = importlib.resources.files("rulelang") / "explanations"
    return {
        f"{_EXPLANATIONS}{code}.md": (pages / f"{code}.md").read_text("utf-8") for code in CODES
    }


def shown(markdown: str, place: str) -> str:
    """Write a page as the site shows it.

    Links follow pages to where the site has them; rules that are wrong on purpose say so. A bar in code in a table has
    no backslash before it: the site's Markdown would show it, that of others needs it.

    Args:
        markdown: The page as it is kept.
        place: Where the site has it, from the root of the site.
    """
    written_in = _source(place)
    wrong = r'```{.rules .wrong title="wrong: \g<code>"}'
    markdown = _EXCERPT.sub(r'```{.rules title="from \g<ruleset>"}', _FENCE.sub(wrong, markdown))
    markdown = _ROW.sub(lambda row: _CODE.sub(_without_backslash, row[0]), markdown)

    def led(found: re.Match[str]) -> str:
        opening, target, anchor, closing = found.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(written_in), target))
        there = posixpath.relpath(_placed(path), posixpath.dirname(place) or ".")
        return f"{opening}{there}{anchor or ''}{closing}"

    return _LINK.sub(led, markdown)


def _without_backslash(code: re.Match[str]) -> str:
    return code[0].replace(r"\|", "|")


def loaded(html: str) -> list[str]:
    """List the addresses elsewhere from which a browser would load something for a page."""
    return _LOADED.findall(html)


def filled(nav: list[Any], known: Iterable[str]) -> list[Any]:
    """Put pages for the names with a star in a navigation: those that fit and are named nowhere else.

    Args:
        nav: Pages, titles with pages, and titles with such lists, as `mkdocs.yml` has them.
        known: All pages of the site.
    """
    left = [page for page in sorted(known) if page not in set(_named(nav))]
    return _filled(nav, left)


def _filled(nav: list[Any], left: list[str]) -> list[Any]:
    out: list[Any] = []
    for entry in nav:
        if isinstance(entry, dict):
            out.append(
                {
                    title: _filled(below, left) if isinstance(below, list) else below
                    for title, below in entry.items()
                }
            )
        elif "*" in entry:
            # A star stands for a name in this folder, not for folders.
            out += [
                page
                for page in left
                if fnmatch.fnmatch(page, entry) and page.count("/") == entry.count("/")
            ]
        else:
            out.append(entry)
    return out


def _named(nav: list[Any]) -> Iterable[str]:
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from [below] if isinstance(below, str) else _named(below)


def _source(place: str) -> str:
    """Give the file of a page of the site, from the root of the project."""
    if place in _ROOT_PAGES:
        return _ROOT_PAGES[place]
    if place.startswith(_EXPLANATIONS):
        return f"rulelang/explanations/{posixpath.basename(place)}"
    return f"docs/{place}"


def _placed(path: str) -> str:
    """Give the place in the site of a file of the project."""
    for place, name in _ROOT_PAGES.items():
        if path == name:
            return place
    folder, _, name = path.rpartition("/")
    if folder == "rulelang/explanations":
        return f"{_EXPLANATIONS}{name}"
    return path.removeprefix("docs/")
