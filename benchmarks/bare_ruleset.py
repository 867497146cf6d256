"""The rulesets as the yardsticks play them, with marks in them where the states are compared."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang import api, nodes
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from rulelang import ir

RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
CAPTAINS = "data/pirates.csv"
MARKS = "oracle.rules"
MARK = "mark_of_the_oracle"
PHASES = ("booty_phase", "bidding", "actions", "end_phase", "victory")
"""The phases of a turn of *Pyrates!* in order, as both implementations call them."""
ACTIONS = ("turn.first_action", "turn.second_action")
"""The steps of a turn of *Pirates!*."""


def without_cards(source: SourceFile, cards: Collection[str]) -> str:
    """Return a text without the rules of some cards, its lines where they were."""
    text = source.text
    for item in parse(source).module.items:
        if isinstance(item, nodes.CardDecl) and item.name.text in cards:
            start, end = item.span.start, item.span.end
            lines = "\n" * text[start:end].count("\n")
            text = text[:start] + lines + " " * (end - start - len(lines)) + text[end:]
    return text


def texts_of(name: str) -> dict[str, str]:
    """Return the files of a shipped ruleset by path, without its scenarios and variants."""
    folder = RULESETS / name
    paths = [*sorted(folder.glob("*.rules")), *sorted(folder.rglob("*.csv"))]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def compiled(
    texts: Mapping[str, str], marks: Iterable[str] = (), seats: int | None = None
) -> ir.Program:
    """Compile a ruleset.

    Args:
        texts: Its files by path.
        seats: How many seats there are, if the game does not say so.
        marks: Doings before each of which comes a draw called `MARK`, which nothing reads: whoever
            makes the draws can then look at the state there.

    Raises:
        ValueError: It has errors.
    """
    marked = "".join(
        f"look_before_{doing.replace('.', '_')}: before {doing}: do oracle_looks\n"
        for doing in marks
    )
    if marked:
        marked = f"effect oracle_looks:\n    let {MARK} = roll D6\n{marked}"
        texts = {**texts, MARKS: marked}
    result = api.check_texts(dict(texts), seats=seats, scenarios=False)
    if result.program is None:
        errors = [f"{each.span}: {each.headline}" for each in result.diagnostics if each.is_error]
        raise ValueError("\n".join(errors))
    return result.program


@functools.cache
def bare_program(*, marked: bool = False) -> ir.Program:
    """Compile *Pyrates!* without the cards of its captains, which the yardstick has not.

    Args:
        marked: Whether there are marks before each phase of a turn.

    Raises:
        ValueError: The text that is left has errors.
    """
    texts = texts_of("pyrates")
    captains = {row["id"] for row in csv.DictReader(texts[CAPTAINS].splitlines())}
    for name, text in texts.items():
        if name.endswith(".rules"):
            source = SourceFile.from_bytes(name, text.encode())
            texts[name] = without_cards(source, captains)
    return compiled(texts, PHASES if marked else ())


@functools.cache
def plain_pirates(people: int) -> ir.Program:
    """Compile *Pirates!* for so many people."""
    return compiled(texts_of("pirates"), seats=people)


@functools.cache
def marked_pirates(people: int) -> ir.Program:
    """Compile *Pirates!* for so many people, with marks before each action."""
    return compiled(texts_of("pirates"), ACTIONS, people)
