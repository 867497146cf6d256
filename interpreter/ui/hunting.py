"""The command `fuzz`: games of one ruleset that try to break it; what does, as a short scenario."""

from __future__ import annotations

import shlex
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.chance import Stream
from interpreter.fuzzing.findings import plan_for
from interpreter.fuzzing.hunting import Hunter
from interpreter.fuzzing.reporting import reduced
from interpreter.ui.faults import stack_lines
from interpreter.ui.loading import load_for
from interpreter.ui.paint import Paint
from interpreter.ui.spelling import Spelling
from interpreter.ui.table import Table, option_text, option_values
from rulelang import api
from rulelang.codes import CODES
from rulelang.gathering import gather
from rulelang.texts import Texts
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.fuzzing.findings import Finding
    from interpreter.fuzzing.reporting import Reduced
    from rulelang.ir import Program

_BATCH = 5
"""So many games are given to a process at a time."""


@attrs.frozen
class Search:
    """What is played.

    Attributes:
        game: Name or path of the ruleset.
        table: People, options and variants; without people all numbers of them take turns.
        games: How many games; None: until the time is over.
        seconds: How long; None: until all games are played.
        seed: Of the first game; the others follow.
        jobs: How many processes play.
        given: Which `luck` and `players` were asked for; what is not is varied.
        longest: So many decisions are too many for a game.
    """

    game: str
    table: Table
    games: int | None
    seconds: float | None
    seed: int
    jobs: int
    given: Mapping[str, str]
    longest: int


def hunt(search: Search, output: str | None, *, colour: bool) -> bool:
    """Play until something is wrong, or all games are played; tell what was found.

    Args:
        search: What is played.
        output: The file for the scenario; None: `fuzz-GAME-N.rules` here, for game number N.
        colour: Whether escape sequences may be used.

    Returns:
        Whether nothing was found.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: It is for another number of people, or has no such option.
    """
    found, played = first_found(search)
    if found is None:
        click.echo(f"{plural(played, 'game')}: nothing is wrong")
        return True
    paint = Paint(colour)
    for line in told(found, paint):
        click.echo(line)
    if found.small is not None:
        place = Path(output or f"fuzz-{found.program.name}-{found.finding.plan.seed}.rules")
        place.write_text(found.small.text, "utf-8")
        click.echo(f"\nThis scenario is in {place}. It fails under")
        click.echo(f"    {paint(_test_command(search, place), 'cyan')}")
    click.echo("The whole game is played again by")
    click.echo(f"    {paint(_play_command(search, found), 'cyan')}")
    return False


@attrs.frozen
class Found:
    """What was found, in which program, and the scenario that shows it, if there is one."""

    finding: Finding
    program: Program
    small: Reduced | None


def first_found(search: Search) -> tuple[Found | None, int]:
    """Play until something is wrong, or all games are played.

    Returns:
        What was found, and how many games were played.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        click.UsageError: It is for another number of people, or has no such option.
    """
    programs = _programs(search)
    started = time.monotonic()
    played = 0
    for finding, games in _findings(search, programs, started):
        played += games
        if finding is not None:
            program = programs[finding.plan.people]
            found = Found(finding, program, _reduced(search, program, finding))
            return found, played
    return None, played


def _programs(search: Search) -> dict[int, Program]:
    """Load the ruleset for every number of people that takes part."""
    table = search.table
    program, people = load_for(search.game, table)
    if table.people is not None:
        return {people: program}
    low, high = program.players
    numbers = range(low, high + 1)
    found = {people: program}
    for number in numbers:
        if number not in found:
            found[number] = load_for(search.game, attrs.evolve(table, people=number))[0]
    return {number: found[number] for number in numbers}


# ---------------------------------------------------------------- playing


def _findings(
    search: Search, programs: Mapping[int, Program], started: float
) -> Iterator[tuple[Finding | None, int]]:
    """Play batch by batch; gives what each has found, and how many games it played, in order."""
    batches = _batches(search, started)
    if search.jobs == 1:
        worker = _Worker(search, programs)
        yield from (worker.play(batch) for batch in batches)
        return
    with ProcessPoolExecutor(search.jobs, initializer=_begin, initargs=(search,)) as pool:
        waiting = []
        for batch in batches:
            waiting.append(pool.submit(_play, batch))
            if len(waiting) >= 2 * search.jobs:
                yield waiting.pop(0).result()
        yield from (each.result() for each in waiting)


