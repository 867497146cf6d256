"""The speed of the engine and of the command line, as ratios measured in one run.

Run it with `python -m benchmarks.run`. Each round measures both sides of every comparison one
after the other; what counts is the median of the ratios. Times are those of the processor, which
other processes disturb least.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Literal

import attrs

from benchmarks import yardstick_pirates, yardstick_pyrates
from benchmarks.bare_ruleset import bare_program, plain_pirates
from interpreter.chance import Stream
from interpreter.machine import Match, play
from interpreter.providers.random import RandomProvider
from rulelang import ir
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterable


PEOPLE = 1
"""The people in games of *Pyrates!*; the other seats are automas."""
CREWS = 4
"""The people in games of *Pirates!*."""
ROUNDS = 60
"""The rounds of games of *Pirates!*, which are long when all play at random."""
HEAVY_IMPORTS = "import lark, attrs, click"
LIGHT_IMPORT = "import click"
RUN = ("-m", "cli", "run", "pyrates", "--seed", "7", "--log", "quiet")
RUN_REPUBLIC = ("-m", "cli", "run", "pirate_republic", "--seed", "7", "--log", "quiet")
RULESETS = Path(__file__).resolve().parents[1] / "rulesets"
RUN_PIRATES = ("-m", "cli", "run", "pirates", "--seed", "7", "--log", "quiet")


CHECKS: tuple[tuple[str, Literal["nothing", "all", "but"], float], ...] = (
    ("uncached", "nothing", 5.0),
    ("cached", "all", 5.0),
    ("edited", "but", 5.0),
)
"""What is measured of a check, what is known before, and the ratio to reach."""


@attrs.frozen
class Comparison:
    """One comparison.

    Attributes:
        name: What is measured.
        measure: Gives the seconds of one unit of work on our side and on the other, by round.
        faster: Whether the ratio is how many times as fast we are; else how many times as long we
            take.
        goal: The ratio to reach: at least it where `faster`, at most it otherwise.
    """

    name: str
    measure: Callable[[int], tuple[float, float]]
    goal: float
    faster: bool = True


@attrs.frozen
class Measured:
    """A comparison measured: seconds and ratios are medians over the rounds."""

    name: str
    ours: float
    other: float
    ratio: float
    lowest: float
    highest: float
    faster: bool
    goal: float

    @property
    def reached(self) -> bool:
        """Whether the goal is reached."""
        return self.ratio >= self.goal if self.faster else self.ratio <= self.goal


def seconds(work: Callable[[int], object], seeds: Iterable[int]) -> float:
    """The seconds of processor time that the work takes for one seed, on average."""
    seeds = list(seeds)
    start = process_time()
    for seed in seeds:
        work(seed)
    return (process_time() - start) / len(seeds)


# ---------------------------------------------------------------- games


@attrs.frozen
class Table:
    """A game that both sides play: a program, and the same game of the yardstick.

    Attributes:
        program: The program.
        people: How many people take part, who all answer at random.
        options: The options of the game.
        other: Plays the game of the yardstick with this seed.
    """

    program: ir.Program
    people: int
    options: dict[str, object]
    other: Callable[[int], object]


def pyrates_table(program: ir.Program) -> Table:
    """A game of *Pyrates!*: a random person, four automas."""
    return Table(program, PEOPLE, {}, lambda seed: yardstick_pyrates.Game(seed, PEOPLE).play())


def pirates_table() -> Table:
    """A game of *Pirates!*: four random people, as many rounds as there may be."""
    return Table(
        plain_pirates(CREWS),
        CREWS,
        {"stalemate": "turn_cap", "round_limit": ROUNDS},
        lambda seed: yardstick_pirates.Game(seed, CREWS, max_rounds=ROUNDS).play(),
    )


def synchronous_game(table: Table, seed: int) -> Match:
    """Play a game of the ruleset with the same people, who answer inside the engine."""
    return play(
        table.program,
        {seat: RandomProvider(seed + 1_000_000 * seat) for seat in range(table.people)},
        people=table.people,
        seed=seed,
        options=table.options,
    )


def driven_game(table: Table, seed: int) -> Match:
    """Play the same game from outside, each decision handed over and answered."""
    match = Match(table.program, people=table.people, seed=seed, options=table.options)
    draws = [Stream(seed + 1_000_000 * seat, "random provider") for seat in range(table.people)]
    while (decision := match.next()) is not None:
        match.apply(decision.options.sample(draws[decision.seat]))
    return match


def games(
    play_one: Callable[[Table, int], object], table: Table, count: int
) -> Callable[[int], tuple[float, float]]:
    """Compare games, other ones in each round."""

    def measure(number: int) -> tuple[float, float]:
        seeds = range(number * count, (number + 1) * count)
        ours = seconds(lambda seed: play_one(table, seed), seeds)
        return ours, seconds(table.other, seeds)

    return measure


def answers(program: ir.Program, seed: int) -> int:
    """Play a game among four random people from outside; give how many decisions there were."""
    match = Match(program, people=CREWS, seed=seed)
    draws = [Stream(seed + 1_000_000 * seat, "random provider") for seat in range(CREWS)]
    count = 0
    while (decision := match.next()) is not None:
        match.apply(decision.options.sample(draws[decision.seat]))
        count += 1
    return count


def per_decision(
    ours: ir.Program, other: ir.Program, count: int
) -> Callable[[int], tuple[float, float]]:
    """Compare what a decision of two games costs, all that the rules do until the next one included."""

    def cost(program: ir.Program, seeds: range) -> float:
        start = process_time()
        decisions = sum(answers(program, seed) for seed in seeds)
        return (process_time() - start) / decisions

    def measure(number: int) -> tuple[float, float]:
        seeds = range(number * count, (number + 1) * count)
        return cost(ours, seeds), cost(other, seeds)

    return measure


def middle(table: Table) -> Match:
    """A match that waits for a decision in the middle of a game.

    Raises:
        RuntimeError: The game is over too early.
    """
    match = Match(table.program, people=table.people, seed=1, options=table.options)
    draw = Stream(1, "random person")
    for _ in range(12):
        decision = match.next()
        if decision is None:
            raise RuntimeError("the game is over too early to copy it")
        match.apply(decision.options.sample(draw))
    match.next()
    return match


def clones(
    match: Match, game: yardstick_pyrates.Game | yardstick_pirates.Game, count: int
) -> Callable[[int], tuple[float, float]]:
    """Compare copies, made in the middle of a game."""

    def measure(_: int) -> tuple[float, float]:
        ours = seconds(lambda _: match.clone(), range(count))
        return ours, seconds(lambda _: game.clone(), range(count))

    return measure


# ---------------------------------------------------------------- processes


def process(*arguments: str, cache: str | None = None) -> float:
    """The seconds of processor time that Python takes with these arguments.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    environment = dict(os.environ)
    if cache is not None:
        environment["RULELANG_CACHE_DIR"] = cache
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603 - starts this very Python
        [sys.executable, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cached_run(_: int, run: tuple[str, ...] = RUN) -> tuple[float, float]:
    """Compare a game in a new process, the program being in the cache, with bare imports."""
    with tempfile.TemporaryDirectory() as folder:
        process(*run, cache=folder)
        return process(*run, cache=folder), process("-c", HEAVY_IMPORTS)


def uncached_run(_: int, run: tuple[str, ...] = RUN) -> tuple[float, float]:
    """Compare the same without anything in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        return process(*run, cache=folder), process("-c", HEAVY_IMPORTS)


def cached_republic(_: int) -> tuple[float, float]:
    """Compare a game of *The Pirate Republic* in the same way."""
    return cached_run(_, RUN_REPUBLIC)


@attrs.frozen
class Checked:
    """Checking a shipped ruleset, with all its variants and scenarios, against bare imports; by round.

    Attributes:
        game: Its name.
        known: What was found before: `nothing`, `all` of the same texts, or all `but` one variant, which is edited.
    """

    game: str
    known: Literal["nothing", "all", "but"]

    def __call__(self, number: int) -> tuple[float, float]:
        """Measure in new processes."""
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
            place = Path(folder, self.game)
            shutil.copytree(RULESETS / self.game, place)
            check = ("-m", "cli", "check", str(place))
            if self.known != "nothing":
                process(*check, cache=cache)
            if self.known == "but":
                texts = [
                    path
                    for path in sorted(place.glob("variants/*.rules"))
                    if path.read_text("utf-8").count("\nvariant ") == 1
                ]
                with texts[number % len(texts)].open("a", encoding="utf-8") as edited:
                    edited.write("# A remark.\n")
            return process(*check, cache=cache), process("-c", HEAVY_IMPORTS)


def cached_pirates(_: int) -> tuple[float, float]:
    """Compare a game of *Pirates!* in the same way."""
    return cached_run(_, RUN_PIRATES)


def uncached_pirates(_: int) -> tuple[float, float]:
    """Compare a game of *Pirates!* in the same way."""
    return uncached_run(_, RUN_PIRATES)


def version(_: int) -> tuple[float, float]:
    """Compare the shortest command with a bare import."""
    return process("-m", "cli", "--version"), process("-c", LIGHT_IMPORT)


# ---------------------------------------------------------------- all of them


def comparisons(count: int, *, processes: bool = True) -> list[Comparison]:
    """All comparisons; the goals are those of the project.

    Args:
        count: Games in each round.
        processes: Whether to start processes too.
    """
    bare = pyrates_table(bare_program())
    shipped = pyrates_table(load_ruleset("pyrates"))
    pirates = pirates_table()
    one = yardstick_pyrates.Game(1, PEOPLE)
    other = yardstick_pirates.Game(1, CREWS)
    for moments in (one.play_phases(), other.play_actions()):
        for _ in range(12):
            next(moments)
    found = [
        Comparison("synchronous play", games(synchronous_game, bare, count), 1.0),
        Comparison("  with unique actions", games(synchronous_game, shipped, count), 1.0),
        Comparison("  of Pirates!", games(synchronous_game, pirates, count), 1.0),
        Comparison("driven play", games(driven_game, bare, count), 0.7),
        Comparison("  with unique actions", games(driven_game, shipped, count), 0.7),
        Comparison("  of Pirates!", games(driven_game, pirates, count), 0.7),
        Comparison("clone at a decision", clones(middle(shipped), one, 50 * count), 20.0),
        Comparison("  of Pirates!", clones(middle(pirates), other, 50 * count), 20.0),
    ]
    found.append(
        Comparison(
            "a decision of Republic",
            per_decision(
                load_ruleset("pirate_republic", people=CREWS),
                load_ruleset("pyrates", people=CREWS),
                max(1, count // 8),
            ),
            3.0,
            faster=False,
        )
    )
    if processes:
        found += [
            Comparison("cold process, cached", cached_run, 2.0, faster=False),
            Comparison("cold process, uncached", uncached_run, 8.0, faster=False),
            Comparison("  of Pirates!, cached", cached_pirates, 2.0, faster=False),
            Comparison("  of Pirates!, uncached", uncached_pirates, 8.0, faster=False),
            Comparison("  of Republic, cached", cached_republic, 4.0, faster=False),
            Comparison("--version", version, 2.0, faster=False),
        ]
        found += [
            Comparison(f"check {game}, {name}", Checked(game, known), goal, faster=False)
            for game in ("pyrates", "pirates", "pirate_republic")
            for name, known, goal in CHECKS
        ]
    return found


def measure_all(found: list[Comparison], rounds: int) -> list[Measured]:
    """Measure, one round of all comparisons after the other."""
    times: list[list[tuple[float, float]]] = [[] for _ in found]
    for comparison in found:
        comparison.measure(0)  # code is generated, files are read
    for number in range(1, rounds + 1):
        for comparison, known in zip(found, times, strict=True):
            known.append(comparison.measure(number))
    results = []
    for comparison, known in zip(found, times, strict=True):
        ratios = [other / ours if comparison.faster else ours / other for ours, other in known]
        results.append(
            Measured(
                name=comparison.name,
                ours=statistics.median(ours for ours, _ in known),
                other=statistics.median(other for _, other in known),
                ratio=statistics.median(ratios),
                lowest=min(ratios),
                highest=max(ratios),
                faster=comparison.faster,
                goal=comparison.goal,
            )
        )
    return results


def table(results: list[Measured]) -> str:
    """The results for people."""
    lines = [f"{'':31} {'ours':>12} {'other':>12} {'ratio':>7} {'(lowest-highest)':>18}  goal"]
    for each in results:
        unit, scale = ("ms", 1e3) if each.ours >= 1e-4 else ("us", 1e6)
        sign = ">=" if each.faster else "<="
        spread = f"({each.lowest:.2f}-{each.highest:.2f})"
        lines.append(
            f"{each.name:31} {each.ours * scale:9.3f} {unit} {each.other * scale:9.3f} {unit}"
            f" {each.ratio:7.2f} {spread:>18}  {sign} {each.goal:g}"
            f"{'' if each.reached else '  missed'}"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=40, help="in each round")
    parser.add_argument("--no-processes", action="store_true", help="only what is in this process")
    parser.add_argument("--json", metavar="FILE", help="write the results there too")
    parser.add_argument("--only", metavar="TEXT", default="", help="what has this in its name")
    given = parser.parse_args()
    found = comparisons(given.games, processes=not given.no_processes)
    results = measure_all([each for each in found if given.only in each.name], given.rounds)
    print(table(results))
    if given.json:
        text = json.dumps(
            [{**attrs.asdict(each), "reached": each.reached} for each in results], indent=1
        )
        Path(given.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
