"""What is proposed for a name that is not known, and amounts that are surely there."""

from __future__ import annotations

import pytest

from rulelang import api

GAME = """\
game g "G":
    version "1"
    players 2..2

define Trade = ship, cart
component Player:
    ships: 0.. = 3
    coins: 0.. = 3

phase game:
    each player in Player: do turn(player, ship)
    do win(Player)
effect turn(player, trade: Trade):
    LINE
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("if trade is ships: player gains 1 coins", "did you mean `ship`?"),
        ("do turn(player, ships)", "did you mean `ship`?"),
        ("let x = ships + 1", "it belongs to a Player: write `player.ships`"),
        ("do turn(player, coins)", "it belongs to a Player: write `player.coins`"),
    ],
)
def test_a_value_of_the_type_that_is_expected_is_nearer(line: str, said: str) -> None:
    """A word of the enumeration comes before a field of the very name, which could not stand there."""
    result = api.check_texts({"g.rules": GAME.replace("LINE", line)})
    (found,) = [each for each in result.diagnostics if each.code == "E0201"]
    assert found.help == said
    nearer = said.startswith("did you mean")
    assert (found.fix.title if found.fix is not None else "") == ("write `ship`" if nearer else "")


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("player loses player.coins coins", []),
        ("player loses player.ships coins", ["E0303"]),
        ("player.left loses player.coins coins", ["E0303"]),
    ],
)
def test_all_of_it_is_there(line: str, codes: list[str]) -> None:
    """Who loses all that there is does not leave the range."""
    result = api.check_texts({"g.rules": GAME.replace("LINE", line)})
    assert [each.code for each in result.diagnostics if each.code == "E0303"] == codes
