"""The command `test`: play the scenarios of a ruleset; of one that fails, show what was expected and what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interpreter.scenarios import ScenarioRunner
from interpreter.ui.faults import stack_lines
from interpreter.ui.loading import load, programs_with_scenarios
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.scenarios import CheckResult, ScenarioResult, TrialResult
    from rulelang import ir

_LONGEST_LOG = 60


def test_scenarios(game: str, variants: Sequence[str], *, only: str | None, colour: bool) -> bool:
    """Play scenarios and tell the result of each; the last line is `N passed, N failed`.

    Args:
        game: Name or path of the ruleset.
        variants: If there are any, only scenarios for at least one of them are played.
        only: Take those with this text in their title or citations, whatever the case.
        colour: Whether escape sequences may be used.

    Returns:
        Whether all passed, and there was one at all.
    """
    paint = Paint(colour)
    passed = failed = 0
    for program in programs_with_scenarios(game, variants):
        runner = ScenarioRunner(program)
        for scenario in program.scenarios:
            if only is not None and only.casefold() not in _searched(scenario):
                continue
            result = runner.run(scenario)
            if result.passed:
                passed += 1
                click.echo(f"{paint('ok', 'green')}    {_titled(result, program, paint)}")
            else:
                failed += 1
                click.echo(f"{paint('FAIL', 'red', 'bold')}  {_titled(result, program, paint)}")
                names = Names(program, (*scenario.people, *scenario.automas))
                for line in _failure(result, program, names, paint):
                    click.echo(f"      {line}")
    if not passed + failed:
        load(game, variants=variants)  # a ruleset with errors has something else to say
        what = f"with {only!r} " if only else ""
        click.echo(f"error: {game} has no scenario {what}to play.", err=True)
    click.echo(f"{passed} passed, {failed} failed")
    return passed > 0 and not failed


def _searched(scenario: ir.Scenario) -> str:
    return " ".join([scenario.title, *scenario.cites]).casefold()


def _titled(result: ScenarioResult, program: ir.Program, paint: Paint) -> str:
    cites = f"  [{', '.join(result.cites)}]" if result.cites else ""
    chosen = f"  with {', '.join(program.variants)}" if program.variants else ""
    return result.title + paint(f"{chosen}{cites}", "dim")


def _failure(
    result: ScenarioResult, program: ir.Program, names: Names, paint: Paint
) -> Iterator[str]:
    for number, trial in enumerate(result.trials, 1):
        if trial.passed:
            continue
        if len(result.trials) > 1:
            yield f"run {number} of {len(result.trials)}:"
        if trial.problem:
            yield f"{_where(trial.span, program)}: {paint(trial.problem, 'bold')}"
            yield from stack_lines(trial.stack, program, paint)
        for check in trial.checks:
            if not check.passed:
                yield from _difference(check, program, paint)
        yield from _log(trial, program, names, paint)


def _difference(check: CheckResult, program: ir.Program, paint: Paint) -> Iterator[str]:
    cites = f"  [{', '.join(check.cites)}]" if check.cites else ""
    yield f"{_where(check.span, program)}: expected: {check.text}{paint(cites, 'dim')}"
    if check.problem:
        yield f"  but: {check.problem}"
    for written, value in check.sides:
        if written != value:
            yield f"  actual: {written} is {paint(value, 'bold')}"


def _log(trial: TrialResult, program: ir.Program, names: Names, paint: Paint) -> Iterator[str]:
    story = Story(program, names, "full", paint)
    lines = [line for line in (*story.tell(trial.events), *story.close()) if line]
    if not lines:
        return
    yield "the log up to there:"
    if len(lines) > _LONGEST_LOG:
        yield f"  ... {len(lines) - _LONGEST_LOG} earlier lines"
    yield from (f"  {line}" for line in lines[-_LONGEST_LOG:])


def _where(span: ir.Span, program: ir.Program) -> str:
    if not span.line or span.file >= len(program.files):
        return program.name
    return f"{program.files[span.file]}:{span.line}"
