"""The command `test --mutate`: changes rules, and plays the scenarios that may notice it."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final, Self, TypeVar

import attrs
import click

from interpreter.mutation.model import Fate, Result
from interpreter.mutation.plan import Choice, Plan
from interpreter.mutation.trials import Trials, Visit
from interpreter.ui.loading import load, programs_with_scenarios
from interpreter.ui.mutants import Report
from interpreter.ui.paint import Paint
from rulelang import api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from interpreter.mutation.trials import Reach
    from rulelang import ir

_MINUTE: Final = 60

Task = TypeVar("Task")
Given = TypeVar("Given")


@attrs.frozen
class MutationWish:
    """What is wanted of a run.

    Attributes:
        choice: Which rules are changed.
        minutes: Stop when so many have passed; None: when all is done.
        jobs: How many processes share the work.
        as_json: Write one JSON document.
        fail_under: Fail if the score is less than this, in percent.
        colour: Whether escape sequences may be used.
    """

    choice: Choice
    minutes: float | None = None
    jobs: int = 1
    as_json: bool = False
    fail_under: float | None = None
    colour: bool = False


def mutate(game: str, variants: Sequence[str], wish: MutationWish) -> bool:
    """Change rules one by one, tell which changes no scenario notices, and the score.

    Args:
        game: Name or path of the ruleset.
        variants: If there are any: only what these change or add is changed.
        wish: What is wanted.

    Returns:
        Whether all scenarios pass as the rules are written, there was something to change, and the score is as high as
        is wanted.
    """
    started = time.monotonic()
    deadline = None if wish.minutes is None else started + wish.minutes * _MINUTE
    programs = _programs(game)
    names = frozenset(_known(programs, variants))
    plan = Plan(programs, attrs.evolve(wish.choice, variants=tuple(sorted(names))))
    if not plan.order:
        click.echo(f"error: there is nothing in {game} to change.", err=True)
        return False
    with _Workers(plan, wish.jobs) as workers:
        reaches = _reaches(plan, workers)
        failing = [each for each in reaches if each.problem]
        for each in failing:
            scenario = programs[each.visit.program].scenarios[each.visit.scenario]
            click.echo(f"FAIL  {scenario.title}: {each.problem}", err=True)
        if failing:
            click.echo("error: scenarios have to pass before rules are changed.", err=True)
            return False
        results = _results(plan, reaches, workers, deadline)
    report = Report(game, plan, results)
    if wish.as_json:
        click.echo(report.document())
    else:
        for line in report.lines(Paint(wish.colour)):
            click.echo(line)
    return wish.fail_under is None or report.whole.percent >= wish.fail_under


def _programs(game: str) -> tuple[ir.Program, ...]:
    """The ruleset for all its scenarios, and for the variants that have none."""
    programs = list(programs_with_scenarios(game))
    have = {name for program in programs for name in program.variants}
    if not any(not program.variants for program in programs):
        programs.append(load(game))
    missing = (names for names in api.variant_sets(game) if not have.issuperset(names))
    programs.extend(load(game, variants=names) for names in missing)
    return tuple(programs)


def _known(programs: Sequence[ir.Program], variants: Sequence[str]) -> Iterator[str]:
    """The names of variants; one that is in no program has been refused when it was looked up."""
    have = {name for program in programs for name in program.variants}
    for each in variants:
        for name in each.split(","):
            if name not in have:
                raise click.UsageError(f"There is no variant {name!r}.")
            yield name


def _reaches(plan: Plan, workers: _Workers) -> list[Reach]:
    tasks = [
        (program, scenario)
        for program, whole in enumerate(plan.programs)
        for scenario in range(len(whole.scenarios))
    ]
    found = []
    for number, each in enumerate(workers.map(_reach, tasks), 1):
        _progress(number, len(tasks), "scenarios")
        found.append(each)
    return found


def _results(
    plan: Plan, reaches: Sequence[Reach], workers: _Workers, deadline: float | None
) -> list[Result]:
    """What becomes of the changes, in the order of the plan, up to the deadline."""
    visits: dict[int, list[Visit]] = {}
    reached: set[int] = set()
    for each in reaches:
        reached |= each.reached
        for number in each.different:
            visits.setdefault(number, []).append(each.visit)
    tasks = [(number, tuple(sorted(visits.get(number, ())))) for number in plan.order]
    results: list[Result] = []
    for count, result in enumerate(workers.map(_attempt, tasks), 1):
        if result.fate == "unnoticed" and not result.tried:
            fate: Fate = "alike" if result.number in reached else "unreached"
            result = Result(result.number, fate)  # noqa: PLW2901 - the same result, told better
        results.append(result)
        _progress(count, len(tasks), "changes")
        if deadline is not None and time.monotonic() > deadline:
            break
    return results


def _progress(number: int, total: int, what: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        end = "\r" + " " * 40 + "\r" if number == total else ""
        click.echo(f"\r{number} of {total} {what}{end}", nl=False, err=True)


# ---------------------------------------------------------------- processes

_trials: Trials | None = None


def _begin(plan: Plan) -> None:
    global _trials  # noqa: PLW0603 - one for each process
    _trials = Trials(plan)


def _reach(task: tuple[int, int]) -> Reach:
    assert _trials is not None  # noqa: S101 - every process begins with it
    return _trials.reach(*task)


def _attempt(task: tuple[int, tuple[Visit, ...]]) -> Result:
    assert _trials is not None  # noqa: S101 - every process begins with it
    return _trials.attempt(*task)


class _Workers:
    """Runs tasks in several processes, results in the order of the tasks; in this one if there is one.

    Args:
        plan: What the tasks are about.
        number: How many processes.
    """

    def __init__(self, plan: Plan, number: int) -> None:
        self._plan = plan
        self._number = number
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self._number > 1:
            self._pool = ProcessPoolExecutor(
                self._number,
                mp_context=get_context("spawn"),
                initializer=_begin,
                initargs=(self._plan,),
            )
        else:
            _begin(self._plan)
        return self

    def __exit__(self, *problem: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(self, do: Callable[[Task], Given], tasks: Sequence[Task]) -> Iterator[Given]:
        """Do all tasks."""
        return map(do, tasks) if self._pool is None else self._pool.map(do, tasks, chunksize=4)
