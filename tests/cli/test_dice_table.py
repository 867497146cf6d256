"""`--dice table`: results are asked for, checked, written down, taken back; games go on and are replayed with them."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from interpreter.records.journal import read
from tests.cli.sample_game import run
from tests.cli.table_games import write_cellar, write_pig

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pig(tmp_path: Path) -> str:
    return write_pig(tmp_path)


@pytest.fixture
def cellar(tmp_path: Path) -> str:
    return write_cellar(tmp_path)


def typed(monkeypatch: pytest.MonkeyPatch, *lines: object) -> None:
    """Type these lines, and then nothing more."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def results(journal: Path) -> list[object]:
    return [each.value for each in read(journal).draws]


def test_rolls_are_asked_for_and_checked(
    pig: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a die cannot show is refused; a result counts as typed; the game plays on where it stopped."""
    journal = tmp_path / "evening.journal"
    typed(monkeypatch, 7, "three", 3, 4)
    command = ("run", pig, "--dice", "table", "--seed", "1", "--journal", str(journal))
    code, out, err = run(*command)
    assert code == 130
    assert "Player 1 rolls (die, 1 to 6). What came?" in out
    assert out.count("That is not possible: it must be a number from 1 to 6") == 2
    assert "rulelang resume" in err
    assert results(journal) == [3, 4]

    typed(monkeypatch, *[6, 5, 4] * 60)
    code, out, err = run("resume", str(journal), "--game", pig)
    assert (code, err) == (0, "")
    assert "rolls 3" in out
    assert "win" in out
    assert results(journal)[:3] == [3, 4, 6]
    assert "The same game again" not in out  # a seed cannot bring it back
    code, out, _ = run("replay", str(journal), "--game", pig)
    assert (code, "The replay agrees" in out) == (0, True)


def test_the_last_result_is_taken_back(
    pig: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what followed it; the journal says so, and so does a replay."""
    journal, record = tmp_path / "evening.journal", tmp_path / "evening.json"
    typed(monkeypatch, 3, "back", 5, 2, "back", "back", 6)
    code, out, _ = run(
        *("run", pig, "--dice", "table", "--seed", "1"),
        *("--journal", str(journal), "--record", str(record)),
    )
    assert code == 130
    assert "Taken back: 3 (die)." in out
    assert results(journal) == [6]
    assert [each["value"] for each in json.loads(record.read_text("utf-8"))["draws"]] == [6]
    code, out, _ = run("replay", str(record), "--game", pig)
    assert (code, "The replay agrees" in out) == (0, True)
    typed(monkeypatch, *[5] * 60)
    assert run("run", pig, "--resume", str(record))[0] == 0


def test_a_person_takes_back_at_a_question(pig: str, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "Roll", 3, "back", 4, "q")
    code, out, _ = run("play", pig, "--people", "2", "--seat", "2=automa", "--dice", "table")
    assert code == 130
    assert "Taken back: 3 (die)." in out
    assert "rolls 4" in out


def test_cards_are_asked_for_when_somebody_sees_them(
    cellar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six cards are dealt to hands; the rest of the deck stays unknown, and a card cannot come twice."""
    journal = tmp_path / "evening.journal"
    typed(
        monkeypatch,
        "Card I",
        "Card H",
        "Card I",
        "Card A",
        "Card B",
        "Card C",
        "back",
        "Card D",
        "Card E",
    )
    code, out, _ = run(
        *("run", cellar, "--dice", "table", "--seed", "1", "--journal", str(journal))
    )
    assert code == 0, out
    assert "A card is now in the hand of Player 1. Which one is it?" in out
    assert "called 'Card I'" in out
    assert len(read(journal).draws) == 6
    code, out, _ = run("replay", str(journal), "--game", cellar)
    assert (code, "The replay agrees" in out) == (0, True)


def test_changed_results_are_refused(
    pig: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay whose dice say what they cannot, or too little."""
    record = tmp_path / "evening.json"
    typed(monkeypatch, *[5] * 60)
    assert run("run", pig, "--dice", "table", "--seed", "1", "--record", str(record))[0] == 0
    whole = json.loads(record.read_text("utf-8"))
    for draws in ([{**whole["draws"][0], "value": 9}, *whole["draws"][1:]], whole["draws"][:-1]):
        record.write_text(json.dumps({**whole, "draws": draws}), "utf-8")
        code, out, err = run("replay", str(record), "--game", pig)
        assert code == 1, err
        assert "[R0207]" in out


def test_what_does_not_go_together(pig: str) -> None:
    for more in (("--watch",), ("--resume", "x.json")):
        code, _, err = run("run", pig, "--dice", "table", *more)
        assert (code, "--dice" in err or "dice" in err) == (2, True)
