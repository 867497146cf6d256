"""Citations that nothing that was played exercises, as findings at the places that cite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rulelang import config
from rulelang.allowing import UNEXERCISED, without
from rulelang.diagnostics import Label
from rulelang.gathering import gather
from rulelang.linting import finding
from rulelang.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from interpreter.ui.tracing import Place
    from rulelang import ir
    from rulelang.diagnostics import Diagnostic
    from rulelang.source import SourceFile, Span

_OTHERS: Final = 3
"""So many further places that cite an id are shown."""
_BELOW: Final = 8
"""A citation stands at most so many lines below the beginning of what it belongs to."""


def unexercised(
    game: str, found: Iterable[ir.Citation], places: Mapping[str, Sequence[Place]], played: str
) -> tuple[list[Diagnostic], Path]:
    """Report ids that rules cite and that nothing exercised.

    Args:
        game: Name or path of the ruleset.
        found: The ids.
        places: Where each id is cited.
        played: What was played, for people.

    Returns:
        The findings by place, without those that comments or `rulelang.toml` silence, and with those about comments
        that silence nothing; and the folder that their paths begin in.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
    """
    read = gather(game, everything=True).read
    texts = Texts(read.sources, read.read)
    sources = {source.path: source for source in read.sources}
    reported = [
        _reported(
            each, [at for place in places[each.id] if (at := _at(place, each.id, sources))], played
        )
        for each in found
    ]
    kept = texts.kept_of_played(each for each in reported if each is not None)
    return without(kept, config.current().allowed), read.root


def _reported(cited: ir.Citation, at: Sequence[Span], played: str) -> Diagnostic | None:
    if not at:
        return None
    others = [Label(each, "and this") for each in dict.fromkeys(at[1:]) if each != at[0]]
    return finding(
        UNEXERCISED,
        at[0],
        f"nothing that was played exercises {cited.id}",
        label="this has never done its work",
        secondary=others[:_OTHERS],
        notes=(f"{cited.id}: {cited.text}", f"{played} were played"),
        advice="write a scenario in which it matters, or find out why it is never reached",
        citation=(cited.id,),
    )


def _at(place: Place, cite: str, sources: Mapping[str, SourceFile]) -> Span | None:
    """Give the place of an id in the text, or the line of what cites it if it stands there as one of several."""
    path, _, number = place.where.rpartition(":")
    source = sources.get(path)
    if source is None:
        return None
    lines = source.text.splitlines(keepends=True)
    first = max(int(number), 1) - 1
    start = sum(map(len, lines[:first]))
    end = start + sum(map(len, lines[first : first + _BELOW]))
    word = re.compile(rf"(?<![\w-]){re.escape(cite)}(?![\w-])").search(source.text, start, end)
    if word is not None:
        return source.span(word.start(), word.end())
    line = lines[first].rstrip() if first < len(lines) else ""
    return source.span(start + len(line) - len(line.lstrip()), start + len(line))
