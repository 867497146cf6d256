"""The verb `compare`, and what `simulate` leaves on disk."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path

SHORT = 'variant short "Short" of pig:\n    change option goal = 15\n'
LONG = 'variant long "Long" of pig:\n    change option goal = 60\n'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a game with two variants."""
    folder = tmp_path / "pig"
    (folder / "variants").mkdir(parents=True)
    (folder / "pig.rules").write_text(PIG, "utf-8")
    (folder / "variants" / "short.rules").write_text(SHORT, "utf-8")
    (folder / "variants" / "long.rules").write_text(LONG, "utf-8")
    monkeypatch.chdir(tmp_path)
    return "pig"


def test_a_variant_is_compared(game: str) -> None:
    """With the base game, or with another variant, as text and as JSON."""
    code, out, err = run("compare", game, "--with", "short", "--games", "64")
    assert (code, err) == (0, "")
    assert "short against base game, 64 pairs of games of the same seeds (1 to 64)" in out
    code, out, _ = run(
        "compare", game, "--with", "long", "--vs", "short", "--games", "64", "--json"
    )
    assert code == 0
    document = json.loads(out)
    assert document["base"]["label"] == "short"
    (compared,) = document["compared"]
    by_name = {each["name"]: each for each in compared["differences"]}
    assert by_name["decisions"]["verdict"] == "higher"
    assert by_name["decisions"]["difference"] == pytest.approx(
        by_name["decisions"]["changed"] - by_name["decisions"]["base"]
    )


def test_values_of_an_option_are_compared(game: str) -> None:
    """A line for each; the value of the base never comes up."""
    code, out, err = run("compare", game, "--options", "goal=15,100,50", "--games", "64")
    assert (code, err) == (0, "")
    lines = {line.split()[0]: line for line in out.splitlines() if line.startswith("goal=")}
    assert list(lines) == ["goal=15", "goal=100", "goal=50"]
    assert "decisions" in lines["goal=15"]
    assert "never comes up" in lines["goal=50"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Nothing would differ"),
        (("--with", "short", "--vs", "short"), "Nothing would differ"),
        (("--options", "gaol=1..3"), "Did you mean 'goal'"),
        (("--options", "goal=x..3"), "no range such as 1..5"),
        (("--options", "goal=0"), "cannot be '0'"),
        (("--with", "short", "--option", "gaol=3"), "Did you mean 'goal'"),
        (("--rulings", "--vs", "short"), "--vs has no meaning"),
        (("--with", "short", "--until", "60%"), "no width"),
        (("--with", "short", "--address", "tcp://a:1"), "--backend dask or ray"),
        (("--with", "short", "--score", "pints"), "There is no score 'pints'"),
        (("--with", "short", "--seats", "automa,nobody"), "'nobody' is not one of"),
        (("--with", "short", "--rows", "games.txt"), "writes .csv or .parquet"),
    ],
)
def test_what_cannot_be_compared_is_said(game: str, arguments: tuple[str, ...], said: str) -> None:
    """With what was expected; nothing is played."""
    code, out, err = run("compare", game, "--games", "8", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_rows_and_checkpoints(game: str, tmp_path: Path) -> None:
    """Every game has a row; a run that is over says the same from its checkpoint; one of another run is refused."""
    settings = (
        "simulate",
        game,
        "--games",
        "80",
        "--rows",
        "games.csv",
        "--checkpoint",
        "run.json",
    )
    code, first, err = run(*settings)
    assert (code, err) == (0, "")
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["seed"]) for row in rows] == list(range(1, 81))
    assert sum(int(row["wins: seat 1"]) for row in rows) == sum(
        "1" in row["winners"].split() for row in rows
    )
    assert run(*settings)[1] == first
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == rows
    code, _, err = run(*settings, "--seed", "5")
    assert code == 2
    assert "checkpoint of another run" in err
    (tmp_path / "run.json").write_text("{}", "utf-8")
    code, _, err = run(*settings)
    assert code == 2
    assert "no checkpoint of this program" in err


def test_games_that_do_not_end_are_counted(game: str) -> None:
    """They are neither dropped nor won by anybody."""
    code, out, _ = run("simulate", game, "--games", "32", "--longest", "3", "--json")
    assert code == 0
    document = json.loads(out)
    stopped = document["endings"]["longest"]
    assert stopped > 0
    assert document["figures"]["unfinished"]["mean"] == stopped / 32
    assert document["figures"]["nobody wins"]["mean"] >= stopped / 32
    code, out, _ = run("simulate", game, "--games", "32", "--longest", "3")
    assert f"{stopped} games of 32 did not end" in out
