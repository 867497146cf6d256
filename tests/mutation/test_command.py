"""The command `test --mutate`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import run

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game stalls "Stalls":
    version "1.0"
    players 1..2
component Player:
    coins: 0.. = 5

phase game:
    each player in Player: do earn(player)
effect earn(player):
    player gains 3 coins
    if player.coins > 20: player loses 1 coins

scenario "Earned" of stalls:
    people ann
    do earn(ann)
    after:
        ann.coins is 8
"""
VARIANT = """\
variant rich "Rich" of stalls:
    after earn(player): player gains 2 coins

variant poor "Poor" of stalls:
    after earn(player): player loses 1 coins

scenario "Earned more" of stalls with rich:
    people ann, bob
    do earn(ann)
    after:
        ann.coins is 10
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    """Write the game and its variants."""
    (tmp_path / "stalls.rules").write_text(GAME, "utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "more.rules").write_text(VARIANT, "utf-8")
    return str(tmp_path)


def test_survivors_and_scores(game: str) -> None:
    """Each change that is not noticed is listed with its place; a line for each file, and the score."""
    code, out, err = run("test", game, "--mutate", "--jobs", "1")
    assert (code, err) == (0, "")
    assert "stalls.rules:11:23: number: `20` becomes `21`\n" in out
    assert "  in earn: values stay the same in all scenarios\n" in out
    assert "stalls.rules:11:27: line: `player loses 1 coins` left out\n" in out
    assert "  in earn: no scenario comes here\n" in out
    assert "player gains 3 coins` left out" not in out
    assert re.search(r"^stalls.rules +\d+\.\d %  \d+ of \d+$", out, re.MULTILINE)
    assert re.search(r"^variants/more.rules +\d+\.\d %  \d+ of \d+$", out, re.MULTILINE)
    assert re.fullmatch(r"\d+\.\d % of \d+ changes noticed \(\d+\)", out.splitlines()[-1])


def test_a_variant_without_a_scenario_is_not_noticed(game: str) -> None:
    """Its rules are changed too, and nobody sees it; those of the other one are seen."""
    code, out, _ = run("test", game, "--mutate", "--jobs", "1", "--output-format", "json")
    assert code == 0
    survivors = [each for each in json.loads(out)["survivors"] if each["file"] != "stalls.rules"]
    assert {each["line"] for each in survivors} == {5}
    assert {each["fate"] for each in survivors} == {"unreached"}


def test_only_what_variants_bring(game: str) -> None:
    """With `--with` the base stays as it is."""
    code, out, _ = run(
        "test", game, "--mutate", "--with", "rich", "--jobs", "1", "--output-format", "json"
    )
    assert code == 0
    assert list(json.loads(out)["files"]) == ["variants/more.rules"]
    assert json.loads(out)["score"] == 100.0
    code, _, err = run("test", game, "--mutate", "--with", "rih")
    assert code == 2
    assert "There is no variant 'rih'." in err


@pytest.mark.slow
def test_any_number_of_processes(game: str) -> None:
    """The results are the same."""
    one = run("test", game, "--mutate", "--jobs", "1", "--output-format", "json")
    assert run("test", game, "--mutate", "--jobs", "2", "--output-format", "json") == one


def test_samples(game: str) -> None:
    """A sample has an interval; it is the same for the same seed."""
    command = ("test", game, "--mutate", "--jobs", "1", "--sample", "5", "--output-format", "json")
    one = run(*command)
    data = json.loads(one[1])
    assert (data["tried"], len(data["interval"])) == (5, 2)
    assert data["changes"] > 5
    assert run(*command) == one
    assert run(*command, "--seed", "2") != one
    _, out, _ = run("test", game, "--mutate", "--jobs", "1", "--sample", "5")
    assert re.search(
        r"% of 5 changes noticed \(\d\); of all \d+ between \d+\.\d and \d+\.\d % \(95 %\)", out
    )


def test_time_is_up(game: str) -> None:
    """At least one change is tried."""
    settings = ("--mutate", "--jobs", "1", "--minutes", "0.0000001", "--output-format", "json")
    code, out, _ = run("test", game, *settings)
    assert code == 0
    assert json.loads(out)["tried"] == 1


def test_fail_under(game: str) -> None:
    """A score that is too low is a finding."""
    command = ("test", game, "--mutate", "--jobs", "1", "--fail-under")
    assert run(*command, "10")[0] == 0
    assert run(*command, "99")[0] == 1


def test_scenarios_have_to_pass(game: str, tmp_path: Path) -> None:
    """A scenario that fails anyway tells nothing."""
    path = tmp_path / "stalls.rules"
    path.write_text(GAME.replace("ann.coins is 8", "ann.coins is 9"), "utf-8")
    code, out, err = run("test", game, "--mutate", "--jobs", "1")
    assert (code, out) == (1, "")
    assert err == (
        "FAIL  Earned: expected: ann.coins is 9\n"
        "error: scenarios have to pass before rules are changed.\n"
    )


def test_nothing_to_change(game: str) -> None:
    """That is said."""
    code, out, err = run("test", game, "--mutate", "--file", "no such file")
    assert (code, out) == (1, "")
    assert err == f"error: there is nothing in {game} to change.\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sample", "3"), "--sample goes with --mutate."),
        (("--file", "a"), "--file goes with --mutate."),
        (("--policies",), "--policies goes with --mutate."),
        (("--fail-under", "3"), "--fail-under goes with --coverage or --mutate."),
        (("--mutate", "--coverage"), "--coverage and --mutate do not go together."),
        (("--mutate", "--output-format", "sarif"), "--mutate does not write sarif"),
    ],
)
def test_usage(game: str, options: tuple[str, ...], message: str) -> None:
    """Options that say nothing are refused."""
    code, _, err = run("test", game, *options)
    assert code == 2
    assert message in err
