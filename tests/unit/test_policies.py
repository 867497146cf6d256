"""What a policy works out for each of many answers is worked out once while it is asked."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from interpreter.compiling.built import Flags
from interpreter.compiling.emit.build import generate
from interpreter.machine import Match
from rulelang import api

if TYPE_CHECKING:
    from rulelang import ir

RULES = """
game stalls "Stalls":
    version "1.0"
    players 1..2
    seats 2
component Player:
    coins: 0..20 = each 5..6
    wares: 0.. = 0
component Stall (6):
    worth: 1..9 = each 2..7
    sold: Flag = no

define player.thrift = sum(Stall.worth_to(player)) / 6
define stall.worth_to(player) = stall.worth * player.coins / 5
define player.aim = first(Stall where not its sold with highest worth_to(player))
define wish(player, stall) = 0:
    aim: 9 when stall is player.aim and player.thrift < 9
    other: stall.worth - 4 when stall is not player.aim
may buy(player, stall):
    open: not stall.sold
    money: player.coins > 0
    automa wish(player, stall)
    then:
        player loses 1 coins
        player gains stall.worth wares
        stall.sold becomes yes
phase game:
    each n in 1..3:
        each player in Player: player may do buy else do nothing
"""


@pytest.fixture(scope="module")
def stalls() -> ir.Program:
    """Two automas at six stalls."""
    result = api.check_texts({"x.rules": RULES})
    assert result.program is not None, result.diagnostics
    return result.program


def functions(program: ir.Program, *, optimise: bool) -> dict[str, str]:
    """The generated functions by name."""
    tree, _ = generate(program, (), Flags(optimise=optimise))
    return {each.name: ast.unparse(each) for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_the_same_games(stalls: ir.Program) -> None:
    """With a memory a policy answers what it answers without one."""
    games = [Match(stalls, people=[], seed=4, optimise=optimise) for optimise in (True, False)]
    assert [each.next() for each in games] == [None, None]
    assert games[0].state() == games[1].state()


def test_single_values_are_remembered(stalls: ir.Program) -> None:
    """A value that goes through many things is looked for in the memory of the policy."""
    made = functions(stalls, optimise=True)
    policies = [text for name, text in made.items() if re.fullmatch(r"policy\d+", name)]
    assert [text.count("K = {}") for text in policies] == [1]
    assert any("K.get(" in text for text in made.values())


def test_nothing_else_is_changed(stalls: ir.Program) -> None:
    """Outside of policies functions stay without a memory; so do all without optimisation."""
    made = functions(stalls, optimise=True)
    assert not any(
        "K" in re.findall(r"\w+", text) for name, text in made.items() if name[0] in "bdz"
    )
    assert not any("K.get(" in text for text in functions(stalls, optimise=False).values())
