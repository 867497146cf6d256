"""Matches: steps are transactions, seats mix, clones are cheap and independent, faults say where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.errors import BudgetExhausted, IllegalChoice, RuleFault, SaveError
from interpreter.machine import LATER, Match, play
from interpreter.providers.random import RandomProvider
from rulelang import api

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation
    from rulelang import ir

COLLECTING = """\
game collecting "Collecting":
    players 2
define D6 = 1..6
component Player:
    gold: 0..99 = 0
phase game:
    each round in 1..3:
        each player in Player: do collect(player)
    do win(Player with highest gold)
effect collect(player):
    let die = roll D6
    player chooses "How much?":
        "Three": player gains 3 gold
        "One": player gains 1 gold
        "What is rolled": player gains die gold
"""


def program_of(text: str) -> ir.Program:
    """Compile a text that is right."""
    result = api.check_texts({"x.rules": text})
    assert result.program is not None, result.diagnostics
    return result.program


@pytest.fixture(scope="module")
def collecting() -> ir.Program:
    """Two players who ask for gold three times."""
    return program_of(COLLECTING)


class Waiting:
    """Answers the first option every second time it is asked, else later."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Give an answer or none."""
        assert observation().seat == decision.seat
        self.asked += 1
        return LATER if self.asked % 2 else decision.options.first()


def test_an_illegal_answer_changes_nothing(collecting: ir.Program) -> None:
    match = Match(collecting, seed=1)
    decision = match.next()
    assert decision is not None
    state = match.state()
    for wrong in (3, -1, None, "Three", True, (0,)):
        with pytest.raises(IllegalChoice):
            match.apply(wrong)
    assert match.pending is decision
    assert match.state() == state
    match.apply(1)
    following = match.next()
    assert following is not None
    assert following.seat == 1


def test_nothing_is_asked_twice(collecting: ir.Program) -> None:
    match = Match(collecting, seed=1)
    with pytest.raises(IllegalChoice):
        match.apply(0)
    match.next()
    match.apply(0)
    with pytest.raises(IllegalChoice):
        match.apply(0)


def test_seats_mix(collecting: ir.Program) -> None:
    """One seat answers at once, one from outside, and one sometimes later."""
    waiting = Waiting()
    match = Match(collecting, seed=1, providers={0: waiting, 1: RandomProvider(2)})
    steps = 0
    while (decision := match.next()) is not None:
        assert decision.seat == 0
        match.apply(0)
        steps += 1
    assert waiting.asked == 3
    assert steps == 2
    assert match.outcome.winners


def test_clones_go_their_own_ways(collecting: ir.Program) -> None:
    match = Match(collecting, seed=1)
    match.next()
    twins = [match.clone() for _ in range(2)]
    for answer, twin in enumerate(twins):
        twin.apply(answer)
        twin.next()
    assert len({tuple(twin.state()) for twin in twins}) == 2
    assert match.pending is not None
    match.apply(1)
    match.next()
    assert match.state() == twins[1].state()


def test_the_same_seed_gives_the_same_game(collecting: ir.Program) -> None:
    def game(seed: int) -> list[object]:
        return play(collecting, {0: RandomProvider(1), 1: RandomProvider(2)}, seed=seed).state()

    assert game(5) == game(5)
    assert game(5) != game(6)


def test_a_fault_leaves_the_match_at_the_decision() -> None:
    text = COLLECTING.replace("0..99", "0..9").replace("gains 3 gold", "gains 8 gold")
    match = Match(program_of(text), seed=1)
    match.next()
    match.apply(0)
    match.next()
    match.apply(1)
    match.next()
    state, pending = match.state(), match.pending
    match.apply(0)
    with pytest.raises(RuleFault, match="cannot change by 8") as found:
        match.next()
    assert [entry.name for entry in found.value.stack] == ["game", "collect"]
    assert text.split("\n")[found.value.span.line - 1].strip() == '"Three": player gains 8 gold'
    assert match.state() == state
    assert match.pending is pending
    match.apply(1)
    assert match.next() is not None


def test_a_failing_provider_changes_nothing(collecting: ir.Program) -> None:
    class Broken:
        def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
            del observation
            if decision.seat == 1:
                raise KeyError("not a matter of rules")
            return 0

    match = Match(collecting, seed=1, providers={0: Broken(), 1: Broken()})
    start = match.state()
    with pytest.raises(KeyError, match="not a matter of rules"):
        match.next()
    assert match.state() == start
    match.provide({0: RandomProvider(1), 1: RandomProvider(2)})
    assert match.play().winners


def test_loops_without_end_are_stopped() -> None:
    text = COLLECTING.replace(
        '    player chooses "How much?":\n',
        '    while player.gold >= 0:\n        let more = roll D6\n    player chooses "How much?":\n',
    )
    match = Match(program_of(text), seed=1)
    with pytest.raises(BudgetExhausted, match="rounds of one while"):
        match.next()


def test_the_stack_of_a_waiting_match(collecting: ir.Program) -> None:
    match = Match(collecting, seed=1)
    match.next()
    assert [entry.name for entry in match.stack] == ["game", "collect"]


def test_a_match_is_saved_at_decisions_and_at_the_end(collecting: ir.Program) -> None:
    match = Match(collecting, seed=1, providers={0: RandomProvider(1), 1: RandomProvider(2)})
    with pytest.raises(SaveError):
        match.save()
    match.play()
    again = Match.restore(collecting, match.save())
    assert again.over
    assert again.outcome == match.outcome
    assert again.next() is None


def test_policies_answer_for_seats_without_a_person() -> None:
    text = COLLECTING.replace('"One": player', '"One" automa yes: player')
    match = Match(program_of(text), people=[], seed=3)
    assert match.next() is None
    gold = [
        match.layout.read(match.state(), field.index, seat)
        for field in match.program.fields
        if field.name == "gold"
        for seat in (0, 1)
    ]
    assert gold == [3, 3]
