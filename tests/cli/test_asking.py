"""Asking why at a prompt and of a saved game: what comes out, and that it gives nothing hidden away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.chance import Stream
from interpreter.machine import Match
from interpreter.sight.redeal import redealt
from interpreter.standing import position_of
from interpreter.ui.inquiry import Inquiry
from interpreter.why import Asked
from rulelang import api
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]

DUEL = """\
game duel "Duel":
    version "1.0"
    players 2..2

define D6 = 1..6

component Player:
    coins: 0..20 = 3
    hand: pile of Card = {}, seen by owner
    grudge: 0..9 = 0, hidden
    pledged: Flag = no

component Card from "cards.csv":
    strength: 1..9

component Board (1):
    deck: pile of Card = Card, hidden
    round: 0..9 = 0

## What a blow costs.
define player.cost(other_player) = 1:
    wary: +2 when count(other_player.hand) > 1
    grim: +1 when other_player.grudge > 4
    poor: 0 when player.coins < 2

define player.best = max(player.hand.strength)

may strike(player, other_player):
    another: other_player is not player "strike somebody else"
    pays: player.coins > 0 "you cannot pay"
    pledge: not other_player.pledged "there is peace"
    then:
        player loses up to 1 coins

phase game:
    do shuffle(board.deck)
    each player in Player:
        move top(board.deck) to player.hand
        move top(board.deck) to player.hand
        let face = roll D6
        player.grudge becomes face
    let spare = top(board.deck)
    let bonus = spare.strength
    while board.round < 3:
        each player in Player:
            player may do strike else do nothing
            player chooses "What now?":
                "Gain" when player.coins + bonus > 0: player gains up to 1 coins
                "Wait" when player.coins < 9: do nothing
                "Rest": do nothing
        board.round becomes board.round + 1
    do win(Player)
"""
CARDS = "id,strength\n" + "".join(f"card_{n},{n}\n" for n in range(1, 10))


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game with a hand, a deck and a grudge that nobody sees."""
    folder = tmp_path_factory.mktemp("asking") / "duel"
    folder.mkdir()
    (folder / "duel.rules").write_text(DUEL, "utf-8")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    return folder


def waiting(folder: Path, path: str = "game.action") -> Match:
    """A match in which seat 1 is asked something for the first time."""
    match = Match(api.load_ruleset(folder, people=2), people=2, seed=3, optimise=False)
    while (decision := match.next()) is not None and decision.path != path:
        match.apply(next(iter(decision.options)).value)
    return match


def told(folder: Path, what: str, match: Match, seat: int = 0) -> list[str]:
    """What a seat is told of a value, without the places."""
    asked = Inquiry(str(folder), match).why(seat, what)
    return [line.partition("  duel.rules")[0] for line in asked]


def test_what_is_hidden_is_named_as_that(duel: Path) -> None:
    """A value that depends on what the seat may not see is hidden; what it may see is told all the same."""
    match = waiting(duel)
    assert told(duel, "seat_1.cost(seat_2)", match) == [
        "seat_1.cost(seat_2): hidden",
        "    What a blow costs.",
        "  usually 1",
        "  wary: applies +2",
        "      count(seat_2.hand): 2",
        "  grim: cannot be said",
        "      seat_2.grudge: hidden",
        "  poor: does not apply",
        "      seat_1.coins: 3",
    ]
    assert told(duel, "seat_2.hand", match)[0] == "seat_2.hand: hidden"
    assert told(duel, "board.deck", match)[0] == "board.deck: hidden"
    assert told(duel, "count(board.deck)", match)[0] == "count(board.deck): 5"
    assert told(duel, "seat_2.hand", match, seat=1)[0] != "seat_2.hand: hidden"


ASKED = (
    "seat_1.cost(seat_2)",
    "seat_2.cost(seat_1)",
    "seat_1.best",
    "seat_2.best",
    "strike(seat_1, seat_2)",
    "seat_2.hand",
    "count(seat_2.hand)",
    "any seat_2.hand where its strength > 4",
    "Card where it in board.deck",
    "card_3 in board.deck or card_3 in seat_2.hand",
    "top(board.deck)",
    "sum(Player.grudge)",
    "seat_2.grudge > 3 and seat_1.coins > 9",
    "seat_1.coins > 9 and seat_2.grudge > 3",
)


