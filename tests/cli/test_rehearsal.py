"""The option --watch, as a process: a file is written, and the game goes on with the rules as they are now."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.records import replay
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60

FERRY = """\
game ferry "Ferry":
    version "1.0"
    players 2..2
    citations "rules.csv"

component Player:
    coins: 0..20 = 9

component Pier from "piers.csv":
    toll: 0..9

component Board (1):
    round: 0..9 = 0

may cross(player, pier) [FER-1]:
    pays: player.coins >= pier.toll "you cannot pay" [FER-2]
    then:
        player loses up to pier.toll coins

phase game:
    while board.round < 3:
        each player in Player:
            player may do cross else do nothing
            player chooses "What now?":
                "Fish" [FER-3]: player gains 2 coins
                "Sleep": do nothing
        board.round becomes board.round + 1
    do win(Player with highest coins)
"""
PIERS = "id,toll\nnorth,3\nsouth,2\neast,5\n"
RULES = "id,text\n" + "".join(f"FER-{number},a rule\n" for number in range(1, 4))
HOUSE = """\
variant storm "Storm" of ferry:
    cross(player, pier): no "there is a storm" when pier is east and board.round > 5
"""


class Played:
    """A running game: what it says comes line by line, what is typed goes in."""

    def __init__(self, folder: Path, *words: str, verb: str = "play") -> None:
        self.folder = folder
        # A shell that runs in the background lets its children ignore an interrupt: this one does not.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "cli", verb, str(folder), "--seed", "4", "--watch", *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                bufsize=0,
                cwd=ROOT,
            )
        finally:
            signal.signal(signal.SIGINT, before)
        self._lines: queue.Queue[str] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put("(the end)")

    def until(self, words: str) -> str:
        """Read up to a line with some words; give all that was read."""
        read: list[str] = []
        while True:
            try:
                read.append(self._lines.get(timeout=PATIENCE))
            except queue.Empty:
                raise AssertionError(f"{words!r} did not come: " + "\n".join(read)) from None
            if words in read[-1]:
                return "\n".join(read)
            assert read[-1] != "(the end)", "\n".join(read)

    def type(self, *lines: str) -> None:
        """Type lines."""
        assert self._process.stdin is not None
        for line in lines:
            self._process.stdin.write(f"{line}\n")

    def write(self, name: str, old: str, new: str) -> None:
        """Edit a file as editors do: write another one and rename it."""
        place = self.folder / name
        text = place.read_text("utf-8")
        assert text.count(old) == 1
        beside = place.with_name(f"{place.name}~")
        beside.write_text(text.replace(old, new), "utf-8")
        beside.replace(place)

    def end(self) -> int:
        """Stop it if it still runs; give its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        code = self._process.wait(PATIENCE)
        self._reading.join(PATIENCE)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        return code


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """The folder of a game."""
    folder = tmp_path / "ferry"
    (folder / "variants").mkdir(parents=True)
    (folder / "ferry.rules").write_text(FERRY, "utf-8")
    (folder / "piers.csv").write_text(PIERS, "utf-8")
    (folder / "rules.csv").write_text(RULES, "utf-8")
    (folder / "variants" / "storm.rules").write_text(HOUSE, "utf-8")
    return folder


@pytest.fixture
def playing(ferry: Path) -> Iterator[Played]:
    """A game with two persons at one terminal that has come to the third choice."""
    game = Played(ferry, "--seat", "1=human", "--seat", "2=human", "--with", "storm")
    game.until("none of them")
    game.type("cross: east", "Fish")
    game.until("Player 2: action")
    game.until("none of them")
    yield game
    game.end()


def test_choices_are_made_again(playing: Played) -> None:
    """What an edit does not concern is played again without a word but the story that is another."""
    playing.write("ferry.rules", "gains 2 coins", "gains 4 coins")
    told = playing.until("Player 2: action")
    assert "ferry.rules changed." in told
    assert "2 choices made again: all of them apply." in told
    assert "From here on the story is another:" in told
    assert "4 coins" in told
    playing.type("q")
    playing.until("(the end)")


def test_the_rule_that_makes_a_choice_impossible_is_named(playing: Played) -> None:
    """Of several edits the one that counts: place, citation, old and new text."""
    text = (playing.folder / "ferry.rules").read_text("utf-8")
    text = text.replace("gains 2 coins", "gains 1 coins").replace("round < 3", "round < 4")
    text = text.replace("pays: player.coins >= pier.toll", "pays: player.coins > pier.toll + 5")
    (playing.folder / "ferry.rules").write_text(text, "utf-8")
    told = playing.until("none of them")
    assert (
        "0 choices of 2 made again. Choice 1 (Player 1, game.action: cross: east) does not apply any more:"
        " cross(east) is not on offer.\n"
        "ferry.rules:16 [FER-2]: need `pays` of action cross\n"
        '  - pays: player.coins >= pier.toll "you cannot pay" [FER-2]\n'
        '  + pays: player.coins > pier.toll + 5 "you cannot pay" [FER-2]\n'
    ) in told
    assert "round" not in told
    # Nobody has chosen anything since: what is taken back applies again.
    playing.write(
        "ferry.rules", "pays: player.coins > pier.toll + 5", "pays: player.coins >= pier.toll"
    )
    assert "2 choices made again: all of them apply." in playing.until("Player 2: action")


