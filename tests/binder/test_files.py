"""Finding and reading rulesets on disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from rulelang import discovery, files
from rulelang.data import DataFileError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset with everything it can have, and a secret beside it."""
    root = tmp_path / "sample"
    for path in ("b.rules", "a.rules", "more/c.rules", "variants/v.rules", "scenarios/s.rules"):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# {path}\n", encoding="utf-8")
    (root / "data").mkdir()
    (root / "data" / "x.csv").write_text("id\n", encoding="utf-8")
    (root / ".hidden.rules").write_text("nonsense", encoding="utf-8")
    (tmp_path / "secret.csv").write_text("secret", encoding="utf-8")
    (tmp_path / "secret.rules").write_text("secret", encoding="utf-8")
    return root


def test_all_rules_sorted_by_path(folder: Path) -> None:
    """Those below too; variants and scenarios only on request."""
    read = files.read_ruleset(folder)
    assert [source.path for source in read.sources] == ["a.rules", "b.rules", "more/c.rules"]
    more = files.read_ruleset(folder, ["scenarios", "variants"])
    assert [source.path for source in more.sources] == [
        *("a.rules", "b.rules", "more/c.rules", "scenarios/s.rules", "variants/v.rules")
    ]
    assert not more.problems


def test_a_single_file(folder: Path) -> None:
    """Its folder is where its data is."""
    read = files.read_ruleset(folder / "b.rules")
    assert [source.path for source in read.sources] == ["b.rules"]
    assert read.read("data/x.csv") == b"id\n"
    assert read.read.touched == {"data/x.csv": b"id\n"}


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv",
        "data/../../secret.csv",
        "/etc/passwd",
        "~/secret.csv",
        "C:/secret.csv",
        "data\\x.csv",
        "",
        "x\0y",
        "nothing.csv",
        "data",
        "link.csv",
        "out/secret.csv",
    ],
)
def test_nothing_else_is_read(folder: Path, path: str) -> None:
    """Neither by dots nor by links nor from the root."""
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "out").symlink_to(folder.parent)
    with pytest.raises(DataFileError):
        files.read_ruleset(folder).read(path)


def test_links_out_of_the_folder_are_reported(folder: Path) -> None:
    """A rules file that is a link to elsewhere is not read."""
    (folder / "z.rules").symlink_to(folder.parent / "secret.rules")
    (folder / "loop").symlink_to(folder)
    read = files.read_ruleset(folder)
    assert [path for path, _ in read.problems] == ["z.rules"]
    assert "secret" not in {source.text for source in read.sources}


def test_a_link_inside_the_folder_is_fine(folder: Path) -> None:
    """What stays inside may be a link."""
    (folder / "data" / "y.csv").symlink_to(folder / "data" / "x.csv")
    assert files.read_ruleset(folder).read("data/y.csv") == b"id\n"


def test_large_files_are_reported(folder: Path) -> None:
    """Two million bytes are enough for a rulebook."""
    (folder / "z.rules").write_bytes(b"#" * (files.MAX_FILE_BYTES + 1))
    ((path, reason),) = files.read_ruleset(folder).problems
    assert path == "z.rules"
    assert "2,000,000" in reason


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_no_file(folder: Path) -> None:
    """Nothing waits for a pipe."""
    os.mkfifo(folder / "data" / "pipe.csv")
    with pytest.raises(DataFileError):
        files.read_ruleset(folder).read("data/pipe.csv")


def test_find(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By path or by name; a near name is proposed."""
    monkeypatch.chdir(folder.parent)
    assert discovery.find_ruleset("sample").resolve() == folder
    name = files.shipped_rulesets()[0]
    assert discovery.find_ruleset(name).name == name
    with pytest.raises(files.RulesetNotFoundError, match=f"Did you mean '{name}'"):
        discovery.find_ruleset(name[:-1] + "zz"[: len(name) > 4])
    for bad in ("nothing_like_it", "a\0b", "", "../nowhere", "x" * 5000):
        with pytest.raises(files.RulesetNotFoundError):
            discovery.find_ruleset(bad)
