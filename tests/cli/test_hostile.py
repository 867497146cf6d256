"""Nothing that a user can type, and no file that a user can name, gives a traceback or an internal error."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.reference.machine import RECURSION
from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
    "mark.rules": b"\xef\xbb\xbf" + PIG.encode(),
    "windows.rules": PIG.replace("\n", "\r\n").encode(),
    "tabs.rules": PIG.replace("    ", "\t").encode(),
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
    ("simulate", "--games", "2"),
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


def test_what_is_no_ruleset_is_told(folder: Path) -> None:
    """Data, a folder of rulesets, and a part of one are called what they are."""
    place = folder / "several"
    for name in ("one", "two"):
        (place / name).mkdir(parents=True)
        (place / name / "a.rules").write_text(PIG, "utf-8")
        (place / name / "b.rules").write_text("effect b(pot): do a\n", "utf-8")
    (place / "none").mkdir()
    for arguments, message in (
        (("run", str(folder / "data.csv")), "its name does not end in .rules"),
        (("check", str(folder / "data.csv")), "its name does not end in .rules"),
        (("test", str(place)), f"Did you mean '{place / 'one'}' or '{place / 'two'}'?"),
        (("run", str(place / "none")), "There is no .rules file in"),
    ):
        code, _, err = run(*arguments)
        assert code == 2
        assert message in err
    code, _, err = run("check", str(place / "one" / "b.rules"))
    assert code == 1
    assert f"it is a part of the ruleset in {place / 'one'}" in err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", ["", " ", "no such game", "pyrate", "~", "\udc80", "é"])
def test_odd_names(command: tuple[str, ...], name: str) -> None:
    """Names that are none are told so."""
    verb, *options = command
    code, out, err = run(verb, name, *options)
    assert_civil(code, out, err)
    assert code in {1, 2}


@pytest.fixture(autouse=True, scope="module")
def _deep_recursion() -> Iterator[None]:
    """Set the limit that the reference interpreter sets, so that Hypothesis sees no change."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    yield
    sys.setrecursionlimit(before)


WORDS = sorted(set(re.findall(r"\w+|[^\w\s]", PIG)))


EDITS = st.lists(
    st.tuples(
        st.integers(0, len(PIG) - 1),
        st.integers(0, 12),
        st.sampled_from([*WORDS, "\n", "    ", "\t", "(", '"', "\x00", "é", "else", "=="]),
    ),
    min_size=1,
    max_size=4,
)


def check_mutated(file: Path, edits: list[tuple[int, int, str]]) -> None:
    """Check a changed ruleset, and play it if nothing is wrong with it."""
    text = PIG
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    file.write_text(text, "utf-8")
    code, out, err = run("check", str(file), "--output-format", "concise")
    assert_civil(code, out, err)
    if code == 1:
        assert re.search(r"^\S.*:\d+:\d+: ", out, re.MULTILINE), out
    else:
        assert_civil(*run("run", str(file), "--seed", "1", "--log", "quiet"))


@settings(max_examples=60, deadline=None)
@given(edits=EDITS)
def test_mutated_rules(folder: Path, edits: list[tuple[int, int, str]]) -> None:
    """A ruleset with anything replaced by anything is checked to the end, and played if it passes."""
    check_mutated(folder / "mutated.rules", edits)


# Rules that recurse to the limit may also stop the callback by which Hypothesis measures garbage collection.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(edits=EDITS)
def test_mutated_rules_at_length(folder: Path, edits: list[tuple[int, int, str]]) -> None:
    """The same with many more changes."""
    check_mutated(folder / "mutated.rules", edits)


@pytest.fixture(scope="module")
def replay(folder: Path) -> str:
    """The replay of a short game."""
    (folder / "pig.rules").write_text(PIG, "utf-8")
    file = folder / "game.json"
    code, _, err = run("run", str(folder / "pig.rules"), "--seed", "1", "--record", str(file))
    assert code == 0, err
    return file.read_text("utf-8")


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_mutated_replays(folder: Path, replay: str, data: st.DataObject) -> None:
    """A replay with anything replaced by anything is refused or compared, never crashed on."""
    text = replay
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 30))
        new = data.draw(
            st.sampled_from(["", "0", "-1", "null", '"', "[", "}", "1e999", "NaN", "é"])
        )
        text = text[:at] + new + text[at + length :]
    file = folder / "mutated.json"
    file.write_text(text, "utf-8")
    assert_civil(*run("replay", str(file), "--game", str(folder / "pig.rules")))
