"""The pictures of a report, as SVG that is the same every time."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from interpreter.statistics.backends import needed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.statistics.intervals import Interval
    from interpreter.statistics.tallies import Histogram

_BLUE: Final = "#0b6e99"
_ORANGE: Final = "#d9730d"
_GREY: Final = "#9aa4ad"
_INK: Final = "#1f2328"
_WIDTH: Final = 8.0
_ROW: Final = 0.34
_MOST_BARS: Final = 40


def shares(names: Sequence[str], means: Sequence[float], ends: Sequence[Interval]) -> str:
    """Draw shares (0 to 1) as bars with their intervals."""
    figure, axes = _figure(len(names))
    places = range(len(names))
    low = [100 * (mean - end[0]) for mean, end in zip(means, ends, strict=True)]
    high = [100 * (end[1] - mean) for mean, end in zip(means, ends, strict=True)]
    axes.barh(
        places, [100 * mean for mean in means], xerr=[low, high], color=_BLUE, height=0.62,
        error_kw={"ecolor": _INK, "capsize": 3, "lw": 1.2},
    )  # fmt: skip
    most = max((100 * end[1] for end in ends), default=0.0)
    for place, mean, end in zip(places, means, ends, strict=True):
        axes.text(100 * end[1] + most * 0.02, place, f"{100 * mean:.1f} %", va="center", color=_INK)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlim(0, most * 1.15 or 1)
    axes.set_xlabel("share of the games, %")
    return _svg(figure)


def lengths(name: str, histograms: Sequence[tuple[str, Histogram]]) -> str:
    """Draw how many games had which length, of one version or of two above each other."""
    figure, axes = _figure(6)
    colours = (_GREY, _BLUE) if len(histograms) > 1 else (_BLUE,)
    for (label, histogram), colour in zip(histograms, colours, strict=True):
        rows = histogram.rows(_MOST_BARS)
        games = sum(row[2] for row in rows) or 1
        edges = [row[0] - 0.5 for row in rows] + [rows[-1][1] + 0.5]
        values = [100 * row[2] / games / (row[1] - row[0] + 1) for row in rows]
        axes.stairs(values, edges, fill=len(histograms) == 1 or colour == _GREY, color=colour,
                    alpha=0.55 if colour == _GREY else 1.0, lw=1.8, label=label)  # fmt: skip
    axes.set_xlabel(name)
    axes.set_ylabel("games, %")
    axes.set_ylim(bottom=0)
    if len(histograms) > 1:
        axes.legend(frameon=False)
    return _svg(figure)


def intervals(
    names: Sequence[str],
    means: Sequence[float],
    ends: Sequence[Interval],
    certain: Sequence[bool],
    unit: str,
) -> str:
    """Draw differences as points with intervals around a line at 0; those with a verdict are filled."""
    figure, axes = _figure(len(names))
    axes.axvline(0, color=_INK, lw=1)
    for place, (mean, (low, high), sure) in enumerate(zip(means, ends, certain, strict=True)):
        colour = _ORANGE if sure else _GREY
        axes.plot([low, high], [place, place], color=colour, lw=2.2, solid_capstyle="butt")
        axes.plot([mean], [place], "o", color=colour, mfc=colour if sure else "white", ms=7)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    reach = max((abs(end) for pair in ends for end in pair), default=1.0) or 1.0
    axes.set_xlim(-1.08 * reach, 1.08 * reach)
    axes.set_xlabel(unit)
    return _svg(figure)


def _figure(rows: int) -> tuple[Any, Any]:
    matplotlib = needed("matplotlib", "report")
    matplotlib.use("svg")
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "rulelang",
            "svg.fonttype": "none",
            "font.family": "sans-serif",
            "font.size": 11,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.edgecolor": _GREY,
        }
    )
    figure = needed("matplotlib.figure", "report").Figure(
        figsize=(_WIDTH, 1.0 + _ROW * max(3, rows)), layout="constrained"
    )
    return figure, figure.subplots()


def _svg(figure: Any) -> str:  # noqa: ANN401 - of a package that is not always there
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
