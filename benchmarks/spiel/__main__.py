"""Compare classics with OpenSpiel: whole trees where they are small, and random games.

`python -m benchmarks.spiel [GAME ...] [--games N] [--nodes N]`
"""

from __future__ import annotations

import argparse
import sys
import time

from benchmarks.spiel.comparing import Comparison, DifferenceError
from benchmarks.spiel.games import GAMES
from interpreter.chance import Stream


def main() -> int:
    """Run the comparison; 1 if the engines disagree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spiel", description=__doc__)
    parser.add_argument("game", nargs="*", help="names of rulesets; all if left out")
    parser.add_argument("--games", type=int, default=1000, help="random games of each")
    parser.add_argument("--nodes", type=int, default=20_000, help="whole trees up to so many")
    given = parser.parse_args()
    failed = False
    for same in GAMES:
        if given.game and same.ruleset not in given.game:
            continue
        began = time.perf_counter()
        try:
            try:
                nodes = Comparison(same).whole(given.nodes)
                whole = f"whole tree, {nodes:,} nodes"
            except OverflowError:
                whole = f"the first {given.nodes:,} nodes"
            comparison = Comparison(same)
            for seed in range(given.games):
                comparison.one(Stream(seed, "moves"))
        except DifferenceError as error:
            failed = True
            print(f"DIFFERENT {error}")
            continue
        seconds = time.perf_counter() - began
        print(
            f"{same.spiel:<60} {whole}; {given.games:,} random games, {comparison.compared:,} nodes"
            f" ({seconds:.1f} s)"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
