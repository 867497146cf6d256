"""`replay`: a recorded game at one moment, step by step, as events, of everything or of one seat."""

from __future__ import annotations

import json
import re
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from interpreter.machine import Match
from interpreter.ui.eventdata import EventData
from rulelang.api import load_ruleset
from tests.cli.sample_game import PIG, run
from tests.cli.secret_game import SECRETS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    """A game of dice, recorded as a replay and as a journal."""
    (tmp_path / "pig.rules").write_text(PIG, "utf-8")
    game = str(tmp_path / "pig.rules")
    for how in ("record", "journal"):
        words = ("--seed", "3", "--log", "quiet", f"--{how}", str(tmp_path / f"evening.{how}"))
        assert run("run", game, *words)[0] == 0
    return tmp_path


def show(folder: Path, *more: str, how: str = "record") -> tuple[int, str, str]:
    """Show the recorded game."""
    game = ("--game", str(folder / "pig.rules"))
    return run("replay", str(folder / f"evening.{how}"), *game, *more)


def test_journals_are_shown_as_replays_are(pig: Path) -> None:
    """Whatever is asked for."""
    for way in ((), ("--at", "7"), ("--jsonl",), ("--log", "turns")):
        code, out, err = show(pig, *way)
        assert (code, err) == (0, "")
        assert show(pig, *way, how="journal") == (0, out, "")


def test_a_moment_is_its_table_and_its_question(pig: Path) -> None:
    """The table after so many answers, counted from the start or from the end, and what is asked there."""
    _, out, _ = show(pig, "--at", "0")
    lines = out.splitlines()
    count = int(lines[0].split()[3])
    assert lines[0] == f"After 0 of {count} answers"
    assert lines[-3].startswith("Player 1: ")
    assert show(pig, "--from-end", str(count)) == (0, out, "")
    assert show(pig, "--at", str(count))[1].splitlines()[-1].startswith("The game is over;")
    code, _, err = show(pig, "--at", str(count + 1))
    assert code == 2
    assert f"has {count} answers" in err


def test_the_story_goes_up_to_the_moment(pig: Path) -> None:
    """It is the beginning of the whole one."""
    whole = show(pig, "--log", "turns")[1].splitlines()
    part = show(pig, "--log", "turns", "--at", "6")[1].splitlines()
    told = part[: part.index(next(line for line in part if line.startswith("After 6 of")))]
    assert told
    assert whole[: len(told) - 1] == told[:-1]
    assert whole[len(told) - 1].startswith(told[-1])


def step(monkeypatch: pytest.MonkeyPatch, folder: Path, typed: str, *more: str) -> str:
    """Go through the game as somebody does who types this."""
    monkeypatch.setattr(sys, "stdin", StringIO(typed))
    code, out, err = show(folder, "--step", *more)
    assert (code, err) == (0, "")
    return out


