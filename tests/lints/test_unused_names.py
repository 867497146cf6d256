"""Names that nothing uses: each sort has a text that is found and a twin that is not."""

from __future__ import annotations

import pytest

from rulelang import api
from tests.lints.mending import mended_text

GAME = """\
component Player:
    gold: 0.. = 0
define D6 = 1..6
{more}
phase game:
{keeps}    each player in Player:
        player gains 1 gold
{lines}
"""


def found(more: str = "", keeps: str = "", lines: str = "") -> list[str]:
    """Give the names that are said to be unused."""
    indented = "".join(f"        {line}\n" for line in lines.splitlines())
    text = GAME.format(more=more, keeps=keeps, lines=indented)
    return [each.span.text for each in api.check_text(text) if each.code == "E0210"]


FIELD = "component Ship (3):\n    power, weight: 1..6 = 3\n"


@pytest.mark.parametrize(
    ("unused", "twin", "names"),
    [
        (
            {"lines": "let sum_of_all = player.gold + 1"},
            {"lines": "let sum_of_all = player.gold + 1\nplayer gains sum_of_all gold"},
            ["sum_of_all"],
        ),
        (
            {"lines": "let die = roll D6"},
            {"lines": "let die = roll D6\nif die > 3: player gains 1 gold"},
            ["die"],
        ),
        (
            {"lines": "let die = roll D6"},
            {
                "lines": "let die = roll D6",
                "more": "after roll D6 = number when number > 3: first(Player) gains 1 gold\n",
            },
            ["die"],
        ),
        (
            {"lines": "let given = player loses up to 1 gold"},
            {
                "lines": "let given = player loses up to 1 gold\n"
                'player may "Take {given} back?" automa yes: player gains 1 gold'
            },
            ["given"],
        ),
        (
            {"keeps": "    keeps laps: 0.. = 0\n"},
            {"keeps": "    keeps laps: 0.. = 0\n", "lines": "laps becomes laps + 1"},
            ["laps"],
        ),
        (
            {"more": FIELD, "lines": "player gains sum(Ship.power) gold"},
            {"more": FIELD, "lines": "player gains sum(Ship.power) + sum(Ship.weight) gold"},
            ["weight"],
        ),
        (
            {"more": FIELD, "lines": "player gains sum(Ship.power) gold"},
            {
                "more": FIELD + "define best = Ship with highest weight\n",
                "lines": "player gains sum(best.power) gold",
            },
            ["weight"],
        ),
        (
            {"more": "may beg(player):\n    then: player gains 1 gold\n"},
            {
                "more": "may beg(player):\n    automa 1\n    then: player gains 1 gold\n",
                "lines": "player may do beg else end game",
            },
            ["beg"],
        ),
        (
            {"more": "component Ship (3):\n    sort: Flag = no\n"},
            {"more": 'component Ship (3):\n    name: Text = "a ship"\n    x, y: 0..9 = 1\n'},
            ["sort"],
        ),
    ],
)
def test_each_sort_of_name(unused: dict[str, str], twin: dict[str, str], names: list[str]) -> None:
    """The name is found where nothing uses it, and not in the twin."""
    assert found(**unused) == names
    assert found(**twin) == []


def test_what_a_variant_uses_is_used() -> None:
    """A field of the base that only a variant reads stays."""
    more = (
        FIELD + 'variant heavy "Heavy" of snippet:\n    after game: first(Player) gains {} gold\n'
    )
    lines = "player gains sum(Ship.power) gold"
    assert found(more=more.format("sum(Ship.weight)"), lines=lines) == []
    assert found(more=more.format("1"), lines=lines) == ["weight"]


def test_a_change_without_its_name_is_mended() -> None:
    """What the line does stays."""
    text = GAME.format(more="", keeps="", lines="        let given = player loses up to 1 gold")
    assert mended_text(text) == text.replace("let given = player loses", "player loses")
