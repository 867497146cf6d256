"""Faults carry the code whose page explains them; both engines give the same one."""

from __future__ import annotations

import re

import pytest

from interpreter import faultcodes
from interpreter.errors import BudgetExhausted, RuleFault
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider
from interpreter.reference.machine import Reference
from rulelang.api import check_texts
from rulelang.codes import CODES, explanation

BLOCK = re.compile(r"^```rules\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What the pages of these codes show stops only in some games.
STOPPED = {
    "R0102": """
component Player:
    rival: Player
    gold: 0.. = 0
phase game:
    each player in Player: do rob(player)
    each player in Player: player.rival becomes player
effect rob(player): player.rival gains 1 gold
""",
    "R0106": """
component Player:
    gold: 0.. = 0
component Token (3):
    place: Player or none = none
phase game:
    each player in Player:
        player chooses token from Token where its place is player
        move token to none
""",
}
PLAYED = [code for code in CODES if code.startswith("R01")]


def test_each_is_registered() -> None:
    """The codes that can be given are those that have a page."""
    given = {value for name, value in vars(faultcodes).items() if name.isupper()}
    assert given == set(PLAYED)


def test_usual_codes() -> None:
    """Who gives no code means a missing value, or of a budget that it is spent."""
    assert RuleFault("none where a value is needed").code == "R0102"
    assert BudgetExhausted("more than 10,000 rounds of one while").code == "R0109"
    assert RuleFault("so it is", code="R0107").code == "R0107"


# The checker leaves no way to a place that cannot hold a thing; scenarios and `fuzz` find the last two.
@pytest.mark.parametrize(
    "code", [code for code in PLAYED if code not in {"R0110", "R0111", "R0112"}]
)
def test_a_game_that_stops(code: str) -> None:
    """The reference interpreter and generated code stop with the same code."""
    texts = STOPPED.get(code) or _example(code)
    program = check_texts({"example.rules": texts}).program
    assert program is not None
    seats = range(program.seats)
    providers = {seat: RandomProvider(seat) for seat in seats}
    with pytest.raises(RuleFault) as by_reference:
        Reference(program, providers=providers).play()
    assert by_reference.value.code == code
    with pytest.raises(RuleFault) as generated:
        Match(program, people=tuple(seats), providers=providers, checks=True).play()
    assert generated.value.code == code


def _example(code: str) -> str:
    """Give what the page of a code shows."""
    example = explanation(code).split("## Example")[1].split("## Instead")[0]
    (text,) = BLOCK.findall(example)
    return str(text)