def test_no_answer_tells_what_the_seat_may_not_see(duel: Path) -> None:
    """Whatever the hidden state is, the seat is told the same; somebody who sees everything is told otherwise."""
    draws = Stream(1, "redealt")
    for path, wanted in (("game.action", ("strike",)), ("game.options", ("Gain", "Wait", "Rest"))):
        match = waiting(duel, path)
        inquiry = Inquiry(str(duel), match)
        shown = [list(inquiry.why(0, each)) for each in ASKED]
        shown += [list(inquiry.why_not(0, each)) for each in wanted]
        everything = set()
        for _ in range(12):
            other = redealt(match, 0, draws)
            assert other.observation(0) == match.observation(0)
            everything.add(str(Asked(position_of(other)).slots))
            again = Inquiry(str(duel), other)
            assert [list(again.why(0, each)) for each in ASKED] + [
                list(again.why_not(0, each)) for each in wanted
            ] == shown
        assert len(everything) > 6


def test_a_name_made_of_something_hidden_is_hidden_too(duel: Path) -> None:
    """What rules have worked out from the deck before they ask is not told either."""
    asked = list(Inquiry(str(duel), waiting(duel, "game.options")).why_not(0, "gain"))
    assert asked == [
        "Gain: yes",
        "  condition: cannot be said",
        "      seat_1.coins: 2",
    ]


def test_at_a_prompt(duel: Path) -> None:
    """A person asks with `why` and `why-not` and is then asked again; mistakes are told with advice."""
    typed = "why\nwhy strike(seat_1, seat_1)\nwhy-not strike(seat_2)\nwhy-not strik\nwhy seat_1.coinz\n?\nq\n"
    done = subprocess.run(
        [sys.executable, "-m", "cli", "run", str(duel), "--seat", "1=human", "--seed", "3"],
        input=typed,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    out = done.stdout
    assert "Say what you ask about: why NAME(ARGUMENTS)." in out
    assert "strike(seat_1, seat_1): no  duel.rules:" in out
    assert 'another: no "strike somebody else"' in out
    assert "strike(seat_2): yes" in out
    assert "'strik' can never be an answer. Did you mean 'strike'?" in out
    assert "did you mean `coins`?" in out
    assert "the_answer" not in out
    assert "why-not OPTION" in out  # in the help behind `?`
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- saved games


@pytest.fixture(scope="module")
def saved(duel: Path) -> Path:
    """A saved game."""
    place = duel.parent / "saved.json"
    place.write_text(waiting(duel).save(), "utf-8")
    return place


def test_of_a_saved_game(duel: Path, saved: Path) -> None:
    """A saved game is a position; everything is told, but for a seat only what that seat sees."""
    code, out, err = run("why", str(duel), "seat_2.hand", "--at", str(saved))
    assert (code, err) == (0, "")
    assert out.startswith(f"In {saved}, Player 1 decides game.action.\n")
    assert "seat_2.hand: card_" in out
    code, out, err = run("why", str(duel), "seat_2.hand", "--at", str(saved), "--seat", "1")
    assert "seat_2.hand: hidden" in out
    code, out, err = run("why-not", str(duel), "strike(seat_1)", "--at", str(saved))
    assert "strike(seat_1): no" in out
    assert 'another: no "strike somebody else"' in out


def test_of_a_saved_game_that_has_ended(duel: Path, tmp_path: Path) -> None:
    """Values can be asked for after the end, options cannot."""
    match = waiting(duel, "nowhere")
    place = tmp_path / "over.json"
    place.write_text(match.save(), "utf-8")
    code, out, _ = run("why", str(duel), "board.round", "--at", str(place))
    assert "the game is over.\n\nboard.round: 3" in out
    code, _, err = run("why-not", str(duel), "Gain", "--at", str(place))
    assert code == 2
    assert "No decision is pending" in err


@pytest.mark.parametrize(
    ("change", "more", "said"),
    [
        (lambda text: text.replace('"round": 0', '"round": 1'), ("--answers", "3"), "is a saved"),
        (lambda text: text.replace("checksum", "sum"), (), "damaged"),
        (lambda text: text.replace("[", "[7, ", 1), (), "damaged"),
        (lambda text: text[:200], (), "cut off"),
        (lambda text: text, ("--seat", "7"), "There is no seat 7"),
    ],
)
def test_a_saved_game_that_cannot_be_used(
    duel: Path,
    saved: Path,
    tmp_path: Path,
    change: Callable[[str], str],
    more: tuple[str, ...],
    said: str,
) -> None:
    """A file that was changed is refused with the reason, as is what it cannot be asked."""
    place = tmp_path / "other.json"
    place.write_text(change(saved.read_text("utf-8")), "utf-8")
    code, _, err = run("why", str(duel), "seat_1.coins", "--at", str(place), *more)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
