"""Compare as many games of a ruleset and its yardstick as the command line says.

Run it with `python -m benchmarks.compare pyrates 1000`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.oracle import DisagreementError
from benchmarks.oracle_pirates import Pirates
from benchmarks.oracle_pyrates import Pyrates

if TYPE_CHECKING:
    from benchmarks.oracle import Subject

SUBJECTS: dict[str, Subject] = {"pirates": Pirates(), "pyrates": Pyrates()}


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=SUBJECTS)
    parser.add_argument("games", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--people", type=int, help="how many people take part in each game")
    parser.add_argument("--shown", type=int, default=10, help="disagreements to print")
    parser.add_argument(
        "--readings", action="store_true", help="so many games of each reading of each option"
    )
    parser.add_argument("--mixed", action="store_true", help="a mixture of readings in each game")
    given = parser.parse_args()
    subject = SUBJECTS[given.game]
    variants: list[dict[str, object] | None] = [{}]
    if given.mixed:
        variants = [None]
    elif given.readings:
        variants = [*subject.all_readings()]
    seen: Counter[str] = Counter()
    disagreements = 0
    start = time.perf_counter()
    for options, number in itertools.product(variants, range(given.games)):
        seed = given.seed + number
        chosen = subject.mixed_readings(seed) if options is None else options
        try:
            seen += subject.compare(seed, given.people or subject.people(number), chosen)
        except DisagreementError as error:
            disagreements += 1
            if disagreements <= given.shown:
                print(error)
    games = given.games * len(variants)
    seconds = time.perf_counter() - start
    for what, count in seen.most_common():
        print(f"{count:8} {what}")
    print(f"{games - disagreements} of {games} games agree, {seconds:.0f} s")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
