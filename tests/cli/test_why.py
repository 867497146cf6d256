"""Asking why, and why not, in a position of a recorded game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path

FERRY = """\
game ferry "Ferry":
    version "1.0"
    players 2..2
    citations "rules.csv"

define Weather = calm, storm

component Player:
    coins: 0..20 = 9
    pier: Pier = north

component Pier from "piers.csv":
    dock: 0..9

component Board (1):
    weather: Weather = storm
    round: 0..9 = 0

## What a passage costs.
define player.fare(pier) = 1 [FER-1]:
    rough: +3 when board.weather is storm [FER-2]
    beggar: 0 when player.coins < 2
    member: 2 when player.coins >= 5 after beggar

may cross(player, pier) [FER-3]:
    elsewhere: player.pier is not pier "you are there"
    pays: player.coins >= player.fare(pier) "you cannot pay" [FER-4]
    automa player.coins
    then:
        player loses up to player.fare(pier) coins
        player.pier becomes pier

phase game:
    while board.round < 4:
        each player in Player:
            player may do cross else do nothing
            player chooses "What now?":
                "Fish": player gains 2 coins
                "Sleep" automa yes: do nothing
                "Work" when player.coins < 4 and board.weather is calm: player gains 1 coins
            player chooses next_pier from ports(player) - {south} "Where next?" automa lowest dock else end game
            player.pier becomes next_pier
        board.round becomes board.round + 1
    do win(Player)

define ports(player) = Pier where its dock > 1 and player.coins > 0
"""
VARIANT = """\
variant ice "Ice" of ferry:
    ## Nobody crosses to a frozen pier.
    cross(player, pier): no "it is frozen" when pier is east [FER-5]
    drop cross.pays when board.weather is calm
"""
PIERS = "id,dock\nnorth,3\nsouth,2\neast,5\nwest,1\n"
RULES = "id,text\n" + "".join(f"FER-{number},a rule\n" for number in range(1, 6))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game, with two replays beside it: bare, and with the variant."""
    folder = tmp_path_factory.mktemp("why") / "ferry"
    (folder / "variants").mkdir(parents=True)
    (folder / "ferry.rules").write_text(FERRY, "utf-8")
    (folder / "variants" / "ice.rules").write_text(VARIANT, "utf-8")
    (folder / "piers.csv").write_text(PIERS, "utf-8")
    (folder / "rules.csv").write_text(RULES, "utf-8")
    for name, more in (("bare", ()), ("ice", ("--with", "ice"))):
        record = str(folder.parent / f"{name}.json")
        code, _, err = run("run", str(folder), "--seed", "4", "--record", record, *more)
        assert (code, err) == (0, "")
    return folder


def ask(game: Path, verb: str, what: str, *more: str, replay: str = "bare") -> str:
    """Ask, and give what is told."""
    code, out, err = run(verb, str(game), what, "--at", str(game.parent / f"{replay}.json"), *more)
    assert (code, err) == (0, "")
    return out


def refuse(game: Path, verb: str, what: str, *more: str) -> str:
    """Ask what cannot be asked, and give the message."""
    code, out, err = run(verb, str(game), what, "--at", str(game.parent / "bare.json"), *more)
    assert (code, out) in ((1, ""), (2, ""))
    assert "Traceback" not in err
    return err


def test_a_value_with_its_exceptions(game: Path) -> None:
    """The usual value, and of each exception whether it applies, what it makes of it, and what it read."""
    out = ask(game, "why", "seat_1.fare(south)", "--answers", "0")
    assert out.splitlines()[2:] == [
        "seat_1.fare(south): 5  [FER-1]  ferry.rules:20",
        "    What a passage costs.",
        "  usually 1",
        "  rough: applies +3  [FER-2]  ferry.rules:21",
        "      board.weather: storm",
        "  beggar: does not apply  ferry.rules:22",
        "      seat_1.coins: 9",
        "  member: applies 2  ferry.rules:23",
        "      seat_1.coins: 9",
    ]


def test_a_permission_with_its_needs(game: Path) -> None:
    """Each need, whether it is met, and what the rules say where it is not; `may` can be left out."""
    out = ask(game, "why", "cross(seat_1, north)", "--answers", "0")
    assert out == ask(game, "why", "may cross(seat_1, north)", "--answers", "0").replace(
        "may cross", "cross", 1
    )
    assert out.splitlines()[2:] == [
        "cross(seat_1, north): no  [FER-3]  ferry.rules:25",
        '  elsewhere: no "you are there"  ferry.rules:26',
        "      seat_1.pier: north",
        "  pays: yes  [FER-4]  ferry.rules:27",
        "      seat_1.coins: 9",
        "      seat_1.fare(north): 5",
    ]


