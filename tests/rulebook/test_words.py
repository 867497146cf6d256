"""Rules as sentences: each line of the left becomes the words of the right."""

from __future__ import annotations

import pytest

from rulelang.binder import bind
from rulelang.diagnostics import DiagnosticBag
from rulelang.parser import parse
from rulelang.rulebook.entries import Writer
from rulelang.rulebook.lexicon import Lexicon
from rulelang.rulebook.model import Listing, Paragraph, line, plain
from rulelang.rulebook.phrasing import are, is_verb, possessive
from rulelang.source import SourceFile

BEGIN = """
game words "Words":
    version "1"
    players 2..4
define Colour = red, blue
define D6 = 1..6
option mode: mild or wild = mild
component Board (1):
    deck: pile of Sheet = Sheet
component Sheet (9)
component Town (3):
    size: 1..9 = 2
    walled: Flag = no
    owner: Player or none = none
    place: Player or none = none
component Player:
    coins: 0.. = 0
    home: Town or none = none
    open: Flag = no
    colours: set of Colour = {}
define player.rich = player.coins > 9
define player.has_room(town) = player.coins > town.size
define quiet(player) = player.coins is 0
define player.towns = Town where its owner is player
may visit(player, town):
    then: player gains 1 coins
phase game:
    each player in Player: do turn(player)
phase turn(player):
    keeps tired: Flag = no
    step act: player gains 1 coins
"""

CONDITIONS = [
    ("player.rich", "the player is rich"),
    ("not player.rich", "the player is not rich"),
    ("player.has_room(town)", "the player has room the town"),
    ("player.open", "the player is open"),
    ("quiet(player)", "quiet holds for the player"),
    ("not quiet(player)", "quiet does not hold for the player"),
    ("player.coins >= 3", "the player's coins are at least 3"),
    ("not player.coins >= 3", "the player's coins are less than 3"),
    ("player.home is none", "the player has no home"),
    ("player.home is not none", "the player has a home"),
    ("player.home is town", "the player's home is the town"),
    ("town.size in 2..4", "the town's size is from 2 to 4"),
    ("town.size not in {2, 3}", "the town's size is not 2 or 3"),
    ("any player.towns", "the player has some towns"),
    ("not any Town where its size > 3", "there is no town whose size is more than 3"),
    ("any Town where not its walled", "there is a town that is not walled"),
    ("may visit(player, town)", "the player may visit (the town)"),
    ("mode is wild", "the mode is wild"),
    (
        "player.rich and (player.open or town.walled)",
        "the player is rich and (the player is open or the town is walled)",
    ),
    ("during(turn)", "turn is under way"),
    (
        "count(Town where its owner is player) is 2",
        "the number of towns whose owner is the player is 2",
    ),
    (
        "not (player.rich and player.open)",
        "it is not so that the player is rich and the player is open",
    ),
]

STATEMENTS = [
    ("player gains 3 coins", "The player gains 3 coins."),
    ("player gains up to 1 coins", "The player gains up to 1 coin."),
    (
        "player loses town.size coins to other_player",
        "The player loses as many coins as the town's size to the other player.",
    ),
    ("player.home becomes town", "The player's home becomes the town."),
    ("player.open becomes yes", "From now on the player is open."),
    ("player.coins becomes player.coins + 2", "The player's coins goes up by 2."),
    ("move town to player", "Move the town to the player."),
    ("move town to none", "Move the town off the board, to no place."),
    ("do visit(player, town)", "Carry out visit for the player and the town."),
    ("do win(Player with highest coins)", "All players with the highest coins win the game."),
    ("do nothing", "Nothing happens."),
    ("end game", "The game ends."),
    ("let die = roll D6 by player", "The player rolls one D6: die."),
    ("let chosen = pick 2 of Town", "Draw 2 of all towns by chance: chosen."),
    ("player may do visit else do nothing", "The player may do visit; if not, nothing happens."),
    (
        'player chooses town from Town where its walled "Which one?" automa highest size else end game',
        (
            "The player chooses a town that is walled Which one? (a seat without a person: the highest size); "
            "if there is none, the game ends."
        ),
    ),
    (
        "player chooses 1+ towns from player.towns",
        "The player chooses 1 or more of the player's towns: towns.",
    ),
    ("if player.rich: do nothing", "If the player is rich: nothing happens."),
    (
        "each player in Player by lowest coins: do nothing",
        "For each player, in order of lowest coins: nothing happens.",
    ),
    (
        "each town in Town where its walled: do nothing",
        "For each town that is walled: nothing happens.",
    ),
    ("while yes: end game", "Again and again: the game ends."),
    (
        'player may "Go on?" automa player.rich: end game',
        "The player may say yes Go on? (a seat without a person: if the player is rich); if so: the game ends.",
    ),
    ("do shuffle(board.deck)", "Shuffle the board's deck."),
]


