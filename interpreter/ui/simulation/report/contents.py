"""What a report says, before it is a page: an answer in sentences first, then pictures, then tables."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

import attrs

from interpreter.statistics.comparing import Difference, verdicts
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
)
from interpreter.ui.simulation.comparing import heading as heading_of_comparison
from interpreter.ui.simulation.differences import (
    shift_times,
    short,
    short_number,
    verdict_notes,
    verdict_text,
)
from interpreter.ui.simulation.report import pictures
from interpreter.ui.simulation.simulating import heading, stop_lines
from interpreter.ui.simulation.tables import Line, lines_of, unfinished_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from interpreter.statistics.summaries import Summary
    from interpreter.ui.simulation.asking import Prepared, Wish
    from interpreter.ui.simulation.comparing import Compared, Comparison
    from interpreter.ui.simulation.driving import Played

_MOST_RULES: Final = 200
_WORDS: Final = {
    ROUNDS: "rounds in a game",
    DECISIONS: "decisions in a game",
    BRANCHING: "answers to choose from",
    LEAD_CHANGES: "changes of the lead",
    NOBODY_WINS: "games that nobody wins",
    SEVERAL_WIN: "games that several win",
    UNFINISHED: "games that do not end",
}
_INTERVAL_NOTE: Final = (
    "The bar of a figure, or what stands behind ±, is its 95 % interval: of 100 such runs about 95 have the true value"
    " in it. The players are programs; people may play otherwise."
)


@attrs.frozen
class Row:
    """A line of a table; `strong` stands out."""

    cells: Sequence[str]
    strong: bool = False


@attrs.frozen
class Section:
    """A part of a page: texts, a picture (SVG) with a caption, a table; `folded` is what stands on a closed one."""

    title: str
    texts: Sequence[str] = ()
    picture: str = ""
    caption: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Row] = ()
    folded: str = ""


@attrs.frozen
class Page:
    """A report."""

    title: str
    what: str
    answer: Sequence[str]
    sections: Sequence[Section]
    notes: Sequence[str]


def of_simulation(prepared: Prepared, played: Played, wish: Wish, score: str | None) -> Page:
    """The report about one version."""
    program, kinds = prepared.programs[0], prepared.plan.kinds
    summary = played.result.versions[0]
    lines = {line.name: line for line in lines_of(summary, kinds)}
    wins = [line for name, line in lines.items() if name.startswith(WINS) or name == NOBODY_WINS]
    variants = f" with {', '.join(program.variants)}" if program.variants else ""
    sections = [
        Section(
            "Who wins",
            picture=pictures.shares(
                [_name(each.name) for each in wins],
                [each.mean for each in wins],
                [each.interval for each in wins],
            ),
            caption="A win that several share counts for each of them.",
        ),
        *_length_sections([("", summary)]),
        Section(
            "All figures",
            head=("", "mean", "95 % interval", "least", "most"),
            rows=[Row(tuple(_cells(line, score))) for line in lines.values()],
        ),
        *_rule_sections(summary),
    ]
    notes = [_INTERVAL_NOTE, *(line for line in stop_lines(wish, played) if line)]
    if summary.unfinished:
        notes += unfinished_lines(summary)
    return Page(
        f"{program.title}{variants}",
        heading(prepared, played),
        list(_sentences(lines)),
        sections,
        notes,
    )


def of_comparison(comparison: Comparison, wish: Wish) -> Page:
    """The report about what one change, or several, change."""
    program = comparison.prepared.programs[0]
    notes = [
        "Both versions played the same seeds; dice that a change does not touch fell the same way. "
        + _INTERVAL_NOTE,
        *(line for line in stop_lines(wish, comparison.played) if line),
    ]
    if len(comparison.compared) == 1:
        compared = comparison.compared[0]
        notes[:0] = list(verdict_notes(compared.found))
        for label, summary in (
            (comparison.base, compared.base),
            (compared.label, compared.changed),
        ):
            if summary.unfinished:
                notes.append(f"{label}: " + " ".join(unfinished_lines(summary)))
        title = f"{program.title}: what does {compared.label} change?"
        answer, sections = _one(compared, comparison.base)
    else:
        title = f"{program.title}: which of {len(comparison.compared)} changes matter?"
        answer, sections = _several(comparison.compared)
    return Page(title, heading_of_comparison(comparison), answer, sections, notes)


def _one(compared: Compared, base: str) -> tuple[list[str], list[Section]]:
    games, differing = compared.paired.games, compared.paired.differing
    said = sorted(verdicts(compared.found), key=lambda each: (each.corrected, each.name))
    answer = [
        f"It makes a difference in {100 * differing / games:.0f} of 100 games."
        if differing
        else "It makes no difference in any of these games."
    ]
    answer += [_sentence(each) for each in said]
    open_ones = [
        each
        for each in compared.found
        if each.verdict == "undecided" and each.name.startswith(WINS)
    ]
    if not any(each.name.startswith(WINS) for each in said) and open_ones:
        needed = min(each.needed for each in open_ones)
        more = f" About {needed:,.0f} games might tell." if needed < inf else ""
        answer.append(
            f"Whether anybody wins more often for it cannot be said from {games:,} games.{more}"
        )
    shares = [each for each in compared.found if each.share]
    others = [each for each in compared.found if not each.share and each.base]
    sections = [
        Section(
            "Who wins more, who less",
            picture=pictures.intervals(
                [_name(each.name) for each in shares],
                [100 * each.difference for each in shares],
                [(100 * each.interval[0], 100 * each.interval[1]) for each in shares],
                [each in said for each in shares],
                "change, percentage points",
            ),
            caption="A filled point has a verdict; a hollow one may be chance.",
        ),
        Section(
            "What else changes",
            picture=pictures.intervals(
                [_name(each.name) for each in others],
                [100 * each.difference / abs(each.base) for each in others],
                [
                    (
                        100 * each.interval[0] / abs(each.base),
                        100 * each.interval[1] / abs(each.base),
                    )
                    for each in others
                ],
                [each in said for each in others],
                "change, % of what it was",
            ),
        ),
        *_length_sections([(base, compared.base), (compared.label, compared.changed)]),
        Section(
            "All figures",
            head=("", "before", "after", "difference", "95 % interval", "verdict"),
            rows=[Row(_difference_cells(each), each in said) for each in compared.found],
        ),
    ]
    certain = [each for each in compared.moved if each.certain]
    if certain:
        sections.append(
            Section(
                "Which rules act more or less often",
                [
                    "Times a game, corrected for all parts of the rules; what is not here may have moved by chance."
                ],
                head=("", "before", "after", ""),
                rows=[
                    Row(
                        (
                            f"{each.named.sort} {each.named.name}",
                            f"{each.base:.3f}",
                            f"{each.changed:.3f}",
                            shift_times(each),
                        )
                    )
                    for each in certain[:_MOST_RULES]
                ],
            )
        )
    return answer, sections


def _several(compared: Sequence[Compared]) -> tuple[list[str], list[Section]]:
    with_verdict = [each for each in compared if verdicts(each.found)]
    never = [each for each in compared if not each.paired.differing]
    answer = [
        (
            f"{len(with_verdict)} of {len(compared)} change something for sure, {len(never)} never came up; of the"
            f" {len(compared) - len(with_verdict) - len(never)} others more games would have to tell."
        )
    ]
    rows = []
    for each in compared:
        said = sorted(verdicts(each.found), key=lambda one: (one.corrected, one.name))
        share = f"{100 * each.paired.differing / each.paired.games:.1f} %"
        text = ", ".join(short(one) for one in said) or (
            "-" if each.paired.differing else "never comes up"
        )
        rows.append(Row((each.label, share, text), bool(said)))
    ranked = sorted(compared, key=lambda each: -each.paired.differing)
    differing = [each for each in ranked if each.paired.differing]
    sections = [
        Section("What changes", head=("", "games that differ", "for sure"), rows=rows),
    ]
    if differing:
        for name in (ROUNDS, DECISIONS):
            found = [(each, one) for each in differing for one in each.found if one.name == name]
            if found:
                sections.insert(
                    0,
                    Section(
                        f"{_name(name).capitalize()}",
                        picture=pictures.intervals(
                            [each.label for each, _ in found],
                            [one.difference for _, one in found],
                            [one.interval for _, one in found],
                            [one in verdicts(each.found) for each, one in found],
                            f"change of {name}",
                        ),
                    ),
                )
    return answer, sections


def _length_sections(versions: Sequence[tuple[str, Summary]]) -> Iterator[Section]:
    for name in (ROUNDS, DECISIONS):
        if all(name in summary.histograms for _, summary in versions):
            drawn = [(label, summary.histograms[name]) for label, summary in versions]
            title = "How long games last" if name == ROUNDS else "How many decisions there are"
            yield Section(title, picture=pictures.lengths(_name(name), drawn))


def _rule_sections(summary: Summary) -> Iterator[Section]:
    if not summary.fired:
        return
    seats = sorted({seat for each in summary.fired.values() for seat in each.seats})
    rows = [
        Row(
            (
                f"{named.sort} {named.name}",
                f"{100 * firing.games / summary.games:.1f} %",
                f"{firing.times / summary.games:.2f}",
                *(f"{firing.seats.get(seat, 0) / summary.games:.2f}" for seat in seats),
            )
        )
        for named, firing in sorted(
            summary.fired.items(), key=lambda item: (-item[1].times, item[0])
        )
    ]
    heads = [("nobody" if seat == NOBODY else f"seat {seat + 1}") for seat in seats]
    yield Section(
        "What the rules do",
        ["Times a game, and for whom."],
        head=("", "games", "all", *heads),
        rows=rows,
        folded=f"{len(rows)} parts of the rules",
    )


def _sentences(lines: dict[str, Line]) -> Iterator[str]:
    seats = [line for name, line in lines.items() if name.startswith(WINS + "seat ")]
    if seats:
        best = max(seats, key=lambda line: line.mean)
        least = min(seats, key=lambda line: line.mean)
        if best.interval[0] > least.interval[1]:
            yield (
                f"{_name(best.name).capitalize()}: {_share(best)} of the games, {_name(least.name)} {_share(least)}."
            )
        else:
            yield "No seat wins more often than another for sure."
    for name in (ROUNDS, DECISIONS, LEAD_CHANGES):
        if name in lines:
            line = lines[name]
            yield f"{line.mean:.1f} {_name(name)}, from {line.tally.least:.0f} to {line.tally.most:.0f}."
    unfinished = lines.get(UNFINISHED)
    if unfinished is not None and unfinished.mean:
        yield f"{_share(unfinished)} of the games did not end."


def _share(line: Line) -> str:
    low, high = line.interval
    return f"{100 * line.mean:.1f} ± {50 * (high - low):.1f} %"


def _sentence(each: Difference) -> str:
    less = "Less" if each.name.startswith((MEAN_SCORE, SCORE, AT_END)) else "Fewer"
    more = "More" if each.verdict == "higher" else less
    if each.share:
        before, after = f"{100 * each.base:.1f} %", f"{100 * each.changed:.1f} %"
    else:
        before, after = f"{each.base:.2f}", f"{each.changed:.2f}"
    return f"{more} {_name(each.name)}: {after} instead of {before} ({short_number(each)})."


def _name(name: str) -> str:
    if name.startswith(WINS):
        return f"wins of {name.removeprefix(WINS)}"
    if name.startswith(AT_END):
        return f"{name.removeprefix(AT_END)} at the end"
    if name.startswith(SCORE):
        return f"score of {name.removeprefix(SCORE)}"
    return _WORDS.get(name, name)


def _cells(line: Line, score: str | None) -> Iterable[str]:
    low, high = line.interval
    name = f"score ({score})" if line.name == MEAN_SCORE and score else _name(line.name)
    if line.rate:
        return (name, f"{100 * line.mean:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %", "", "")
    return (
        name,
        f"{line.mean:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{line.tally.least:g}",
        f"{line.tally.most:g}",
    )


def _difference_cells(each: Difference) -> Sequence[str]:
    low, high = each.interval
    if each.share:
        numbers = (
            f"{100 * each.base:.1f} %",
            f"{100 * each.changed:.1f} %",
            f"{100 * each.difference:+.2f} %",
            f"{100 * low:+.2f} to {100 * high:+.2f} %",
        )
    else:
        numbers = (
            f"{each.base:.2f}",
            f"{each.changed:.2f}",
            f"{each.difference:+.3f}",
            f"{low:+.3f} to {high:+.3f}",
        )
    return (_name(each.name), *numbers, verdict_text(each))
