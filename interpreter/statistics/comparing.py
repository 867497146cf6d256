"""What the differences between two versions of a game allow to say.

Each figure is tested in pairs of games of the same seed. All tests of a comparison are corrected together by Holm's
method: where a change changes nothing, any verdict at all is given in at most 5 % of such comparisons. A verdict needs
both that and an interval that excludes 0. Where there is none, the number of games is said that would be likely to
bring one for a difference as large as the one seen.
"""

from __future__ import annotations

from math import copysign, inf, sqrt
from typing import TYPE_CHECKING, Final, Literal

import attrs

from interpreter.statistics.figures import SCORE, WINS, is_rate
from interpreter.statistics.intervals import (
    LEVEL,
    bootstrap,
    chance_of_mean,
    chance_of_rate,
    games_needed,
    holm,
    paired_rate,
    pairs_needed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from interpreter.statistics.counting import Named
    from interpreter.statistics.intervals import Interval
    from interpreter.statistics.summaries import Paired, Summary
    from interpreter.statistics.tallies import Tally

Verdict = Literal["higher", "lower", "undecided", "the same"]
"""`the same`: in every pair of games. `undecided`: some differ, but chance may have made that."""

ALPHA: Final = 1 - LEVEL


@attrs.frozen
class Difference:
    """A figure in two versions.

    Attributes:
        name: What it is.
        share: Whether it is a share of the games.
        base: Its mean in the base.
        changed: Its mean in the changed version.
        interval: Of 95 %, of the difference.
        chance: How likely a difference like this is if there is none.
        corrected: The same, corrected for all tests of the comparison.
        verdict: What can be said.
        needed: Pairs of games that would bring a verdict in 80 % of all runs; infinite if nothing differs.
        worth: So many times as many games would be needed without pairs; 1 if pairs do not help.
    """

    name: str
    share: bool
    base: float
    changed: float
    interval: Interval
    chance: float
    corrected: float
    verdict: Verdict
    needed: float
    worth: float

    @property
    def difference(self) -> float:
        """By how much the changed version has more."""
        return self.changed - self.base


@attrs.frozen
class Shift:
    """How often a part of the rules acts in two versions.

    Attributes:
        named: The part.
        base: Times a game in the base.
        changed: Times a game in the changed version.
        strength: The difference in standard errors.
        corrected: How likely it is by chance, corrected for all parts.
    """

    named: Named
    base: float
    changed: float
    strength: float
    corrected: float

    @property
    def certain(self) -> bool:
        """Does it act more or less often for sure?"""
        return self.corrected < ALPHA


@attrs.frozen
class _Tested:
    name: str
    rate: bool
    share: bool
    interval: Interval
    chance: float


def _tested(
    paired: Paired, kinds: Sequence[str], of_mean: Callable[[Tally], Interval] = bootstrap
) -> list[_Tested]:
    """Test every figure by itself, those of single seats' scores left out: the score of all says the same."""
    found: list[_Tested] = []
    for name, tally in paired.tallies.items():
        if name.startswith(SCORE):
            continue
        more, less = paired.flips[name]
        if is_rate(name, kinds):
            interval = paired_rate(more, less, tally.count)
            chance = chance_of_rate(more, less)
            found.append(_Tested(name, rate=True, share=True, interval=interval, chance=chance))
        else:
            chance = chance_of_mean(tally.mean, tally.error, more + less)
            share = name.startswith(WINS)
            interval = of_mean(tally)
            found.append(_Tested(name, rate=False, share=share, interval=interval, chance=chance))
    return found


def differences(
    pairs: Sequence[tuple[Paired, Summary, Summary]],
    kinds: Sequence[str],
    of_mean: Callable[[Tally], Interval] = bootstrap,
) -> list[list[Difference]]:
    """Say for each comparison what differs; all are corrected together.

    Args:
        pairs: For each the differences, the changed version and its base.
        kinds: Who answers for the people.
        of_mean: Gives the interval of a mean.
    """
    all_tests = [_tested(paired, kinds, of_mean) for paired, _, _ in pairs]
    corrected = iter(holm([each.chance for tests in all_tests for each in tests]))
    number = sum(map(len, all_tests))
    found: list[list[Difference]] = []
    for (paired, changed, base), tests in zip(pairs, all_tests, strict=True):
        found.append(
            [_difference(paired, changed, base, test, next(corrected), number) for test in tests]
        )
    return found


def _difference(
    paired: Paired,
    changed: Summary,
    base: Summary,
    test: _Tested,
    corrected: float,
    number: int,
) -> Difference:
    name = test.name
    tally = paired.tallies[name]
    low, high = test.interval
    verdict: Verdict = "undecided"
    if paired.flips[name] == (0, 0):
        verdict = "the same"
    elif corrected < ALPHA and (low > 0 or high < 0):
        verdict = "higher" if tally.mean > 0 else "lower"
    apart = changed.tallies[name].variance + base.tallies[name].variance
    variance = tally.variance
    if test.rate:
        more, less = paired.flips[name]
        needed = pairs_needed(more / tally.count, less / tally.count, number)
    else:
        needed = games_needed(tally.mean, variance, number)
    return Difference(
        name,
        test.share,
        base.tallies[name].mean,
        changed.tallies[name].mean,
        test.interval,
        test.chance,
        corrected,
        verdict,
        needed if verdict != "the same" else inf,
        apart / variance if variance else inf,
    )


def shifts(paired: Paired, changed: Summary, base: Summary) -> list[Shift]:
    """Give the parts of the rules that act more or less often, those for which that is surest first."""
    games = paired.games
    rows: list[tuple[Named, float, float, float, float]] = []
    for named, moved in paired.fired.items():
        mean = moved.total / games
        error = sqrt(max(0.0, moved.squares / games - mean * mean) / games)
        strength = mean / error if error else copysign(inf, mean)
        chance = chance_of_mean(mean, error, moved.different)
        before, after = _times(base, named) / games, _times(changed, named) / games
        rows.append((named, before, after, strength, chance))
    corrected = holm([row[-1] for row in rows])
    found = [Shift(*row[:-1], each) for row, each in zip(rows, corrected, strict=True)]
    return sorted(found, key=lambda shift: (shift.corrected, -abs(shift.strength), shift.named))


def _times(summary: Summary, named: Named) -> int:
    firing = summary.fired.get(named)
    return 0 if firing is None else firing.times


def verdicts(found: Iterable[Difference]) -> list[Difference]:
    """Those for which there is a verdict."""
    return [each for each in found if each.verdict in ("higher", "lower")]
