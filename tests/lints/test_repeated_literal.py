"""Numbers that repeat an option: only where both are for the same."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.diagnostics import Applicability

GAME = """\
component Player:
    gold: 0.. = 0
    fame: 0.. = 0
option goal: 2..50 = 20{option}
define player.wealth = player.gold + player.fame
phase game:
    each player in Player: do work(player)
effect work(player){cite}:
    {line}
effect reward(player){other}:
    {second}
after work(player) when player.wealth > player.fame: do reward(player)
"""


def found(
    line: str, second: str, *, option: str = "", cite: str = "", other: str = ""
) -> list[str]:
    """Give the lines in which a number repeats the option."""
    text = GAME.format(line=line, second=second, option=option, cite=cite, other=other)
    assert not [each for each in api.check_text(text) if each.code != "L0101"]
    return [
        each.span.file.line_text(each.span.line).strip()
        for each in api.check_text(text)
        if each.code == "L0101"
    ]


ENDS = "if player.gold >= goal: end game"


@pytest.mark.parametrize(
    ("line", "second", "repeated"),
    [
        (ENDS, "if player.gold < 20: player gains 1 fame", True),
        (ENDS, "if 20 is player.gold: player gains 1 fame", True),
        (ENDS, "if player.fame < 20: player gains 1 fame", False),
        (ENDS, "if player.gold < 19: player gains 1 fame", False),
        (ENDS, "player gains 20 gold", False),
        (
            "if player.wealth >= goal: end game",
            "if player.wealth < 20: player gains 1 fame",
            True,
        ),
        ("if player.wealth >= goal: end game", "if player.gold < 20: player gains 1 fame", False),
    ],
)
def test_a_comparison_with_the_same(line: str, second: str, repeated: bool) -> None:
    """Of one field or definition, wherever it stands; not of another one."""
    assert found(line, second) == ([second] if repeated else [])


def test_an_amount_of_the_same_in_one_doing() -> None:
    """In another doing the same amount of the same may be another rule."""
    line = "if player.fame > 3: player gains goal gold\n    else: player gains 20 gold"
    assert found(line, "player gains 1 gold") == ["else: player gains 20 gold"]
    assert found("player gains goal gold", "player gains 20 gold") == []


def test_a_rule_of_the_book_has_its_own_numbers() -> None:
    """Where the rule cites another place than the option, the number is that of the book."""
    second = "if player.gold < 20: player gains 1 fame"
    assert found(ENDS, second, option=" [MKT-1]", other=" [MKT-2]") == []
    assert found(ENDS, second, option=" [MKT-1]", other=" [MKT-1, MKT-2]") == [second]
    assert found(ENDS, second, option=" [MKT-1]") == [second]
    assert found(ENDS, second, other=" [MKT-2]") == [second]


def test_the_fix_writes_the_option() -> None:
    """On request only: the numbers may be equal by chance."""
    text = GAME.format(
        line=ENDS, second="if player.gold < 20: end game", option="", cite="", other=""
    )
    (only,) = api.check_text(text)
    assert only.fix is not None
    assert only.fix.applicability is Applicability.UNSAFE
    assert [edit.text for edit in only.fix.edits] == ["goal"]
    assert only.notes == ("The same is compared with `goal` too.",)
