"""Hidden piles that are the only hidden place of their things."""

from __future__ import annotations

import pytest

from tests.lints.findings import lines

FILES = {"cards.csv": "id,worth\none,1\ntwo,2\nthree,3\n"}
GAME = """\
game g "G":
    version "1"
    players {people}
component Board (1):
    {board}
    trash: pile of Card
component Card from "cards.csv":
    worth: 1..9
    {card}
component Player:
    {player}
    points: 0.. = 0

phase game:
    each player in Player: do play_one(player)
effect play_one(player):
    {line}
"""


def found(
    *,
    people: str = "2",
    board: str = "size: 0..9 = 3",
    card: str = "",
    player: str = "hand: pile of Card, seen by owner",
    line: str = "move first(Card) to player.hand",
) -> list[int]:
    """Give the lines at which the lint finds something."""
    text = GAME.format(
        people=people, board=board, card=card or "price: 0..9 = 1", player=player, line=line
    )
    return lines("L0207", "", text, FILES)


def test_two_hands() -> None:
    """Of two hands each knows the other one, if nothing lies anywhere else unseen."""
    assert found() == [11]
    assert found(people="2..3") == []
    assert found(board="aside: pile of Card, hidden") == []
    assert found(player="hand: pile of Card") == []
    assert found(card="face_up: Flag = no") == []


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("if any board.vault: move board.vault to board.trash", [5]),
        ("if any board.vault: move top(board.vault) to board.trash", []),
        (
            "if any board.vault:\n        let card = pick board.vault\n        move card to board.trash",
            [],
        ),
        ("do shuffle(board.vault)", []),
    ],
)
def test_a_hidden_pile(line: str, lost: list[int]) -> None:
    """A pile that nothing is drawn from hides nothing."""
    assert (
        found(board="vault: pile of Card = Card, hidden", player="wins: 0.. = 0", line=line) == lost
    )
