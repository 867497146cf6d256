"""Nothing that a user can type, and no file that a user can name, gives a traceback or an internal error."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cli

if TYPE_CHECKING:
    from pathlib import Path

GAME = """\
game pig "Pig":
    version "1.0"
    players 2..4

define D6 = 1..6
option goal: 10..200 = 50

component Player:
    points: 0.. = 0

phase game:
    while not any Player where its points >= goal:
        each player in Player: do turn(player)
    do win(Player with highest points)

effect turn(player):
    let die = roll D6 by player
    player gains die points
"""


def run(*arguments: str) -> tuple[int, str, str]:
    """Run one command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run_command_line(arguments)
    return code, out.getvalue(), err.getvalue()


def assert_civil(code: int, out: str, err: str) -> None:
    """The program has ended in one of the ways it promises."""
    assert code in {0, 1, 2, 3}, err
    assert "Traceback" not in out + err
    assert "internal error" not in err
    if code in {2, 3}:
        assert err.strip()


FILES = {
    "empty.rules": b"",
    "blank.rules": b"\n\n   \n",
    "comment.rules": b"# nothing\n",
    "binary.rules": bytes(range(256)),
    "nul.rules": b'game x "X":\n    players 1..2\x00\n',
    "latin.rules": 'game x "é":\n'.encode("latin-1"),
    "mark.rules": b"\xef\xbb\xbf" + GAME.encode(),
    "windows.rules": GAME.replace("\n", "\r\n").encode(),
    "tabs.rules": GAME.replace("    ", "\t").encode(),
    "deep.rules": b"phase game:\n" + b"".join(b" " * n + b"if yes:\n" for n in range(4, 400)),
    "brackets.rules": b"define x = " + b"(" * 5000,
    "long.rules": b"define x = " + b"1 + " * 20_000 + b"1\n",
    "number.rules": b"define x = " + b"9" * 10_000 + b"\n",
    "no_game.rules": b"define x = 1\n",
    "only_game.rules": b'game x "X":\n    players 1..2\n',
    "data.csv": b"id,name\n1,2\n",
}
COMMANDS = (
    ("check",),
    ("check", "--output-format", "json"),
    ("run", "--seed", "1"),
    ("test",),
    ("trace", "--games", "1"),
    ("playouts", "--games", "2"),
    ("replay",),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of all sorts."""
    place = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (place / name).write_bytes(content)
    (place / "folder.rules").mkdir()
    (place / "hollow").mkdir()
    (place / "circle").symlink_to(place / "circle")
    return place


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    "name", [*FILES, "folder.rules", "hollow", "circle", "missing.rules", ".", "", "a\nb"]
)
def test_odd_files(folder: Path, command: tuple[str, ...], name: str) -> None:
    """Whatever is named, the command ends with a message and one of its exit codes."""
    verb, *options = command
    assert_civil(*run(verb, str(folder / name), *options))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", ["", " ", "no such game", "pyrate", "..", "/", "~", "\ud800", "é"])
def test_odd_names(command: tuple[str, ...], name: str) -> None:
    """Names that are none are told so."""
    verb, *options = command
    code, out, err = run(verb, name, *options)
    if name in {"..", "/"}:
        return  # a folder that may hold anything
    assert_civil(code, out, err)
    assert code in {1, 2}


WORDS = sorted(set(re.findall(r"\w+|[^\w\s]", GAME)))


@settings(max_examples=60, deadline=None)
@given(
    edits=st.lists(
        st.tuples(
            st.integers(0, len(GAME) - 1),
            st.integers(0, 12),
            st.sampled_from([*WORDS, "\n", "    ", "\t", "(", '"', "\x00", "é", "else", "=="]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_mutated_rules(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int, str]]
) -> None:
    """A ruleset with anything replaced by anything is checked to the end, and played if it passes."""
    text = GAME
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    file = tmp_path_factory.mktemp("mutated") / "pig.rules"
    file.write_text(text, "utf-8")
    code, out, err = run("check", str(file), "--output-format", "concise")
    assert_civil(code, out, err)
    if code == 1:
        assert re.search(r"^\S.*:\d+:\d+: ", out, re.MULTILINE), out
    else:
        assert_civil(*run("run", str(file), "--seed", "1", "--log", "quiet"))
