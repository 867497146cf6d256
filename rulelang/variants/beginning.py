"""A first ruleset, for somebody who has never written one: small, whole, and in several files as most are."""

from __future__ import annotations

import re
from typing import Final

from rulelang.files import SUFFIX

__all__ = ["first_ruleset"]

_RULES: Final = """\
# {title}: a small game to begin with. Change it, and add to it. Lines that begin with # are remarks.

game {name} "{title}":
    version "1"
    players 2..4
    # The rules of the book, each with the id that is cited in brackets below.
    citations "rules.csv"

define D6 = 1..6

## How many points end the game?
option goal: 1..100 = 20 [{prefix}-3]

## What a player has.
component Player:
    points: 0.. = 0

phase game:
    while not any Player where its points >= goal:
        each player in Player: do turn(player)
    do win(Player with highest points) [{prefix}-3]

phase turn(player):
    step throw [{prefix}-1]:
        let die = roll D6 by player
        player gains die points
    # What stands behind `automa` is the policy: how a seat without a person answers.
    step risk [{prefix}-2]:
        player may "Throw again?" automa player.points < goal / 2: do throw_again(player)

## A 1 loses points, everything else brings as many as the die shows.
effect throw_again(player) [{prefix}-2]:
    let die = roll D6 by player
    if die is 1: player loses up to 5 points
    else: player gains die points
"""

_BOOK: Final = """\
id,section,text
{prefix}-1,The turn,Throw a die and add what it shows to your points.
{prefix}-2,The turn,You may throw once more. A 1 then loses you up to 5 points; anything else is added.
{prefix}-3,The end,When somebody has 20 points at the end of a round whoever has most points wins.
"""

_SCENARIOS: Final = """\
# Examples of what the rules mean: `do` is what is played, `after` is what must hold then.

scenario "A turn brings what the die shows" of {name} [{prefix}-1]:
    people ann, bob
    do turn(ann):
        roll 4
        ann chooses risk.may: no
    after:
        ann.points is 4 and bob.points is 0

scenario "Who throws again may lose" of {name} [{prefix}-2]:
    people ann, bob
    before: ann.points becomes 7
    do turn(ann):
        roll 2
        ann chooses risk.may: yes
        roll 1
    after:
        ann.points is 4
    do turn(ann):
        roll 2
        ann chooses risk.may: yes
        roll 6
    after:
        ann.points is 15

scenario "The most points win" of {name} [{prefix}-3]:
    people ann, bob
    before:
        ann.points becomes 19
        bob.points becomes 18
    do game:
        roll 1
        ann chooses risk.may: no
        roll 5
        bob chooses risk.may: no
    after:
        winners is {{bob}}
"""


def first_ruleset(name: str, title: str) -> dict[str, str]:
    """Write a small whole ruleset that has no findings, with its rulebook and scenarios.

    Args:
        name: Name of the game.
        title: What it is called, fit to stand between quotes.

    Returns:
        The text of each file by its path in the folder of the ruleset.
    """
    letters = re.sub("[^A-Z]", "", name.upper())
    prefix = letters[:3] if len(letters) > 1 else "GAME"
    texts = {
        f"{name}{SUFFIX}": _RULES,
        "rules.csv": _BOOK,
        f"scenarios/turns{SUFFIX}": _SCENARIOS,
    }
    return {
        path: text.format(name=name, title=title, prefix=prefix) for path, text in texts.items()
    }
