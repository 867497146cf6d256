"""The scenarios of several Programs, shared among processes; results come in order, whatever the number of them."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import attrs

from interpreter.examples.reached import Reached
from interpreter.examples.scenarios import ScenarioRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interpreter.examples.scenarios import ScenarioResult
    from rulelang import ir

_FEW = 40
"""So many scenarios are played before other processes have even started."""
_EACH = 3
"""So many shares of a Program for each process: none has to wait long for the last one."""


@attrs.frozen
class Share:
    """Scenarios of one Program that one process plays.

    Attributes:
        program: The Program.
        numbers: Which of its scenarios.
        covering: Note what is reached.
    """

    program: ir.Program
    numbers: tuple[int, ...]
    covering: bool

    @property
    def scenarios(self) -> tuple[ir.Scenario, ...]:
        """The scenarios themselves."""
        return tuple(self.program.scenarios[number] for number in self.numbers)


@attrs.frozen
class Played:
    """What became of a share.

    Attributes:
        results: One for each of its scenarios.
        reached: The parts that were put to the test; empty if it was not covering.
    """

    results: tuple[ScenarioResult, ...]
    reached: Reached


def play_shares(
    programs: Sequence[ir.Program],
    wanted: Callable[[ir.Scenario], bool],
    jobs: int,
    *,
    covering: bool = False,
) -> Iterator[tuple[Share, Played]]:
    """Play scenarios of Programs, those of a few in this process.

    Args:
        programs: The Programs.
        wanted: Which scenarios are played.
        jobs: How many processes share the work.
        covering: Note what is reached.
    """
    chosen = [
        (program, [number for number, each in enumerate(program.scenarios) if wanted(each)])
        for program in programs
    ]
    if sum(len(numbers) for _, numbers in chosen) < _FEW:
        jobs = 1
    shares = [
        Share(program, tuple(part), covering)
        for program, numbers in chosen
        for part in _parts(numbers, jobs)
    ]
    if jobs == 1:
        yield from zip(shares, map(_play, shares), strict=True)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from zip(shares, pool.map(_play, shares), strict=True)


def _parts(numbers: list[int], jobs: int) -> Iterator[list[int]]:
    """Neighbours stay together: they often continue each other."""
    size = len(numbers) if jobs == 1 else max(_FEW // 4, math.ceil(len(numbers) / (_EACH * jobs)))
    return (numbers[start : start + size] for start in range(0, len(numbers), max(size, 1)))


def _play(share: Share) -> Played:
    runner = ScenarioRunner(share.program, covering=share.covering)
    results = tuple(runner.run(scenario) for scenario in share.scenarios)
    return Played(results, Reached.of(share.program, runner.marks) if share.covering else Reached())
