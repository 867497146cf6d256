"""The generated engine against the reference interpreter, on every way of driving it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import attrs
import pytest

from interpreter.errors import RuleFault, SaveError
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider
from interpreter.records import saves
from interpreter.reference import Reference
from rulelang import api
from tests.unit.ir_samples import SAMPLES

if TYPE_CHECKING:
    from interpreter.providers.protocol import DecisionProvider
    from rulelang import ir


PLAIN = [pytest.param(name, id=name) for name in SAMPLES]


def providers(program: ir.Program, seed: int) -> dict[int, DecisionProvider]:
    """A random provider for each seat, the same for the same seed."""
    return {seat: RandomProvider(seed * 100 + seat) for seat in range(program.seats)}


def reference(program: ir.Program, seed: int, people: list[int] | None = None) -> Reference:
    """A game played by the reference interpreter; once, however often it is compared with."""
    return _played(program, seed, None if people is None else tuple(people))


@lru_cache(maxsize=64)
def _played(program: ir.Program, seed: int, people: tuple[int, ...] | None) -> Reference:
    game = Reference(program, seed=seed, people=people, providers=providers(program, seed))
    game.play()
    return game


def check_synchronous(
    program: ir.Program, seed: int, people: list[int] | None, *, optimise: bool
) -> None:
    """State and event log are those of the reference, and no log changes no state."""
    wanted = reference(program, seed, people)
    for log in (True, False):
        match = Match(
            program,
            people=people,
            seed=seed,
            providers=providers(program, seed),
            log=log,
            optimise=optimise,
        )
        match.play()
        assert match.state() == wanted.slots
        if log:
            assert match.events == wanted.events


def check_driven(
    program: ir.Program, seed: int, people: list[int] | None, *, optimise: bool
) -> None:
    """Step by step, a clone and a restored save at each decision: the same game."""
    wanted = reference(program, seed, people)
    asked = providers(program, seed)
    match = Match(program, people=people, seed=seed, optimise=optimise)
    steps = 0
    while (decision := match.next()) is not None:
        steps += 1
        answer = asked[decision.seat].decide(lambda: pytest.fail("not needed"), decision)
        twin = match.clone()
        text = match.save()
        restored = Match.restore(program, text, optimise=optimise)
        assert restored.save() == text
        assert match.stack == restored.stack
        for each in (match, twin, restored):
            each.apply(answer)
        twin.next()
        restored.next()
        match.next()
        assert twin.state() == match.state() == restored.state()
        match = restored if steps % 2 else twin
    assert match.over
    assert match.state() == wanted.slots


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "plain"])
@pytest.mark.parametrize("name", PLAIN)
def test_samples_synchronous(name: str, optimise: bool) -> None:
    for seed in range(6):
        check_synchronous(SAMPLES[name], seed, None, optimise=optimise)


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "plain"])
@pytest.mark.parametrize("name", PLAIN)
def test_samples_driven(name: str, optimise: bool) -> None:
    for seed in range(6):
        check_driven(SAMPLES[name], seed, None, optimise=optimise)


@pytest.fixture(scope="module")
def shipped() -> ir.Program:
    """The ruleset that comes with the program."""
    return api.load_ruleset("pyrates", cache=False)


@pytest.mark.slow
@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "plain"])
@pytest.mark.parametrize("people", [1, 2, 4])
def test_shipped_ruleset(shipped: ir.Program, people: int, optimise: bool) -> None:
    for seed in range(10):
        check_synchronous(shipped, seed, list(range(people)), optimise=optimise)
    for seed in range(3):
        check_driven(shipped, seed, list(range(people)), optimise=optimise)


@pytest.mark.parametrize("flags", [{"log": True}, {"checks": True}, {"optimise": False}])
def test_a_save_is_read_whatever_is_asked_for(flags: dict[str, bool]) -> None:
    """How code is built goes with the save: frames mean the same again."""
    for program in SAMPLES.values():
        match = Match(program, seed=1, **flags)  # type: ignore[arg-type]
        if match.next() is not None:
            assert Match.restore(program, match.save()).save() == match.save()


def test_a_save_of_another_engine_is_refused() -> None:
    match = Match(SAMPLES["loops"], seed=1)
    assert match.next() is not None
    text = saves.dumps(attrs.evolve(saves.loads(match.save()), places="0" * 16))
    with pytest.raises(SaveError, match="another version of the engine"):
        Match.restore(SAMPLES["loops"], text)


def test_a_result_that_a_rule_spoils_is_of_the_doing() -> None:
    """What is wrong with a result is found while its doing is on the stack, by both engines."""
    text = (
        'game g "G":\n    version "1"\n    players 1\ndefine D4 = 1..4\n'
        "component Player:\n    gold: 0.. = 0\n"
        "phase game:\n    each player in Player: do work(player)\n"
        "effect work(player):\n    let die = roll D4 by player\n    player gains die gold\n"
        "after roll D4 = face: face becomes first(Player).gold\n"
    )
    program = api.check_texts({"g.rules": text}).program
    assert program is not None
    with pytest.raises(RuleFault) as expected:
        reference(program, 1)
    match = Match(program, seed=1, providers=providers(program, 1))
    with pytest.raises(RuleFault) as found:
        match.play()
    stacks = [[entry.name for entry in raised.value.stack] for raised in (expected, found)]
    assert stacks[0] == stacks[1]
    assert stacks[0][-1] == "roll D4"


def test_both_engines_name_the_rivals_that_nothing_beats() -> None:
    """Of three exceptions that apply, one of which another one beats, the other two are named."""
    text = (
        'game g "G":\n    version "1"\n    players 1\n'
        "component Player:\n    gold: 0.. = 0\n"
        "define player.pay = 1:\n    one: 2 when player.seat is 1\n"
        "    two: 3 when player.seat is 1 after one\n"
        "phase game:\n    each player in Player:\n        do late(player)\n"
        "        player gains player.pay gold\n"
        "effect late(player):\n    until end of game:\n        any_player.pay: 4 when any_player is player\n"
    )
    program = api.check_texts({"g.rules": text}).program
    assert program is not None
    with pytest.raises(RuleFault) as expected:
        reference(program, 1)
    with pytest.raises(RuleFault) as found:
        Match(program, seed=1, providers=providers(program, 1)).play()
    assert expected.value.rivals == found.value.rivals == ("two", "late")
    assert expected.value.message == found.value.message


FAULT_BEHIND_A_TEST = """\
game g "G":
    version "1"
    players 2
