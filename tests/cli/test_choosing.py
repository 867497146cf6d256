"""Choosing what is played: variants, options, presets, `rulelang.toml`, and trying all of it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulelang import config, discovery
from tests.cli.sample_game import run

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
FAIR = """\
game fair "The Fair":
    version "1.0"
    players 1..3

## How many coins end the game?
option goal: 2..9 = 4
option mood: calm or wild = calm "How people throw" [FAIR-1]

define D6 = 1..6
component Player:
    coins: 0.. = 0
define player.luck = 1

phase game:
    while not any Player where its coins >= goal:
        each player in Player:
            do throw(player)
    do win(Player with highest coins)
effect throw(player):
    let die = roll D6 by player
    player gains player.luck coins
    if die is 6 and mood is wild: player gains 1 coins

preset "A long day" of fair:
    with rich
    goal = 9
    bonus = 2
"""
VARIANTS = """\
## More for everybody.
variant rich "Rich people" of fair:
    option bonus: 1..2 = 1
    change option goal = 6
    player.luck: +bonus when mood is calm
variant fixed "No luck" of fair not with rich after broken:
    instead of throw(player): player gains 1 coins
variant other "Other luck" of fair:
    instead of throw(player): player gains 2 coins
variant broken "Nobody wins" of fair with rich:
    after throw(player): player gains 1 / (player.coins - player.coins) coins
"""


@pytest.fixture
def fair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a game that has variants; it is the current one."""
    folder = tmp_path / "house" / "fair"
    (folder / "variants").mkdir(parents=True)
    (folder / "fair.rules").write_text(FAIR.replace(" [FAIR-1]", ""), "utf-8")
    (folder / "variants" / "all.rules").write_text(VARIANTS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(discovery.VARIABLE, raising=False)
    yield tmp_path
    config.look_around(config=False)


def configure(folder: Path, text: str) -> None:
    """Write `rulelang.toml`."""
    (folder / config.FILE).write_text(text, "utf-8")


def played(*arguments: str) -> dict[str, object]:
    """Play the fair from its folder and give the document about it."""
    code, out, err = run("--rulesets", "house", "run", "fair", "--seed", "5", "--json", *arguments)
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


def test_a_preset_names_variants_and_options(fair: Path) -> None:
    """Whatever the case of its title; what is typed wins; the command says everything."""
    del fair
    document = played("--preset", "a long day", "--option", "goal=8")
    assert document["options"] == {"goal": "8", "mood": "calm", "bonus": "2"}
    command = shlex.split(str(document["command"]))
    assert command[command.index("--with") + 1] == "rich"
    assert played(*command[3:])["final"] == document["final"]


def test_an_unknown_preset_is_refused_with_the_nearest(fair: Path) -> None:
    """As any other name."""
    del fair
    code, _, err = run("run", "house/fair", "--preset", "A long dog")
    assert code == 2
    assert "--preset: The Fair has no preset 'A long dog'. Did you mean 'A long day'?" in err


def test_a_wrong_value_in_a_preset_of_the_moment(fair: Path) -> None:
    """An option that is out of range says who set it."""
    configure(fair, "[fair.options]\ngoal = 10\n")
    code, _, err = run("run", "house/fair")
    assert code == 2
    assert "rulelang.toml:2: Option 'goal' cannot be '10': it takes a number from 2 to 9." in err
    configure(fair, "[fair]\npeople = 3\n[fair.options]\ngoul = 3\n")
    assert (
        "rulelang.toml:4: The Fair has no option 'goul'. Did you mean 'goal'?"
        in run("run", "house/fair")[2]
    )


def test_settings_of_the_file_count_and_are_told(fair: Path) -> None:
    """In the header of a game; what is typed wins; --no-config leaves all of it out."""
    configure(
        fair,
        'rulesets = ["house"]\n[fair]\nwith = ["rich"]\npeople = 3\n[fair.options]\nbonus = 2\n',
    )
    code, out, err = run("run", "fair", "--seed", "1")
    assert (code, err) == (0, "")
    first = out.splitlines()[0]
    assert first == "From rulelang.toml: --with rich --people 3 --option bonus=2"
    assert "--people 3 --with rich --option bonus=2 --seed 1" in out.splitlines()[-1]
    # Other variants: the file's are not taken, and its option is not missed.
    _, out, _ = run("run", "fair", "--seed", "1", "--with", "fixed", "--people", "2")
    assert "--people 2 --with fixed --seed 1" in out.splitlines()[-1]
    code, _, err = run("--no-config", "run", "fair")
    assert code == 2
    assert "There is no ruleset 'fair'" in err


def test_a_file_with_mistakes_stops_every_command(fair: Path) -> None:
    """With place, reason and help, and without a traceback."""
    configure(fair, "[fair]\npepole = 3\n")
    code, out, err = run("variants", "house/fair")
    assert (code, out) == (2, "")
    assert err.startswith("error: rulelang.toml:2: unknown key `pepole`: did you mean `people`?")


def test_variants_are_listed_with_what_they_change(fair: Path) -> None:
    """In words and as data."""
    del fair
    code, out, err = run("variants", "house/fair")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "4 variants of The Fair",
        "",
        'broken  "Nobody wins"',
        "    needs rich",
        "    acts after throw",
        "    variants/all.rules:10",
        "",
        'fixed  "No luck"',
        "    not with rich; wins over broken",
        "    replaces throw",
        "    variants/all.rules:6",
        "",
        'other  "Other luck"',
        "    replaces throw",
        "    variants/all.rules:8",
        "",
        'rich  "Rich people"',
        "    More for everybody.",
        "    changes goal 4 -> 6; makes exceptions to player.luck; adds 1 option (bonus)",
        "    variants/all.rules:2",
        "",
        "1 preset",
        "",
        '"A long day"',
        "    with rich; goal = 9; bonus = 2",
    ]
    document = json.loads(run("variants", "house/fair", "--json")[1])
    rich = document["variants"][3]
    assert (rich["name"], rich["needs"], rich["excludes"]) == ("rich", [], [])
    assert {"form": "option", "name": "goal", "old": "4", "new": "6"}.items() <= rich["changes"][
        1
    ].items()


