"""Lines that are never reached, and conditions that are settled before the game begins."""

from __future__ import annotations

import pytest

from rulelang import api

GAME = """\
component Player:
    gold: 0..9 = 0
phase game:
    each player in Player: do work(player)
{more}
effect work(player):
{lines}
"""


def found(lines: str, more: str = "") -> list[tuple[str, str]]:
    """Give place and headline of what is said to be dead."""
    indented = "\n".join(f"    {line}" for line in lines.splitlines())
    text = GAME.format(more=more, lines=indented)
    return [
        (each.span.text, each.headline) for each in api.check_text(text) if each.code == "E0402"
    ]


GAIN = "player gains up to 1 gold"
UNREACHED = [(GAIN, "this line is never reached")]


@pytest.mark.parametrize(
    ("above", "twin"),
    [
        ("end work", "if player.gold > 3: end work"),
        ("end game", "do nothing"),
        (
            "if player.gold > 3: end work\nelse if player.gold > 1: end game\nelse: end work",
            "if player.gold > 3: end work\nelse if player.gold > 1: do nothing\nelse: end work",
        ),
        (
            'player may "Go?" automa yes: end work\nelse: end work',
            'player may "Go?" automa yes: end work',
        ),
        (
            'player chooses "What?":\n    "Go" automa yes: end work\n    "Leave": end game',
            'player chooses "What?":\n    "Go" automa yes: end work\n    "Stay": do nothing',
        ),
        (
            "while yes:\n    if player.gold > 3: end work\n    " + GAIN,
            "while player.gold < 3: " + GAIN,
        ),
    ],
)
def test_a_line_below_what_leaves_is_found(above: str, twin: str) -> None:
    """Only the first such line, and none where something goes on."""
    assert found(f"{above}\n{GAIN}\n{GAIN}") == UNREACHED
    assert found(f"{twin}\n{GAIN}") == []
    assert found(above) == []


@pytest.mark.parametrize(
    ("more", "lines", "headline"),
    [
        (
            "",
            f"if player.gold < {{}}: {GAIN}\nelse: player loses up to 1 gold",
            "this always holds",
        ),
        ("when player.gold >= {}: player.gold becomes 0\n", GAIN, "this state is never reached"),
        (
            "",
            'player chooses "What?":\n'
            '    "Pay" when player.gold >= {} automa yes: player loses up to 1 gold\n    "Wait": '
            + GAIN,
            "this is never offered",
        ),
        (
            "may pay(player):\n    rich: player.gold >= {}\n    automa 1\n    then: player loses up to 1 gold\n",
            f"{GAIN}\nplayer may do pay else end work",
            "this need is never met",
        ),
    ],
)
def test_a_condition_that_is_settled_is_found(more: str, lines: str, headline: str) -> None:
    """By the range of the field; one less, and the game decides."""
    assert [each for _, each in found(lines.replace("{}", "10"), more.replace("{}", "10"))] == [
        headline
    ]
    assert found(lines.replace("{}", "9"), more.replace("{}", "9")) == []


def test_a_step_may_be_replaced() -> None:
    """So what stands below one that leaves is not said to be dead."""
    more = "phase race(player):\n    step first_lap: end race\n    step second_lap: " + GAIN + "\n"
    assert found("do race(player)", more) == []
