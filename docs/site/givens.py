"""Tables of what the language has without a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import given
from rulelang.words import constants, keywords

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulelang.given import Given

__all__ = ["all_words", "functions", "names"]


def functions(words: list[str]) -> str:
    """List the built-in functions with what each gives."""
    del words
    return _table("gives", given.FUNCTIONS.values())


def names(words: list[str]) -> str:
    """List what `doings`, `fields`, `names` or `types` are built in.

    Raises:
        KeyError: There are no built-in names of that sort.
    """
    sorts = {
        "doings": ("does", given.DOINGS),
        "fields": ("is", given.FIELDS),
        "names": ("is", given.NAMES),
        "types": ("has the values", given.TYPES),
    }
    (sort,) = words
    heading, known = sorts[sort]
    return _table(heading, known.values())


def all_words(words: list[str]) -> str:
    """List the keywords, which cannot name anything, and the reserved names."""
    del words
    return "\n\n".join(
        f"{what}: {' '.join(f'`{word}`' for word in sorted(known))}."
        for what, known in (("Keywords", keywords()), ("Reserved names", constants()))
    )


def _table(heading: str, known: Iterable[Given]) -> str:
    rows = [f"| `{each.form}` | {each.says} |" for each in known]
    return "\n".join((f"| built in | {heading} |", "|---|---|", *rows))