def test_a_variant_has_its_say(game: Path) -> None:
    """A prohibition of a variant is told with its place, its reason and its citation."""
    out = ask(game, "why", "cross(seat_1, east)", "--answers", "0", replay="ice")
    assert 'applies "it is frozen"  [FER-5]  variants/ice.rules:3, variant ice' in out
    assert "[FER-3]  ferry.rules:25\n" in out  # of the game itself
    told = json.loads(ask(game, "why", "cross(seat_1, east)", "--json", replay="ice"))
    origins = [(each["form"], each["variant"]) for each in told["answers"][0]["reasons"]]
    assert origins == [("need", None), ("need", None), ("exception", "ice")]
    assert "cross(seat_1, east): no" in out


def test_any_expression(game: Path) -> None:
    """What is no definition is told with what it reads."""
    out = ask(game, "why", "seat_1.coins + board.round", "--answers", "0")
    assert out.splitlines()[2:] == [
        "seat_1.coins + board.round: 9",
        "    seat_1.coins: 9",
        "    board.round: 0",
    ]


def test_the_position(game: Path) -> None:
    """It says where the question is asked; without a number the game is played to its end."""
    first = ask(game, "why", "seat_1.coins", "--answers", "0")
    assert first.startswith("After 0 answers, Player 1 decides game.action.\n")
    whole = ask(game, "why", "seat_1.coins")
    assert "the game is over" in whole


def test_an_action_that_is_not_on_offer(game: Path) -> None:
    """Of an action with arguments the needs are told; by its name alone all of them."""
    out = ask(game, "why-not", "cross(north)", "--answers", "0")
    assert "cross(north): no" in out
    assert 'elsewhere: no "you are there"' in out
    assert "cross(south)" not in out
    everywhere = ask(game, "why-not", "cross", "--answers", "0")
    assert everywhere.count("cross(") == 4
    assert "cross(south): yes" in everywhere


def test_a_label_that_is_not_on_offer(game: Path) -> None:
    """Each part of the condition of a labelled choice is told."""
    number = _first(game, "game.options")
    out = ask(game, "why-not", "work", "--answers", str(number))
    assert "Work: no" in out
    assert "board.weather: storm" in out
    assert "Sleep: yes" in ask(game, "why-not", "Sleep", "--answers", str(number))


def test_a_thing_that_is_not_on_offer(game: Path) -> None:
    """A set that is chosen from is taken apart: its definition, its conditions, what is left out of it."""
    number = _first(game, "game.next_pier")
    out = ask(game, "why-not", "west", "--answers", str(number))
    assert "west: no" in out
    assert "west.dock: 1" in out
    left_out = ask(game, "why-not", "south", "--answers", str(number))
    assert "south: no" in left_out
    assert "left out: no" in left_out
    assert "east: yes" in ask(game, "why-not", "east", "--answers", str(number))


def test_as_data(game: Path) -> None:
    """The same as one JSON document."""
    out = json.loads(ask(game, "why", "cross(seat_1, north)", "--answers", "0", "--json"))
    answer = out["answers"][0]
    assert (answer["value"], answer["line"], answer["cites"]) == ("no", 25, ["FER-3"])
    assert [(each["name"], each["holds"]) for each in answer["reasons"]] == [
        ("elsewhere", False),
        ("pays", True),
    ]
    assert answer["reasons"][1]["facts"] == {"seat_1.coins": "9", "seat_1.fare(north)": "5"}


@pytest.mark.parametrize(
    ("verb", "what", "more", "said"),
    [
        ("why", "seat_1.coinz", (), "did you mean `coins`?"),
        ("why", "seat_1.", (), "E0103"),
        ("why", "seat_3.coins", (), "seat_3"),
        ("why", "1 +\n    do nothing", (), "E0202"),
        ("why", "seat_1.coins", ("--answers", "999"), "answers, not 999"),
        ("why", "10 / (seat_1.coins - seat_1.coins)", ("--answers", "0"), "division"),
        ("why-not", "crosss", ("--answers", "0"), "Did you mean 'cross'?"),
        ("why-not", "cross(moon)", ("--answers", "0"), "can never be an answer"),
        ("why-not", "north", (), "No decision is pending"),
    ],
)
def test_what_cannot_be_asked(
    game: Path, verb: str, what: str, more: tuple[str, ...], said: str
) -> None:
    """Mistakes are told with what was meant, never as a traceback."""
    assert said in refuse(game, verb, what, *more)


