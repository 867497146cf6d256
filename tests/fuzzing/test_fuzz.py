"""The command `fuzz`: what it finds in small games, and the scenario that it makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import pytest

from cli import run_command_line

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game shop "The Shop":
    version "1.0"
    players 2..3

define D6 = 1..6
component Board (1):
    deck: pile of Card = Card, hidden
    trash: pile of Card
    stock: 0..9 = 9
component Card (12):
    value: 1..6 = each (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6)
component Player:
    coins: 0..20 = 3
    hand: pile of Card, seen by owner
    rival: Player

phase game:
    do shuffle(board.deck)
    each player in Player: move top(board.deck, 2) to player.hand
    each n in 1..6: do round(n)
    do win(Player with highest coins)
phase round(n: 1..6):
    each player in Player: player.rival becomes player.left
    each player in Player: do turn(player)
phase turn(player):
    step earn:
        let die = roll D6 by player
        player gains up to die coins
    step act:
        player chooses "What now?":
            "Buy" when player.coins >= 2 and board.stock > 0: do buy(player)
            "Draw" when any board.deck: do draw(player)
            "Rest": do nothing
effect buy(player):
    player loses 2 coins
    board loses 1 stock
effect draw(player):
    move top(board.deck) to player.hand
    if count(player.hand) > 4:
        player chooses card from player.hand "Which one goes?"
        move card to board.trash
always "a hand has four cards at most": not any Player where count(its hand) > 4
always "coins are few": not any Player where its coins > 20
"""

EARLY = "    each player in Player: player.rival becomes player.left\n"


@attrs.frozen
class Fault:
    """What is changed in the game, and what is then found."""

    name: str
    old: str
    new: str
    code: str


FAULTS = (
    Fault("a purse that can be left", "coins >= 2 and", "coins >= 1 and", "R0101"),
    Fault("a stock that runs out", " and board.stock > 0", "", "R0101"),
    Fault("a deck that runs out", '"Draw" when any board.deck', '"Draw"', "R0103"),
    Fault("a hand beyond its limit", "hand) > 4:", "hand) > 5:", "R0107"),
    Fault(
        "nothing to choose from",
        "card from player.hand ",
        "card from player.hand where its value > 4 ",
        "R0106",
    ),
    Fault(
        "a field that is not set yet",
        "player gains up to die",
        "player.rival gains up to die",
        "R0102",
    ),
    Fault("a division by zero", "up to die coins", "up to die / (6 - round.n) coins", "R0108"),
    Fault(
        "an order of options that tells a hand",
        "        player chooses card from player.hand",
        "        player chooses other_player from Player by highest low\n"
        "        player chooses card from player.hand",
        "R0111",
    ),
    Fault(
        "a question that tells a hand",
        "        player chooses card from player.hand",
        "        player chooses other_player from Player where it is player or its low > 0\n"
        "        player chooses card from player.hand",
        "R0111",
    ),
)


def text_of(fault: Fault) -> str:
    """The game with a fault in it."""
    text = GAME
    if fault.code == "R0111":
        text += "define player.low = count(player.hand where its value < 3)\n"
    if fault.code == "R0102":  # the first round is too early
        text = text.replace(EARLY, "").replace(
            "do turn(player)\nphase", f"do turn(player)\n{EARLY}phase"
        )
    assert fault.old in text
    return text.replace(fault.old, fault.new)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with the game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.rules").write_text(GAME)
    return tmp_path


@pytest.mark.usefixtures("shop")
def test_nothing_is_found_in_a_sound_game(capsys: pytest.CaptureFixture[str]) -> None:
    """All numbers of people have played, and the command is content."""
    assert run_command_line(["fuzz", "shop.rules", "--games", "12"]) == 0
    assert "12 games" in capsys.readouterr().out


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_becomes_a_short_scenario(
    fault: Fault, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is found has its code; the scenario is short, fails in the same way, and passes in the sound game."""
    (shop / "shop.rules").write_text(text_of(fault))
    command = ["fuzz", "shop.rules", "--games", "60", "--output", "found.rules"]
    assert run_command_line(command) == 1
    shown = capsys.readouterr().out
    assert shown.startswith(f"{fault.code}: ")
    scenario = (shop / "found.rules").read_text()
    assert scenario.count("\n") < 20
    assert "rulelang --rulesets . test found.rules" in shown

    assert run_command_line(["--rulesets", ".", "test", "found.rules"]) == 1
    assert "0 passed, 1 failed" in capsys.readouterr().out
    (shop / "shop.rules").write_text(GAME)
    run_command_line(["--rulesets", ".", "test", "found.rules"])
    said = capsys.readouterr().out
    assert "script" in said or "is asked" in said or "1 passed" in said


ROLL_OFF = """\
effect roll_off(player):
    let mine = roll D6 by player
    let other = roll D6 by player.left
    while mine is other:
        mine becomes roll D6 by player
        other becomes roll D6 by player.left
"""


def test_ties_that_are_rolled_again_are_no_fault(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dice that always show the same give way after a while; a loop that no dice can end is found."""
    text = (
        GAME.replace("    step earn:\n", "    step earn:\n        do roll_off(player)\n") + ROLL_OFF
    )
    (shop / "shop.rules").write_text(text)
    command = ["fuzz", "shop.rules", "--games", "4", "--luck", "high"]
    assert run_command_line(command) == 0
    (shop / "shop.rules").write_text(text.replace("mine is other", "mine <= other + 5"))
    capsys.readouterr()
    assert run_command_line(command) == 1
    assert capsys.readouterr().out.startswith("R0109: ")


def test_as_few_people_as_will_do(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is found with three people is shown with two, or with three where it takes them."""
    (shop / "shop.rules").write_text(text_of(FAULTS[3]))
    command = ["fuzz", "shop.rules", "--people", "3", "--output", "found.rules"]
    assert run_command_line(command) == 1
    assert "people ann, bob\n" in capsys.readouterr().out
    crowded = GAME.replace(
        '"a hand has four cards at most": not any Player where count(its hand) > 4',
        '"few are rich": count(Player where its coins > 8) < 3',
    )
    (shop / "shop.rules").write_text(crowded)
    assert run_command_line(command) == 1
    assert "people ann, bob, cat\n" in capsys.readouterr().out


def test_the_same_games_again(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The number of a game says all about it, and processes change nothing."""
    (shop / "shop.rules").write_text(text_of(FAULTS[2]))
    command = ["fuzz", "shop.rules", "--games", "60"]
    assert run_command_line(command) == 1
    first = capsys.readouterr().out
    assert run_command_line([*command, "--jobs", "2"]) == 1
    assert capsys.readouterr().out == first
    again = first.rstrip().splitlines()[-1].split()[1:]
    assert run_command_line(again) == 1
    assert capsys.readouterr().out == first


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    "words", [["--people", "9"], ["--option", "x=1"], ["--luck", "bad"], ["--games", "0"]]
)
def test_what_cannot_be_played(words: list[str]) -> None:
    """Wrong options are told as such."""
    assert run_command_line(["fuzz", "shop.rules", *words]) == 2
