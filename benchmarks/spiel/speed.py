"""How fast whole games at random are, beside OpenSpiel driven from Python: one process, by turns.

`python -m benchmarks.spiel.speed [--rounds N] [--profile GAME]`

Both sides make a new game, and answer every decision and draw at random until it ends. Ours is played by
:func:`interpreter.series.series`, and step by step as a search would do it, which OpenSpiel's loop does too. What
counts is the median of the ratios; times are those of the processor.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import statistics
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import attrs
import pyspiel

from interpreter.chance import Stream
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider
from interpreter.series import series
from rulelang import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS: Final = 0.4
"""About so long each side is measured in a round."""


@attrs.frozen
class Race:
    """A game on both sides, with how many players."""

    ruleset: str
    spiel: str
    people: int = 2
    draws: bool = False


RACES: Final = (
    Race("kuhn", "kuhn_poker"),
    Race("leduc", "leduc_poker"),
    Race("pig", "pig"),
    Race("tic_tac_toe", "tic_tac_toe", draws=True),
    Race("nim", "nim"),
)


def spiel_games(race: Race) -> Callable[[int], None]:
    """A function that plays so many games of OpenSpiel."""
    game: Any = pyspiel.load_game(race.spiel)
    draw = random.Random(1)

    def run(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(draw.choices(outcomes, odds)[0])
                else:
                    state.apply_action(draw.choice(state.legal_actions()))
            state.returns()

    return run


def our_games(race: Race) -> Callable[[int], None]:
    """A function that plays so many games of ours in one go."""
    program = load_ruleset(race.ruleset, people=race.people)
    seeds = iter(range(1_000_000_000))

    providers = {seat: RandomProvider(seat) for seat in range(race.people)}

    def run(count: int) -> None:
        for game in series(program, providers, islice(seeds, count)):
            assert game.winners is not None or race.draws  # noqa: S101 - it was played

    return run


def our_steps(race: Race) -> Callable[[int], None]:
    """A function that plays so many games of ours decision by decision, from outside."""
    program = load_ruleset(race.ruleset, people=race.people)
    below = Stream(1, "answers")
    seeds = iter(range(1_000_000_000))

    def run(count: int) -> None:
        for _ in range(count):
            match = Match(program, seed=next(seeds))
            while (decision := match.next()) is not None:
                match.apply(decision.options.sample(below))

    return run


def _seconds(run: Callable[[int], None], count: int) -> float:
    began = process_time()
    run(count)
    return (process_time() - began) / count


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spiel.speed", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--profile", metavar="GAME", help="where the time of ours goes")
    given = parser.parse_args()
    for race in RACES:
        if given.profile not in (None, race.ruleset):
            continue
        sides = (spiel_games(race), our_games(race), our_steps(race))
        counts = [max(1, int(SECONDS / _seconds(side, 30))) for side in sides]
        if given.profile:
            profile = cProfile.Profile()
            profile.runcall(sides[1], counts[1])
            pstats.Stats(profile).sort_stats("tottime").print_stats(18)
            continue
        rounds = [
            [_seconds(side, count) for side, count in zip(sides, counts, strict=True)]
            for _ in range(given.rounds)
        ]
        theirs, whole, steps = (1 / statistics.median(side) for side in zip(*rounds, strict=True))
        ratio = statistics.median(row[0] / row[1] for row in rounds)
        stepwise = statistics.median(row[0] / row[2] for row in rounds)
        print(
            f"{race.ruleset:<14}OpenSpiel {theirs:>9,.0f} games/s   ours {whole:>9,.0f} ({ratio:.2f}x)"
            f"   step by step {steps:>9,.0f} ({stepwise:.2f}x)"
        )


if __name__ == "__main__":
    main()
