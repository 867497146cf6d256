"""The scenario runner: scripts that fit, that do not, sequels, checks with both sides; coverage."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest

from interpreter.examples.coverage import game_coverage, scenario_coverage
from interpreter.examples.scenarios import ScenarioRunner, TrialResult
from rulelang import ir
from rulelang.ir import FLAG, NUMBER, Answer, Call, Const, Script
from tests.unit.ir_samples import PLAYER, Maker, add, eq, everyone, n, numbers, v

FIRST = Const(0, type=PLAYER)


class Example(Maker):
    """A doing with dice, draws, sole answers, sets of alike things and an action."""

    def __init__(self) -> None:
        super().__init__("example")
        m = self
        who = ir.Param("who", PLAYER)
        w = v("who", PLAYER)
        piece = m.kind("Piece", 3, alike=True)
        place = ir.Type("thing", kinds=(0,), optional=True)
        m.field(piece, "place", place, None)
        self.pieces = ir.Type("set", elem=ir.Type("thing", kinds=(piece,)))
        self.piece = piece
        work = m.doing("work", "effect", who)
        how = m.decision("work.how")
        alone = m.decision("work.alone")
        some = m.decision("work.some", "set", self.pieces.elem or NUMBER)
        label = m.decision("work.options", "label")
        action = m.decision("work.action", "action")
        fine = m.define(
            "may lift",
            (who, ir.Param("n", NUMBER)),
            FLAG,
            ir.Not(eq(v("n"), n(2)), type=FLAG),
        )
        lift = m.doing("lift", "action", who, ir.Param("n", NUMBER), permission=fine)
        m.body(lift, m.gain(w, v("n")))
        m.body(
            work,
            m.ask(how, w, "how", numbers(1, 3)),
            m.ask(alone, w, "only", numbers(7, 7)),
            ir.Roll("face", 1, 6, "work.face", cites=("R-1",)),
            ir.Pick("lucky", everyone(), "work.lucky"),
            m.gain(v("lucky", PLAYER), add(v("how"), v("face"))),
            m.ask(some, w, "some", ir.KindAll(piece, type=self.pieces), at_least=n(0)),
            ir.Move(v("some", self.pieces), ir.Dest("thing", w), many=True),
            ir.Ask(label, w, "label", alternatives=(
                ir.Alternative(ir.Prompt(("Go on",))),
                ir.Alternative(ir.Prompt(("Stop",))),
            )),
            ir.Ask(action, w, "act", instances=(
                ir.Instance(lift, fine, ("who", "n"), (numbers(1, 3),)),
            )),
            ir.If(ir.Compare("!=", v("act"), Const(None, type=ir.NONE), type=FLAG), (
                Call(lift, (w, ir.Item(v("act"), n(1)))),
            )),
            cites=("W-1",),
        )  # fmt: skip
        self.lift = lift
        self.played = m.doing("do work", "setup")
        m.body(self.played, Call(work, (FIRST,)))
        self.before = m.doing("before", "setup")
        m.body(self.before, m.gain(FIRST, n(50)))
        m.body(0, Call(work, (FIRST,)))

    def says(self, value: object, of: ir.Type = NUMBER) -> Answer:
        return Answer(self.define(f"{value}", (), of, Const(value, type=of)))

    def script(self, **changes: object) -> tuple[Script, ...]:
        """A script that fits; entries are replaced by name, or left out with None."""
        lines: dict[str, object] = {
            "refuse": Script("refuse", (self.says(4),), 0, "how"),
            "how": Script("choose", (self.says(2),), 0, "work.how"),
            "alone": Script("choose", (self.says(7),), 0, "alone"),
            "roll": Script("roll", (self.says(5),)),
            "pick": Script("pick", (self.says(1, PLAYER),)),
            "some": Script("choose", (self.says(2),), 0, "some"),
            "label": Script("choose", (Answer(label="Stop"),), 0),
            "no": Script("refuse", (self.acts(2),), 0, "action"),
            "action": Script("choose", (self.acts(3),), 0, "action"),
            "more": None,
        } | changes
        return tuple(line for line in lines.values() if isinstance(line, Script))

    def acts(self, number: int) -> Answer:
        of = self.define(f"{number}", (), NUMBER, n(number))
        return Answer(action=self.lift, definitions=(of,))

    def check(self, player: int, gold: int) -> ir.Check:
        left = self.gets(Const(player, type=PLAYER))
        condition = self.define("check", (), FLAG, eq(left, n(gold)))
        side = self.define("left", (), NUMBER, left)
        return ir.Check(condition, f"gold is {gold}", (("gold", side),), cites=("C-1",))

    def trial(self, script: tuple[Script, ...], *checks: ir.Check) -> ir.Trial:
        return ir.Trial((ir.Played(self.played, script),), checks)

    def run(self, *trials: ir.Trial) -> tuple[TrialResult, ...]:
        scenario = ir.Scenario("one", ("ann", "bob"), (), (), self.before, trials)
        self.scenarios.append(scenario)
        return ScenarioRunner(self.program()).run(scenario).trials


def test_a_script_that_fits_passes_and_trials_start_afresh() -> None:
    m = Example()
    checks = (m.check(0, 53), m.check(1, 7))
    results = m.run(m.trial(m.script(), *checks), m.trial(m.script(), *checks))
    assert [each.problem for each in results] == ["", ""]
    assert all(each.passed for each in results)
    assert results[0].events


def test_a_check_that_fails_shows_what_is() -> None:
    m = Example()
    (result,) = m.run(m.trial(m.script(), m.check(0, 53), m.check(1, 8)))
    assert not result.passed
    assert [each.passed for each in result.checks] == [True, False]
    assert result.checks[1].sides == (("gold", "7"),)


@pytest.mark.parametrize("left_out", ["refuse", "alone", "no"])
def test_what_has_one_answer_may_be_left_out(left_out: str) -> None:
    m = Example()
    (result,) = m.run(m.trial(m.script(**{left_out: None})))
    assert result.problem == ""


def test_other_ways_to_say_the_same() -> None:
    for name, line in (
        ("some", lambda m: Script("choose", (m.says((4, 3), m.pieces),), 0, "some")),
        ("some", lambda m: Script("choose", (m.says(4, m.pieces.elem),), 0, "some")),
        ("some", lambda _: Script("choose", (Answer(none=True),), 0, "some")),
        ("action", lambda _: Script("choose", (Answer(none=True),), 0, "work")),
        ("how", lambda m: Script("choose", (m.says(2),), 0)),
        ("alone", lambda m: Script("refuse", (m.says(8),), 0, "alone")),
    ):
        m = Example()
        made: Any = line
        (result,) = m.run(m.trial(m.script(**{name: made(m)})))
        assert result.problem == "", name


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("how", None, "lacks an answer: ann is asked work.how .offered: 1, 2, 3"),
        ("roll", None, "lacks a roll of 1 to 6"),
        ("pick", None, "lacks a draw from 2"),
        ("more", lambda m: Script("roll", (m.says(1),)), "left over: roll 1"),
        ("more", lambda m: Script("refuse", (m.says(1),), 0), "left over: ann refused: 1"),
        ("how", lambda m: Script("choose", (m.says(9),), 0, "how"), "ann chooses how: 9, but ann"),
        ("how", lambda m: Script("choose", (m.says(2),), 1, "how"), "next in the script: bob"),
        ("how", lambda m: Script("choose", (m.says(2),), 0, "ho"), "lacks an answer"),
        ("refuse", lambda m: Script("refuse", (m.says(3),), 0, "how"), "but it was offered"),
        ("alone", lambda m: Script("refuse", (m.says(7),), 0, "alone"), "only possible answer"),
        ("roll", lambda m: Script("roll", (m.says(7),)), "7 cannot be rolled"),
        ("some", lambda m: Script("choose", (m.says(4),), 0, "some"), "chooses some: 4, but"),
        ("label", lambda _: Script("choose", (Answer(label="Wait"),), 0), '"Wait", but'),
        ("no", lambda m: Script("refuse", (m.acts(1),), 0), "lift.1., but it was offered"),
        ("action", lambda m: Script("choose", (m.acts(2),), 0), "lift.2., but ann is asked"),
    ],
)
def test_a_script_that_does_not_fit_fails(name: str, line: object, message: str) -> None:
    m = Example()
    made = line(m) if callable(line) else None
    (result,) = m.run(m.trial(m.script(**{name: made})))
    assert not result.passed
    assert re.search(message, result.problem), result.problem


def test_a_sequel_starts_where_the_other_ended() -> None:
    m = Example()
    m.scenarios.append(ir.Scenario("one", ("ann", "bob"), (), (), m.before, (m.trial(m.script()),)))
    none = Script("choose", (Answer(none=True),), 0, "some")
    trial = m.trial(m.script(some=none), m.check(0, 56), m.check(1, 14))
    m.scenarios.append(ir.Scenario("two", ("ann", "bob"), (), (), None, (trial,), sequel="one"))
    m.scenarios.append(ir.Scenario("three", ("ann", "bob"), (), (), None, (), sequel="nothing"))
    m.scenarios.append(ir.Scenario("four", ("ann", "bob"), (), (), None, (), sequel="four"))
    m.scenarios.append(ir.Scenario("five", ("ann",), (), (), None, ()))
    results = ScenarioRunner(m.program()).run_all()
    assert [each.passed for each in results] == [True, True, False, False, False]
    assert 'no scenario "nothing"' in results[2].trials[0].problem
    assert "follows itself" in results[3].trials[0].problem
    assert "1 seats" in results[4].trials[0].problem


def test_a_fault_in_a_scenario_is_a_problem_with_its_stack() -> None:
    m = Example()
    m.doings[m.before] = attrs.evolve(m.doings[m.before], body=(ir.Fault("no good", "R0105"),))
    (result,) = m.run(m.trial(m.script()))
    assert result.problem == "no good"
    assert result.stack[0].name == "before"


def test_coverage_tells_what_was_reached() -> None:
    m = Example()
    m.scenarios.append(
        ir.Scenario(
            "one", ("ann", "bob"), (), (), None, (m.trial(m.script(), m.check(0, 1)),),
            cites=("S-1",),
        )
    )  # fmt: skip
    program = m.program()
    found = scenario_coverage([program]).joined(game_coverage(program, 2))
    assert found.scenarios == found.games == {"W-1", "R-1"}
    assert found.cited_by_scenarios == {"S-1", "C-1"}
    assert (found.played, found.faults) == (2, ())


def test_coverage_reports_games_that_stop() -> None:
    m = Maker("stops")
    m.body(0, ir.Fault("no good", "R0105"))
    found = game_coverage(m.program(), 2, seed=5)
    assert found.played == 0
    assert found.faults == ("seed 5: no good", "seed 6: no good")
