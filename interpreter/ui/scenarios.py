"""The command `test`: play the scenarios of a ruleset; of one that fails, show what was expected and what was there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs
import click

from interpreter.examples.reached import Reached
from interpreter.examples.sharing import play_shares
from interpreter.ui.coverage import CoverageReport
from interpreter.ui.faults import stack_lines
from interpreter.ui.loading import load, programs_with_scenarios
from interpreter.ui.names import Names
from interpreter.ui.paint import Paint
from interpreter.ui.story import Story
from rulelang.scenes import is_about

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interpreter.examples.scenarios import CheckResult, ScenarioResult, TrialResult
    from rulelang import ir

_JSON_VERSION = 1
_LONGEST_LOG = 60


@attrs.frozen
class Wanted:
    """How scenarios are played and told.

    Attributes:
        only: Take those with this text in their title or citations, whatever the case.
        output_format: `full`, `concise` or `json`.
        coverage: Whether to report what they put to the test.
        fail_under: So many percent must be covered.
        colour: Whether escape sequences may be used.
        jobs: How many processes share the work.
    """

    only: str | None = None
    output_format: str = "full"
    coverage: bool = False
    fail_under: float | None = None
    colour: bool = False
    jobs: int = 1


def test_scenarios(game: str, variants: Sequence[str], wanted: Wanted) -> bool:
    """Play scenarios and tell the result of each; the last line of text is `N passed, N failed`.

    Args:
        game: Name or path of the ruleset.
        variants: If there are any, only scenarios for at least one of them are played.
        wanted: How.

    Returns:
        Whether all passed, there was one at all, and enough is covered.
    """
    paint = Paint(wanted.colour)
    results: list[_Played] = []
    reached = Reached()
    compiled = None if wanted.coverage else wanted.only  # what is covered is a part of all sets
    programs = [*programs_with_scenarios(game, variants, compiled)]

    def is_wanted(scenario: ir.Scenario) -> bool:
        return wanted.only is None or is_about(scenario.title, scenario.cites, wanted.only)

    for share, done in play_shares(programs, is_wanted, wanted.jobs, covering=wanted.coverage):
        for scenario, result in zip(share.scenarios, done.results, strict=True):
            played = _Played(scenario, result, share.program)
            results.append(played)
            _tell(played, wanted, paint)
        reached = reached.joined(done.reached)
    if not results:
        load(game, variants=variants)  # a ruleset with errors has something else to say
        what = f"with {wanted.only!r} " if wanted.only else ""
        click.echo(f"error: {game} has no scenario {what}to play.", err=True)
    failed = sum(not each.result.passed for each in results)
    known = {each.program.variants for each in results}
    report = CoverageReport.of(game, variants, reached, known) if wanted.coverage else None
    if wanted.output_format == "json":
        click.echo(json.dumps(_document(results, report), indent=1))
    elif report is not None:
        lines = report.concise() if wanted.output_format == "concise" else report.lines(paint)
        for line in ("", *lines, ""):
            if line or wanted.output_format == "full":
                click.echo(line)
    enough = report is None or wanted.fail_under is None or report.percent >= wanted.fail_under
    if report is not None and not enough:
        wants = f"{wanted.fail_under:g} % are wanted"
        click.echo(f"error: {report.percent:g} % are covered, and {wants}.", err=True)
    if wanted.output_format != "json":
        click.echo(f"{len(results) - failed} passed, {failed} failed")
    return bool(results) and not failed and enough


def failure_lines(
    scenario: ir.Scenario, result: ScenarioResult, program: ir.Program
) -> Iterator[str]:
    """Say without colours why a scenario failed: what was expected and what was there, the rules that ran, the log."""
    names = Names(program, (*scenario.people, *scenario.automas))
    yield from _failure(result, program, names, Paint(False))


@attrs.frozen
class _Played:
    """A scenario, what became of it, and the program that it was played with."""

    scenario: ir.Scenario
    result: ScenarioResult
    program: ir.Program


def _tell(played: _Played, wanted: Wanted, paint: Paint) -> None:
    """Write the result of one scenario."""
    result, program = played.result, played.program
    match wanted.output_format:
        case "full":
            titled = _titled(result, program, paint)
            if result.passed:
                click.echo(f"{paint('ok', 'green')}    {titled}")
                return
            click.echo(f"{paint('FAIL', 'red', 'bold')}  {titled}")
            names = Names(program, (*played.scenario.people, *played.scenario.automas))
            for line in _failure(result, program, names, paint):
                click.echo(f"      {line}")
        case "concise" if not result.passed:
            for where, what in _reasons(result, program):
                click.echo(f"{where}: {result.title}: {what}")
        case _:
            pass


def _reasons(result: ScenarioResult, program: ir.Program) -> Iterator[tuple[str, str]]:
    """Why a scenario failed, each with its place."""
    for trial in result.trials:
        if trial.problem:
            yield _where(trial.span, program), trial.problem
        for check in trial.checks:
            if not check.passed:
                actual = "".join(
                    f"; {text} is {value}" for text, value in check.sides if text != value
                )
                but = f"; {check.problem}" if check.problem else actual
                yield _where(check.span, program), f"expected: {check.text}{but}"


def _document(results: Sequence[_Played], report: CoverageReport | None) -> dict[str, Any]:
    """What there is to tell as plain data."""
    return {
        "version": _JSON_VERSION,
        "passed": sum(each.result.passed for each in results),
        "failed": sum(not each.result.passed for each in results),
        "scenarios": [
            {
                "title": each.result.title,
                "where": _where(each.result.span, each.program),
                "variants": list(each.program.variants),
                "cites": list(each.result.cites),
                "passed": each.result.passed,
                "reasons": [
                    {"where": where, "what": what}
                    for where, what in _reasons(each.result, each.program)
                ],
            }
            for each in results
        ],
        **({"coverage": report.document()} if report is not None else {}),
    }


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
    story = Story(program, names, "full", paint, start=trial.start)
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
