"""The figures of many games as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from interpreter.statistics.counting import NOBODY
from interpreter.statistics.figures import (
    AT_END,
    BRANCHING,
    DECISIONS,
    LEAD_CHANGES,
    MEAN_SCORE,
    NOBODY_WINS,
    ROUNDS,
    SCORE,
    SEVERAL_WIN,
    UNFINISHED,
    WINS,
    is_rate,
)
from interpreter.statistics.intervals import bootstrap, wilson
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.statistics.counting import Named
    from interpreter.statistics.intervals import Interval
    from interpreter.statistics.summaries import Firing, Summary
    from interpreter.statistics.tallies import Histogram, Tally

_WIDTH: Final = 40
_MOST_ROWS: Final = 24
_SHOWN_RULES: Final = 20
ENDINGS: Final = {
    "longest": "stopped after as many answers as --longest allows",
    "budget": "stopped by a limit of the engine",
    "fault": "stopped by a fault",
}


@attrs.frozen
class Line:
    """One figure of one version.

    Attributes:
        name: What it is.
        rate: Whether it is a share of the games.
        mean: Its mean.
        interval: Of 95 %.
        tally: Where it comes from.
    """

    name: str
    rate: bool
    mean: float
    interval: Interval
    tally: Tally


def lines_of(summary: Summary, kinds: Sequence[str]) -> list[Line]:
    """Give every figure with its interval: Wilson's for rates, a bootstrap for means."""
    found: list[Line] = []
    for name, tally in summary.tallies.items():
        rate = is_rate(name, kinds)
        interval = wilson(tally.total, tally.count) if rate else bootstrap(tally)
        share = rate or name.startswith(WINS)
        found.append(Line(name, share, tally.mean, interval, tally))
    return found


def summary_lines(
    summary: Summary, kinds: Sequence[str], score: str | None, *, rules: int = _SHOWN_RULES
) -> Iterator[str]:
    """Give the report about one version.

    Args:
        summary: What was played.
        kinds: Who answers for the people.
        score: By what the lead is told.
        rules: How many parts of the rules are listed.
    """
    lines = {line.name: line for line in lines_of(summary, kinds)}
    yield from _wins(lines, kinds)
    yield ""
    yield from _means(lines, summary, score)
    for name, histogram in summary.histograms.items():
        if name == ROUNDS or ROUNDS not in summary.histograms:
            yield ""
            yield from _histogram(name, histogram)
    if summary.unfinished:
        yield ""
        yield from unfinished_lines(summary)
    if summary.fired and rules:
        yield ""
        yield from fired_lines(summary, rules)


def _wins(lines: dict[str, Line], kinds: Sequence[str]) -> Iterator[str]:
    yield f"{'who wins':<32}{'games':>10}{'share':>10}   95 % interval"
    for name, line in lines.items():
        if name.startswith(WINS) or name in (NOBODY_WINS, SEVERAL_WIN, UNFINISHED):
            label = name.removeprefix(WINS)
            seat = label.removeprefix("seat ")
            if seat.isdigit() and len(set(kinds)) == 1 and int(seat) <= len(kinds):
                label = f"{label} ({kinds[int(seat) - 1]})"
            low, high = line.interval
            games = f"{line.tally.total:,.0f}" if is_rate(name, kinds) else ""
            yield (
                f"{label:<32}{games:>10}{100 * line.mean:>8.1f} %"
                f"   {100 * low:.1f} to {100 * high:.1f} %"
            )


def _means(lines: dict[str, Line], summary: Summary, score: str | None) -> Iterator[str]:
    yield f"{'':<32}{'least':>10}{'median':>8}{'mean':>10}{'most':>10}   95 % interval of the mean"
    order = (ROUNDS, DECISIONS, BRANCHING, LEAD_CHANGES, MEAN_SCORE)
    names = [name for name in order if name in lines]
    names += [name for name in lines if name.startswith((SCORE, AT_END))]
    for name in names:
        line = lines[name]
        label = name
        if name == MEAN_SCORE and score is not None:
            label = f"score ({score})"
        histogram = summary.histograms.get(name)
        median = f"{histogram.quantile(0.5):.0f}" if histogram is not None else ""
        low, high = line.interval
        yield (
            f"{label:<32}{_number(line.tally.least):>10}{median:>8}{line.mean:>10.2f}"
            f"{_number(line.tally.most):>10}   {low:.2f} to {high:.2f}"
        )


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def _histogram(name: str, histogram: Histogram) -> Iterator[str]:
    rows = histogram.rows(_MOST_ROWS)
    most = max(games for _, _, games in rows)
    yield f"{name:<14}{'games':>9}"
    for low, high, games in rows:
        label = str(low) if low == high else f"{low}-{high}"
        bar = "#" * round(_WIDTH * games / most)
        yield f"{label:<14}{games:>9,}  {bar}".rstrip()


def unfinished_lines(summary: Summary) -> Iterator[str]:
    """Say which games did not end, and what that means for the figures."""
    yield (
        f"{plural(summary.unfinished, 'game')} of {summary.games:,} did not end. They count as won by nobody, and with"
        " the length at which they were stopped."
    )
    for ending, games in sorted(summary.endings.items()):
        if ending != "ended":
            yield f"  {games:,} {ENDINGS[ending]}"
    for fault in summary.faults:
        yield f"  {fault}"


def fired_lines(summary: Summary, most: int) -> Iterator[str]:
    """List the parts of the rules that act most often, sort by sort, and for whom."""
    seats = sorted({seat for each in summary.fired.values() for seat in each.seats})
    heads = "".join(f"{'nobody' if s == NOBODY else f'seat {s + 1}':>8}" for s in seats)
    yield f"{'what the rules did, times a game':<52}{'games':>8}{'all':>9}{heads}"
    ranked = sorted(summary.fired.items(), key=lambda item: (-item[1].times, item[0]))
    for named, firing in ranked[:most]:
        yield fired_line(named, firing, summary.games, seats)
    if len(ranked) > most:
        yield f"... and {plural(len(ranked) - most, 'part')} more: --rules 0 lists none, --rules {len(ranked)} all"


def close_lines(found: dict[Named, Firing], games: int, most: int) -> Iterator[str]:
    """List what came up in games that were looked at closely, sort by sort.

    Args:
        found: How often each part came up.
        games: How many games were looked at.
        most: How many of each sort are listed.
    """
    seats = sorted({seat for each in found.values() for seat in each.seats})
    sorts = sorted({named.sort for named in found})
    for sort in sorts:
        ranked = sorted(
            (item for item in found.items() if item[0].sort == sort),
            key=lambda item: (-item[1].times, item[0]),
        )
        heads = "".join(f"{'nobody' if s == NOBODY else f'seat {s + 1}':>8}" for s in seats)
        yield ""
        title = f"{sort}, times a game, {plural(games, 'game')} looked at closely"
        yield f"{title:<52}{'games':>8}{'all':>9}{heads}"
        for named, firing in ranked[:most]:
            yield fired_line(named, firing, games, seats)
        if len(ranked) > most:
            yield f"... and {len(ranked) - most} more"


def fired_line(named: Named, firing: Firing, games: int, seats: Sequence[int]) -> str:
    """Write how often one part acted."""
    label = f"{named.sort} {named.name}"
    if len(label) > 51:
        label = f"{label[:48]}..."
    each = "".join(f"{firing.seats.get(seat, 0) / games:>8.2f}" for seat in seats)
    share = 100 * firing.games / games
    return f"{label:<52}{share:>6.1f} %{firing.times / games:>9.2f}{each}"
