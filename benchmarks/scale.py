"""What workers are worth: the same comparison in one process, in two, with Dask and with Ray.

    python -m benchmarks.scale [--pairs 10000] [--workers 2] [--game pyrates] [--with more_gold] [--only ray]

Each way is measured in a process of its own, so that its peak of memory is its own. Start-up is all that happens
before every worker has played something: the cluster, Python, the compiled rules. Efficiency is the time of one process
over that of the workers together, beyond start-up, by the clock and by processor time; the clock needs a machine with
nothing else to do. The sums of all ways must be equal.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import attrs

from interpreter.statistics.backends import backend
from interpreter.statistics.running import Run
from interpreter.ui.simulation.asking import Asked, Wish, prepare
from interpreter.ui.simulation.driving import with_store
from interpreter.ui.table import Table

if TYPE_CHECKING:
    from interpreter.statistics.backends import Kind
    from interpreter.statistics.running import Progress

psutil: Final[Any] = import_module("psutil")
"""It has no types of its own; it comes with Dask."""

WAYS: Final[dict[str, Kind | None]] = {
    "one": None,
    "processes": "local",
    "dask": "dask",
    "ray": "ray",
}
_WARM: Final = 4
_MEGABYTE: Final = 2**20


@attrs.frozen
class Measured:
    """What was measured of one way.

    Attributes:
        way: One of :data:`WAYS`.
        workers: How many.
        start: Seconds by the clock until all workers have played something.
        start_cpu: Processor seconds of all processes until then.
        wall: Seconds by the clock for the pairs.
        cpu: Processor seconds of all processes for the pairs.
        own_peak: Most memory of the process that joins the sums, in megabytes.
        peak: Most memory of all processes together that was seen, in megabytes.
        sums: A hash of all sums.
    """

    way: str
    workers: int
    start: float
    start_cpu: float
    wall: float
    cpu: float
    own_peak: float
    peak: float
    sums: str


class Processes:
    """This process and all that it has started."""

    def __init__(self) -> None:
        self._this = psutil.Process()
        self._seen: dict[Any, float] = {}
        self.peak = 0.0
        self.own_peak = 0.0

    def look(self) -> float:
        """Give processor seconds so far, and note memory; what has ended meanwhile counts as last seen."""
        together = 0
        for each in (self._this, *self._this.children(recursive=True)):
            try:
                times, memory = each.cpu_times(), each.memory_info().rss
            except psutil.NoSuchProcess:
                continue
            self._seen[each] = times.user + times.system
            together += memory
            if each == self._this:
                self.own_peak = max(self.own_peak, memory / _MEGABYTE)
        self.peak = max(self.peak, together / _MEGABYTE)
        return sum(self._seen.values())


def measured(way: str, game: str, variant: str, pairs: int, workers: int) -> Measured:
    """Play a comparison in one way, in this process."""
    kind = WAYS[way]
    number = 1 if kind is None else workers
    base = Table(3, dict.fromkeys((1, 2, 3), "random"))
    changed = attrs.evolve(base, variants=(variant,))
    asked = [Asked(variant, changed), Asked("base", base)]
    prepared = prepare(game, asked, ((0, 1),), Wish(games=pairs))
    warm = prepare(
        game, asked, ((0, 1),), Wish(games=_WARM * number * prepared.plan.batch, seed=pairs + 1)
    )
    processes = Processes()
    began, cpu_before = time.perf_counter(), processes.look()
    with backend(kind or "local", number) as played_by:
        short = attrs.evolve(warm.plan, batch=_WARM, games=_WARM * _WARM * number)
        Run(short, warm.packed, played_by, prepare=with_store).go()
        started, cpu_started = time.perf_counter(), processes.look()

        def advanced(_: Progress) -> None:
            processes.look()

        progress = Run(
            prepared.plan, prepared.packed, played_by, prepare=with_store, advanced=advanced
        ).go()
        ended, cpu_ended = time.perf_counter(), processes.look()
    text = json.dumps(progress.result.plain(), sort_keys=True)
    return Measured(
        way, number, started - began, cpu_started - cpu_before, ended - started, cpu_ended - cpu_started,
        processes.own_peak, processes.peak, hashlib.sha256(text.encode()).hexdigest()[:16],
    )  # fmt: skip


def table(found: list[Measured], pairs: int) -> list[str]:
    """Show what was measured, in lines; efficiency is beside the first."""
    one = found[0]
    lines = [
        f"{pairs:,} pairs",
        "",
        "| way | workers | start-up s (CPU) | pairs s | CPU s | ms a pair | efficiency, clock | CPU | MB here | MB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for each in found:
        clock, processor = one.wall / (each.wall * each.workers), one.cpu / each.cpu
        lines.append(
            f"| {each.way} | {each.workers} | {each.start:.1f} ({each.start_cpu:.1f}) | {each.wall:.1f}"
            f" | {each.cpu:.1f} | {1000 * each.cpu / pairs:.1f} | {clock:.2f} | {processor:.2f}"
            f" | {each.own_peak:.0f} | {each.peak:.0f} |"
        )
    same = len({each.sums for each in found}) == 1
    lines += [
        "",
        "All sums are equal."
        if same
        else "SUMS DIFFER: " + ", ".join(f"{each.way} {each.sums}" for each in found),
    ]
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Measure all ways, each in a process of its own; gives 1 if sums differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--game", default="pyrates")
    parser.add_argument("--with", dest="variant", default="more_gold")
    parser.add_argument(
        "--only", action="append", choices=list(WAYS), help="beside one process; may be repeated"
    )
    parser.add_argument("--inside", choices=list(WAYS), help=argparse.SUPPRESS)
    settings = parser.parse_args(arguments)
    if settings.inside is not None:
        one = measured(
            settings.inside, settings.game, settings.variant, settings.pairs, settings.workers
        )
        print(json.dumps(attrs.asdict(one)))
        return 0
    found: list[Measured] = []
    for way in WAYS:
        if settings.only and way != "one" and way not in settings.only:
            continue
        command = [
            sys.executable, "-m", "benchmarks.scale", "--inside", way, "--pairs", str(settings.pairs),
            "--workers", str(settings.workers), "--game", settings.game, "--with", settings.variant,
        ]  # fmt: skip
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603 - this module again
        if done.returncode:
            return done.returncode
        found.append(Measured(**json.loads(done.stdout.splitlines()[-1])))
        print(f"{way}: {found[-1].wall:.1f} s", file=sys.stderr)
    lines = table(found, settings.pairs)
    print("\n".join(lines))
    return int("DIFFER" in lines[-1])


if __name__ == "__main__":
    sys.exit(main())
