"""The ruleset of *Pyrates!* without the unique actions of the captains, as the yardstick plays it."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang import api, nodes
from rulelang.parser import parse
from rulelang.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Collection

    from rulelang import ir

RULESET = Path(__file__).resolve().parents[1] / "rulesets" / "pyrates"
CAPTAINS = "data/pirates.csv"
MARKS = "oracle.rules"
MARK = "mark_of_the_oracle"
PHASES = ("booty_phase", "bidding", "actions", "end_phase", "victory")
"""The phases of a turn in order, as both implementations call them."""


def without_cards(source: SourceFile, cards: Collection[str]) -> str:
    """Return a text without the rules of some cards, its lines where they were."""
    text = source.text
    for item in parse(source).module.items:
        if isinstance(item, nodes.CardDecl) and item.name.text in cards:
            start, end = item.span.start, item.span.end
            lines = "\n" * text[start:end].count("\n")
            text = text[:start] + lines + " " * (end - start - len(lines)) + text[end:]
    return text


@functools.cache
def bare_program(*, marked: bool = False) -> ir.Program:
    """Compile the shipped ruleset without the cards of its captains.

    Args:
        marked: Whether a draw called `MARK`, which nothing reads, comes before each phase of a
            turn: whoever makes the draws can then look at the state there.

    Raises:
        ValueError: The text that is left has errors.
    """
    with (RULESET / CAPTAINS).open(encoding="utf-8", newline="") as file:
        captains = {row["id"] for row in csv.DictReader(file)}
    texts = {
        path.name: without_cards(SourceFile.from_bytes(path.name, path.read_bytes()), captains)
        for path in sorted(RULESET.glob("*.rules"))
    }
    if marked:
        texts[MARKS] = f"effect oracle_looks:\n    let {MARK} = roll D6\n" + "".join(
            f"look_before_{phase}: before {phase}: do oracle_looks\n" for phase in PHASES
        )
    for path in sorted(RULESET.rglob("*.csv")):
        texts[path.relative_to(RULESET).as_posix()] = path.read_text(encoding="utf-8")
    result = api.check_texts(texts, scenarios=False)
    if result.program is None:
        errors = [f"{each.span}: {each.headline}" for each in result.diagnostics if each.is_error]
        raise ValueError("\n".join(errors))
    return result.program
