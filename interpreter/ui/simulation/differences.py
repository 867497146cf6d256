"""Differences between versions of a game as lines of text."""

from __future__ import annotations

from math import inf
from statistics import median
from typing import TYPE_CHECKING, Final

from interpreter.statistics.comparing import ALPHA, Difference, verdicts
from interpreter.statistics.figures import AT_END, SEVERAL_WIN, UNFINISHED, WINS
from interpreter.ui.simulation.tables import unfinished_lines
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.statistics.comparing import Shift
    from interpreter.ui.simulation.comparing import Compared

_LABEL: Final = 30
_SHOWN_VERDICTS: Final = 3


def comparison_lines(compared: Compared, base: str, rules: int) -> Iterator[str]:
    """Give the report about one change.

    Args:
        compared: What is known.
        base: What the base is called.
        rules: How many parts of the rules are listed.
    """
    games = compared.paired.games
    differing = compared.paired.differing
    yield (
        f"{differing:,} of {games:,} pairs of games ({100 * differing / games:.1f} %) differ in something."
    )
    yield ""
    yield (
        f"{'':<{_LABEL}}{_cut(base, 12):>12}{_cut(compared.label, 14):>15}{'difference':>12}"
        "   95 % interval         verdict"
    )
    for each in compared.found:
        if _worth_a_line(each):
            yield _difference_line(each)
    yield ""
    yield from verdict_notes(compared.found)
    if compared.moved and rules:
        yield ""
        yield from shift_lines(compared.moved, rules)
    for summary, label in ((compared.base, base), (compared.changed, compared.label)):
        if summary.unfinished:
            yield ""
            yield f"{label}:"
            yield from unfinished_lines(summary)


def _worth_a_line(each: Difference) -> bool:
    """Is there anything to say about it?"""
    quiet = each.name in (SEVERAL_WIN, UNFINISHED) or each.name.startswith(AT_END)
    return not (quiet and each.verdict == "the same")


def _difference_line(each: Difference) -> str:
    low, high = each.interval
    if each.share:
        numbers = f"{100 * each.base:>10.1f} %{100 * each.changed:>13.1f} %{100 * each.difference:>+10.2f} %"
        interval = f"{100 * low:+.2f} to {100 * high:+.2f} %"
    else:
        numbers = f"{each.base:>12.2f}{each.changed:>15.2f}{each.difference:>+12.3f}"
        interval = f"{low:+.3f} to {high:+.3f}"
    return (
        f"{_cut(each.name, _LABEL - 1):<{_LABEL}}{numbers}   {interval:<20}  {verdict_text(each)}"
    )


def verdict_text(each: Difference) -> str:
    """Say in words what can be said."""
    match each.verdict:
        case "higher" | "lower":
            return each.verdict
        case "the same":
            return "the same in every game"
        case "undecided":
            if each.needed == inf:
                return "undecided; they even out"
            return f"undecided; {about(each.needed)} games would tell"


def about(number: float) -> str:
    """Round a number to two places that count: it is a guess."""
    digits = len(str(int(number)))
    step = 10 ** max(0, digits - 2)
    return f"about {int(-(-number // step) * step):,}"


def verdict_notes(found: Sequence[Difference]) -> Iterator[str]:
    """Say what the verdicts mean."""
    said = verdicts(found)
    tests = sum(each.verdict != "the same" for each in found)
    yield (
        f"{plural(len(said), 'verdict')} for {plural(len(found), 'figure')}. If the change changed nothing, any verdict"
        f" at all would be given in at most {100 * ALPHA:.0f} of 100 such comparisons (Holm)."
    )
    worth = [each.worth for each in found if each.verdict != "the same" and each.worth < inf]
    if tests and worth and median(worth) > 1.05:
        yield (
            f"Pairs help: without equal seeds about {median(worth):.1f} times as many games would be needed."
        )


def shift_lines(moved: Sequence[Shift], most: int) -> Iterator[str]:
    """List the parts of the rules whose acting has moved most surely."""
    certain = [each for each in moved if each.certain]
    if not certain:
        yield "No part of the rules acts more or less often for sure."
        return
    yield f"{'which rules act more or less often, times a game':<58}{'before':>10}{'after':>10}{'':>4}"
    for each in certain[:most]:
        label = _cut(f"{each.named.sort} {each.named.name}", 57)
        yield f"{label:<58}{each.base:>10.3f}{each.changed:>10.3f}    {shift_times(each)}"
    if len(certain) > most:
        yield f"... and {plural(len(certain) - most, 'part')} more: see --rules, --json"


def shift_times(each: Shift) -> str:
    """By what factor."""
    if not each.base:
        return "new"
    if not each.changed:
        return "never"
    return f"x {each.changed / each.base:.2f}"


def scan_lines(compared: Sequence[Compared], base: str) -> Iterator[str]:
    """Give one line for each of several changes, those that matter most first."""
    yield f"{'':<50}{'pairs that':>12}   what changes, with a verdict for all of it together"
    yield f"{'':<50}{'differ':>12}   against {base}"
    for each in compared:
        share = 100 * each.paired.differing / each.paired.games
        yield f"{_cut(each.label, 49):<50}{share:>10.1f} %   {_said(each)}"
    tests = sum(len(each.found) for each in compared)
    yield ""
    yield (
        f"All {tests:,} tests are corrected together (Holm): if nothing changed anything, any verdict at all would be"
        f" given in at most {100 * ALPHA:.0f} of 100 such tables."
    )


def _said(compared: Compared) -> str:
    said = sorted(verdicts(compared.found), key=lambda each: (each.corrected, each.name))
    if said:
        parts = [short(each) for each in said[:_SHOWN_VERDICTS]]
        more = f", {len(said) - len(parts)} more" if len(said) > len(parts) else ""
        return ", ".join(parts) + more
    if not compared.paired.differing:
        return "never comes up"
    open_ones = [each for each in compared.found if each.needed < inf and _main(each)]
    if not open_ones:
        return "no verdict"
    nearest = min(open_ones, key=lambda each: each.needed)
    return f"no verdict; for {nearest.name} ({short_number(nearest)}) {about(nearest.needed)} games would tell"


def _main(each: Difference) -> bool:
    return each.name.startswith(WINS) or not each.name.startswith(AT_END)


def short(each: Difference) -> str:
    """A difference in a few words."""
    return f"{each.name} {short_number(each)}"


def short_number(each: Difference) -> str:
    """By how much, with half of its interval."""
    low, high = each.interval
    half = (high - low) / 2
    if each.share:
        return f"{100 * each.difference:+.1f} ± {100 * half:.1f} %"
    return f"{each.difference:+.2f} ± {half:.2f}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."
