"""Open values that are worked out of secrets are found, but not where the secret is over."""

from __future__ import annotations

import pytest

from tests.lints.findings import lines

GAME = """\
component Board (1):
    deck: pile of Card = Card, hidden
    discard: pile of Card
component Card from "cards.csv":
    worth: 1..9
component Player:
    luck: 0..9 = 0, hidden
    wish: 0..9 = 0, seen by owner
    hoped: 0..99 = 0, seen by owner
    hand: pile of Card, seen by owner
    points: 0.. = 0
    best: Card or none = none

phase game:
    each player in Player: do turn(player)
    each player in Player: do rest(player)
effect rest(player):
    player may "Rest?": player.luck becomes 3
    else: player.wish becomes 3
phase duel(player, strength: Number):
    do rest(player)
    if duel.strength > 8: player gains 1 points
define player.value = sum(player.hand.worth)
define player.size = count(player.hand)
"""
FILES = {"cards.csv": "id,worth\none,1\ntwo,2\nthree,3\n"}


def found(*body: str) -> list[int]:
    """Give the lines of a turn, from 1, at which the lint finds something."""
    text = "\n    ".join(("effect turn(player):", *body))
    return [line - 1 for line in lines("L0206", GAME, text + "\n", FILES)]


@pytest.mark.parametrize(
    "line",
    [
        "player gains player.luck points",
        "player.points becomes player.wish",
        "player.points becomes 2 * player.value + 1",
        "player.best becomes top(board.deck)",
        "player.points becomes count(player.hand where its worth > 1)",
        "do duel(player, player.luck)",
        "each other_player in Player: player.points becomes other_player.value",
    ],
)
def test_told(line: str) -> None:
    """What is open is worked out of what is not."""
    assert found(line) == [1]
    assert found("let n = 1", line, "player gains up to n points") == [2]


@pytest.mark.parametrize(
    "line",
    [
        "player.points becomes player.size + count(board.deck)",
        "player.luck becomes player.wish",
        "player.hoped becomes player.wish",
        "if player.luck > 2: player gains 1 points",
        "if any board.deck: move top(board.deck) to player.hand",
        "player.best becomes first(Card)",
        "player.points becomes player.points + 1",
    ],
)
def test_not_told(line: str) -> None:
    """Counts are open; secrets may feed secrets, and decide what happens."""
    assert found(line) == []


@pytest.mark.parametrize(
    "body",
    [
        ("player gains player.value points", "move player.hand to board.discard"),
        ("player gains player.value points", "do show(player.hand, Player)"),
        ("do show(player.hand, Player)", "player gains player.value points"),
        ("player gains player.luck points", "player.luck becomes 0"),
        ("player.best becomes top(board.deck)", "move player.best to board.discard"),
        (
            "let card = top(board.deck)",
            "move card to board.discard",
            "player gains card.worth points",
        ),
        ("let card = pick board.deck", "player gains card.worth points"),
        ("player gains player.luck points", "end game"),
    ],
)
def test_the_secret_is_over(body: tuple[str, ...]) -> None:
    """The secret is opened, spent or drawn, or the game is over."""
    assert found(*body) == []


def test_a_let_keeps_a_secret() -> None:
    """A name for a secret is no way out."""
    assert found("let n = player.luck + 1", "player gains n points") == [2]


def test_scoring_at_the_end() -> None:
    """Where nobody is asked anything any more, nothing is given away."""
    asked = "phase game:\n    each player in Player: do score(player)\n    each player in Player: do rest(player)\n"
    rules = (
        "effect score(player): player gains player.luck points\neffect rest(player):\n"
        '    player may "Rest?": player.luck becomes 3\n'
    )
    start = GAME[: GAME.index("\nphase game")]
    assert lines("L0206", start, "\n" + asked + rules, FILES) == [5]
    after = asked.replace("rest", "x").replace("score", "rest").replace("do x", "do score")
    assert lines("L0206", start, "\n" + after + rules, FILES) == []


def test_alone_nobody_is_told() -> None:
    """In a game for one, what its owner sees is seen by everybody there is."""
    head = 'game solo "Solo":\n    version "1"\n    players {}\n'
    turn = "effect turn(player):\n    player.points becomes player.wish\n"
    assert lines("L0206", head.format("1") + GAME, turn, FILES) == []
    assert lines("L0206", head.format("1..2") + GAME, turn, FILES) == [2]