def _batches(search: Search, started: float) -> Iterator[range]:
    number = search.seed
    end = None if search.games is None else search.seed + search.games
    while end is None or number < end:
        if search.seconds is not None and time.monotonic() - started > search.seconds:
            return
        upto = number + _BATCH if end is None else min(number + _BATCH, end)
        yield range(number, upto)
        number = upto


class _Worker:
    """Plays batches of games in one process."""

    def __init__(self, search: Search, programs: Mapping[int, Program]) -> None:
        self._search = search
        self._hunters = {people: Hunter(program) for people, program in programs.items()}

    def play(self, batch: range) -> tuple[Finding | None, int]:
        """Play a batch up to the first game in which something is wrong."""
        numbers = tuple(self._hunters)
        for number in batch:
            people = numbers[number % len(numbers)]
            hunter = self._hunters[people]
            given = option_values(hunter.program, self._search.table)
            options = tuple(
                given.get(option.name, option.default) for option in hunter.program.options
            )
            plan = plan_for(
                number,
                Stream(number, "plan"),
                people,
                options,
                self._search.given,
                self._search.longest,
            )
            finding = hunter.play(plan)
            if finding is not None:
                return finding, number - batch.start + 1
        return None, len(batch)


_WORKERS: list[_Worker] = []


def _begin(search: Search) -> None:
    _WORKERS[:] = [_Worker(search, _programs(search))]


def _play(batch: range) -> tuple[Finding | None, int]:
    return _WORKERS[0].play(batch)


# ---------------------------------------------------------------- telling


def told(found: Found, paint: Paint) -> Iterator[str]:
    """Say what is wrong, in which game, and show the scenario."""
    finding, plan = found.finding, found.finding.plan
    head = f"{finding.code}: " if finding.code else "a mistake of the engine: "
    yield f"{paint(head, 'red', 'bold')}{paint(finding.message, 'bold')}"
    yield from stack_lines(finding.stack, found.program, paint)
    answers = sum(each.form == "choose" for each in finding.entries)
    people = "1 person" if plan.people == 1 else f"{plan.people} people"
    yield (
        f"in game {plan.seed}, of {people} ({', '.join(plan.players)}) with {plan.luck} dice,"
        f" after {plural(answers, 'answer')}"
    )
    if finding.code:
        yield f"rulelang explain {finding.code} says more about it"
    if found.small is None:
        yield "\nNo short scenario shows this."
    else:
        yield f"\n{found.small.text.rstrip()}"


@attrs.frozen
class _Ruleset:
    """Compiles the ruleset that is played; see `interpreter.fuzzing.reporting.Ruleset`."""

    search: Search

    def program(self, people: int) -> Program | None:
        """For so many people."""
        game, variants = self.search.game, self.search.table.variants
        try:
            return api.load_ruleset(game, people=people, variants=variants)
        except api.RulesetError:
            return None

    def spelling(self, program: Program) -> Spelling:
        """What writes values of a program."""
        gathered = gather(self.search.game, self.search.table.variants)
        texts = Texts(gathered.read.sources, gathered.read.read)
        tables, _ = texts.bind(gathered.variants, seats=program.seats)
        return Spelling(program, tables)

    def tested(self, text: str, program: Program) -> Program | None:
        """With the scenarios of a text only."""
        game, variants = self.search.game, self.search.table.variants
        try:
            return api.load_scenario(game, text, seats=program.seats, variants=variants)
        except api.RulesetError:
            return None


def _reduced(search: Search, program: Program, finding: Finding) -> Reduced | None:
    """Make it a scenario that fails in the same way."""
    name = CODES[finding.code].name if finding.code else "mistake of the engine"
    return reduced(program, finding, f"{name} (game {finding.plan.seed})", _Ruleset(search))


def _test_command(search: Search, place: Path) -> str:
    game = Path(search.game)
    before = ["--rulesets", str(game.parent or ".")] if game.exists() else []
    return shlex.join(["rulelang", *before, "test", str(place)])


def _play_command(search: Search, found: Found) -> str:
    plan, program = found.finding.plan, found.program
    words = ["rulelang", "fuzz", search.game, "--people", str(plan.people)]
    for variant in search.table.variants:
        words += ["--with", variant]
    for option, value in zip(program.options, plan.options, strict=True):
        if value != option.default:
            words += ["--option", f"{option.name}={option_text(program, option, value)}"]
    for name, value in search.given.items():
        words += [f"--{name}", value]
    if plan.longest != LONGEST:
        words += ["--longest", str(plan.longest)]
    return shlex.join([*words, "--seed", str(plan.seed), "--games", "1"])


LONGEST = 10_000
