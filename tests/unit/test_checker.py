"""Checks of a whole ruleset that no page of a diagnostic shows."""

from __future__ import annotations

from rulelang import api

GAME = """\
game g "G":
    version "1"
    players 1..2
    citations "rules.csv"
option prize: 1..9 = 5 [AB-X-01]
component Player:
    gold: 0.. = 0
phase game:
    each player in Player:
        player gains {amount} gold [AB-X-01]
        player gains prize gold
"""
RULES = {"rules.csv": "id,text\nAB-X-01,a prize\n"}


def test_a_number_that_repeats_an_option() -> None:
    """A rule that cites what an option cites, and writes its value, is told to write the option."""
    (found,) = api.check_text(GAME.format(amount=5), "g.rules", RULES)
    assert (found.code, found.is_error, found.span.line) == ("L0101", False, 10)
    assert not api.check_text(GAME.format(amount=4), "g.rules", RULES)
    assert not api.check_text(GAME.format(amount="prize"), "g.rules", RULES)


def test_where_counting_begins_repeats_no_option() -> None:
    """The lower end of a range is not the value of an option, even if the figures are equal."""
    counted = GAME.replace("= 5 [", "= 1 [").replace(
        "player gains {amount}", "each i in 1..prize: player gains {amount}"
    )
    assert not api.check_text(counted.format(amount=2), "g.rules", RULES)
    assert api.check_text(counted.format(amount=1), "g.rules", RULES)


def test_an_option_that_is_the_number_of_seats_is_read() -> None:
    """Whether the game says so, or a change of it."""
    text = GAME.format(amount="prize") + "option size: 2..4 = 3\n"
    (found,) = api.check_text(text, "g.rules", RULES)
    assert (found.code, found.is_error) == ("E0704", False)
    assert not api.check_text(text + "change game:\n    seats size\n", "g.rules", RULES)


STATE_RULE = """\
game g "G":
    version "1"
    players 1
component Player:
    wounds: 0..2 = 0
phase game:
    each player in Player: do fight(player)
phase fight(player):
    {line}
effect hurt(player): player gains up to 1 wounds
effect give_up(player): end fight
when player.wounds >= 2:
    player.wounds becomes 0
    do give_up(player)
"""


def test_a_state_rule_acts_inside_whatever_settles() -> None:
    """A doing that a state rule runs may end a phase in which a named doing settles, and no other."""
    assert not api.check_text(STATE_RULE.format(line="do hurt(player)"), "g.rules")
    found = api.check_text(STATE_RULE.format(line="player gains up to 1 wounds"), "g.rules")
    assert [each.code for each in found if each.is_error] == ["E0406"]


def test_a_test_settles_that_a_doing_is_open() -> None:
    """`end` of what may never be open is no mistake below a test of it."""
    text = STATE_RULE.format(line="player gains up to 1 wounds")
    tested = text.replace("player): end fight", "player):\n    if during(fight): end fight")
    assert [each.code for each in api.check_text(text, "g.rules") if each.is_error] == ["E0406"]
    assert not [each for each in api.check_text(tested, "g.rules") if each.is_error]


def test_an_option_that_no_rule_reads_points_at_its_number() -> None:
    """What only a scenario reads changes nothing; a number that was probably meant is named."""
    text = GAME.format(amount=4) + (
        'option fee: 1..9 = 4\nscenario "It is four" of g:\n    people ann, bob\n'
        "    do game\n    after:\n        fee is 4\n"
    )
    found = [each for each in api.check_text(text, "g.rules", RULES) if each.code == "E0704"]
    assert [each.headline for each in found] == ["the option `fee` changes nothing"]
    assert found[0].help == "is it meant where 4 stands, in line 10?"


def test_a_row_without_a_text_needs_no_card() -> None:
    """A card is asked for where the data hold a text, or where the kind has no texts at all."""
    text = """\
game g "G":
    version "1"
    players 1..2
component Player:
    gold: 0.. = 0
    hand: pile of Card, acts
component Card from "cards.csv":
    text: Text
effect pay(player): player gains 1 gold
card feast:
    after pay(you): you gain 1 gold
phase game:
    move Card to first(Player).hand
    each player in Player: do pay(player)
"""
    blank = {"cards.csv": "id,text\nfeast,You gain 1 gold.\nbread,\n"}
    told = {"cards.csv": "id,text\nfeast,You gain 1 gold.\nbread,You eat.\n"}
    assert "E0411" not in {found.code for found in api.check_text(text, "g.rules", blank)}
    assert "E0411" in {found.code for found in api.check_text(text, "g.rules", told)}


READ_FIRST_BY_FROM = """\
game g "G":
    version "1"
    players 1..2
component Player:
    coins: 0..9 = 3
component Stone (4)
component Shell (2)
define Pebble = Stone, Shell
define stone.weight = 2
{more}define heavies(player) = Pebble where its weight > 1
may lift(player, thing from heavies(player)):
    free: player.coins > 0
    then: player loses 1 coins
phase game:
    each player in Player: player may do lift else do nothing
"""


def test_a_mistake_in_what_a_parameter_runs_over() -> None:
    """The definition is read first to find the parameter's type; what is wrong in it is reported all the same."""
    text = READ_FIRST_BY_FROM.format(more="")
    found = [each for each in api.check_text(text, "g.rules") if each.is_error]
    assert [(each.code, each.span.line) for each in found] == [("E0203", 10)]
    assert not api.check_text(
        READ_FIRST_BY_FROM.format(more="define shell.weight = 1\n"), "g.rules"
    )
