"""What `options --matrix` writes: a table of all pairs of variants, a list of combinations, or JSON."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final

import attrs

from interpreter.ui.matrix import CONFLICT, EXCLUDED, TROUBLES, Tried
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulelang import ir
    from rulelang.variants.catalogue import Catalogue

_JSON_VERSION: Final = 1
_ALONE: Final = "·"


def pairs_table(
    base: ir.Program, found: Catalogue, tried: Sequence[Tried], games: int, seed: int
) -> Iterator[str]:
    """Write the pairs as a table in Markdown, with a note for each that does not simply play.

    Args:
        base: The game.
        found: Its variants.
        tried: The results of `pairs`, in its order.
        games: How many games were played with each.
        seed: Of the first of them.
    """
    names = list(found.variants)
    alone = tried[1 : 1 + len(names)]
    twos = iter(tried[1 + len(names) :])
    cells: dict[tuple[str, str], Tried] = dict(zip(((n, n) for n in names), alone, strict=True))
    for row, one in enumerate(names):
        for two in names[row + 1 :]:
            cells[one, two] = next(twos)
    notes: list[str] = []
    yield f"# Pairs of variants: {base.title}"
    yield ""
    yield (
        f"Every two variants of {base.title} with each other, {plural(games, 'random game')} each, spread over"
        f" {base.players[0]} to {base.players[1]} people or as many as the variants allow, seeds from {seed}. On the"
        " diagonal each alone. *plays*: every game came to its end. *conflict*, *excluded*: the set is refused before"
        " play, for the reason in the note."
    )
    yield ""
    numbers = {name: number for number, name in enumerate(names, 1)}
    yield "|   |   |" + "|".join(f" {numbers[name]} " for name in names) + "|"
    yield "|---|---|" + "|".join("---" for _ in names) + "|"
    for row, one in enumerate(names):
        line = [_ALONE] * row + [_cell(cells[one, two], notes) for two in names[row:]]
        yield f"| {numbers[one]} | `{one}` | " + " | ".join(line) + " |"
    yield ""
    yield _summary(tried)
    if notes:
        yield ""
        yield from (f"{number}. {note}" for number, note in enumerate(notes, 1))


def _cell(tried: Tried, notes: list[str]) -> str:
    if not tried.refused and not tried.troubles:
        return "plays"
    note = f"{_named(tried)}: {'; '.join(_reasons(tried))}"
    if note not in notes:
        notes.append(note)
    return f"{_verdict(tried)} ({notes.index(note) + 1})"


def _named(tried: Tried) -> str:
    return ", ".join(f"`{name}`" for name in tried.combination.variants) or "the base"


def _verdict(tried: Tried) -> str:
    codes = {each.code for each in tried.refused}
    if codes == {EXCLUDED}:
        return "excluded"
    if codes and codes <= {CONFLICT, EXCLUDED}:
        return "conflict"
    if codes:
        return "**error**"
    return f"**{', '.join(f'{tried.troubles[each]} {each}' for each in TROUBLES if each in tried.troubles)}**"


def _reasons(tried: Tried) -> Iterator[str]:
    for each in tried.refused:
        cites = f" [{', '.join(each.cites)}]" if each.cites else ""
        yield f"{each.code}, {each.text}{cites} ({', '.join(each.places)})"
    for said, command in tried.examples:
        yield f"{said.partition(chr(10))[0]} (`{command}`)"


def _summary(tried: Sequence[Tried]) -> str:
    refused = sum(bool(each.refused) for each in tried)
    troubles: Counter[str] = Counter()
    for each in tried:
        troubles.update(each.troubles)
    parts = [f"{troubles[name]} {name}" for name in TROUBLES]
    return (
        f"{plural(len(tried), 'combination')}: {len(tried) - refused} play, {refused} refused;"
        f" {plural(sum(each.games for each in tried), 'game')}: {', '.join(parts)}."
    )


def report(
    base: ir.Program,
    found: Catalogue,
    tried: Sequence[Tried],
    whole: int,
    games: int,
    seed: int,
) -> Iterator[str]:
    """Write one line for each combination, and more for those that do not simply play.

    Args:
        base: The game.
        found: Its variants.
        tried: The results.
        whole: How many combinations there would be.
        games: How many games were played with each.
        seed: Of the first of them.
    """
    what = f"{plural(len(found.variants), 'variant')}, {plural(found.option_count, 'option')}"
    if whole == len(tried):
        yield f"{base.title}: {what}; all {plural(whole, 'combination')}"
    else:
        figure = f"{whole:,}" if whole < 10**9 else f"{whole:.1e}"
        yield (
            f"{base.title}: {what}; {figure} combinations, of which {len(tried)} are tried:"
            " every two values that may meet do"
        )
    yield f"{plural(games, 'game')} each, seeds from {seed}\n"
    width = len(str(len(tried)))
    for number, each in enumerate(tried, 1):
        verdict = "plays" if not each.refused and not each.troubles else _verdict(each).strip("*")
        words = " ".join(each.combination.words()) or "the game as it is"
        yield f"{number:>{width}}  {verdict}: {words}"
        for reason in _reasons(each):
            yield f"{'':>{width}}    {reason}"
    yield f"\n{_summary(tried)}"


def document(base: ir.Program, tried: Sequence[Tried], whole: int, games: int, seed: int) -> str:
    """Write the same as JSON."""
    return json.dumps(
        {
            "version": _JSON_VERSION,
            "ruleset": base.name,
            "games": games,
            "seed": seed,
            "combinations": whole,
            "tried": [
                {
                    "with": list(each.combination.variants),
                    "options": dict(each.combination.options),
                    "games": each.games,
                    "refused": [attrs.asdict(problem) for problem in each.refused],
                    **{name: each.troubles.get(name, 0) for name in TROUBLES},
                    "examples": [
                        {"what": said, "command": command} for said, command in each.examples
                    ],
                }
                for each in tried
            ],
        },
        indent=2,
        ensure_ascii=False,
    )
