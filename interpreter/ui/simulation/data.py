"""The figures of many games as plain data for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interpreter.ui.simulation.tables import lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.statistics.counting import Named
    from interpreter.statistics.summaries import Firing, Summary

VERSION: Final = 1
LEVEL_TEXT: Final = "95 %"


def summary_data(summary: Summary, kinds: Sequence[str]) -> dict[str, Any]:
    """Give everything that is known about one version."""
    return {
        "games": summary.games,
        "endings": dict(sorted(summary.endings.items())),
        "figures": {
            line.name: {
                "mean": line.mean,
                "interval": list(line.interval),
                "share": line.rate,
                "least": line.tally.least,
                "most": line.tally.most,
            }
            for line in lines_of(summary, kinds)
        },
        "histograms": {name: each.plain() for name, each in summary.histograms.items()},
        "fired": fired_data(summary.fired),
        "faults": summary.faults,
    }


def fired_data(fired: dict[Named, Firing]) -> list[dict[str, Any]]:
    """Give how often each part of the rules acted, and for whom."""
    return [
        {
            "sort": named.sort,
            "name": named.name,
            "cites": list(named.cites),
            "times": firing.times,
            "games": firing.games,
            "seats": {
                ("nobody" if seat < 0 else str(seat + 1)): times
                for seat, times in sorted(firing.seats.items())
            },
        }
        for named, firing in sorted(fired.items())
    ]
