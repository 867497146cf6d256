"""A piece of a recorded game as a scenario: it passes, ends as the game did, and says what it cannot do."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from interpreter.machine import LATER, Match
from interpreter.providers.random import RandomProvider
from interpreter.records import replay as recording
from rulelang import api
from rulelang.formatting import format_source
from rulelang.source import SourceFile
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation

# Something of everything that a position can hold and a script can say.
RULES = """
game bazaar "Bazaar":
    version "1"
    players 1..2
    seats 3
define Colour = red, green, blue
define D6 = 1..6
option bonus: 1..9 = 2
component Board (1):
    deck: pile of Card = Card, hidden
    trash: pile of Card
component Card (9)
component Hero from "heroes.csv":
    price: 1..9
component Crate (5):
    colour: Colour or none = none
    place: Player or none = none
component Stall from "stalls.csv":
    guests: list of Player = {}
    boss: Player or none = none
component Player:
    coins: 0.. = 9
    bid: 0..9 = 0
    hand: pile of Card, seen by owner
    hero: Hero or none = none, acts
    goods: bag of Colour = {}
    liked: set of Colour = {}
    slot: Colour or none by D6 = none
    luck: 0..9 = each 1..3
    rested: Flag = no
define player.pay = 1
phase game:
    step begin:
        do shuffle(board.deck)
        each player in Player:
            player chooses hero from free_heroes automa random else end game
            player.hero becomes hero
    step play:
        each round in 1..3: do day(round)
    do win(Player with highest coins)
define taken(hero) = any Player where its hero is hero
define free_heroes = Hero where not taken(it)
phase day(n: Number):
    keeps sold: 0.. = 0
    keeps player.busy: Flag = no
    step bids:
        secretly each player in Player chooses bid from 0..9 where it <= player.coins "How much?" automa random:
            player.bid becomes bid
        let lead_player = first(Player with highest bid)
    step turns:
        each player in clockwise(lead_player): do turn(player)
    step close:
        do thank(lead_player)
effect thank(player): player gains up to day.sold coins
phase turn(player):
    keeps thrown: list of D6 = {}
    step dice:
        let dice = roll 2 of D6 by player
        turn.thrown becomes dice
        do earn(player, sum(dice))
    step act: do act(player)
    step rest:
        player.busy becomes yes
        do tidy(player)
effect earn(player, n: Number):
    player gains player.pay coins
    if n > 8: player.goods becomes player.goods + {red, blue}
    if n < 4: end turn
table visit(die: D6, player, stall):
    1..3: stall.boss becomes player
    4..6: stall.guests becomes stall.guests + (player, player)
may buy(player, crate from (Crate where its place is none)):
    money: player.coins >= 2
    automa 1
    then:
        player loses 2 coins
        move crate to player
        player chooses colour from Colour "Which colour?" automa random
        crate.colour becomes colour
        day.sold becomes day.sold + 1
may draw(player):
    some: any board.deck
    automa 2
    then: move top(board.deck) to player.hand
effect act(player):
    player may do buy, draw else end act
effect tidy(player):
    player chooses "What now?":
        "Rest {player.luck}" automa yes: player.rested becomes yes
        "Paint" when any Crate at player:
            player chooses 1+ crates from Crate at player "Which ones?" automa all
            each crate in crates: crate.colour becomes red
            player.slot(first(turn.thrown)) becomes red
        "Visit":
            let stall = pick Stall
            do visit(last(turn.thrown), player, stall)
        "Throw away" when any player.hand:
            player chooses any cards from player.hand automa random
            move cards to board.trash
        "Brag" when not any Player where its rested:
            until end of day:
                after earn(who_player, n): who_player gains 1 coins
    player may "Like a colour?" when player.coins > 3 automa no:
        let colour = pick Colour
        player.liked becomes player.liked + {colour}
    else: move Crate at player to box
tip: before tidy(player) once: player gains 1 coins
thrift: after tidy(player) once: player gains bonus coins
card knight:
    keeps deeds: 0.. = 0
    after tidy(you):
        deeds becomes deeds + 1
        you gain up to deeds coins
card king:
    after earn(you, n): do nothing
card fool:
    when you.coins > 20: you lose 1 coins
card monk:
    player.pay: +1 when player is you
    instead of earn(you, n) once, you may "Pray?" automa no: you gain 5 coins
