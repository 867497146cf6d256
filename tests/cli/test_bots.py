"""Programs at the table: they play whole games, and whatever they do wrong never hangs or breaks one."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] in ("decide", "refused"):
        ANSWER
    elif message["type"] == "end":
        break
"""
FIRST = 'print(json.dumps({"type": "answer", "id": message["id"], "pick": 1}), flush=True)'
BAD = {
    "does not stop to think": ("import time; time.sleep(600)", "no answer within 0.5 seconds"),
    "stops": ("sys.exit(7)", "has stopped with exit code 7"),
    "raises": ("raise SystemExit(1)", "has stopped with exit code 1"),
    "writes no JSON": ('print("hello?", flush=True)', "what is no JSON: b'hello?"),
    "writes no object": ("print([1], flush=True)", "no JSON object"),
    "writes another message": ('print("{}", flush=True)', "instead of an answer"),
    "answers another question": (FIRST.replace('message["id"]', "99"), "has answered question 99"),
    "picks what there is not": (
        FIRST.replace('"pick": 1', '"pick": 9'),
        "4 illegal answers (not offered",
    ),
    "picks nothing": (FIRST.replace('"pick": 1', '"pick": None'), "4 illegal answers"),
    "picks truth": (FIRST.replace('"pick": 1', '"pick": True'), "4 illegal answers"),
    "picks two": (FIRST.replace('"pick": 1', '"pick": [1, 2]'), "one option is asked for"),
    "writes endlessly": (
        'sys.stdout.write("x" * 3_000_000); sys.stdout.flush()',
        "1,000,000 bytes",
    ),
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game of dice."""
    path = tmp_path / "pig.rules"
    path.write_text(PIG, "utf-8")
    return path


def bot(folder: Path, answer: str, text: str = GOOD) -> str:
    """Write a program; give what `--seat` says of it."""
    path = folder / "bot.py"
    path.write_text(text.replace("ANSWER", answer), "utf-8")
    return f"1=process:{shlex.join([sys.executable, str(path)])}"


def play(game: Path, seat: str, *more: str) -> tuple[int, str, str]:
    """Play a game quietly."""
    return run("run", str(game), "--seed", "3", "--log", "quiet", "--seat", seat, *more)


def test_a_program_plays_a_game(game: Path) -> None:
    """From the first question to the end, with others."""
    code, out, err = play(game, bot(game.parent, FIRST), "--seat", "2=automa")
    assert (code, err) == (0, "")
    assert "wins." in out


@pytest.mark.parametrize(
    "name", ["pyrates", "pirates", pytest.param("pirate_republic", marks=pytest.mark.slow)]
)
def test_it_plays_every_game_that_comes_along(name: str, tmp_path: Path) -> None:
    """All forms of questions; it takes the last option, as few as it must, and counts what it sees."""
    answer = """
        if message["type"] == "refused":
            break
        assert message["observation"]["seat"] == 1
        last = len(message["options"])
        few = list(range(1, last + 1))[: message.get("least", 0)]
        pick = few if message["form"] == "set" else last
        print(json.dumps({"type": "answer", "id": message["id"], "pick": pick}), flush=True)
    """.strip()
    options = ("--option", "stalemate=turn_cap") if name == "pirates" else ()
    seat = bot(tmp_path, answer)
    code, _, err = run(
        "run", name, "--people", "2", "--seed", "5", "--log", "quiet", "--seat", seat,
        "--seat", "2=automa", "--bot-failure", "random", *options,
    )  # fmt: skip
    assert code == 0, err
    assert (
        err == "" or "has stopped" in err
    )  # it goes when a condition on all that it picks does not hold


@pytest.mark.parametrize("what", BAD)
def test_a_failing_program_stops_the_game(game: Path, what: str) -> None:
    """At that question, with what it has done; the game can be played on."""
    answer, told = BAD[what]
    record = game.with_name("record.json")
    code, _, err = play(
        game, bot(game.parent, answer), "--bot-time", "0.5", "--record", str(record)
    )
    assert code == 3
    assert told in err
    assert "Traceback" not in err
    code, out, _ = run("run", str(game), "--resume", str(record), "--log", "quiet")
    assert code == 0
    assert "wins." in out


@pytest.mark.parametrize("instead", ["automa", "random"])
def test_somebody_goes_on_in_its_place(game: Path, instead: str) -> None:
    """If that is what was asked for; it is told once."""
    seat = bot(game.parent, "sys.exit(7)")
    code, out, err = play(game, seat, "--bot-failure", instead)
    assert code == 0
    assert err.count(f"{instead} goes on in its place") == 1
    assert "wins." in out


def test_a_late_or_foreign_beginning(game: Path) -> None:
    """Who does not speak the protocol is told so; who is not there too."""
    seat = bot(game.parent, "", 'print("{\\"type\\": \\"ready\\", \\"protocol\\": 2}")')
    code, _, err = play(game, seat)
    assert code == 3
    assert "it speaks another protocol" in err
    code, _, err = play(game, "1=process:/no/such/program")
    assert code == 3
    assert "cannot be started: No such file or directory" in err
    code, _, err = play(game, "1=process:")
    assert code == 2
    assert "or process:COMMAND" in err


def test_a_journal_starts_no_program(game: Path) -> None:
    """A journal may come from anywhere; who resumes the game says which program it is."""
    journal = game.with_name("evening.journal")
    seat = bot(game.parent, "sys.exit(7)")
    code, _, err = play(game, seat, "--journal", str(journal))
    assert code == 3
    assert f"rulelang resume {journal}" in err
    again = ("resume", str(journal), "--game", str(game), "--log", "quiet")
    code, _, err = run(*again)
    assert code == 2
    assert "seat 1 was held by a program" in err
    code, out, _ = run(*again, "--seat", "1=automa")
    assert code == 0
    assert "wins." in out
