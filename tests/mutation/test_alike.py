"""Changes that mean the same are not made, and those beside them are."""

from __future__ import annotations

import pytest

from tests.mutation.test_changes import changes_of

MORE = """\
component Coin (6):
    worth: 1..6 = each 1..6
component Token (2)
component Well (1)
change component Board:
    heap: pile of Coin
    lost: pile of Coin
    row: pile of Coin
    kept: pile of Token
effect take(player):
    if any board.row and player.coins > 1: move top(board.row) to box
"""

ALIKE: list[tuple[str, str, str]] = [
    # What is said for the case that there is nothing to choose from.
    (
        """\
effect act(player):
    if any board.row:
        player chooses coin from board.row "Which?" automa random else end act
        move coin to box
""",
        "line: `end act` left out",
        """\
effect act(player):
    if any board.heap:
        player chooses coin from board.row "Which?" automa random else end act
        move coin to box
""",
    ),
    (
        """\
effect act(player):
    while any Stall where not its sold:
        player chooses stall from Stall where not its sold "Which?" automa random else end act
        stall.sold becomes yes
""",
        "line: `end act` left out",
        """\
effect act(player):
    while any Stall where not its sold:
        do take(player)
        player chooses stall from Stall where not its sold "Which?" automa random else end act
        stall.sold becomes yes
""",
    ),
    (
        """\
effect act(player):
    if not any board.row: end act
    player.mood becomes angry
    player chooses coin from board.row "Which?" automa random else end act
    move coin to box
""",
        "line: `end act` left out",
        """\
effect act(player):
    if not any board.row: end act
    if any board.row: move top(board.row) to box
    player chooses coin from board.row "Which?" automa random else end act
    move coin to box
""",
    ),
    (
        """\
effect act(player):
    player may "Choose?" when any board.row automa yes:
        player chooses coin from board.row "Which?" automa random else end act
        move coin to box
""",
        "line: `end act` left out",
        """\
effect act(player):
    player may "Choose?" when any board.row automa yes: do nothing
    player chooses coin from board.row "Which?" automa random else end act
    move coin to box
""",
    ),
    (
        """\
effect act(player):
    player chooses "Which way?":
        "Up" when any board.row automa yes:
            player chooses coin from board.row "Which?" automa random else end act
            move coin to box
        "Down": do nothing
""",
        "line: `end act` left out",
        """\
effect act(player):
    player chooses "Which way?":
        "Up" when any board.row automa yes: do nothing
        "Down":
            player chooses coin from board.row "Which?" automa random else end act
            move coin to box
""",
    ),
    (
        """\
effect act(player):
    if any board.row:
        player chooses coin from best(player) "Which?" automa random else end act
        move coin to box
define best(player) = board.row with lowest rank
define coin.rank = position(coin, Coin)
""",
        "line: `end act` left out",
        """\
effect act(player):
    if any board.row:
        player chooses coin from best(player) "Which?" automa random else end act
        move coin to box
define best(player) = board.row where position(it, Coin) > 2
""",
    ),
    # First and last of one at most.
    (
        (
            "effect act(player):\n    first(Well where player.mood is calm).stirred becomes yes\n"
            "change component Well:\n    stirred: Flag = no\n"
        ),
        "first and last: `first` becomes `last`",
        (
            "effect act(player):\n    first(Token where player.mood is calm).stirred becomes yes\n"
            "change component Token:\n    stirred: Flag = no\n"
        ),
    ),
    (
        """\
effect act(player):
    player chooses 0..1 coins from board.row "Which?" automa all
    if any coins: move first(coins) to box
""",
        "first and last: `first` becomes `last`",
        """\
effect act(player):
    player chooses 0..2 coins from board.row "Which?" automa all
    if any coins: move first(coins) to box
""",
    ),
]


@pytest.mark.parametrize(("text", "change", "twin"), ALIKE)
def test_alike(text: str, change: str, twin: str) -> None:
    """A change of a kind that cannot make a difference is not made where it makes none, and is made where it may."""
    alike, apart = (changes_of(MORE + each).count(change) for each in (text, twin))
    assert alike == text.count("if not any")
    assert apart == alike + 1


def test_no_set_has_none_in_it() -> None:
    """To take it out changes nothing; to take out a thing may."""
    text = "effect act(player): player.goods becomes count({first(Coin), last(Coin)} - {last(Coin)} - {none})\n"
    found = [each for each in changes_of(MORE + text) if each.startswith("set: `-")]
    assert found == ["set: `- {last(Coin)}` left out"]


def _orders(text: str) -> list[str]:
    return [each for each in changes_of(MORE + text) if each.startswith("order of lines")]


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        # Two shuffles, and a shuffle of what was just taken from.
        (
            "    do shuffle(board.row)\n    do shuffle(board.kept)\n",
            "    do shuffle(board.row)\n    move top(board.row, 1) to box\n",
        ),
        # What is moved to elsewhere, and what is moved into the pile.
        (
            "    do shuffle(board.row)\n    move Coin where its worth is 2 to board.heap\n",
            "    do shuffle(board.row)\n    move Coin where its worth is 2 to board.row\n",
        ),
        # Other things, and perhaps the same ones.
        (
            "    move Coin where its worth is 1 to board.row\n    move Coin where its worth in {2, 3} to board.heap\n",
            "    move Coin where its worth is 1 to board.row\n    move Coin where its worth in {1, 3} to board.heap\n",
        ),
        # From one pile to another, twice; and from one into the one that is emptied next.
        (
            "    move board.row to board.heap\n    move top(board.lost, 2) to board.spare\n",
            "    move board.row to board.heap\n    move board.heap to board.spare\n",
        ),
        # Into a pile where the order says nothing, and into one from whose top something is taken.
        (
            "    move board.heap to board.lost\n    move board.spare to board.lost\n",
            "    move board.heap to board.row\n    move board.spare to board.row\n",
        ),
    ],
)
def test_lines_that_meet_in_name_only_are_not_swapped(text: str, twin: str) -> None:
    """Piles are told apart, and the things in them where their data tell which they are."""
    more = "change component Board:\n    spare: pile of Coin\nafter act(player): do take(player)\n"
    assert _orders(f"effect act(player):\n{text}{more}") == []
    assert len(_orders(f"effect act(player):\n{twin}{more}")) == 1


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        # Shuffled before anybody looks.
        (
            "    move board.heap to board.row\n    do shuffle(board.row)\n",
            "    move board.heap to board.row\n    do shuffle(board.lost)\n",
        ),
        (
            "    move board.heap to board.row\n    move Token to box\n    do shuffle(board.row)\n",
            "    move board.heap to board.row\n    move top(board.row, 1) to box\n    do shuffle(board.row)\n",
        ),
        # A pile that is counted and drawn from by chance only, and one from which that is moved to an ordered one.
        (
            (
                "    move top(board.row, 1) to board.lost\n    let coins = pick 1 of board.lost\n"
                "    if count(board.lost) > 2 and overlap(coins, board.lost): move coins to box\n"
            ),
            (
                "    move top(board.heap, 1) to board.lost\n    do keep(player)\n"
                "effect keep(player):\n    each coin in board.lost: do note(coin)\n"
                "effect note(coin): move coin to none\n"
            ),
        ),
        (
            (
                "    move top(board.row, 1) to board.lost\n"
                '    player chooses coin from rest(player) "?" automa random else end act\n'
                "    move coin to box\n"
                "define rest(player) = board.lost + board.heap\n"
            ),
            (
                "    move top(board.row, 1) to board.lost\n    if any rest(player): move last(rest(player)) to box\n"
                "define rest(player) = board.lost + board.heap\n"
            ),
        ),
        (
            "    move top(board.row, 1) to board.lost\n    move board.lost to box\n",
            (
                "    move top(board.row, 1) to board.lost\n    move board.lost to board.row\n"
                "    do take(player)\n"
            ),
        ),
    ],
)
def test_where_order_says_nothing_ends_are_alike(text: str, twin: str) -> None:
    """The end of a pile is changed where its order can be seen."""

    def ends(text: str) -> list[str]:
        found = changes_of(f"{MORE}effect act(player):\n{text}")
        return [each for each in found if each.startswith("end of a pile")]

    assert ends(text) == []
    assert ends(twin)
