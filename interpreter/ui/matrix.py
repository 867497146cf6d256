"""The command `options --matrix`: do the variants and options of a game work with each other?

Each combination is loaded and played by seats that answer at random. A set of variants that contradict each other is
refused when it is loaded, and that is no mistake; a game that stops, or finds no end, is one.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import combinations
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs
import click

from interpreter.compiling.compiler import use_store
from interpreter.errors import BudgetExhausted, EngineError, RuleFault
from interpreter.providers.random import RandomProvider
from interpreter.ui.codecache import CodeCache
from interpreter.ui.covering import FEW, count, covering, every
from interpreter.ui.engine import start
from interpreter.ui.table import option_text
from rulelang import api, discovery
from rulelang.variants.catalogue import Catalogue, read_catalogue
from rulelang.variants.selection import needed
from rulelang.wording import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulelang import ir
    from rulelang.diagnostics import Diagnostic
    from rulelang.texts import Texts

Trouble: TypeAlias = Literal["stuck", "faulted", "over-long"]
TROUBLES: Final[tuple[Trouble, ...]] = ("stuck", "faulted", "over-long")
CONFLICT: Final = "E0702"
EXCLUDED: Final = "E0703"

_STUCK: Final = "R0106"
_SHOWN: Final = 3
_MANY: Final = 20  # so many games of one program repay the time that optimised code takes to make


@attrs.frozen
class Combination:
    """What is tried.

    Attributes:
        variants: Names of variants, sorted.
        options: Options with values other than the default, as they would be typed.
    """

    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def words(self) -> list[str]:
        """Give the arguments that choose it on the command line."""
        words = ["--with", ",".join(self.variants)] if self.variants else []
        for name, value in self.options:
            words += ["--option", f"{name}={value}"]
        return words


@attrs.frozen
class Problem:
    """Why a combination is refused.

    Attributes:
        code: Of the finding.
        text: What it says.
        places: The places that it names, each as `FILE:LINE`.
        cites: The ids that these places cite.
    """

    code: str
    text: str
    places: tuple[str, ...]
    cites: tuple[str, ...]


@attrs.frozen
class Tried:
    """What became of a combination.

    Attributes:
        combination: What was tried.
        refused: Why it could not be loaded; empty if it could.
        games: How many games were played.
        troubles: How many of them did not end, by what became of them.
        examples: A few of these: what happened, and the command that shows it.
    """

    combination: Combination
    refused: tuple[Problem, ...] = ()
    games: int = 0
    troubles: Mapping[Trouble, int] = attrs.field(factory=dict)
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def fine(self) -> bool:
        """Whether it plays, or is refused as a contradiction."""
        if self.refused:
            return any(each.code in {CONFLICT, EXCLUDED} for each in self.refused)
        return not self.troubles


@attrs.frozen
class Task:
    """A combination to be tried, with so many games from a seed on; no game: it is only loaded."""

    game: str
    combination: Combination
    games: int
    seed: int


# ---------------------------------------------------------------- one combination


def attempt(task: Task) -> Tried:
    """Load a combination and play it, as many games for each number of people as their turn comes."""
    use_store(CodeCache())
    made = task.combination
    texts = _texts(task.game)
    program, found = texts.compile(made.variants)
    if program is None:
        return Tried(made, _problems(found.sorted()))
    given = dict(made.options)
    program = _for_seats(texts, program, made, given)
    low, high = program.players
    most = max(low, min(high, program.seats if program.seats_option >= 0 else high))
    peoples = range(low, most + 1)
    programs = _for_people(texts, program, made, peoples[: task.games])
    many = task.games >= _MANY * len({each.seats for each in programs.values()})
    troubles: dict[Trouble, int] = {}
    examples: list[tuple[str, str]] = []
    for number in range(task.games):
        people = peoples[number % len(peoples)]
        seed = task.seed + number
        played = programs[people]
        providers = {seat: RandomProvider(f"{seed}/{seat}") for seat in range(people)}
        game = start(
            played, _values(played, given), seed, range(people), providers, log=False, many=many
        )
        try:
            game.play()
        except EngineError as error:
            trouble = _trouble(error)
            troubles[trouble] = troubles.get(trouble, 0) + 1
            if len(examples) < _SHOWN:
                words = ["rulelang", "run", task.game, "--people", str(people), *made.words()]
                examples.append((str(error), shlex.join([*words, "--seed", str(seed)])))
    return Tried(made, (), task.games, troubles, tuple(examples))


@lru_cache(maxsize=1)
def _texts(game: str) -> Texts:
    """Parse a game with all its variants, once in each process."""
    return read_catalogue(game).texts


def _for_seats(
    texts: Texts, program: ir.Program, made: Combination, given: Mapping[str, str]
) -> ir.Program:
    """Make the program again if one of the options says how many seats there are."""
    if program.seats_option < 0:
        return program
    name = program.options[program.seats_option].name
    seats = int(given.get(name, program.seats))
    if seats == program.seats:
        return program
    return texts.compile(made.variants, seats=seats, first=False)[0] or program


def _for_people(
    texts: Texts, program: ir.Program, made: Combination, peoples: Sequence[int]
) -> dict[int, ir.Program]:
    """Give the program for each number of people, which may be the number of its seats."""
    programs = dict.fromkeys(peoples, program)
    for people in peoples:
        if people != program.seats and program.seats_option < 0:
            loaded, _ = texts.compile(made.variants, people=people, first=False)
            if loaded is None or loaded.seats == program.seats:
                break  # the ruleset says how many seats there are
            programs[people] = loaded
    return programs


def _values(program: ir.Program, given: Mapping[str, str]) -> tuple[object, ...]:
    from interpreter.ui.table import Table, option_values

    known = {option.name for option in program.options}
    table = Table(options={name: text for name, text in given.items() if name in known})
    values = option_values(program, table)
    return tuple(values.get(option.name, option.default) for option in program.options)


def _trouble(error: EngineError) -> Trouble:
    if isinstance(error, BudgetExhausted):
        return "over-long"
    if isinstance(error, RuleFault) and error.code == _STUCK:
        return "stuck"
    return "faulted"


def _problems(found: Iterable[Diagnostic]) -> tuple[Problem, ...]:
    """Give the errors; of a set that is excluded or contradicts itself only these, as others follow from them."""
    problems = [_problem(each) for each in found if each.is_error]
    for code in (EXCLUDED, CONFLICT):
        if any(each.code == code for each in problems):
            problems = [each for each in problems if each.code == code]
    return tuple(problems)


def _problem(found: Diagnostic) -> Problem:
    labels = (found.primary, *found.secondary)
    places = dict.fromkeys(
        f"{label.span.file.path}:{label.span.line}" for label in labels if label.span.file.path
    )
    return Problem(found.code, found.headline, tuple(places), tuple(found.citation))


# ---------------------------------------------------------------- what is tried


def pairs(found: Catalogue) -> list[Combination]:
    """Give the base, each variant, and every two, each with what it needs."""
    names = list(found.variants)
    sets = [(), *((name,) for name in names), *combinations(names, 2)]
    return [Combination(tuple(sorted(needed(found.variants, each)))) for each in sets]


def combinations_of(
    found: Catalogue, programs: Mapping[str, ir.Program], refused: frozenset[frozenset[str]]
) -> tuple[list[Combination], int]:
    """Give all combinations of variants and values of options, or some that hold every pair.

    Args:
        found: The variants.
        programs: For the base (``""``) and each variant the program that has its options.
        refused: Pairs of variants that cannot be merged.

    Returns:
        The combinations, and how many there would be.
    """
    names = list(found.variants)
    options = [
        (option.name, owner, _levels(programs[owner], option))
        for owner in ("", *names)
        if owner in programs
        for option in programs[owner].options
        if option.name in found.declared_by(owner)
    ]
    owners = [owner for _, owner, _ in options]
    levels = [2] * len(names) + [len(values) for _, _, values in options]

    def allowed(chosen: Mapping[int, int]) -> bool:
        on = {names[each] for each, level in chosen.items() if each < len(names) and level}
        off = {names[each] for each, level in chosen.items() if each < len(names) and not level}
        # The first level of an option is its default: so is an option of a variant that is not there.
        on |= {
            owners[each - len(names)]
            for each, level in chosen.items()
            if each >= len(names) and level and owners[each - len(names)]
        }
        whole = needed(found.variants, on)
        return not whole & off and not any(
            frozenset(pair) in refused for pair in combinations(sorted(whole), 2)
        )

    whole = count(levels)
    rows = list(every(levels, allowed)) if whole <= FEW else covering(levels, allowed)
    made = []
    for row in rows:
        variants = needed(found.variants, [name for n, name in enumerate(names) if row[n]])
        values = {
            name: texts[row[len(names) + n]]
            for n, (name, _, texts) in enumerate(options)
            if row[len(names) + n]
        }
        made.append(Combination(tuple(sorted(variants)), tuple(values.items())))
    return list(dict.fromkeys(made)), whole


def _levels(program: ir.Program, option: ir.Option) -> list[str]:
    """Give the values of an option that are tried, the default first: all words, and the ends of a range."""
    values: list[object] = [option.default]
    kind = option.type
    match kind.shape:
        case "number":
            values += [end for end in (kind.lo, kind.hi) if end is not None]
        case "flag":
            values += [False, True]
        case "word":
            enum = program.enums[kind.enum]
            values += (
                [enum.low, enum.low + len(enum.words) - 1]
                if enum.numeric
                else list(range(len(enum.words)))
            )
        case _:
            pass
    return list(dict.fromkeys(option_text(program, option, value) for value in values))


# ---------------------------------------------------------------- the command


def show_matrix(
    game: str,
    *,
    only_pairs: bool,
    games: int,
    seed: int,
    workers: int,
    as_json: bool,
) -> bool:
    """Try the combinations of a game and write what became of each.

    Args:
        game: Name or path of the ruleset.
        only_pairs: Only the variants in pairs, with the options as they are.
        games: How many games to play with each.
        seed: Of the first of them; the others follow.
        workers: How many processes share the work.
        as_json: Write one JSON document instead.

    Returns:
        Whether every combination plays or is refused as a contradiction.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        RulesetError: The base has errors.
    """
    from interpreter.ui import matrixtext

    _texts.cache_clear()  # the name may mean other files than the last time
    found = read_catalogue(game)
    base = api.load_ruleset(game)
    with _workers(workers) as run:
        if only_pairs:
            tried = list(run(Task(game, each, games, seed) for each in pairs(found)))
            text = matrixtext.pairs_table(base, found, tried, games, seed)
            whole = len(tried)
        else:
            first = list(run(Task(game, each, 0, seed) for each in pairs(found)))
            refused = frozenset(
                frozenset(each.combination.variants)
                for each in first
                if each.refused and len(each.combination.variants) == 2
            )
            rows, whole = combinations_of(found, _programs(found), refused)
            tried = list(run(Task(game, each, games, seed) for each in rows))
            text = matrixtext.report(base, found, tried, whole, games, seed)
    fine = all(each.fine for each in tried)
    if as_json:
        click.echo(matrixtext.document(base, tried, whole, games, seed))
    else:
        for line in text:
            click.echo(line)
    return fine


def _programs(found: Catalogue) -> dict[str, ir.Program]:
    """Make the base and each variant alone, to see what their options can be; one that is refused is left out."""
    programs: dict[str, ir.Program] = {}
    for name in ("", *found.variants):
        made, _ = found.texts.compile(needed(found.variants, [name]) if name else (), first=False)
        if made is not None:
            programs[name] = made
    return programs


@attrs.define
class _workers:  # noqa: N801 - it reads as the call that it is
    """Runs tasks in several processes, results in order; in this one if there is one."""

    number: int
    _pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Callable[[Iterable[Task]], Iterator[Tried]]:
        if self.number > 1:
            self._pool = ProcessPoolExecutor(
                self.number,
                mp_context=get_context("spawn"),
                initializer=discovery.use,
                initargs=(discovery.search(),),
            )
        return self._run

    def __exit__(self, *problem: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _run(self, tasks: Iterable[Task]) -> Iterator[Tried]:
        waiting: Sequence[Task] = list(tasks)
        done = map(attempt, waiting) if self._pool is None else self._pool.map(attempt, waiting)
        for number, each in enumerate(done, 1):
            if sys.stderr is not None and sys.stderr.isatty():
                click.echo(
                    f"\r{number} of {plural(len(waiting), 'combination')}", nl=False, err=True
                )
            yield each
        if sys.stderr is not None and sys.stderr.isatty():
            click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
