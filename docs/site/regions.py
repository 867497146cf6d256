"""Parts of pages that are made from the program: grammar, built-in names, codes, commands.

A part stands in its page between two comments and is part of the text that is kept, so that it can be read where the
site is not built:

    <!-- made: options run -->
    ...
    <!-- end -->

`python -m docs.site` writes all of them anew. A test says when that has to be done.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs.site import codes, givens, grammar, verbs

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DOCS", "asked_for", "pages", "rewritten"]

DOCS: Final = Path(__file__).resolve().parents[1]

_REGION: Final = re.compile(
    r"^<!-- made: (?P<maker>\w+)(?P<words>[^\n]*?) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)
_MAKERS: Final[dict[str, Callable[[list[str]], str]]] = {
    "codes": codes.table,
    "functions": givens.functions,
    "grammar": grammar.fragment,
    "names": givens.names,
    "options": verbs.options,
    "verbs": verbs.table,
    "words": givens.all_words,
}


def pages() -> list[Path]:
    """List the pages that have parts made from the program."""
    return [page for page in sorted(DOCS.rglob("*.md")) if _REGION.search(page.read_text("utf-8"))]


def asked_for(markdown: str) -> list[tuple[str, list[str]]]:
    """List the parts of a page: who makes each, and of what."""
    return [(found["maker"], found["words"].split()) for found in _REGION.finditer(markdown)]


def rewritten(markdown: str) -> str:
    """Write a page with its parts made anew.

    Raises:
        KeyError: A part is of a kind, or about something, that does not exist.
    """

    def made(found: re.Match[str]) -> str:
        words = found["words"].split()
        body = _MAKERS[found["maker"]](words)
        opening = " ".join((found["maker"], *words))
        return f"<!-- made: {opening} -->\n\n{body.strip()}\n\n<!-- end -->"

    return _REGION.sub(made, markdown)
