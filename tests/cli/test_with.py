"""Variants on the command line: chosen by name and by path, recorded, played again and played on."""

from __future__ import annotations

import io
import json
import shlex
from typing import TYPE_CHECKING

import pytest

from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path

FAST = 'variant fast "Fast" of pig "1.0":\n    change option goal = 20\n'
SLOW = 'variant slow "Slow" of pig not with fast:\n    change option goal = 90\n'
QUIET = 'variant quiet "Quiet" of pig:\n    always "a goal": goal > 0\n'
SCENE = """
scenario "It is short" of pig with fast:
    people ann
    do nothing
    after:
        goal is 20
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a game with two variants of its own; one more lies in a folder that nobody looks into."""
    folder = tmp_path / "pig"
    (folder / "variants").mkdir(parents=True)
    (folder / "pig.rules").write_text(PIG, "utf-8")
    (folder / "variants" / "fast.rules").write_text(FAST + SCENE, "utf-8")
    (folder / "variants" / "slow.rules").write_text(SLOW + QUIET, "utf-8")
    home = FAST.replace("fast", "home").replace("20", "30")
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "home.rules").write_text(home, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULELANG_PATH", str(tmp_path))
    return str(folder)


def test_a_game_with_a_variant_repeats_itself(game: str) -> None:
    """The command that it ends with names the variants, wherever they are."""
    for chosen in (["--with", "fast"], ["--with", "house/home.rules"]):
        code, out, err = run("run", game, "--seed", "3", "--log", "quiet", *chosen)
        assert (code, err) == (0, "")
        command = out.splitlines()[-1].removeprefix("The same game again: rulelang ")
        assert shlex.join(chosen) in command
        assert run(*shlex.split(command))[1].splitlines()[-1] == out.splitlines()[-1]
    document = json.loads(run("run", game, "--with", "fast", "--json")[1])
    assert (document["variants"], document["options"]) == (["fast"], {"goal": "20"})


def test_order_and_form_do_not_matter(game: str) -> None:
    """A list, an option twice, another order: one game."""
    digests = {
        json.loads(run("run", game, "--seed", "1", "--json", *chosen.split())[1])["digest"]
        for chosen in ("--with slow,quiet", "--with quiet --with slow", "--with quiet,slow,quiet")
    }
    assert len(digests) == 1


def test_a_replay_knows_its_variants(game: str) -> None:
    """By name; one from elsewhere must be shown; others are refused with both sets."""
    for name, chosen in (("a.json", "fast"), ("b.json", "house/home.rules")):
        assert run("run", game, "--seed", "3", "--with", chosen, "--record", name)[0] == 0
    assert run("replay", "a.json")[0] == 0
    code, _, err = run("replay", "b.json")
    assert code == 2
    assert "--with FILE says where it is" in err
    assert run("replay", "b.json", "--with", "house/home.rules")[0] == 0
    code, _, err = run("replay", "a.json", "--with", "slow")
    assert code == 2
    assert "this replay is of pig with fast, not with slow" in err


def test_a_stopped_game_goes_on_with_its_variants(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without naming them again."""
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    code, _, err = run(
        "run", game, "--seat", "1=human", "--with", "fast", "--record", "a.json", "--seed", "5"
    )
    assert code == 130
    assert "--with fast --resume a.json" in err
    out = run("run", game, "--resume", "a.json", "--json")[1]
    assert json.loads(out)["options"] == {"goal": "20"}


def test_scenarios_and_findings(game: str) -> None:
    """`test` plays each scenario with its variants, `check` takes each variant or just those named."""
    code, out, _ = run("test", game)
    assert code == 0
    assert "ok    It is short  with fast" in out
    assert run("test", game, "--with", "fast")[1].count("ok ") == 1
    assert run("check", game)[0] == 0
    code, out, _ = run("check", game, "--with", "fast,slow")
    assert code == 1
    assert "E0703" in out
    assert run("simulate", game, "--games", "3", "--with", "slow")[0] == 0


def test_pins(game: str, tmp_path: Path) -> None:
    """They are written beside the file, and what has moved is told by `check`."""
    code, out, _ = run("pin", "pig/variants/fast.rules")
    assert (code, out) == (0, "pig/variants/fast.pins: 1 variant, 1 declaration\n")
    assert run("check", game)[1] == ""
    rules = tmp_path / "pig" / "pig.rules"
    rules.write_text(PIG.replace("option goal: 10..", "option goal: 11.."), "utf-8")
    assert "`option goal` has changed" in run("check", game)[1]


@pytest.mark.parametrize("wanted", ["fasd", "nowhere.rules"])
def test_unknown(game: str, wanted: str) -> None:
    """It is a mistake of usage, with the nearest name."""
    code, _, err = run("run", game, "--with", wanted)
    assert code == 2
    assert ("Did you mean 'fast'?" in err) == (wanted == "fasd")


def test_a_mark_at_the_beginning_of_a_file_changes_nothing(game: str, tmp_path: Path) -> None:
    """Some editors write one (U+FEFF): the file is a variant, or a game, all the same."""
    marked = tmp_path / "house" / "home.rules"
    marked.write_text("\ufeff" + marked.read_text("utf-8"), "utf-8")
    assert run("check", str(marked))[0] == 0
    code, _, err = run("run", game, "--seed", "3", "--log", "quiet", "--with", str(marked))
    assert (code, err) == (0, "")


def test_a_file_of_ones_own_is_not_told_about_the_others(game: str, tmp_path: Path) -> None:
    """What only scenarios of the game use is used, also where they are not played; what is idle here is told."""
    scenes = tmp_path / "pig" / "scenarios.rules"
    scenes.write_text(
        "effect shorten: do nothing\n"
        + SCENE.replace("do nothing", "do shorten").replace("It is", "It is made"),
        "utf-8",
    )
    assert "0 errors, 0 warnings" in run("check", game)[2]
    own = tmp_path / "house" / "own.rules"
    own.write_text('variant own "Own" of pig:\n    change option goal = 30\n', "utf-8")
    assert "0 errors, 0 warnings" in run("check", str(own))[2]
    own.write_text(own.read_text("utf-8") + "    define idle = 3\n", "utf-8")
    code, out, err = run("check", str(own))
    assert (code, "1 warning" in err, "`idle`" in out) == (0, True, True)
