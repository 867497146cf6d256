"""Games of *The Pirate Republic* in every mode, with every variant and number of people.

Run it with `python -m benchmarks.modes --games 2000`. The promises of the ruleset are tested in each
game; a game that a rule, a promise or a limit stops counts as a fault, and its seed is shown.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import attrs

from interpreter.errors import EngineError
from interpreter.machine import Match
from interpreter.providers.automa import AutomaProvider
from interpreter.providers.random import RandomProvider
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir

GAME = "pirate_republic"
ALONE = range(1, 2)
SEVERAL = range(2, 6)
ANY = range(1, 6)
TEAMS = range(4, 6)
MANY = 200
"""So many games repay the time that optimised code takes to make."""
SHOWN_FAULTS = 5
"""For each mode and number of people."""


@attrs.frozen
class Mode:
    """A way to play.

    Attributes:
        name: What the table calls it.
        people: How many can play so.
        variants: What is merged.
        options: Values that differ from the defaults.
    """

    name: str
    people: range
    variants: tuple[str, ...] = ()
    options: dict[str, object] = attrs.field(factory=dict)


KEEPER = ("dummy_player", "time_keeper")
SOLO = ("dummy_player", "solo")
SOLO_MISSIONS = (
    "hunters_revenge",
    "hidden_lair",
    "rum_runner",
    "scouters_delight",
    "new_republic",
)
EXTRAS = ("denmark", "difficult_forts", "pirates_lair", "starting_mission", "home_made")
FIRST_GAME: dict[str, object] = {"gang_mission_number": 7, "saboteurs": False, "first_game": True}

MODES = (
    Mode("competitive", ANY),
    Mode("cooperative", ANY, ("cooperative",)),
    Mode("cooperative, first game", ANY, ("cooperative",), FIRST_GAME),
    Mode("teams", TEAMS, ("teams",)),
    Mode("time keeper", SEVERAL, KEEPER),
    Mode("dummy player alone", ANY, ("dummy_player",)),
    *(Mode(each.replace("_", " "), ANY, (each,)) for each in EXTRAS),
    Mode("all extras", ANY, EXTRAS),
    Mode("all extras, time keeper", SEVERAL, (*KEEPER, *EXTRAS)),
    Mode("cooperative, all extras", ANY, ("cooperative", *EXTRAS)),
    Mode("cooperative, time keeper", SEVERAL, ("cooperative", *KEEPER)),
    Mode("teams, all extras", TEAMS, ("teams", *EXTRAS)),
    Mode("teams, time keeper", TEAMS, ("teams", *KEEPER)),
    Mode("solo", ALONE, SOLO),
    *(Mode(f"solo, {each.replace('_', ' ')}", ALONE, (*SOLO, each)) for each in SOLO_MISSIONS),
    *(
        Mode(f"solo, {each.replace('_', ' ')}, extras", ALONE, (*SOLO, each, *EXTRAS))
        for each in SOLO_MISSIONS
    ),
)


@attrs.frozen
class Fault:
    """A game that was stopped."""

    seed: int
    text: str


@attrs.define
class Record:
    """What became of the games of a mode with so many people.

    Attributes:
        mode: The name of the mode.
        people: How many played.
        decisions: Of each game that ended; decisions with one legal answer are not counted.
        faults: The games that did not end.
        seconds: How long it took.
    """

    mode: str
    people: int
    decisions: list[int] = attrs.field(factory=list)
    faults: list[Fault] = attrs.field(factory=list)
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.decisions) + len(self.faults)

    @property
    def row(self) -> str:
        """The line of the table."""
        mean = statistics.mean(self.decisions) if self.decisions else 0
        longest = max(self.decisions, default=0)
        return (
            f"{self.mode:34}{self.people:>7}{self.games:>7}{len(self.faults):>8}"
            f"{mean:>11.0f}{longest:>9}{self.seconds:>9.1f}"
        )


HEADING = f"{'mode':34}{'people':>7}{'games':>7}{'faults':>8}{'decisions':>11}{'longest':>9}{'seconds':>9}"


def people_of(people: int, seed: int, *, automa: bool) -> dict[int, DecisionProvider]:
    """Whoever answers for the seats: everybody at random, or as the policies of the ruleset would."""
    kind = AutomaProvider if automa else RandomProvider
    return {seat: kind(seed + 1_000_000 * seat) for seat in range(people)}


def play_one(
    program: ir.Program, mode: Mode, people: int, seed: int, *, automa: bool, optimise: bool = False
) -> int:
    """Play a game to its end; give how many decisions it took."""
    match = Match(
        program,
        people=people,
        seed=seed,
        options=mode.options,
        providers=people_of(people, seed, automa=automa),
        checks=True,
        optimise=optimise,
    )
    match.play()
    decisions: int = match.state()[match.layout.decisions]  # type: ignore[assignment]
    return decisions


def play_mode(mode: Mode, people: int, seeds: range, *, automa: bool) -> Record:
    """Play a game with each of these seeds."""
    record = Record(mode.name, people)
    start = time.perf_counter()
    program = load_ruleset(GAME, people=people, variants=mode.variants)
    optimise = len(seeds) >= MANY
    for seed in seeds:
        try:
            decisions = play_one(program, mode, people, seed, automa=automa, optimise=optimise)
            record.decisions.append(decisions)
        except EngineError as error:
            record.faults.append(Fault(seed, str(error)))
        except Exception as error:  # noqa: BLE001 - whatever stops a game is what is looked for
            record.faults.append(Fault(seed, f"{type(error).__name__}: {error}"))
    record.seconds = time.perf_counter() - start
    return record


def play_all(
    tasks: list[tuple[Mode, int]], seeds: range, *, automa: bool, processes: int
) -> Iterator[Record]:
    """Play all of it, each mode and number of people in a process of its own."""
    with ProcessPoolExecutor(processes, max_tasks_per_child=1) as pool:
        waiting = [
            pool.submit(play_mode, mode, people, seeds, automa=automa) for mode, people in tasks
        ]
        for future in waiting:
            yield future.result()


def main() -> int:
    """Play and print; 1 if a game has been stopped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=30, help="of each mode and number of people")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--automa", action="store_true", help="all follow the policies")
    parser.add_argument("--mode", default="", help="only modes with this text in their names")
    parser.add_argument("--people", type=int, help="only games of so many")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    tasks = [
        (mode, people)
        for mode in MODES
        if given.mode in mode.name
        for people in mode.people
        if given.people in {None, people}
    ]
    seeds = range(given.seed, given.seed + given.games)
    records = []
    print(HEADING)
    for record in play_all(tasks, seeds, automa=given.automa, processes=given.processes):
        records.append(record)
        print(record.row, flush=True)
        for fault in record.faults[:SHOWN_FAULTS]:
            print(f"    seed {fault.seed}: {fault.text}", flush=True)
    faults = sum(len(record.faults) for record in records)
    print(f"{sum(record.games for record in records)} games, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