def told(text: str, *, title: bool = False) -> str:
    """Tell the last declaration of a text, its blocks joined."""
    bag = DiagnosticBag()
    parsed = parse(SourceFile("words.rules", BEGIN + text))
    assert not parsed.diagnostics, [each.headline for each in parsed.diagnostics]
    tables = bind([parsed.module], _no_file, bag)
    assert not bag.has_errors, [each.headline for each in bag.sorted()]
    item = tables.items[-1][0]
    writer = Writer(Lexicon(tables), [], {})
    (entry, *_) = writer.entries(item, "")
    if title:
        return plain(entry.title)
    lines = []
    for block in entry.body:
        if isinstance(block, Paragraph):
            lines.append(plain(block.text))
        if isinstance(block, Listing):
            lines += [plain(each.text) for each in block.items]
    return " / ".join(lines)


def _no_file(path: str) -> bytes:
    raise AssertionError(path)


@pytest.mark.parametrize(("written", "said"), CONDITIONS, ids=[each[0] for each in CONDITIONS])
def test_conditions(written: str, said: str) -> None:
    """A condition becomes a clause."""
    text = f"effect tried(player, other_player, town):\n    if {written}: do nothing\n"
    told_text = told(text).partition(" / ")[2]
    assert told_text == f"If {said}: nothing happens."


@pytest.mark.parametrize(("written", "said"), STATEMENTS, ids=[each[0][:40] for each in STATEMENTS])
def test_statements(written: str, said: str) -> None:
    """A statement becomes a sentence."""
    assert (
        told(f"effect tried(player, other_player, town):\n    {written}\n").partition(" / ")[2]
        == said
    )


def test_definition_with_exceptions() -> None:
    """The general value, and when it is another."""
    text = "define player.pay = 2:\n    noble: +1 when player.rich\n    poor: 0 when player.coins is 0 after noble\n"
    assert told(text) == (
        "The pay of the player is 2, unless one of these applies: / Noble: if the player is rich, then 1 more. / "
        "Poor: if the player's coins are 0, then 0 instead; this wins over noble."
    )


def test_claim_of_several_parts() -> None:
    """What all must hold is a list."""
    assert told("define player.ready = player.rich and player.open\n") == (
        "The player is ready if all of this holds: / The player is rich. / The player is open."
    )


def test_claim_that_never_holds_but_for_exceptions() -> None:
    """The exceptions say when."""
    assert told("define player.proud = no:\n    once_rich: yes when player.rich\n").startswith(
        "The player is not proud, unless one of these applies:"
    )


def test_rules_about_doings() -> None:
    """Moment, event, condition, who is asked."""
    text = (
        'after visit(guest_player, town) when town.walled once, guest_player may "Knock?":\n'
        "    guest_player gains 1 coins\n"
    )
    assert told(text) == (
        "After visit (the guest player, the town), if the town is walled, once only, "
        "the guest player may do this Knock?: the guest player gains 1 coin."
    )
    assert told(text, title=True) == "After visit"


def test_rule_about_a_step_and_a_kept_value() -> None:
    """Steps and what a phase keeps are named with their phase."""
    assert told("before turn.act when turn.tired: do nothing\n") == (
        "Before the step act of turn, if \u201ctired\u201d holds in turn: nothing happens."
    )


def test_events_without_a_name() -> None:
    """A loss, a move, a roll."""
    assert (
        told("after who loses n coins: do nothing\n")
        == "After that one loses n coins: nothing happens."
    )
    assert told("after move town to new_player: do nothing\n") == (
        "After the town goes to the new player: nothing happens."
    )
    assert told("after roll D6 by player = die: do nothing\n") == (
        "After a roll of D6 by the player (die): nothing happens."
    )


@pytest.mark.parametrize(
    ("subject", "verb"),
    [
        ("the player", "is"),
        ("the ships", "are"),
        ("the number of ships", "is"),
        ("you", "are"),
        ("the glass", "is"),
    ],
)
def test_is_or_are(subject: str, verb: str) -> None:
    """By the noun that counts."""
    assert are(line(subject)) == verb


def test_claims_called_by_a_verb() -> None:
    """`adjoins` is what something does, `open` is what it is."""
    assert is_verb("adjoins")
    assert is_verb("has_room")
    assert not is_verb("open")
    assert not is_verb("is_rich")


def test_possessive() -> None:
    """Whose something is."""
    assert plain(possessive(line("the ships"))) == "the ships'"
