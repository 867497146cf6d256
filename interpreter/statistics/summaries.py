"""Sums of many games: of one version, and of the differences between two; each can be joined with later ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from interpreter.statistics.counting import Named
from interpreter.statistics.figures import WHOLE
from interpreter.statistics.tallies import Histogram, Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.statistics.measuring import Record

_KEPT_FAULTS: Final = 10


def _name(item: tuple[Named, object]) -> Named:
    return item[0]


@attrs.define
class Firing:
    """How often a part of the rules acted.

    Attributes:
        games: In how many games it acted at all.
        seats: Seat (or -1 for nobody) to times.
        squares: The sum of the squares of the times of each game.
    """

    games: int = 0
    seats: dict[int, int] = attrs.field(factory=dict)
    squares: int = 0

    @property
    def times(self) -> int:
        """How often, for whomever."""
        return sum(self.seats.values())

    def join(self, later: Firing) -> None:
        """Count later games too."""
        self.games += later.games
        self.squares += later.squares
        for seat, times in later.seats.items():
            self.seats[seat] = self.seats.get(seat, 0) + times


@attrs.define
class Moved:
    """By how much more often a part acted in one version than in the other: sums over pairs of games.

    Attributes:
        total: Of the differences.
        squares: Of their squares.
        different: Pairs of games that differ in it.
    """

    total: int = 0
    squares: int = 0
    different: int = 0

    def join(self, later: Moved) -> None:
        """Count later games too."""
        self.total += later.total
        self.squares += later.squares
        self.different += later.different


@attrs.define
class Summary:
    """Many games of one version.

    Attributes:
        games: How many.
        endings: How they stopped, see :data:`interpreter.statistics.measuring.Ending`.
        faults: What the first ones that were stopped say.
        tallies: Name of a figure to its tally.
        histograms: Of the figures that are whole numbers and tell how long a game is.
        fired: How often each part of the rules acted.
    """

    games: int = 0
    endings: dict[str, int] = attrs.field(factory=dict)
    faults: list[str] = attrs.field(factory=list)
    tallies: dict[str, Tally] = attrs.field(factory=dict)
    histograms: dict[str, Histogram] = attrs.field(factory=dict)
    fired: dict[Named, Firing] = attrs.field(factory=dict)

    def add(self, record: Record, figures: Mapping[str, float]) -> dict[Named, int]:
        """Count a game; gives how often each part acted in it."""
        self.games += 1
        self.endings[record.ending] = self.endings.get(record.ending, 0) + 1
        if record.message and len(self.faults) < _KEPT_FAULTS:
            self.faults.append(record.message)
        tallies = self.tallies
        for name, value in figures.items():
            tally = tallies.get(name)
            if tally is None:
                tally = tallies[name] = Tally()
            tally.add(value)
        for name in WHOLE:
            if name in figures:
                self.histograms.setdefault(name, Histogram()).add(int(figures[name]))
        times: dict[Named, int] = {}
        for (named, seat), count in record.fired.items():
            firing = self.fired.get(named)
            if firing is None:
                firing = self.fired[named] = Firing()
            firing.seats[seat] = firing.seats.get(seat, 0) + count
            times[named] = times.get(named, 0) + count
        for named, count in times.items():
            firing = self.fired[named]
            firing.games += 1
            firing.squares += count * count
        return times

    def join(self, later: Summary) -> None:
        """Count the games that come after these."""
        self.games += later.games
        for ending, games in later.endings.items():
            self.endings[ending] = self.endings.get(ending, 0) + games
        self.faults = [*self.faults, *later.faults][:_KEPT_FAULTS]
        for name, tally in later.tallies.items():
            self.tallies.setdefault(name, Tally()).join(tally)
        for name, histogram in later.histograms.items():
            self.histograms.setdefault(name, Histogram()).join(histogram)
        for named, firing in later.fired.items():
            self.fired.setdefault(named, Firing()).join(firing)

    @property
    def unfinished(self) -> int:
        """How many games were stopped before their rules ended them."""
        return self.games - self.endings.get("ended", 0)

    def plain(self) -> dict[str, Any]:
        """As plain data for JSON; see :meth:`of`."""
        return {
            "games": self.games,
            "endings": self.endings,
            "faults": self.faults,
            "tallies": {name: tally.plain() for name, tally in self.tallies.items()},
            "histograms": {name: each.plain() for name, each in self.histograms.items()},
            "fired": [
                [*named, firing.games, sorted(firing.seats.items()), firing.squares]
                for named, firing in sorted(self.fired.items(), key=_name)
            ],
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Summary:
        """Make it again of plain data."""
        return cls(
            data["games"],
            data["endings"],
            data["faults"],
            {name: Tally(**each) for name, each in data["tallies"].items()},
            {name: Histogram.of(each) for name, each in data["histograms"].items()},
            {
                Named(sort, name, tuple(cites)): Firing(games, dict(seats), squares)
                for sort, name, cites, games, seats, squares in data["fired"]
            },
        )


@attrs.define
class Paired:
    """The differences between two versions that played the same seeds.

    Attributes:
        tallies: Name of a figure to the tally of its differences.
        flips: Name of a figure to the pairs of games in which the changed version has more, and less.
        fired: By how much more often each part acted.
        games: How many pairs.
        differing: How many pairs of games differ in anything that is measured.
    """

    tallies: dict[str, Tally] = attrs.field(factory=dict)
    flips: dict[str, tuple[int, int]] = attrs.field(factory=dict)
    fired: dict[Named, Moved] = attrs.field(factory=dict)
    games: int = 0
    differing: int = 0

    def add(
        self,
        changed: tuple[Mapping[str, float], Mapping[Named, int]],
        base: tuple[Mapping[str, float], Mapping[Named, int]],
    ) -> None:
        """Count a pair of games: figures, and how often which part acted, of both."""
        figures, times = changed
        others, before = base
        self.games += 1
        self.differing += figures != others or times != before
        for name, value in figures.items():
            other = others.get(name)
            if other is None:
                continue
            difference = value - other
            tally = self.tallies.get(name)
            if tally is None:
                tally = self.tallies[name] = Tally()
                self.flips[name] = 0, 0
            tally.add(difference)
            if difference:
                more, less = self.flips[name]
                self.flips[name] = (more + 1, less) if difference > 0 else (more, less + 1)
        for named in times.keys() | before.keys():
            by = times.get(named, 0) - before.get(named, 0)
            if by:
                moved = self.fired.get(named)
                if moved is None:
                    moved = self.fired[named] = Moved()
                moved.total += by
                moved.squares += by * by
                moved.different += 1

    def join(self, later: Paired) -> None:
        """Count the games that come after these."""
        self.games += later.games
        self.differing += later.differing
        for name, tally in later.tallies.items():
            self.tallies.setdefault(name, Tally()).join(tally)
            more, less = self.flips.get(name, (0, 0))
            self.flips[name] = more + later.flips[name][0], less + later.flips[name][1]
        for named, moved in later.fired.items():
            self.fired.setdefault(named, Moved()).join(moved)

    def plain(self) -> dict[str, Any]:
        """As plain data for JSON; see :meth:`of`."""
        return {
            "games": self.games,
            "differing": self.differing,
            "tallies": {name: tally.plain() for name, tally in self.tallies.items()},
            "flips": self.flips,
            "fired": [
                [*named, moved.total, moved.squares, moved.different]
                for named, moved in sorted(self.fired.items(), key=_name)
            ],
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Paired:
        """Make it again of plain data."""
        return cls(
            {name: Tally(**each) for name, each in data["tallies"].items()},
            {name: (more, less) for name, (more, less) in data["flips"].items()},
            {
                Named(sort, name, tuple(cites)): Moved(total, squares, different)
                for sort, name, cites, total, squares, different in data["fired"]
            },
            data["games"],
            data["differing"],
        )


@attrs.define
class Result:
    """What a plan gives, or a part of it.

    Attributes:
        versions: One summary for each version of the plan.
        pairs: One for each pair of the plan.
    """

    versions: list[Summary]
    pairs: list[Paired]

    @classmethod
    def empty(cls, versions: int, pairs: int) -> Result:
        """Nothing yet."""
        return cls([Summary() for _ in range(versions)], [Paired() for _ in range(pairs)])

    @property
    def games(self) -> int:
        """How many games of each version."""
        return self.versions[0].games

    def join(self, later: Result) -> None:
        """Count the games that come after these."""
        for summary, other in zip(self.versions, later.versions, strict=True):
            summary.join(other)
        for paired, more in zip(self.pairs, later.pairs, strict=True):
            paired.join(more)

    def plain(self) -> dict[str, Any]:
        """As plain data for JSON; see :meth:`of`."""
        return {
            "versions": [each.plain() for each in self.versions],
            "pairs": [each.plain() for each in self.pairs],
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Result:
        """Make it again of plain data."""
        return cls(
            [Summary.of(each) for each in data["versions"]],
            [Paired.of(each) for each in data["pairs"]],
        )
