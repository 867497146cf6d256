"""How often `compare` gives a verdict where there is nothing, and where there is something, as games are distributed.

    rulelang simulate GAME --games 4000 --rows games.csv
    python -m benchmarks.verdicts games.csv [COMPARISONS]

Pairs are drawn from the games of the table, so that every figure is distributed as in the game, and the truth is known:

* nothing: both games of a pair are drawn alike. Any verdict is false.
* something: the second game has a round more, or a win of seat 1 more, with a small probability. The number of pairs
  is the one that `compare` recommends for a difference of that size.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from statistics import fmean, variance
from typing import TYPE_CHECKING, NamedTuple

from interpreter.chance import Stream
from interpreter.statistics.comparing import differences, verdicts
from interpreter.statistics.figures import ROUNDS, SCORE, WINS
from interpreter.statistics.intervals import around, games_needed, pairs_needed, wilson
from interpreter.statistics.measuring import Record
from interpreter.statistics.summaries import Paired, Summary

if TYPE_CHECKING:
    from interpreter.statistics.comparing import Difference
    from interpreter.statistics.intervals import Interval
    from interpreter.statistics.tallies import Tally

WIN = WINS + "seat 1"
_NOT_FIGURES = ("version", "game", "seed", "ending", "winners")
_SMALL = 0.2
_THOUSAND = 1000


class Effect(NamedTuple):
    """What is put into the second games: so much of a figure more, with a probability."""

    name: str
    probability: float


def pool_of(path: Path) -> list[dict[str, float]]:
    """The figures of each game of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {
                name: float(value)
                for name, value in row.items()
                if name not in _NOT_FIGURES and not name.startswith(SCORE) and value
            }
            for row in csv.DictReader(file)
        ]


def comparison(
    pool: list[dict[str, float]], pairs: int, draw: Stream, effect: Effect | None
) -> list[Difference]:
    """Compare so many pairs that are drawn from the pool."""
    base, changed, paired = Summary(), Summary(), Paired()
    blank = Record(0, "ended", "", (), (), 0)
    for _ in range(pairs):
        one, two = pool[draw(len(pool))], pool[draw(len(pool))]
        if effect is not None and draw(_THOUSAND) < _THOUSAND * effect.probability:
            two = {**two, effect.name: more(two[effect.name], effect)}
        paired.add((two, changed.add(blank, two)), (one, base.add(blank, one)))
    return differences([(paired, changed, base)], ["random"], _interval)[0]


def _interval(tally: Tally) -> Interval:
    return around(tally.mean, tally.error)


def needed_for(pool: list[dict[str, float]], effect: Effect) -> int:
    """The pairs that `compare` would recommend if it saw just this effect."""
    values = [game[effect.name] for game in pool]
    if effect.name == WIN:
        wins = fmean(values)
        second = wins + effect.probability * (1 - wins)
        return int(pairs_needed(second * (1 - wins), wins * (1 - second), len(pool[0])))
    moved = [more(value, effect) for value in values]
    # Of the second games the effect is in some only, which spreads them further.
    mixed = effect.probability * fmean(moved) + (1 - effect.probability) * fmean(values)
    spread = [
        effect.probability * (two - mixed) ** 2 + (1 - effect.probability) * (one - mixed) ** 2
        for one, two in zip(values, moved, strict=True)
    ]
    size = mixed - fmean(values)
    return int(games_needed(size, variance(values) + fmean(spread), len(pool[0])))


def more(value: float, effect: Effect) -> float:
    """The figure with the effect."""
    return min(value + 1, 1.0) if effect.name == WIN else value + 1


def main() -> None:
    """Play it through and print what came out."""
    pool = pool_of(Path(sys.argv[1]))
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    draw = Stream(1, "verdicts")
    print(f"{len(pool):,} games, {len(pool[0])} figures, {runs:,} comparisons each\n")
    for pairs in (50, 200):
        false = sum(bool(verdicts(comparison(pool, pairs, draw, None))) for _ in range(runs))
        low, high = wilson(false, runs)
        print(
            f"nothing, {pairs} pairs: a verdict in {100 * false / runs:.1f} %"
            f" ({100 * low:.1f} to {100 * high:.1f} %; stated: at most 5 %)"
        )
    for effect in (Effect(ROUNDS, _SMALL), Effect(WIN, _SMALL)):
        if any(effect.name not in game for game in pool):
            print(f"{effect.name}: not in this table; `--outcomes-only` leaves rounds out")
            continue
        pairs = needed_for(pool, effect)
        some = max(100, runs // 5)
        found = wrong = 0
        for _ in range(some):
            said = {each.name: each.verdict for each in comparison(pool, pairs, draw, effect)}
            found += said[effect.name] == "higher"
            wrong += said[effect.name] == "lower"
        low, high = wilson(found, some)
        print(
            f"{effect.name} one more in {100 * effect.probability:.0f} % of the games, {pairs:,} pairs: found in"
            f" {100 * found / some:.0f} % of {some} ({100 * low:.0f} to {100 * high:.0f} %; stated: 80 %), told the"
            f" wrong way round {wrong} times"
        )


if __name__ == "__main__":
    main()
