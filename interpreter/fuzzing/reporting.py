"""A finding made the scenario that shows it: the shortest that fails in the same way when it is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from interpreter.examples.recording import Writer
from interpreter.examples.scenarios import ScenarioRunner
from interpreter.faultcodes import OVERLONG_GAME
from interpreter.fuzzing.carrying import Carrier
from interpreter.fuzzing.shrinking import Shrinker, signature_of
from interpreter.fuzzing.tracing import trace
from interpreter.layout import Layout

if TYPE_CHECKING:
    from interpreter.examples.recording import Spelling
    from interpreter.fuzzing.findings import Finding
    from interpreter.fuzzing.shrinking import Case
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


class Ruleset(Protocol):
    """Compiles a ruleset, with the variants that are played."""

    def program(self, people: int) -> ir.Program | None:
        """For so many people; None if it cannot be."""
        ...

    def spelling(self, program: ir.Program) -> Spelling:
        """What writes values of a program."""
        ...

    def tested(self, text: str, program: ir.Program) -> ir.Program | None:
        """With the scenarios of a text only, for as many seats as a program has; None if there are errors."""
        ...


def reduced(program: ir.Program, finding: Finding, title: str, ruleset: Ruleset) -> Reduced | None:
    """Make a finding a short scenario.

    Args:
        program: What was played.
        finding: What was found.
        title: What the scenario is called.
        ruleset: Compiles the ruleset again.

    Returns:
        The scenario; None if none of fewer than 20 lines fails in the same way.
    """
    if not finding.code:
        return None
    if finding.code == OVERLONG_GAME:
        writer = Writer(program, Layout(program), finding.plan.people, ruleset.spelling(program))
        texts = (overlong(writer, program, finding, title, seed) for seed in range(_SEEDS))
        tried = (_tested(finding, text, program, ruleset) for text in texts)
        return next((each for each in tried if each is not None), None)
    traced = trace(program, finding)
    if traced.fault is None:
        return None
    signature = signature_of(traced.fault)
    shrinker = Shrinker(program, finding.plan, signature)
    spelling = ruleset.spelling(program)
    best: tuple[Case, Reduced] | None = None
    for case in shrinker.cases(traced):
        text = shrinker.text(case, title, spelling)
        length = text.count("\n")
        if length >= SHORT or (best is not None and length > _CLEAR):
            continue
        found = _tested(finding, text, program, ruleset)
        if found is not None:
            best = case, found
    if best is None:
        return None
    return _with_fewer(program, finding, title, ruleset, signature, best[0]) or best[1]


def _with_fewer(
    program: ir.Program,
    finding: Finding,
    title: str,
    ruleset: Ruleset,
    signature: tuple[object, ...],
    case: Case,
) -> Reduced | None:
    """The same with as few people as will do; None if all are needed."""
    for people in range(program.players[0], finding.plan.people):
        other = ruleset.program(people)
        carried = None if other is None else Carrier(program, other, people).case(case)
        if other is None or carried is None:
            continue
        plan = attrs.evolve(finding.plan, people=people, players=finding.plan.players[:people])
        shrinker = Shrinker(other, plan, signature)
        small = shrinker.smaller(carried)
        if small is None:
            continue
        found = _tested(
            finding, shrinker.text(small, title, ruleset.spelling(other)), other, ruleset
        )
        if found is not None:
            return found
    return None


def _tested(finding: Finding, text: str, program: ir.Program, ruleset: Ruleset) -> Reduced | None:
    """A scenario of fewer than 20 lines that fails with the code that was found, None if this does not."""
    if text.count("\n") >= SHORT:
        return None
    compiled = ruleset.tested(text, program)
    if compiled is None or not compiled.scenarios:
        return None
    (result,) = ScenarioRunner(compiled).run_all()
    problems = (each.problem for each in result.trials if each.code == finding.code)
    return next((Reduced(text, problem) for problem in problems), None)


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
