"""What is on offer has no name where it lies face down, and no order that would tell it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from interpreter import Match
from interpreter.sight.offers import shown
from rulelang import api

if TYPE_CHECKING:
    from interpreter.decision import Option
    from rulelang import ir

RULES = """
game caves "Caves":
    players 2

component Player:
    gold: 0.. = 0
component Cave from "caves.csv":
    opened: Flag = no
component Chest from "chests.csv":
    place: Cave
    face_up: Flag = no
    worth: 1..6

phase game:
    each player in Player:
        player chooses chest from Chest "Which one do you open?"
        chest.face_up becomes yes
        chest.place.opened becomes yes
        player gains chest.worth gold
"""

CAVES = "id\nnorth\neast\nsouth\n"
CHESTS = "id,place,worth\noak,south,5\nash,north,1\nelm,east,3\n"


def compiled() -> ir.Program:
    """The game."""
    program = api.check_texts(
        {"caves.rules": RULES, "caves.csv": CAVES, "chests.csv": CHESTS}, seats=2
    ).program
    assert program is not None
    return program


def offered(match: Match) -> tuple[Option, ...]:
    """What the one who is asked reads."""
    asked = match.next()
    assert asked is not None
    return shown(partial(match.observation, asked.seat), asked)


def test_a_thing_face_down_is_called_by_its_place() -> None:
    """In the order of places, not of things; once it lies open it has its name."""
    match = Match(compiled(), people=2)
    first = offered(match)
    assert [each.text for each in first] == [
        "Chest, face down, at north",
        "Chest, face down, at east",
        "Chest, face down, at south",
    ]
    assert not any(name in each.key for each in first for name in ("oak", "ash", "elm"))
    match.apply(first[0].value)
    assert match.observation(0).look(first[0].value, "worth") == 1  # type: ignore[arg-type]
    second = offered(match)
    assert sorted(each.text for each in second) == [
        "Chest, face down, at east",
        "Chest, face down, at south",
        "ash",
    ]
