"""`rulelang.toml`: what it may say, and what is said about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulelang import config, discovery
from rulelang.config import Config, ConfigError, GameSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHOLE = """\
rulesets = ["house"]
variants = ["rules"]
allow = ["idle-option", "repeated-literal"]

[market]
with = ["long_game", "dear.rules"]
preset = "An evening"
people = 3

[market.options]
goal = 40
fast = true
style = "plain"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In an empty folder, with nothing named from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(discovery.VARIABLE, raising=False)
    (tmp_path / "house").mkdir()
    (tmp_path / "rules").mkdir()
    (tmp_path / "house" / "market.rules").write_text(
        'game market "M":\n    players 1..2\n', "utf-8"
    )
    yield
    monkeypatch.undo()
    config.look_around(config=False)


def read(folder: Path, text: str) -> Config:
    """Write a file and read it."""
    place = folder / config.FILE
    place.write_text(text, "utf-8")
    return config.read(place)


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    """Folders lead from the file; options are text, as they would be typed."""
    found = read(tmp_path, WHOLE)
    file = tmp_path / config.FILE
    assert found.rulesets == (tmp_path / "house",)
    assert found.variants == (tmp_path / "rules",)
    assert found.allowed == ("idle-option", "repeated-literal")
    assert found.games == {
        "market": GameSettings(
            ("long_game", "dear.rules"),
            "An evening",
            3,
            {"goal": "40", "fast": "yes", "style": "plain"},
            {
                "with": f"{file}:6",
                "preset": f"{file}:7",
                "people": f"{file}:8",
                "options": f"{file}:10",
                "options.goal": f"{file}:11",
                "options.fast": f"{file}:12",
                "options.style": f"{file}:13",
            },
        )
    }


def test_an_empty_file(tmp_path: Path) -> None:
    """It says nothing."""
    assert read(tmp_path, "") == Config(tmp_path / config.FILE)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("ruleset = ['house']", 1, "unknown key `ruleset`: did you mean `rulesets`?"),
        ("x = 1", 1, "unknown key `x`: there are `rulesets`, `variants`, `allow` or a table"),
        ("rulesets = 'house'", 1, '`rulesets` cannot be `"house"`: expected a list of folders'),
        ("rulesets = [1]", 1, "`rulesets` cannot be this list: expected a list of folders"),
        ("\nvariants = ['ruls']", 2, "there is no folder 'ruls'"),
        ("[market]\npepole = 2", 2, "unknown key `pepole`: did you mean `people`?"),
        ("[market]\npeople = 0", 2, "`people` cannot be `0`: expected a whole number from 1"),
        ("[market]\npeople = true", 2, "`people` cannot be `true`"),
        ("[market]\npreset = 3", 2, "`preset` cannot be `3`: expected the title of a preset"),
        ("[market]\nwith = 'x'", 2, '`with` cannot be `"x"`: expected a list of variants'),
        ("[market]\n\noptions = 3", 3, "`options` cannot be `3`: expected a table"),
        ("[a.options]\ny = 1\n[market.options]\ny = 1.5", 4, "`y` cannot be `1.5`: expected a"),
        ("[market]\noptions = { goal = [] }", 2, "`goal` cannot be this list"),
        ("market.people = 0", 1, "`people` cannot be `0`"),
        ("[market]\npeople =", 2, "this is no TOML: Invalid value"),
        ("x = 1\n[run]\npeople = 2", 1, "there are `rulesets`, `variants`, `allow` or a table"),
        ("\n[run]\npeople = 2", 2, "there is no game `run`: a table has the name of a game"),
        ("[run.options]\nfast = true", 1, "there is no game `run`"),
        ("[markt]\npeople = 2", 1, "there is no game `markt`: did you mean `[market]`?"),
        (
            "allow = 'idle-option'",
            1,
            '`allow` cannot be `"idle-option"`: expected a list of warnings',
        ),
        ("allow = ['idle-opton']", 1, "no warning `idle-opton`: did you mean `idle-option`?"),
        ("allow = ['unknown-name']", 1, "there is no warning `unknown-name`"),
        ("[pyratez]\npeople = 2", 1, "there is no game `pyratez`: did you mean `[pyrates]`?"),
    ],
)
def test_mistakes_have_place_reason_and_help(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    """File and line first, then what was expected or is near."""
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    said = str(error.value)
    assert said.startswith(f"{tmp_path / config.FILE}:{line}: ")
    assert message in said


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    """It is refused like any other mistake."""
    place = tmp_path / config.FILE
    place.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not UTF-8"):
        config.read(place)


def test_the_nearest_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the current folder or above; folders of the command line come first."""
    read(tmp_path, "rulesets = ['house']")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    named = tmp_path / "named"
    monkeypatch.setenv(discovery.VARIABLE, str(named))
    config.look_around([tmp_path / "first"])
    first, second, third = discovery.search().folders
    assert (first, second) == (tmp_path / "first", named)
    assert third.resolve() == tmp_path / "house"
    read(tmp_path / "a", "")
    config.look_around()
    assert discovery.search().folders == (named,)
    config.look_around(config=False)
    assert config.current() == Config()