beg: instead of earn(player, n) when player.coins < 5, player may "Beg?" automa no: player gains 1 coins
steal: instead of earn(player, n) when player.coins < 6, player may "Steal?" automa no: player gains 2 coins
"""
HEROES = "id,price\nknight,1\nmonk,2\nking,3\nfool,4\n"
STALLS = "id\nnorth\nsouth\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game."""
    folder = tmp_path_factory.mktemp("bazaar")
    for name, text in (
        ("bazaar.rules", RULES),
        ("heroes.csv", HEROES),
        ("stalls.csv", STALLS),
        ("scenarios/recorded.rules", ""),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


class _Stopping:
    """Answers at random so many times."""

    def __init__(self, seed: int, answers: int) -> None:
        self._inner = RandomProvider(seed)
        self._left = answers

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        if not self._left:
            return LATER
        self._left -= 1
        return self._inner.decide(observation, decision)


def recorded(game: Path, seed: int, answers: int = 1000, bonus: int = 2) -> tuple[Path, int]:
    """Record a random game; gives the file, and how many answers it has."""
    people = 1 + seed % 2
    program = api.load_ruleset(game, people=people)
    recorder = recording.Recorder()
    inner = _Stopping(seed, answers)
    providers = dict.fromkeys(range(people), recorder.wrap(inner))
    match = Match(program, people=people, seed=seed, providers=providers, options={"bonus": bonus})
    recorder.watch(match)
    finished = match.next() is None
    replay = recorder.replay(program, match.options, range(people), seed, finished=finished)
    file = game / f"game{seed}.json"
    file.write_text(recording.dumps(replay), "utf-8")
    return file, len(replay.answers)


def scenario(game: Path, file: Path, first: int, last: int, *more: str) -> str:
    """Write a scenario; it must be in the one style and pass."""
    place = game / "scenarios" / "recorded.rules"
    place.unlink(missing_ok=True)
    asked = ["--record", str(file), "--from", str(first), "--to", str(last), "-o", str(place)]
    code, out, err = run("test", str(game), *asked, *more)
    assert (code, out) == (0, ""), err
    text = place.read_text("utf-8")
    assert format_source(SourceFile("x.rules", text)).text == text
    code, out, err = run("test", str(game))
    assert (code, out.splitlines()[-1]) == (0, "1 passed, 0 failed"), out + err
    return text


@pytest.mark.parametrize("seed", range(1, 5))
def test_pieces_of_random_games(game: Path, seed: int) -> None:
    """Positions all over a game: what is written passes, and never has to be the whole game."""
    file, count = recorded(game, seed, bonus=2 + seed % 2)
    for first in range(2 + seed % 3, count, 9):
        text = scenario(game, file, first, first)
        assert "    do game" not in text or first < 4
        assert ("    bonus = 3\n" in text) == bool(seed % 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 8))
def test_many_pieces_of_random_games(game: Path, seed: int) -> None:
    """Every answer, and pieces of several answers."""
    file, count = recorded(game, seed)
    for first in range(1, count + 1):
        scenario(game, file, first, min(count, first + (first % 4) * (first % 5 == 0)))


def test_a_position_that_cannot_be_set_up(game: Path) -> None:
    """Then a doing further out is played; why is said."""
    place = game / "bazaar.rules"
    place.write_text(RULES.replace("tip: before", "before"), "utf-8")
    try:
        file, count = recorded(game, 8)
        out = str(game / "scenarios" / "recorded.rules")
        asked = ("--record", str(file), "--from", str(count), "-o", out)
        code, _, err = run("test", str(game), *asked)
    finally:
        place.write_text(RULES, "utf-8")
    assert code == 0
    assert "note: not alone: tidy: " in err
    assert "the `once` of the rule `before.tidy` is used up, and it has no name to say so" in err


def test_a_whole_game(game: Path) -> None:
    """Without numbers it is all of it, from the empty table."""
    file, count = recorded(game, 2)
    text = scenario(game, file, 1, count)
    assert "    do game:" in text
    assert "before:" not in text
    place = game / "scenarios" / "recorded.rules"
    assert run("test", str(game), "--record", str(file), "-o", str(place), "--title", "All")[0] == 0
    assert place.read_text("utf-8").split("\n", 1)[1] == text.split("\n", 1)[1]
    assert place.read_text("utf-8").startswith('scenario "All" of bazaar:')


def test_shorter(game: Path) -> None:
    """What a scenario passes without can be left out; what is left cannot."""
    file, count = recorded(game, 3)
    shorter = 0
    for first in range(5, count, 12):
        whole = scenario(game, file, first, first)
        short = scenario(game, file, first, first, "--shorten")
        assert len(short) <= len(whole)
        shorter += len(short) < len(whole) / 2
        head, _, rest = short.partition("    before:\n")
        lines = rest.partition("    do ")[0].splitlines(keepends=True)
        for line in lines:
            if line.startswith("        ") and not line.startswith("            "):
                fewer = rest.replace(line, "", 1)
                place = game / "scenarios" / "recorded.rules"
                opening = "    before:\n" if len(lines) > 1 else ""
                place.write_text(head + opening + fewer, "utf-8")
                assert run("test", str(game))[0] == 1, line
    assert shorter