def test_options_are_listed_with_their_values(fair: Path) -> None:
    """Those of the base, then those of variants; chosen ones with who changes them."""
    del fair
    code, out, err = run("options", "house/fair")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "2 options of The Fair, 1 of its variants",
        "",
        "goal = 4",
        "    2..9",
        "    How many coins end the game?",
        "",
        "mood = calm",
        "    calm or wild",
        "    How people throw",
        "",
        'variant rich  "Rich people"',
        "",
        "bonus = 1",
        "    1..2",
    ]
    assert "goal = 6, not 4: rich" in run("options", "house/fair", "--with", "rich")[1]
    found = json.loads(run("options", "house/fair", "--preset", "A long day", "--json")[1])
    goal, _, bonus = found["options"]
    assert (goal["value"], goal["by"]) == ("9", '--preset "A long day"')
    assert (bonus["origin"], bonus["value"]) == ("rich", "2")


def test_every_two_variants_are_played(fair: Path) -> None:
    """A table: what plays, what is refused and why, what is stopped and how to see it."""
    del fair
    code, out, _ = run("options", "house/fair", "--pairs", "--games", "3", "--workers", "1")
    assert code == 1
    rows = {line.split("|")[2].strip(" `"): line for line in out.splitlines() if "| `" in line}
    assert rows["fixed"].count("conflict") == 1
    assert rows["fixed"].count("excluded") == 1
    assert rows["fixed"].count("plays") == 1
    assert rows["broken"].count("**3 faulted**") == 2
    assert "E0703" in out
    assert "variants/all.rules:6" in out
    command = out.partition("(`")[2].partition("`)")[0]
    assert command.startswith("rulelang run house/fair --people 1 --with broken,rich --seed 1")
    code, _, err = run(*shlex.split(command)[1:])
    assert code == 3
    assert "division by 0" in err


def test_combinations_of_options_are_played(fair: Path) -> None:
    """All of them where they are few; the same each time, whatever the number of processes."""
    (fair / "house" / "fair" / "variants" / "all.rules").write_text(
        VARIANTS.partition("variant fixed")[0], "utf-8"
    )
    arguments = ("options", "house/fair", "--matrix", "--games", "2", "--json", "--workers")
    code, out, _ = run(*arguments, "1")
    assert code == 0
    document = json.loads(out)
    tried = [(tuple(each["with"]), each["options"]) for each in document["tried"]]
    # goal has 4, 2 and 9, mood two words, bonus 1 and 2 where the variant is there.
    assert len(tried) == 3 * 2 + 3 * 2 * 2
    assert (("rich",), {"goal": "9", "mood": "wild", "bonus": "2"}) in tried
    assert all(each["faulted"] == each["stuck"] == 0 for each in document["tried"])
    assert all(each["games"] == 2 for each in document["tried"])
    done = subprocess.run(
        [sys.executable, "-m", "cli", *arguments, "2"],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        cwd=fair,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert json.loads(done.stdout) == document


def test_an_option_says_how_many_seats_there_are(fair: Path) -> None:
    """The game is made for that number, a recording of it is read again, too few seats are refused."""
    place = fair / "house" / "fair" / "fair.rules"
    text = place.read_text("utf-8").replace("players 1..3", "players 1..3\n    seats table_size")
    place.write_text(text.replace("preset", "option table_size: 2..5 = 3\npreset"), "utf-8")
    settings = ("--people", "1", "--seed", "2", "--option", "table_size=5")
    code, out, _ = run("run", "house/fair", "--record", "x.json", *settings)
    assert code == 0
    assert "Automa 5" in out
    assert run("replay", "x.json", "--game", "house/fair")[0] == 0
    code, _, err = run("run", "house/fair", "--people", "3", "--option", "table_size=2")
    assert code == 2
    assert "There are 2 seats, too few for 3 people: see the option 'table_size'." in err
