"""Playing, recording and checking the game of the guide from the command line."""

from __future__ import annotations

import io
import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the game's folder."""
    folder = tmp_path_factory.mktemp("games") / "pig"
    folder.mkdir()
    (folder / "pig.rules").write_text(PIG, "utf-8")
    return str(folder)


def play(game: str, *arguments: str) -> str:
    """Play a game that ends well; give what is told."""
    code, out, err = run("run", game, *arguments)
    assert (code, err) == (0, "")
    return out


def test_a_game_ends_with_outcome_and_command(game: str) -> None:
    """The story ends with who won, the numbers of every player, and the command that repeats it."""
    out = play(game, "--seed", "3")
    *_, outcome, header, first, second, blank, command = out.splitlines()
    assert re.fullmatch(r"Player [12] wins\.", outcome)
    assert header.split() == ["points"]
    assert [first.split()[:2], second.split()[:2]] == [["Player", "1"], ["Player", "2"]]
    assert blank == ""
    assert command == f"The same game again: rulelang run {game} --people 2 --seed 3"


def test_the_command_repeats_the_game(game: str) -> None:
    """A game whose seed was drawn is the same again with the command that it ends with."""
    settings = ("--people", "3", "--seat", "2=automa", "--option", "goal=20")
    out = play(game, *settings)
    command = out.splitlines()[-1].removeprefix("The same game again: rulelang ")
    code, again, _ = run(*shlex.split(command))
    assert (code, again) == (0, out)


def test_other_seeds_give_other_games(game: str) -> None:
    """Dice and random answers depend on the seed."""
    assert play(game, "--seed", "1") != play(game, "--seed", "2")


def test_log_levels(game: str) -> None:
    """Quiet tells the outcome only; turns is shorter than full; all tell the same outcome."""
    quiet, turns, full = (
        play(game, "--seed", "5", "--log", level) for level in ("quiet", "turns", "full")
    )
    assert len(quiet.splitlines()) < len(turns.splitlines()) < len(full.splitlines())
    assert turns.endswith(quiet)
    assert full.endswith(quiet)


def test_json(game: str) -> None:
    """The document says the same as the story."""
    document = json.loads(play(game, "--seed", "3", "--json", "--option", "goal=30"))
    assert document["ruleset"] == "pig"
    assert document["options"] == {"goal": "30"}
    assert document["seats"] == ["Player 1", "Player 2"]
    (winner,) = document["winners"]
    assert document["final"][f"Player {winner}"]["points"] >= 30
    assert document["answers"]
    assert document["events"]
    out = play(game, "--seed", "3", "--option", "goal=30", "--log", "quiet")
    assert f"Player {winner} wins." in out


def test_a_replay_agrees(game: str, tmp_path: Path) -> None:
    """A recorded game can be verified and told again."""
    file = str(tmp_path / "game.json")
    told = play(game, "--seed", "3", "--seat", "1=automa", "--record", file)
    code, out, _ = run("replay", file, "--game", game, "--log", "turns")
    assert code == 0
    assert "The replay agrees" in out
    assert out.splitlines()[:20] == told.splitlines()[:20]


def test_a_changed_replay_differs(game: str, tmp_path: Path) -> None:
    """The first answer that differs is reported, with exit code 1."""
    file = tmp_path / "game.json"
    play(game, "--seed", "3", "--record", str(file))
    document = json.loads(file.read_text("utf-8"))
    document["answers"][0]["answer"] = not document["answers"][0]["answer"]
    file.write_text(json.dumps(document), "utf-8")
    code, out, err = run("replay", str(file), "--game", game)
    assert (code, err) == (1, "")
    assert out.startswith("The replay differs: ")
    assert re.search(r"answer [12]\b", out)


def test_a_replay_of_other_rules_is_refused(game: str, tmp_path: Path) -> None:
    """A replay names the rules it was recorded with."""
    file = tmp_path / "game.json"
    play(game, "--seed", "3", "--record", str(file))
    other = tmp_path / "pig.rules"
    other.write_text(PIG.replace("if die is 1:", "if die is 2:"), "utf-8")
    code, _, err = run("replay", str(file), "--game", str(other))
    assert code == 2
    assert "of another version of pig" in err


