"""What a scenario reaches, and what becomes of it when a rule is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from interpreter.compiling.analysis import walk
from interpreter.errors import EngineError
from interpreter.examples.scenarios import ScenarioRunner
from interpreter.mutation.model import Result
from interpreter.reference import Reference
from interpreter.reference.expressions import HANDLERS, Env
from rulelang import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.examples.scenarios import ScenarioResult
    from interpreter.mutation.plan import Plan

_TIMES = 20
_LINES = 2_000
"""A changed game may run so many times the lines of the one that it comes from, and so many more."""


@attrs.frozen(order=True)
class Visit:
    """A scenario that may notice a change.

    Attributes:
        work: How many expressions it evaluates, which says how long it takes on every machine.
        program: Number of the program in the plan.
        scenario: Number of the scenario in it.
        lines: How many lines it runs.
    """

    work: int
    program: int
    scenario: int
    lines: int


@attrs.frozen
class Reach:
    """What a scenario can notice.

    Attributes:
        visit: The scenario.
        problem: How it fails as the rules are written; it is of no use then.
        reached: Numbers of the changes at whose place it came.
        different: Those of them that made a difference there.
    """

    visit: Visit
    problem: str
    reached: frozenset[int]
    different: frozenset[int]


Marks = dict[int, list[tuple[int, Any]]]


class _Notes:
    """What the games of one scenario share. Changes are noted once."""

    def __init__(self, marks: Marks, begins: dict[int, list[int]]) -> None:
        self.marks = marks
        self.begins = begins
        self.reached: set[int] = set()
        self.different: set[int] = set()
        self.work = 0
        self.lines = 0


class _Watching(Reference):
    """A game that looks at each value what a change would make of it."""

    notes: _Notes
    probing = False

    def _watched(self, expr: ir.Expr, env: Env) -> Any:  # noqa: ANN401 - values of all types
        result = HANDLERS[type(expr)](self, expr, env)
        if self.probing:
            return result
        notes = self.notes
        notes.work += 1
        marks = notes.marks.get(id(expr))
        if marks is not None:
            for number, new in marks:
                if number not in notes.different:
                    notes.reached.add(number)
                    if new is None or self._differs(new, env, result):
                        notes.different.add(number)
        return result

    handlers = dict.fromkeys(HANDLERS, _watched)

    def _differs(self, new: ir.Expr, env: Env, result: object) -> bool:
        self.probing = True
        try:
            value = HANDLERS[type(new)](self, new, env)
        except EngineError:
            return True
        finally:
            self.probing = False
        return value != result or type(value) is not type(result)

    def cost(self, map_: ir.MapOp, prefix: tuple[object, ...], a: int, b: int) -> int | None:
        """See :meth:`Expressions.cost`; what is remembered of maps is not noted a second time, so none of it is."""
        before, self.probing = self.probing, True
        try:
            return super().cost(map_, prefix, a, b)
        finally:
            self.probing = before

    def run(self, block: ir.Block, env: Env) -> None:
        """See :meth:`Statements.run`."""
        for line in block:
            self._note(self.notes.marks.get(id(line)))
            super().run((line,), env)

    def doing(self, index: int, args: tuple[object, ...]) -> object:
        """See :meth:`Reference.doing`."""
        for number in self.notes.begins.get(index, ()):
            self._note([(number, None)])
        return super().doing(index, args)

    def charge(self, lines: int) -> None:
        """See :meth:`Statements.charge`."""
        self.notes.lines += lines
        super().charge(lines)

    def _note(self, marks: list[tuple[int, Any]] | None) -> None:
        for number, _ in marks or ():
            self.notes.reached.add(number)
            self.notes.different.add(number)


class _Changed(Reference):
    """A game with a changed rule, which may not run for long."""

    left: list[int]

    def charge(self, lines: int) -> None:
        """See :meth:`Statements.charge`."""
        self.left[0] -= lines
        if self.left[0] < 0:
            self.exhausted("it does not come to an end")
        super().charge(lines)


class Trials:
    """Plays the scenarios of a plan.

    Args:
        plan: The changes.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._known: dict[int, ScenarioRunner] = {}
        self._marks: dict[int, tuple[Marks, dict[int, list[int]]]] = {}

    def _runner(self, program: int) -> ScenarioRunner:
        """What is known about a program as it is written."""
        if program not in self._known:
            self._known[program] = ScenarioRunner(self._plan.programs[program])
        return self._known[program]

    def reach(self, program: int, scenario: int) -> Reach:
        """Play a scenario as the rules are written."""
        whole = self._plan.programs[program]
        if program not in self._marks:
            self._marks[program] = self._marked(program)
        notes = _Notes(*self._marks[program])
        known = self._runner(program)

        def start(
            program: ir.Program, options: tuple[object, ...], people: tuple[int, ...]
        ) -> Reference:
            game = _Watching(program, options, people=people, layout=known.layout)
            game.notes = notes
            return game

        runner = ScenarioRunner(whole, start, known, looks=False)
        problem = _why(runner.run(whole.scenarios[scenario]))
        visit = Visit(notes.work, program, scenario, notes.lines)
        return Reach(visit, problem, frozenset(notes.reached), frozenset(notes.different))

    def _marked(self, program: int) -> tuple[Marks, dict[int, list[int]]]:
        marks: Marks = {}
        begins: dict[int, list[int]] = {}
        of_map: dict[int, list[int]] = {}
        for number, edits in self._plan.edits[program].items():
            for edit in edits:
                if isinstance(edit.marker, int):
                    begins.setdefault(edit.marker, []).append(number)
                else:
                    marks.setdefault(id(edit.marker), []).append((number, edit.probe))
            for each in self._plan.maps_with(program, number):
                of_map.setdefault(each, []).append(number)
        whole = self._plan.programs[program]
        for node in walk((whole.definitions, whole.doings, whole.state_rules)):
            if isinstance(node, ir.MapOp):
                numbers = of_map.get(node.definition, ())
                marks.setdefault(id(node), []).extend((number, None) for number in numbers)
        return marks, begins

    def attempt(self, number: int, visits: Sequence[Visit]) -> Result:
        """Make a change and play the scenarios that may notice it, until one fails.

        Args:
            number: Of the change.
            visits: These scenarios, in the order of playing.
        """
        runners: dict[int, tuple[ScenarioRunner, list[int]]] = {}
        for tried, visit in enumerate(visits, 1):
            if visit.program not in runners:
                runners[visit.program] = self._changed(visit.program, number)
            runner, left = runners[visit.program]
            left[0] = _LINES + _TIMES * visit.lines
            scenario = self._plan.programs[visit.program].scenarios[visit.scenario]
            try:
                why = _why(runner.run(scenario))
            except Exception as error:  # noqa: BLE001 - whatever a rule that nobody checked leads to
                why = f"the engine stops: {type(error).__name__}"
            if why:
                return Result(number, "killed", scenario.title, why, tried)
        return Result(number, "unnoticed", tried=len(visits))

    def _changed(self, program: int, number: int) -> tuple[ScenarioRunner, list[int]]:
        left = [0]
        known = self._runner(program)

        def start(
            program: ir.Program, options: tuple[object, ...], people: tuple[int, ...]
        ) -> Reference:
            game = _Changed(program, options, people=people, layout=known.layout)
            game.left = left
            return game

        changed = self._plan.changed(program, number)
        maps = not self._plan.maps_with(program, number)
        return ScenarioRunner(changed, start, known, maps=maps, looks=False), left


def _why(result: ScenarioResult) -> str:
    """How a scenario failed; empty if it did not."""
    for trial in result.trials:
        if trial.problem:
            return trial.problem
        for check in trial.checks:
            if not check.passed:
                return f"expected: {check.text}"
    return ""