def test_steps_go_both_ways(pig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forwards, backwards, to a number, to the end; the prompt says where one is."""
    out = step(monkeypatch, pig, "\nn\nb\n5\nt\n?\nwhat\nb\nq\n")
    prompts = [line.partition(">")[0] for line in out.splitlines() if "> " in line]
    places = [prompt.partition("/")[0] for prompt in prompts if "/" in prompt]
    assert places == ["0", "1", "2", "1", "5", "5", "5", "5", "4"]
    assert "Enter or n: the next answer." in out
    _, table, _ = show(pig, "--at", "5")
    assert table.splitlines()[1] in out


def test_the_ends_are_said(pig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the beginning and behind the end there is nothing; no more input is a wish to stop."""
    assert "This is the beginning." in step(monkeypatch, pig, "b\n")
    out = step(monkeypatch, pig, "e\n\n999999999999999999999\n")
    assert out.count("This is the end.") == 2
    assert "win" in out


def test_one_way_at_a_time(pig: Path) -> None:
    """Two ways to show a game are a mistake, and so is a seat that is not there."""
    assert "--at and --step are two ways" in show(pig, "--at", "1", "--step")[2]
    assert "There is no seat 9" in show(pig, "--seat", "9")[2]


def test_a_damaged_journal_says_what_can_be_rescued(pig: Path) -> None:
    """With the command that does it."""
    path = pig / "evening.journal"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = b"0" * 16 + lines[4][16:]
    path.write_bytes(b"".join(lines))
    code, _, err = show(pig, how="journal")
    assert code == 2
    assert "line 5 is damaged" in err
    assert "--until 3 --copy FILE" in err


def test_a_difference_is_told_in_every_way(pig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the game does not follow its recording, what was shown before stands."""
    path = pig / "evening.record"
    content = json.loads(path.read_text("utf-8"))
    content["states"][2] = "0" * len(content["states"][2])
    path.write_text(json.dumps(content), "utf-8")
    for way in ((), ("--at", "5"), ("--jsonl",)):
        code, out, err = show(pig, *way)
        assert code == 1
        assert "The replay differs: the state differs when answer 3" in out + err
    monkeypatch.setattr(sys, "stdin", StringIO("e\nb\n"))
    code, out, _ = show(pig, "--step")
    assert code == 1
    assert "The replay differs: the state differs when answer 3" in out
    assert show(pig, "--at", "1")[0] == 0


# ------------------------------------------------------------------------------------ events


def cellar(folder: Path, seed: int) -> Path:
    """Record a game with secrets."""
    rules = folder / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    path = folder / "cellar.journal"
    path.unlink(missing_ok=True)
    words = ("--log", "quiet", "--people", "2", "--seed", str(seed), "--journal", str(path))
    assert run("run", str(rules), *words)[0] == 0
    return path


def events(journal: Path, *more: str) -> list[dict[str, Any]]:
    """Read the events of a recorded game."""
    code, out, err = run(
        "replay", str(journal), "--game", str(journal.with_name("cellar.rules")), "--jsonl", *more
    )
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_events_name_what_they_are_about(tmp_path: Path) -> None:
    """All of them, with everything in them, for somebody who may see everything."""
    told = events(cellar(tmp_path, 1))
    assert told[0]["ruleset"] == "cellar"
    assert told[0]["seat"] is None
    assert "seed" not in told[0]
    assert told[-1]["over"]
    moves = [each for each in told if each.get("event") == "move"]
    assert len(moves) == 8
    assert all(isinstance(each["thing"], str) for each in moves)
    assert moves[0]["from"] == {"pile": "deck", "of": "board"}
    assert moves[0]["to"] == {"pile": "hand", "of": "seat_1"}
    wishes = [each for each in told if each.get("field") == "wish"]
    assert [(each["thing"], each["new"]) for each in wishes] == [("seat_1", 4), ("seat_2", 5)]


def test_a_seat_reads_what_it_sees(tmp_path: Path) -> None:
    """Its own cards by name, those of others as cards; no number of somebody else; bids when all are given."""
    journal = cellar(tmp_path, 1)
    told = events(journal, "--seat", "1")
    moves = [each for each in told if each.get("event") == "move"]
    own, others = moves[:3], moves[3:6]
    assert all(isinstance(each["thing"], str) for each in own)
    assert all(each["thing"] == {"unseen": "Card"} for each in others)
    assert [each["thing"] for each in told if each.get("field") == "wish"] == ["seat_1"]
    bids = [each for each in told if each.get("decision") == "game.bids.bid"]
    assert [each["seat"] for each in bids] == [1, 2]
    assert len({each["answers"] for each in bids}) == 1
    hidden = {
        str(each["thing"]) for each in events(journal, "--seat", "2") if each.get("event") == "move"
    }
    assert hidden != {str(each["thing"]) for each in moves}


def test_events_of_a_seat_hold_nothing_else(tmp_path: Path) -> None:
    """Whatever the others hold, lay and bid: the lines of a seat up to the reveal are the same.

    The games differ in the order of the deck and in what the second seat answers. The cards of the first seat get
    the same names in all of them.
    """
    rules = tmp_path / "cellar.rules"
    rules.write_text(SECRETS, "utf-8")
    program = load_ruleset(rules, people=2)
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    for seed in range(12):
        match = Match(program, seed=seed, log=True, optimise=False)
        while (decision := match.next()) is not None and decision.path != "game.last.done":
            options = decision.options.some(9)
            match.apply(options[seed % len(options) if decision.seat else 0])
        for seat, lines in seen.items():
            told = list(EventData(program, seat).of(match.events))
            first = next(
                n for n, each in enumerate(told) if each.get("decision") == "game.bids.bid"
            )
            moves = [each["thing"] for each in told if each["event"] == "move"]
            text = json.dumps(told[:first])
            for number, name in enumerate(moves[:3]):
                text = text.replace(f'"{name}"', f'"own_{number}"')
            lines.add(text)
    assert len(seen[1]) > 1
    assert len(seen[0]) == 1


# -------------------------------------------------------------------------------------- pages


def film(journal: Path, *more: str) -> str:
    """Write a recorded game as a page."""
    page = journal.with_suffix(".html")
    game = str(journal.with_name("cellar.rules"))
    code, out, err = run("replay", str(journal), "--game", game, "--html", str(page), *more)
    assert (code, err) == (0, "")
    assert str(page) in out
    return page.read_text("utf-8")


def test_a_page_needs_nothing_else(tmp_path: Path) -> None:
    """It loads nothing, its policy allows its own script only, and it holds the whole story."""
    page = film(cellar(tmp_path, 1))
    for word in ("http:", "https:", "src=", "url(", "@import", "<link"):
        assert word not in page, word
    policy = page.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    assert policy.startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert page.count("<script>") == 1
    assert "Player 1 chooses" in page
    data = json.loads(page.partition('id="film">')[2].partition("</script>")[0])
    assert len(data["moments"]) == 5
    assert all(
        int(slot) < len(data["slots"]) and part < len(data["fragments"])
        for moment in data["moments"]
        for slot, part in moment.items()
    )


def test_a_page_of_a_seat_holds_what_it_sees(tmp_path: Path) -> None:
    """The cards of another one are nowhere in the file, nor is what it chooses from."""
    journal = cellar(tmp_path, 1)
    pages = [film(journal, *seat) for seat in ((), ("--seat", "1"), ("--seat", "2"))]
    everything, first, second = (set(re.findall(r"rank (4\d)", page)) for page in pages)
    assert len(everything) == 9
    assert len(first) == len(second) == 2  # what lies face down is seen by nobody
    assert not first & second
    assert "what Player 1 sees" in pages[1]


def test_a_page_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """As a mistake in what was asked for."""
    journal = cellar(tmp_path, 1)
    game = str(tmp_path / "cellar.rules")
    code, _, err = run("replay", str(journal), "--game", game, "--html", str(tmp_path))
    assert code == 2
    code, _, err = run("replay", str(journal), "--game", game, "--html", str(tmp_path / "a" / "b"))
    assert code == 2
    assert "cannot be written: No such file" in err