def test_a_mistake_in_a_question_is_shown_as_it_was_asked(game: Path) -> None:
    """The place is in what was typed, and nothing that stands around it is shown."""
    lines = refuse(game, "why", "1 + seat_1.coinz").splitlines()
    assert "--> question:1:12" in lines[1]
    assert lines[3].strip() == "1 | 1 + seat_1.coinz"
    assert "ferry.rules" not in "".join(lines)
    assert "question:1:15" in refuse(game, "why", "cross(seat_1, nort)")


def test_another_games_replay(game: Path, tmp_path: Path) -> None:
    """A replay of other rules, or a file that is none, is refused."""
    other = tmp_path / "ferry"
    other.mkdir()
    (other / "ferry.rules").write_text(FERRY.replace("coins < 4", "coins < 3"), "utf-8")
    (other / "piers.csv").write_text(PIERS, "utf-8")
    (other / "rules.csv").write_text(RULES, "utf-8")
    code, _, err = run("why", str(other), "seat_1.coins", "--at", str(game.parent / "bare.json"))
    assert code == 2
    assert "Traceback" not in err
    code, _, err = run("why", str(game), "seat_1.coins", "--at", str(game / "piers.csv"))
    assert code == 2
    assert "piers.csv" in err


def _first(game: Path, path: str) -> int:
    """After how many answers a decision is first asked."""
    replay = json.loads((game.parent / "bare.json").read_text("utf-8"))
    return next(n for n, each in enumerate(replay["answers"]) if each["path"] == path)


def test_a_position_that_was_saved(game: Path, tmp_path: Path) -> None:
    """`replay --save` writes a game in which the same can be asked, with the same answers."""
    record = str(game.parent / "ice.json")
    saved = tmp_path / "there.json"
    given = ("--game", str(game), "--at", "5", "--save", str(saved))
    code, out, err = run("replay", record, *given)
    assert (code, err) == (0, "")
    assert out == f"The game is saved in {saved} as it stands after 5 answers.\n"
    question = "may cross(seat_1, west)"
    there = ask(game, "why", question, "--answers", "5", replay="ice")
    code, out, err = run("why", str(game), question, "--at", str(saved))
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == there.splitlines()[1:]


def test_saving_needs_a_position_and_a_file(game: Path, tmp_path: Path) -> None:
    """There are no more answers than the recording has, and what is saved is not shown."""
    record, out = str(game.parent / "bare.json"), str(tmp_path / "out.json")
    where = ("replay", record, "--game", str(game))
    code, _, err = run(*where, "--at", "999", "--save", out)
    assert (code, "answers." in err) == (2, True)
    code, _, err = run(*where, "--step", "--save", out)
    assert (code, "--step shows a game" in err) == (2, True)
    code, _, err = run(*where, "--save", str(tmp_path / "no" / "where.json"))
    assert (code, "cannot be written" in err) == (2, True)
    assert not (tmp_path / "out.json").exists()


def test_a_journal_is_read_as_a_replay_is(game: Path) -> None:
    """Its first line tells what it is; whoever wants a file of another kind is told what reads this one."""
    journal, replay = str(game.parent / "eve.journal"), str(game.parent / "bare.json")
    code, _, err = run("run", str(game), "--seed", "4", "--log", "quiet", "--journal", journal)
    assert (code, err) == (0, "")
    asked = ("seat_1.fare(south)", "--answers", "1", "--at")
    told = run("why", str(game), *asked, journal)
    assert told == run("why", str(game), *asked, replay)
    assert told[0] == 0
    code, _, err = run("run", str(game), "--resume", journal)
    assert code == 2
    assert f"It is played on by: rulelang resume {journal}" in err
    code, _, err = run("resume", replay)
    assert code == 2
    assert (
        f"this is a recording, no journal [R0201]. It is played on by: rulelang run ferry --resume {replay}"
        in err
    )


def test_what_is_asked_is_told_once(game: Path) -> None:
    """A value that is only read is no reason of itself."""
    assert ask(game, "why", "seat_1.coins", "--answers", "0").splitlines()[2:] == [
        "seat_1.coins: 9"
    ]


def test_a_file_of_another_game(game: Path, tmp_path: Path) -> None:
    """It is said of which game it is, also where this one cannot have its seats or variants."""
    other = tmp_path / "pig.rules"
    other.write_text(PIG, "utf-8")
    for name in ("bare", "ice"):
        code, _, err = run("why", str(other), "1", "--at", str(game.parent / f"{name}.json"))
        assert code == 2
        assert "of 'ferry', not of pig" in err
    nothing = tmp_path / "nothing.json"
    nothing.write_text("{}", "utf-8")
    for verb in (("why", str(other), "1", "--at"), ("replay",)):
        code, _, err = run(*verb, str(nothing))
        assert code == 2
        assert "this is no replay [R0201]" in err