def test_a_person_plays(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions come after what led to them; what is typed is the answer."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 500))
    out = play(game, "--seed", "3", "--seat", "1=human", "--option", "goal=20")
    assert out.index("Player 1 rolls") < out.index("Roll again?")
    assert "wins." in out


def test_a_person_looks_at_the_table(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`t` shows what the seat sees, kept values of the phase that runs included."""
    monkeypatch.setattr("sys.stdin", io.StringIO("t\n"))
    _, out, _ = run("run", game, "--seed", "3", "--seat", "1=human")
    assert "  Player 1: 0 points\n  Player 2: 0 points\n" in out
    assert "\n  Turn: pot 5\n" in out


def test_no_standard_input(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell may start the program without (`<&-`)."""
    monkeypatch.setattr("sys.stdin", None)
    code, _, err = run("run", game, "--seed", "3", "--seat", "1=human")
    assert code == 130
    assert err.startswith("stopped: there is no more input\n")


def test_a_person_stops(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has enough types q, or ends the input."""
    for typed in ("q\n", ""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code, _, err = run("run", game, "--seed", "3", "--seat", "1=human")
        assert code == 130
        assert "Traceback" not in err


def test_a_stopped_game_is_played_on(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was recorded up to `q` goes on where it stopped, and ends as if it had not."""
    file, seats = str(tmp_path / "begun.json"), ("--seat", "1=human", "--seat", "2=automa")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 500))
    whole = play(game, "--seed", "3", *seats)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nq\n"))
    code, _, err = run("run", game, "--seed", "3", *seats, "--record", file)
    assert code == 130
    assert f"--seat 2=automa --resume {file}" in err
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 500))
    resumed = play(game, *seats, "--resume", file, "--record", file)
    assert resumed.splitlines()[-5:-2] == whole.splitlines()[-5:-2]
    assert run("replay", file, "--game", game)[0] == 0
    recorded = tmp_path / "begun.json"
    text = recorded.read_text("utf-8")
    recorded.write_text(text.replace('"options": {"goal": 50}', '"options": {}'), "utf-8")
    for command in (("run", game, "--resume", file), ("replay", file, "--game", game)):
        code, _, err = run(*command)
        assert code == 2
        assert "does not say what 'goal' is" in err
    code, _, err = run("run", game, "--resume", file, "--seed", "4")
    assert code == 2
    assert "of its file" in err


def test_a_fault_is_told_with_its_rules(tmp_path: Path) -> None:
    """A rule that asks for the impossible stops the game, with its line and the rules that led there."""
    file = tmp_path / "pig.rules"
    file.write_text(PIG.replace("player gains pot points", "player loses 1 points"), "utf-8")
    code, out, err = run("run", str(file), "--seed", "3")
    assert code == 3
    assert "Player" in out
    assert "player loses 1 points" in err
    assert "turn" in err
    assert "Traceback" not in err


def test_errors_of_a_ruleset_stop_it(tmp_path: Path) -> None:
    """A ruleset with an error is not played; the finding is shown."""
    file = tmp_path / "pig.rules"
    file.write_text(PIG.replace("roll D6", "roll D7"), "utf-8")
    code, out, err = run("run", str(file))
    assert (code, out) == (1, "")
    assert "D7" in err


