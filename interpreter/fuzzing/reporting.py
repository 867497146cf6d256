"""A finding made the scenario that shows it: the shortest that fails in the same way when it is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.faultcodes import OVERLONG_GAME
from interpreter.fuzzing.shrinking import Shrinker, signature_of
from interpreter.fuzzing.tracing import trace
from interpreter.layout import Layout
from interpreter.recording import Writer
from interpreter.scenarios import ScenarioRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interpreter.fuzzing.findings import Finding
    from rulelang import ir

_SEEDS = 5
"""So many games at random are tried until one is too long again."""
SHORT = 20
"""A scenario has fewer lines."""
_CLEAR = 12
"""A doing further out is taken, which says more of how it comes about, if it is told in so many lines."""


@attrs.frozen
class Reduced:
    """A scenario that shows a finding.

    Attributes:
        text: The scenario.
        problem: What it says when it is tested.
    """

    text: str
    problem: str


def reduced(
    program: ir.Program,
    finding: Finding,
    title: str,
    compiled: Callable[[str], ir.Program | None],
) -> Reduced | None:
    """Make a finding a short scenario.

    Args:
        program: What was played.
        finding: What was found.
        title: What the scenario is called.
        compiled: Compiles the ruleset with the scenarios of a text only; None if there are errors.

    Returns:
        The scenario; None if none of fewer than 20 lines fails in the same way.
    """
    best: Reduced | None = None
    for text in _texts(program, finding, title):
        length = text.count("\n")
        if length >= SHORT or (best is not None and length > _CLEAR):
            continue
        problem = _problem(finding, compiled(text))
        if problem:
            best = Reduced(text, problem)
            if finding.code == OVERLONG_GAME:
                break
    return best


def _texts(program: ir.Program, finding: Finding, title: str) -> Iterator[str]:
    """Scenarios that could show it: of the innermost doing first."""
    if not finding.code:
        return
    if finding.code == OVERLONG_GAME:
        writer = Writer(program, Layout(program), finding.plan.people)
        for seed in range(_SEEDS):
            yield overlong(writer, program, finding, title, seed)
        return
    traced = trace(program, finding)
    if traced.fault is None:
        return
    shrinker = Shrinker(program, finding.plan, signature_of(traced.fault))
    for case in shrinker.cases(traced):
        yield shrinker.text(case, title)


def overlong(writer: Writer, program: ir.Program, finding: Finding, title: str, seed: int) -> str:
    """A whole game at random, which is not over after so many decisions."""
    lines = [
        *writer.header(title, program.variants),
        f"    seed {seed}",
        f"    decisions {finding.plan.longest}",
        *writer.settings(finding.plan.options, ()),
        "    do game",
        "    after:",
        "        yes                                         # it has come to an end",
    ]
    return "\n".join(lines) + "\n"


def _problem(finding: Finding, program: ir.Program | None) -> str:
    """What a scenario says when it is tested; empty if that is not what was found."""
    if program is None or not program.scenarios:
        return ""
    (result,) = ScenarioRunner(program).run_all()
    return next((each.problem for each in result.trials if each.code == finding.code), "")
