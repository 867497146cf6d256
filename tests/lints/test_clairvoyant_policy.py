"""Policies that look at what their seat does not see are found, and no others."""

from __future__ import annotations

import pytest

from tests.lints.findings import lines

GAME = """\
component Board (1):
    deck: pile of Card = Card, hidden
    discard: pile of Card
component Card from "cards.csv":
    worth: 1..9
component Token (4 each Player):
    face_up: Flag = no
    size: 0..9 = each 1..4
    place: Player or none = none
component Player:
    luck: 0..9 = 0, hidden
    wish: 0..9 = 0, seen by owner
    hand: pile of Card, seen by owner
    points: 0.. = 0

phase game:
    each player in Player: do turn(player)
    each token in Token: token.face_up becomes yes
    each player in Player:
        player.luck becomes 3
        player.wish becomes 4
define player.value = sum(player.hand.worth)
define worst(player, other_player) = other_player.luck + player.points
define token.seems = 3:
    seen: token.size when token.face_up
"""
FILES = {"cards.csv": "id,worth\none,1\ntwo,2\nthree,3\n"}


def found(*body: str) -> int:
    """Count what the lint finds."""
    text = "\n    ".join(("effect turn(player):", *body))
    return len(lines("L0201", GAME, text + "\n", FILES))


def wanting(worth: str) -> int:
    """Count what it finds of a policy that wants the player of whom an expression is greatest."""
    text = f"""\
effect turn(player):
    player chooses host_player from Player "Whom?" automa highest charm(player)
    host_player gains 1 points
define charm(host_player, player) = {worth}
"""
    return len(lines("L0201", GAME, text, FILES))


@pytest.mark.parametrize(
    "worth",
    [
        "host_player.luck",
        "player.luck",
        "host_player.wish",
        "host_player.value",
        "worst(player, host_player)",
        "top(board.deck).worth",
        "count(board.deck where its worth > 1)",
        "count(host_player.hand where its worth > 1)",
        "count(Token at host_player where not its face_up and its size > 1)",
        "count(Player where any its hand where its worth > 1)",
        "count({one} - player.left.hand)",
    ],
)
def test_of_a_choice(worth: str) -> None:
    """What it reads of others, or in hidden piles."""
    assert wanting(worth) == 1


@pytest.mark.parametrize(
    "worth",
    [
        "host_player.points",
        "count(host_player.hand) + count(board.deck)",
        "player.wish + player.value",
        "count(Token at host_player where its face_up and its size > 1)",
        "sum((Token at host_player).seems)",
        "sum(board.discard.worth) + sum(Card.worth)",
        "sum((Token where its owner is player).size)",
        "count({one} - player.hand)",
    ],
)
def test_what_is_seen(worth: str) -> None:
    """What is open, its own, or counted."""
    assert wanting(worth) == 0


def test_what_is_wanted_only() -> None:
    """The condition at the end of a policy for several."""
    line = 'player chooses any hosts from Player "Whom?" automa highest points where its {} > 2'
    for name, count in (("luck", 1), ("wish", 1), ("points", 0)):
        assert (
            found(line.format(name), "each host_player in hosts: host_player gains 1 points")
            == count
        )


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (['player may "Pay?" automa player.luck > 2: player gains 1 points'], 1),
        (['player may "Pay?" automa player.wish > 2: player gains 1 points'], 0),
        (
            [
                'player chooses "What?":',
                '    "Wait" automa player.luck > 2: do nothing',
                '    "Go": do nothing',
            ],
            1,
        ),
        (
            [
                'player chooses card from top(board.deck, 2) "Which?" automa highest worth else end turn'
            ],
            0,
        ),
        (['player chooses card from player.hand "Which?" automa highest worth else end turn'], 0),
        (
            [
                'player chooses card from player.left.hand "Which?" automa highest worth else end turn'
            ],
            0,
        ),
        (
            [
                "each other_player in Player where it is not player:",
                '    player may "Pay?" automa other_player.wish > 2: player gains 1 points',
            ],
            1,
        ),
        (
            [
                "each other_player in Player where it is player:",
                '    player may "Pay?" automa other_player.wish > 2: player gains 1 points',
            ],
            0,
        ),
        (["let n = player.luck", 'player may "Pay?" automa n > 2: player gains 1 points'], 1),
        (
            [
                "let card = top(board.deck)",
                "move card to board.discard",
                'player may "Pay?" automa card.worth > 2: player gains 1 points',
            ],
            0,
        ),
        (
            [
                "let token = first(Token)",
                "if token.face_up:",
                '    player may "Pay?" automa token.size > 2: player gains 1 points',
            ],
            0,
        ),
        (
            [
                "let token = first(Token)",
                "if not token.face_up:",
                '    player may "Pay?" automa token.size > 2: player gains 1 points',
            ],
            1,
        ),
        (
            [
                "let token = first(Token)",
                "if not token.face_up:",
                "    token.face_up becomes yes",
                '    player may "Pay?" automa token.size > 2: player gains 1 points',
            ],
            0,
        ),
    ],
)
def test_of_other_decisions(body: list[str], count: int) -> None:
    """Questions, labels, and what has been found out before."""
    assert found(*body) == count


def test_of_an_action() -> None:
    """How much an action is wanted."""
    action = (
        "may visit(player, other_player):\n    automa {}\n    then: other_player gains 1 points\n"
    )
    turn = "effect turn(player):\n    player may do visit else end turn\n"
    for wanted, lost in (
        ("other_player.luck", [2]),
        ("other_player.points", []),
        ("player.wish", []),
    ):
        assert lines("L0201", GAME, action.format(wanted) + turn, FILES) == lost


def test_of_a_rule_that_asks() -> None:
    """The question of a rule about a doing."""
    rule = 'after turn(host_player), host_player may "Pay?" automa host_player.{} > 2: host_player gains 1 points\n'
    turn = "effect turn(player): player gains 1 points\n"
    assert lines("L0201", GAME, turn + rule.format("luck"), FILES) == [2]
    assert lines("L0201", GAME, turn + rule.format("wish"), FILES) == []
