"""Choices with one option by construction are found; what players, options or variants can widen is not."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.diagnostics import Applicability
from tests.lints.findings import lines

GAME = """\
define D6 = 1..6
define Mood = calm
option size: 1..4 = 1
component Board (1):
    visits: 0.. = 0
component Port (3):
    toll: 0..9 = 1
component Ship (1 each Player)
component Player:
    gold: 0.. = 0
    home: Port or none = none

phase game:
    each player in Player: do turn(player)
define refuge(player) = {first(Port)}:
    home: {first(Port), first(Board)} - {first(Board)} when player.gold > 20
"""
EARN = 'player chooses "What?":\n        "Earn" when player.gold {} 3: player gains 1 gold\n'


def found(line: str) -> list[int]:
    """Give the lines at which the lint finds something in a turn."""
    return lines("L0202", GAME, f"effect turn(player):\n    {line}\n")


@pytest.mark.parametrize(
    "line",
    [
        'player chooses x from {first(Port)} "Where?"',
        'player chooses the_board from Board "Where?"',
        'player chooses port from Port where it is player.home "Where?" else end turn',
        'player chooses port from Port where its toll > 1 and player.home is it "Where?" else end turn',
        'player chooses mood from Mood "How?"',
        'player chooses n from 2..2 "How many?"',
        'player chooses 3 ports from Port "Which?"',
        'player chooses 0 ports from Port "Which?"',
        'player chooses "What?":\n        "Earn": player gains 1 gold',
        EARN.format("<") + '        "Pay" when player.gold >= 3: player loses 1 gold',
    ],
)
def test_one_option(line: str) -> None:
    """There is never more than one answer."""
    assert found(line) == [2]


@pytest.mark.parametrize(
    "line",
    [
        'player chooses port from Port "Where?"',
        'player chooses other_player from Player "Who?"',
        'player chooses ship from Ship "Which?"',
        'player chooses n from 1..size "How many?"',
        'player chooses x from refuge(player) "Where?"',
        'player chooses port from Port where it is not player.home "Where?"',
        'player chooses 2 ports from Port "Which?"',
        'player chooses any boards from Board "Which?"',
        'player chooses port from Port with highest toll "Which?"',
        'player may "Earn?": player gains 1 gold',
        EARN.format("<=") + '        "Pay" when player.gold >= 3: player loses 1 gold',
        EARN.format("<") + '        "Rest": do nothing',
    ],
)
def test_more_options(line: str) -> None:
    """There may be two answers, with some number of players or value of an option."""
    assert found(line) == []


def test_a_variant_that_adds_options() -> None:
    """A choice that a variant makes one is left as it is."""
    turn = 'effect turn(player):\n    player chooses mood from Mood "How?"\n'
    assert lines("L0202", GAME, turn) == [2]
    wider = 'variant moody "Moods" of snippet:\n    change Mood = angry\n'
    assert lines("L0202", GAME, turn + wider) == []


def test_the_mending_names_the_thing() -> None:
    """Where the one thing is written down, a `let` is proposed; scripts may answer, so it is not safe."""
    text = (
        GAME
        + 'effect turn(player):\n    player chooses port from {first(Port)} "Where?"\n    port.toll becomes 2\n'
    )
    (found,) = [each for each in api.check_text(text, "g.rules") if each.code == "L0202"]
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
    (edit,) = found.fix.edits
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert "\n    let port = first(Port)\n    port.toll" in mended
    assert not [
        each for each in api.check_text(mended, "g.rules") if each.code in ("L0202", "E0103")
    ]