def test_check_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings come in three formats; paths lead from the current folder."""
    (tmp_path / "games" / "pig").mkdir(parents=True)
    (tmp_path / "games" / "pig" / "pig.rules").write_text(PIG.replace("D6 by", "D7 by"), "utf-8")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("check", "games", "--output-format", "concise")
    assert (code, err) == (1, "")
    assert re.fullmatch(r"games/pig/pig\.rules:\d+:\d+: E\d{4} .+\n", out)
    code, out, _ = run("check", "games/pig", "--output-format", "json")
    (found,) = json.loads(out)["diagnostics"]
    assert found["primary"]["path"] == "games/pig/pig.rules"
    code, out, err = run("check", "games/pig/pig.rules")
    assert code == 1
    assert "--> games/pig/pig.rules:" in out
    assert "^^" in out
    assert err == "1 file checked: 1 error, 0 warnings\n"


def test_scenarios_pass(game: str) -> None:
    """Every scenario is named; the last line counts."""
    code, out, _ = run("test", game)
    assert code == 0
    assert out.splitlines()[-1] == "2 passed, 0 failed"


def test_a_failing_scenario_shows_both_sides_and_the_log(tmp_path: Path) -> None:
    """What was expected, what was there, and what had happened."""
    file = tmp_path / "pig.rules"
    file.write_text(PIG.replace("ann.points is 7", "ann.points is 8"), "utf-8")
    code, out, _ = run("test", str(file))
    assert code == 1
    assert "expected: ann.points is 8" in out
    assert "actual: ann.points is 7" in out
    assert "ann rolls 4" in out
    assert out.splitlines()[-1] == "1 passed, 1 failed"


def test_only_some_scenarios(game: str) -> None:
    """`--only` takes those with the text, in any case; none is an error."""
    assert run("test", game, "--only", "A ONE")[1].splitlines()[-1] == "1 passed, 0 failed"
    code, out, err = run("test", game, "--only", "nothing of the sort")
    assert code == 1
    assert "no scenario" in err
    assert out == "0 passed, 0 failed\n"


def test_trace(game: str, tmp_path: Path) -> None:
    """Ids without a rule and ids never reached are listed; those excused are not."""
    folder = tmp_path / "pig"
    folder.mkdir()
    text = PIG.replace("players 2..4", 'players 2..4\n    citations "book.csv"')
    text = text.replace("phase turn(player):", "phase turn(player) [BOOK-11]:")
    text += "\neffect never(player) [BOOK-14]:\n    player gains 1 points\n"
    (folder / "pig.rules").write_text(text, "utf-8")
    (folder / "book.csv").write_text(
        "id,section,kind,text\nBOOK-11,A,rule,turns\nBOOK-12,A,rule,missing\nBOOK-13,A,advice,be brave\n"
        "BOOK-14,A,rule,never\n",
        "utf-8",
    )
    (folder / "uncited.csv").write_text("id,reason\nBOOK-13,advice\n", "utf-8")
    code, out, err = run("trace", str(folder), "--games", "6")
    assert (code, err) == (1, "")
    assert re.search(r"without a rule \(E0212\): 1\n +BOOK-12 +rule: missing\n", out)
    assert "warning[L0205]: nothing that was played exercises BOOK-14\n" in out
    assert "BOOK-13" not in out
    assert "4 ids: 2 cited by rules, 1 need none, 1 without a rule, 1 never exercised" in out
    assert "2 scenarios and 6 games played" in out
    code, out, _ = run("trace", game, "--games", "3")
    assert code == 0
    assert 'write `citations "rules.csv"`' in out


def test_simulate(game: str) -> None:
    """Every game is counted, as text and as JSON."""
    settings = ("simulate", game, "--games", "12", "--seat", "2=automa", "--option", "goal=20")
    code, out, err = run(*settings)
    assert (code, err) == (0, "")
    assert "12 games of Pig, 2 people, seeds 1 to 12; random, automa" in out
    code, out, _ = run(*settings, "--json")
    document = json.loads(out)
    assert document["games"] == 12
    shares = {name: each["mean"] for name, each in document["figures"].items()}
    assert shares["wins: seat 1"] + shares["wins: seat 2"] + shares["nobody wins"] == 1
    code, _, err = run("simulate", game, "--seat", "1=human")
    assert code == 2
    assert "automa, random, search or process:COMMAND" in err


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    """A code is explained in either case, or by its name."""
    del capsys
    code, out, _ = run("explain", "e0201")
    assert code == 0
    assert out == run("explain", "unknown-name")[1]
    assert "E0201" in out


def test_a_broken_promise_stops_a_game(tmp_path: Path) -> None:
    """What a ruleset promises is tested whenever a game is played from the command line."""
    rules = tmp_path / "rich.rules"
    rules.write_text(
        'game rich "Rich":\n    players 2..2\ncomponent Player:\n    gold: 0..5 = 3\nphase game:\n'
        "    each player in Player: do pay(player)\neffect pay(player): player loses up to 3 gold\n"
        'always "all have some": not any Player where its gold is 0\n',
        "utf-8",
    )
    code, _, err = run("run", str(rules), "--seed", "1")
    assert code == 3
    assert "R0107" in err


def test_a_replay_that_could_not_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    """Nobody plays a whole game to learn then that it was not kept."""
    place = tmp_path / "no" / "evening.json"
    code, out, err = run("run", "pyrates", "--record", str(place))
    assert (code, out) == (2, "")
    reason = f"there is no folder {tmp_path / 'no'}"
    assert f"{place}: the replay could not be written there: {reason}." in err


def test_a_misspelt_kind_of_player_is_named() -> None:
    """With what was probably meant."""
    code, _, err = run("run", "pyrates", "--seat", "1=humann")
    assert code == 2
    assert "Did you mean 'human'?" in err
