"""The command `fuzz-engine`: random rulesets on both engines, and the smallest one on which they part."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.conformance import compare
from rulelang import api
from rulelang.fuzzing import generate, shrink
from rulelang.fuzzing.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulelang import ir

Texts = dict[str, str]

GAMES = 3
TRIES = 600
TWINS = 4
"""Of so many rulesets one is compiled a second time, as another process would."""

_REFUSED = "the checker finds"
_RARE = 200
"""One ruleset of so many may have a finding: the generator does not know all that the checker knows."""

_DIGITS = re.compile(r"\d+")


def fuzz(programs: int, *, seed: int = 1, seconds: float | None = None, games: int = GAMES) -> bool:
    """Compare the engines on random rulesets, until they part.

    Args:
        programs: How many rulesets.
        seed: Seed of the first; the others follow.
        seconds: Stop after this time.
        games: How many games of each.

    Returns:
        Whether they played alike on all of them, but for the few that have findings.
    """
    started = time.monotonic()
    done = 0
    refused: list[int] = []
    for number in range(seed, seed + programs):
        texts = generate(number)
        problem = problem_of(texts, number, games)
        if problem is not None and problem.startswith(_REFUSED):
            refused.append(number)
            click.echo(f"seed {number}: {problem}", err=True)
            if len(refused) * _RARE > done + _RARE:
                return False
            continue
        if problem is not None:
            _report(texts, number, problem)
            return False
        done += 1
        if done % 50 == 0:
            click.echo(f"{done} rulesets", err=True)
        if seconds is not None and time.monotonic() - started > seconds:
            break
    click.echo(f"{done} rulesets, {games} games of each: both engines played alike")
    if refused:
        click.echo(f"{len(refused)} more have findings: seeds {', '.join(map(str, refused))}")
    return True


def problem_of(texts: Texts, seed: int, games: int = GAMES) -> str | None:
    """Say what is wrong with a ruleset: findings, a crash, or engines that part; None if nothing is.

    Args:
        texts: Rules and data files by path.
        seed: For everything that is drawn.
        games: How many games are played.
    """
    try:
        result = api.check_texts(texts)
        program = result.program
        if program is None:
            first = next(found for found in result.diagnostics if found.is_error)
            return f"{_REFUSED}: {first.code} {first.headline} ({first.span})"
        twin = api.check_texts(texts).program if seed % TWINS == 0 else None
        options = settings_of(program, seed)
        for people, optimise in games_of(program, seed, texts, games):
            difference = compare(
                program, seed, people, optimise=optimise, options=options, twin=twin
            )
            if difference is not None:
                return f"people {people}, {'' if optimise else 'not '}optimised\n{difference}"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return f"internal error: {type(error).__name__}: {error}"
    return None


def games_of(
    program: ir.Program, seed: int, texts: Texts, games: int = GAMES
) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Give who takes part in the games that are played of a ruleset, and whether the code is optimised."""
    everybody = tuple(range(program.seats))
    automas = any(re.search(r"^    seats ", text, re.MULTILINE) for text in texts.values())
    choices = [everybody, (0,), everybody[1:], ()] if automas else [everybody]
    for game in range(games):
        yield choices[(seed + game) % len(choices)], (seed + game) % GAMES != 1


def settings_of(program: ir.Program, seed: int) -> tuple[object, ...] | None:
    """Draw a value for every option; None, the defaults, for every other seed."""
    if seed % 2 == 0:
        return None
    dice = Dice(seed)
    values: list[object] = []
    for option in program.options:
        match option.type.shape:
            case "flag":
                values.append(dice.chance(50))
            case "word":
                values.append(dice.below(len(program.enums[option.type.enum].words)))
            case "number" if option.type.lo is not None and option.type.hi is not None:
                values.append(dice.between(option.type.lo, option.type.hi))
            case _:
                values.append(option.default)
    return tuple(values)


def _kind(problem: str | None) -> str:
    """What a problem has in common with itself in a smaller ruleset."""
    lines = (problem or "").splitlines()
    for line in lines:
        if ": " in line and not line.startswith("people"):
            return _DIGITS.sub(
                "#", line if line.startswith(_REFUSED) else line.rpartition(": ")[2]
            )[:60]
    return ""


def _report(texts: Texts, seed: int, problem: str) -> None:
    click.echo(f"seed {seed}: {problem}\n\nmaking it smaller ...")
    kind = _kind(problem)
    small = shrink(texts, lambda smaller: _kind(problem_of(smaller, seed)) == kind, tries=TRIES)
    folder = Path(f"fuzz-{seed}")
    folder.mkdir(exist_ok=True)
    for path, text in small.items():
        (folder / path).write_text(text, encoding="utf-8")
    click.echo(
        f"{problem_of(small, seed)}\n\nThe smaller ruleset is in {folder}. It is made again by"
    )
    click.echo(f"    rulelang fuzz-engine --programs 1 --seed {seed}")