def test_what_cannot_be_written(game: Path) -> None:
    """A piece that is not over, or that is not there, is an error that says so."""
    file, count = recorded(game, 4, answers=15)
    assert count == 15
    code, out, err = run("test", str(game), "--record", str(file), "--to", "15")
    assert (code, out) == (1, "")
    assert err.startswith(f"error[E0902]: {file}: the recording stops before")
    code, _, err = run("test", str(game), "--record", str(file), "--from", "9", "--to", "16")
    assert (code, "has 15 answers: there are none from 9 to 16" in err) == (2, True)
    assert run("test", str(game), "--from", "2")[0] == 2
    file.write_text(re.sub('"people": .*?]', '"people": [1]', file.read_text("utf-8")), "utf-8")
    code, _, err = run("test", str(game), "--record", str(file), "--to", "3")
    assert (code, "error[E0902]" in err, "come first" in err) == (1, True, True)


def test_a_game_that_goes_another_way(game: Path) -> None:
    """An answer that was changed is found out."""
    file, _ = recorded(game, 6)
    document = json.loads(file.read_text("utf-8"))
    document["answers"][4]["path"] = "somewhere.else"
    file.write_text(json.dumps(document), "utf-8")
    code, _, err = run("test", str(game), "--record", str(file), "--from", "2")
    assert (code, "goes another way at answer 5" in err) == (1, True)


def test_seats_are_called_as_in_the_game(game: Path) -> None:
    """Where their names can be names, and mean nothing else."""
    file, _ = recorded(game, 2)
    document = json.loads(file.read_text("utf-8"))
    for names, shown in (
        (["Mary Ann", "Bob", "Zoë"], "ann\n    automas bob, cat"),
        (["Mary Ann", "Bob", "Zoe"], "mary_ann\n    automas bob, zoe"),
        (["Red", "Bob", "Zoe"], "ann\n    automas bob, cat"),
    ):
        document["names"] = names
        file.write_text(json.dumps(document), "utf-8")
        assert f"    people {shown}\n" in scenario(game, file, 9, 9)


def test_journals_and_saved_games(game: Path) -> None:
    """A journal is as good as a recording; a saved game has no answers, and is told from both."""
    journal = game / "evening.journal"
    journal.unlink(missing_ok=True)
    asked = ("--people", "1", "--seed", "5", "--log", "quiet", "--journal", str(journal))
    assert run("run", str(game), *asked)[0] == 0
    assert "chooses" in scenario(game, journal, 4, 4)
    program = api.load_ruleset(game, people=1)
    match = Match(program, people=1)
    match.next()
    saved = game / "game.save"
    saved.write_text(match.save(), "utf-8")
    code, _, err = run("test", str(game), "--record", str(saved))
    assert (code, "error[E0902]" in err, "without the answers" in err) == (1, True, True)
    (game / "nothing.json").write_text("nothing", "utf-8")
    code, _, err = run("test", str(game), "--record", str(game / "nothing.json"))
    assert (code, "nothing.json" in err, "replay" in err) == (2, True, True)
    assert run("test", str(game), "--record", str(game / "missing.json"))[0] == 2


@pytest.mark.slow
@pytest.mark.timeout(500)
@pytest.mark.parametrize(
    ("name", "people", "pieces"),
    [
        ("pyrates", 2, (9, 20, 33)),
        ("pirates", 3, (5, 60)),
        ("pirate_republic", 2, (20,)),
    ],
)
def test_shipped_games(name: str, people: int, pieces: tuple[int, ...], tmp_path: Path) -> None:
    """Positions of games that are large, with their variants or without."""
    program = api.load_ruleset(name, people=people)
    recorder = recording.Recorder()
    providers = dict.fromkeys(range(people), recorder.wrap(_Stopping(people, max(pieces) + 60)))
    match = Match(program, people=people, seed=people, providers=providers, optimise=False)
    recorder.watch(match)
    finished = match.next() is None
    replay = recorder.replay(program, match.options, range(people), people, finished=finished)
    file = tmp_path / "game.json"
    file.write_text(recording.dumps(replay), "utf-8")
    for first in pieces:
        out = tmp_path / "scene.rules"
        asked = ["--record", str(file), "--from", str(first), "--to", str(first), "-o", str(out)]
        code, _, err = run("test", name, *asked)
        assert code == 0, err
        code, said, _ = run("test", str(out))
        assert said.splitlines()[-1] == "1 passed, 0 failed"
