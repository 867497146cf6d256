"""How many words a ruleset takes for what its rulebook says.

Run it with `python -m benchmarks.words`. Comments, citations, the texts of cards, tests and house rules are
left out. The strict count has all the rest; the fair one leaves out what no rulebook has either: options for
readings of its ambiguous sentences, the policies of automas and the texts of prompts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulelang import nodes
from rulelang.files import shipped_folder
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@attrs.frozen
class Book:
    """A rulebook, and the files of the ruleset that say the same.

    Attributes:
        words: Of the rulebook without the texts of its cards, counted as those of the ruleset are:
            what stands between blanks and has a letter or a digit.
        apart: Patterns of the files that say what the rulebook does not, or what cards say.
        policies: Patterns of the files that hold nothing but policies.
    """

    words: int
    apart: tuple[str, ...]
    policies: tuple[str, ...] = ()


BOOKS = {
    "pirate_republic": Book(
        14_394,
        (
            "cards_*",
            "missions_*",
            "invariants.*",
            "variants/fixtures.*",
            "variants/home_made.*",
            "variants/presets.*",
        ),
        ("policy*",),
    )
}


@attrs.frozen
class Count:
    """Words of a ruleset.

    Attributes:
        strict: Whatever is a rule, an option, a policy inside a rule, or a text on the screen.
        fair: Without options, policies and texts.
        book: Of the rulebook.
    """

    strict: int
    fair: int
    book: int


def count(game: str) -> Count:
    """Count the words of a ruleset that comes with the program."""
    book = BOOKS[game]
    folder = shipped_folder() / game
    strict = fair = 0
    for path in sorted([*folder.glob("*.rules"), *folder.glob("variants/*.rules")]):
        module = _parsed(path)
        if _is_one_of(path, folder, (*book.apart, *book.policies)):
            continue
        strict += _words(module, _notes(module))
        fair += _words(module, [*_notes(module), *_additions(module)])
    return Count(strict, fair, book.words)


def _parsed(path: Path) -> nodes.Module:
    return parse(SourceFile(path.name, path.read_text("utf-8"))).module


def _is_one_of(path: Path, folder: Path, patterns: tuple[str, ...]) -> bool:
    return any(path.relative_to(folder).match(pattern) for pattern in patterns)


def _notes(module: nodes.Module) -> Iterator[tuple[int, int]]:
    """Give the places of comments and citations."""
    for part in nodes.walk(module):
        if isinstance(part, nodes.Comment | nodes.Citation):
            yield part.span.start, part.span.end


def _additions(module: nodes.Module) -> Iterator[tuple[int, int]]:
    """Give the places of what no rulebook has."""
    for part in nodes.walk(module):
        if isinstance(part, nodes.OptionDecl | nodes.Text | nodes.Utility):
            yield part.span.start, part.span.end
        else:
            for name in ("policy", "wanted"):
                value = getattr(part, name, None)
                if isinstance(value, nodes.Node):
                    yield value.span.start, value.span.end


def _words(module: nodes.Module, without: Iterator[tuple[int, int]] | list[tuple[int, int]]) -> int:
    letters = list(module.file.text)
    for start, end in without:
        letters[start:end] = " " * (end - start)
    return sum(re.search(r"\w", word) is not None for word in "".join(letters).split())


def main() -> None:
    """Print the table."""
    print(f"{'ruleset':18}{'rulebook':>10}{'strict':>9}{'ratio':>8}{'fair':>9}{'ratio':>8}")
    for game in BOOKS:
        found = count(game)
        print(
            f"{game:18}{found.book:>10}{found.strict:>9}{found.strict / found.book:>8.2f}"
            f"{found.fair:>9}{found.fair / found.book:>8.2f}"
        )


if __name__ == "__main__":
    main()
