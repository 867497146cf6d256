"""Texts in, findings and programs out."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulelang import api, cache, files

if TYPE_CHECKING:
    from rulelang.diagnostics import Diagnostic

ROOT = Path(__file__).resolve().parents[2]
GAME = (
    'game sample "Sample":\n    players 1..4\n\n'
    'component Card from "cards.csv":\n    worth: 0..9\n\n'
    "option prize: 1..9 = 3\n\n"
    "component Player:\n    points: 0.. = 0\n\n"
    "phase game:\n    each player in Player: player gains prize points\n"
    "    do win(Player with highest points)\n"
    "    each card in Card where its worth > 2: do nothing\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small ruleset, and a cache of its own."""
    monkeypatch.setenv("RULELANG_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "sample"
    root.mkdir()
    (root / "sample.rules").write_text(GAME, encoding="utf-8")
    (root / "cards.csv").write_text("id,worth\nace,1\nking,3\n", encoding="utf-8")
    return root


def errors(found: tuple[Diagnostic, ...]) -> list[str]:
    """Give the codes of the errors."""
    return [each.code for each in found if each.is_error]


def test_load(folder: Path) -> None:
    """A program for as many seats as people take part."""
    result = api.load(folder, people=3)
    assert errors(result.diagnostics) == []
    assert result.program is not None
    assert (result.program.name, result.program.seats) == ("sample", 3)
    assert result.root == folder
    assert [source.path for source in result.files] == ["sample.rules"]


def test_errors_make_no_program(folder: Path) -> None:
    """`load` gives them, `load_ruleset` raises them."""
    with (folder / "cards.csv").open("a", encoding="utf-8") as file:
        file.write("queen,ten\n")
    result = api.load(folder)
    assert result.program is None
    assert errors(result.diagnostics) == ["E0802"]
    with pytest.raises(api.RulesetError, match=r"1 error: cards.csv:4:7") as raised:
        api.load_ruleset(folder)
    assert errors(raised.value.diagnostics) == ["E0802"]


def test_shipped_rulesets_bind() -> None:
    """The rulesets that come with the program have no error in declarations and data."""
    for name in files.shipped_rulesets():
        result = api.load(name)
        assert errors(result.diagnostics) == []
        assert result.program is not None


def test_an_empty_folder(tmp_path: Path) -> None:
    """There is nothing to load in it."""
    assert errors(api.load(tmp_path).diagnostics) == ["E0801"]


def test_a_snippet_gets_a_header() -> None:
    """No game, no main phase, and citations that are not looked up."""
    text = "component Player:\n    points: 0.. = 0 [AB-1]\n"
    assert errors(api.check_text(text)) == []
    assert errors(api.check_text("define x = nowhere\n")) == ["E0201"]


def test_a_snippet_with_files() -> None:
    """Data and further rules are in memory."""
    text = 'component Card from "cards.csv":\n    worth: 0..9\n'
    assert errors(api.check_text(text, files={"cards.csv": "id,worth\nace,1\n"})) == []
    found = api.check_text(text, "here.rules", files={"cards.csv": "id,worth\nace,x\n"})
    assert [str(each.span) for each in found if each.is_error] == ["cards.csv:2:5"]
    assert errors(api.check_text(text)) == ["E0801"]


def test_what_could_not_be_read_is_not_unknown_elsewhere() -> None:
    """One mistake in a header gives one finding."""
    text = (
        "effect deal(player:\n    do nothing\n"
        "effect start:\n    each player in Player: do deal(player)\n"
        "phase game:\n    do start\n"
    )
    found = errors(api.check_text(text))
    assert len(found) == 1
    assert found[0].startswith("E01")


def test_check_path(folder: Path) -> None:
    """Variants and scenarios are checked with their game."""
    (folder / "variants").mkdir()
    variant = folder / "variants" / "v.rules"
    variant.write_text('variant v "V" of sample:\n    change option prize = 5\n', encoding="utf-8")
    (result,) = api.check_path([folder])
    assert errors(result.diagnostics) == []
    assert [source.path for source in result.files] == ["sample.rules", "variants/v.rules"]
    (result,) = api.check_path([variant])
    assert errors(result.diagnostics) == []
    assert [source.path for source in result.files] == ["sample.rules", "variants/v.rules"]


def test_a_variant_of_a_shipped_game(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its game comes with the program, its file lies anywhere."""
    monkeypatch.setattr(files, "shipped_folder", lambda: folder.parent)
    home = tmp_path / "home"
    home.mkdir()
    place = home / "mine.rules"
    place.write_text('variant mine "Mine" of sample:\n    define mine = x\n', encoding="utf-8")
    (result,) = api.check_path([place])
    assert [source.path for source in result.files] == ["sample.rules", str(place)]
    assert result.root == folder


# ---------------------------------------------------------------- the cache


def test_the_same_program_comes_back(folder: Path, tmp_path: Path) -> None:
    """A second load compiles nothing."""
    first = api.load_ruleset(folder, people=2)
    (entry,) = (tmp_path / "cache").glob("*.program")
    code = (
        "import sys\nfrom rulelang import api\n"
        f"program = api.load_ruleset({str(folder)!r}, people=2)\n"
        "assert not {'rulelang.parser', 'rulelang.binder', 'lark'} & set(sys.modules)\n"
        "print(program.digest)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == first.digest
    assert api.load_ruleset(folder, people=2) == first
    assert entry.exists()


@pytest.mark.parametrize("name", ["sample.rules", "cards.csv"])
def test_a_change_is_seen(folder: Path, name: str) -> None:
    """Of a rule and of a cell."""
    first = api.load_ruleset(folder)
    place = folder / name
    place.write_text(place.read_text(encoding="utf-8").replace("3", "4"), encoding="utf-8")
    assert api.load_ruleset(folder).digest != first.digest


def test_seats_are_part_of_the_key(folder: Path) -> None:
    """Another number of people is another program."""
    assert [api.load_ruleset(folder, people=people).seats for people in (2, 3, 2)] == [2, 3, 2]


@pytest.mark.parametrize("damage", ["short", "flipped", "evil", "empty"])
def test_a_damaged_entry_is_compiled_again(folder: Path, tmp_path: Path, damage: str) -> None:
    """Nothing but a program is ever made of what lies in the cache."""
    first = api.load_ruleset(folder)
    (entry,) = (tmp_path / "cache").glob("*.program")
    data = entry.read_bytes()
    if damage == "short":
        entry.write_bytes(data[:-10])
    elif damage == "flipped":
        entry.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    elif damage == "empty":
        entry.write_bytes(b"")
    else:

        class Evil:
            def __reduce__(self) -> tuple[object, tuple[str]]:
                return os.mkdir, (str(tmp_path / "evil"),)

        body = b"{}\n" + pickle.dumps(Evil())
        entry.write_bytes(hashlib.sha256(body).digest() + body)
    assert api.load_ruleset(folder) == first
    assert not (tmp_path / "evil").exists()


def test_a_folder_that_others_can_write_is_not_used(folder: Path, tmp_path: Path) -> None:
    """Neither read nor written."""
    place = tmp_path / "cache"
    place.mkdir(mode=0o777)
    place.chmod(0o777)
    api.load_ruleset(folder)
    assert not list(place.iterdir())


def test_the_cache_stays_small(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest entries go."""
    monkeypatch.setattr(cache, "MAX_ENTRIES", 2)
    for people in (1, 2, 3, 4):
        api.load_ruleset(folder, people=people)
    assert len(list((tmp_path / "cache").glob("*.program"))) == 2


def test_what_is_used_stays_in_the_cache(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that is old and was taken from the cache since is kept, one that was not goes."""
    monkeypatch.setattr(cache, "MAX_ENTRIES", 2)
    place = tmp_path / "cache"
    names: list[set[Path]] = []
    for people in (1, 2):
        api.load_ruleset(folder, people=people)
        names.append({*place.glob("*.program")}.difference(*names))
    for (entry,), age in zip(names, (200, 100), strict=True):
        os.utime(entry, (entry.stat().st_atime, entry.stat().st_mtime - age))
    api.load_ruleset(folder, people=1)
    api.load_ruleset(folder, people=3)
    assert [entry.exists() for (entry,) in names] == [True, False]


def test_no_cache_on_request(folder: Path, tmp_path: Path) -> None:
    """Nothing is left behind."""
    api.load_ruleset(folder, cache=False)
    assert not (tmp_path / "cache").exists()