component Token from "tokens.csv":
    value: 0..3
component Player:
    charm: Token or none = none
    glad: Flag = no
phase game:
    each player in Player: player.glad becomes player.has_it
    first(Player).charm becomes skull
define player.has_it = player.charm is not none and player.charm.value > 1 or player is maybe(Player)
"""


@pytest.mark.parametrize("optimise", [True, False])
def test_a_fault_where_an_inner_test_fails(optimise: bool) -> None:
    """That a part of a condition is read only behind a test says nothing about the other parts."""
    program = api.check_texts(
        {"g.rules": FAULT_BEHIND_A_TEST, "tokens.csv": "id,value\nbone,1\nskull,3\n"}
    ).program
    assert program is not None
    with pytest.raises(RuleFault, match="maybe of several"):
        Reference(program).play()
    with pytest.raises(RuleFault, match="maybe of several"):
        Match(program, optimise=optimise, providers=providers(program, 1)).play()


NOBODY_IS_ASKED = """\
game g "G":
    version "1"
    players 2
component Token (3):
    worth: 0..9 = 1
component Player:
    lucky: Flag = no
phase game:
    each token in Token: token loses up to 1 worth
    each player in Player:
        player.lucky becomes any (Token - Token) where it is maybe(Token by lowest worth)
"""


@pytest.mark.parametrize("optimise", [True, False])
def test_a_condition_that_nobody_is_asked(optimise: bool) -> None:
    """What would be a fault in a condition is none where there is nothing of which it is asked."""
    program = api.check_texts({"g.rules": NOBODY_IS_ASKED}).program
    assert program is not None
    Reference(program).play()
    match = Match(program, optimise=optimise, providers=providers(program, 1))
    match.play()
    assert match.over


NOTHING_EITHER_WAY = """\
game g "G":
    version "1"
    players 3
component Player:
    glad: Flag = no
phase game:
    each player in Player:
        if maybe({player, player.left}) is player: do nothing
        player.glad becomes yes
"""


@pytest.mark.parametrize("optimise", [True, False])
def test_a_test_is_made_whatever_follows(optimise: bool) -> None:
    """A test that is a fault is one too where neither branch does anything."""
    program = api.check_texts({"g.rules": NOTHING_EITHER_WAY}).program
    assert program is not None
    with pytest.raises(RuleFault, match="maybe of several"):
        Reference(program).play()
    with pytest.raises(RuleFault, match="maybe of several"):
        Match(program, optimise=optimise, providers=providers(program, 1)).play()