@pytest.mark.slow
def test_a_row_of_data_is_a_rule_too(playing: Played) -> None:
    """A cell of a data file makes a choice impossible."""
    playing.write("ferry.rules", "coins: 0..20 = 9", "coins: 0..20 = 8")
    assert "all of them apply" in playing.until("none of them")
    playing.write("piers.csv", "east,5", "east,9")
    told = playing.until("none of them")
    assert "game.action: cross: east) does not apply any more" in told
    assert "piers.csv:4: row `east`\n  - east,5\n  + east,9\n" in told


def test_a_variant_is_watched_and_named(playing: Played) -> None:
    """A prohibition of a variant that begins to apply."""
    playing.write("variants/storm.rules", "board.round > 5", "board.round < 5")
    told = playing.until("none of them")
    assert "variants/storm.rules:2, variant storm: `cross" in told
    assert (
        '  + cross(player, pier): no "there is a storm" when pier is east and board.round < 5'
        in told
    )


@pytest.mark.slow
def test_mistakes_leave_the_game_as_it_was(playing: Played) -> None:
    """While the rules do not check, findings are shown and the last good game goes on; then it begins anew."""
    playing.write("ferry.rules", "gains 2 coins", "gains 2 coinz")
    told = playing.until("Player 2: action")
    assert "error[E0203]" in told
    assert "did you mean `coins`?" in told
    assert "The game goes on with the rules as they were." in told
    playing.type("none of them")
    playing.until("Player 2: What now?")
    playing.write("ferry.rules", "gains 2 coinz", "gains 3 coins")
    assert "3 choices made again: all of them apply." in playing.until("Player 2: What now?")


@pytest.mark.slow
def test_what_stops_the_game_is_told_and_can_be_mended(playing: Played) -> None:
    """A fault in what was played already waits for an edit instead of ending everything."""
    playing.write("ferry.rules", "gains 2 coins", "gains 19 coins")
    told = playing.until("Waiting for a change")
    assert "fault[R0101]" in told
    playing.write("ferry.rules", "gains 19 coins", "gains 5 coins")
    assert "all of them apply" in playing.until("Player 2: action")


@pytest.mark.slow
def test_rules_that_cannot_be_played_at_first_are_waited_for(ferry: Path) -> None:
    """It begins as soon as they can."""
    place = ferry / "ferry.rules"
    place.write_text(FERRY.replace("phase game", "phase gam"), "utf-8")
    game = Played(ferry)
    assert "error[" in game.until("Waiting until the rules can be played; q stops.")
    place.write_text(FERRY, "utf-8")
    game.until("Player 1: action")
    game.type("q")
    game.until("(the end)")
    assert game.end() == 130


@pytest.mark.slow
def test_a_game_without_persons_is_played_again_to_its_end(ferry: Path, tmp_path: Path) -> None:
    """With `run --watch` programs choose; the record is of the game as it was last."""
    record = tmp_path / "game.json"
    game = Played(ferry, "--record", str(record), verb="run")
    game.until("Waiting for a change")
    game.write("ferry.rules", "gains 2 coins", "gains 3 coins")
    told = game.until("Waiting for a change")
    assert "12 choices made again: all of them apply." in told
    assert "Player 1" in told
    game.type("q")
    game.until("(the end)")
    assert game.end() == 130
    assert len(replay.loads(record.read_text("utf-8")).answers) == 12
    code, out, _ = run("replay", str(record), "--game", str(ferry))
    assert (code, "agrees: 12 answers" in out) == (0, True)


def test_it_ends_with_its_input(ferry: Path) -> None:
    """A person who has gone is not waited for."""
    code, _, err = _without_input("play", str(ferry), "--watch")
    assert code == 130
    assert "there is no more input" in err


def test_play_seats_a_person(ferry: Path) -> None:
    """Seat 1 is a person, the others follow the ruleset's policies; the hint to play on says so."""
    code, out, err = _without_input("play", str(ferry), "--seed", "4")
    assert code == 130
    assert "Player 1: action" in out
    assert "begun with --journal FILE can, whatever happens: rulelang resume FILE" in err
    code, out, err = _without_input("play", str(ferry), "--seat", "2=human", "--seed", "4")
    assert "Player 2: action" in out


@pytest.mark.parametrize("more", [("--resume", "x.json"), ("--json",)])
def test_what_does_not_go_together(ferry: Path, more: tuple[str, ...]) -> None:
    """A watched game is one of its own."""
    code, _, err = run("run", str(ferry), "--watch", *more)
    assert code == 2
    assert "--watch begins a game of its own" in err


def _without_input(*words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ,
        check=False,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr
