"""A ruleset with ten different mistakes gets ten findings, each where the mistake is."""

from __future__ import annotations

from rulelang import api

CARDS = "id,worth\nking,9\nqueen,many\n"
RULES = """\
game ten "Ten":
    version "1"
    players 2..4
    speed 3

define Suit = red, black
component Card from "cards.csv":
    worth: 1..9
component Player:
    points: 0.. = 0
    luck: 1..6 = 1

define player.rich = player.pints > 5
define luck_of(x) = 1

phase game:
    each player in Player
        do turn(player)
    do win(Player with highest points)
    end game

effect turn(player):
    player.points = 3
    player receives 1 points
    player.luck becomes 7
    do trun(player)
    let player = first(Player)
    if player.luck is red: player gains 1 points
"""
EXPECTED = {
    (4, "E0214"),  # a setting that does not exist
    (13, "E0203"),  # a misspelt property
    (14, "E0207"),  # a parameter without a type
    (17, "E0102"),  # a missing colon
    (23, "E0104"),  # `=`
    (24, "E0103"),  # a verb that is none
    (25, "E0302"),  # a value outside its range
    (26, "E0201"),  # a doing that does not exist
    (27, "E0204"),  # a name in use
    (28, "E0301"),  # a comparison that nothing satisfies
}


def test_ten_mistakes() -> None:
    """Ten mistakes in the rules, and one in a cell: none hides another, none is told twice."""
    found = api.check_text(RULES, "ten.rules", {"cards.csv": CARDS})
    errors = [each for each in found if each.is_error]
    in_rules = [each for each in errors if each.span.file.path == "ten.rules"]
    assert {(each.span.line, each.code) for each in in_rules} == EXPECTED
    assert len(in_rules) == len(EXPECTED)
    (cell,) = [each for each in errors if each.span.file.path == "cards.csv"]
    assert (cell.span.line, cell.code) == (3, "E0802")
