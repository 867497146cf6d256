"""The list of all codes of findings."""

from __future__ import annotations

from typing import Final

from rulelang.codes import CODES
from rulelang.diagnostics import Severity

__all__ = ["CHAPTERS", "table"]

# By the first letters of the codes, in the order of the page.
CHAPTERS: Final = {
    "E01": "Syntax",
    "E02": "Names",
    "E03": "Types and values",
    "E04": "Flow",
    "E05": "Decisions",
    "E06": "Secrecy",
    "E07": "Variants and options",
    "E08": "Data files",
    "E09": "Scenarios",
    "L00": "Silenced warnings",
    "L": "Lints",
    "R01": "While playing",
    "R02": "Recorded games",
}

_INTRODUCTIONS: Final = {"Lints": "Advice about rules that could be played; all are warnings."}


def table(words: list[str]) -> str:
    """List all codes in chapters, each with a link to its page.

    Raises:
        StopIteration: A code begins with letters that have no chapter.
    """
    del words
    rows: dict[str, list[str]] = {chapter: [] for chapter in CHAPTERS.values()}
    for each in CODES.values():
        warning = " (warning)" if each.severity is Severity.WARNING else ""
        chapter = next(name for start, name in CHAPTERS.items() if each.code.startswith(start))
        rows[chapter].append(
            f"| [{each.code}](../../rulelang/explanations/{each.code}.md) | {each.name}"
            f" | {each.summary}{warning} |"
        )
    return "\n\n".join(
        "\n".join((*_heading(chapter), "| code | name | says |", "|---|---|---|", *listed))
        for chapter, listed in rows.items()
        if listed
    )


def _heading(chapter: str) -> tuple[str, ...]:
    said = _INTRODUCTIONS.get(chapter)
    return (f"## {chapter}", "", *((said, "") if said else ()))
