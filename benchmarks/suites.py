"""Run the suites of PettingZoo and OpenSpiel on the shipped games.

Run it with `python -m benchmarks.suites`, or with the names of some games. PettingZoo's `api_test` and `seed_test` and
OpenSpiel's `random_sim_test`, with copies and saved states at every step of a whole random game, either pass or raise.
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import TYPE_CHECKING

from interpreter.adapters import aec, openspiel
from interpreter.adapters.extras import needed
from interpreter.ui.table import Table, option_values
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from rulelang import ir

PEOPLE = {"pyrates": 2, "pirates": 2, "pirate_republic": 1}
OPTIONS = {"pirates": {"stalemate": "turn_cap", "round_limit": "2"}}
"""Bounds of games at random that would go on for thousands of answers, unless whole ones are wanted: some minutes."""


def pettingzoo(program: ir.Program, people: int, cycles: int) -> None:
    """Run both suites of PettingZoo."""
    suite = needed("pettingzoo", "pettingzoo.test")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a dictionary with a mask is less usual than a box
        suite.api_test(aec.environment(program, people), num_cycles=cycles)
        suite.seed_test(lambda: aec.environment(program, people), num_cycles=cycles)


def spiel(program: ir.Program, people: int, games: int, *, whole: bool = False) -> None:
    """Run the random simulations of OpenSpiel."""
    library = needed("openspiel", "pyspiel")
    bounds = {} if whole else OPTIONS.get(program.name, {})
    options = option_values(program, Table(people, options=bounds))
    game = library.load_game(openspiel.register(program, people, options, seeds=50))
    library.random_sim_test(game, num_sims=games, serialize=True, verbose=False)


def main() -> None:
    """Run all of them, and say how long each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(PEOPLE))
    parser.add_argument("--cycles", type=int, default=100, help="of PettingZoo")
    parser.add_argument("--games", type=int, default=1, help="of OpenSpiel")
    parser.add_argument("--whole", action="store_true", help="games of OpenSpiel without bounds")
    asked = parser.parse_args()
    for name in asked.rulesets:
        people = PEOPLE.get(name, 2)
        program = load_ruleset(name, people=people)
        begun = time.monotonic()
        pettingzoo(program, people, asked.cycles)
        between = time.monotonic()
        spiel(program, people, asked.games, whole=asked.whole)
        ended = time.monotonic()
        print(
            f"{name}, {people} people: PettingZoo passed in {between - begun:.0f} s,"
            f" OpenSpiel in {ended - between:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
