"""The command that formats: files, standard input, what it says and what it leaves alone."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

import cli
from tests.cli.sample_game import PIG, run

if TYPE_CHECKING:
    from pathlib import Path

CROOKED = PIG.replace("    ", "  ")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file in the style, one that is not, and one that does not parse."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "variants").mkdir()
    (tmp_path / "good.rules").write_text(PIG, "utf-8")
    (tmp_path / "variants" / "crooked.rules").write_text(CROOKED, "utf-8")
    return tmp_path


def test_files_are_formatted(folder: Path) -> None:
    """A file that is in the style is not written; one that is not keeps its rights."""
    good, crooked = folder / "good.rules", folder / "variants" / "crooked.rules"
    crooked.chmod(0o640)
    old = good.stat()
    code, out, err = run("fmt", ".")
    assert (code, out) == (0, "")
    assert err == "1 file formatted, 1 file left as it is\n"
    assert crooked.read_text("utf-8") == PIG
    assert crooked.stat().st_mode & 0o777 == 0o640
    now = good.stat()
    assert (now.st_ino, now.st_mtime_ns) == (old.st_ino, old.st_mtime_ns)
    assert sorted(path.name for path in crooked.parent.iterdir()) == ["crooked.rules"]
    assert run("fmt", ".", "./good.rules")[2] == "2 files left as they are\n"


def test_check_lists(folder: Path) -> None:
    """`--check` names what is not in the style, writes nothing and fails."""
    code, out, err = run("fmt", "--check", ".")
    assert (code, out) == (1, "variants/crooked.rules\n")
    assert err == "1 file not in the one style, 1 file left as it is\n"
    assert (folder / "variants" / "crooked.rules").read_text("utf-8") == CROOKED
    assert run("fmt", "--check", "good.rules")[:2] == (0, "")


def test_diff_shows(folder: Path) -> None:
    """`--diff` writes a difference that can be applied, and nothing else; also for a last line without an end."""
    path = folder / "variants" / "crooked.rules"
    path.write_text("define a  = 1", "utf-8")
    code, out, _ = run("fmt", "--diff", ".")
    assert code == 1
    assert out.splitlines() == [
        "--- variants/crooked.rules",
        "+++ variants/crooked.rules",
        "@@ -1 +1 @@",
        "-define a  = 1",
        "\\ No newline at end of file",
        "+define a = 1",
    ]
    assert path.read_text("utf-8") == "define a  = 1"
    assert "\x1b[31m-define" in run("--color", "always", "fmt", "--diff", ".")[1]


def test_what_does_not_parse_is_left_alone(folder: Path) -> None:
    """Its mistakes are told as `check` tells them; the others are formatted all the same."""
    bad = folder / "bad.rules"
    bad.write_text("define  a = 1\ndefine b =\n", "utf-8")
    code, out, err = run("fmt", ".")
    assert (code, out) == (1, "")
    assert "error[E" in err
    assert "bad.rules:2:" in err
    assert err.endswith("1 file formatted, 1 file left as it is, 1 file could not be read\n")
    assert bad.read_text("utf-8") == "define  a = 1\ndefine b =\n"
    assert (folder / "variants" / "crooked.rules").read_text("utf-8") == PIG
    assert run("fmt", "--check", "bad.rules")[0] == 1


def test_no_such_path(folder: Path) -> None:
    """A path that leads nowhere, a folder without rules, a file that is none, are mistakes of usage."""
    (folder / "empty").mkdir()
    (folder / "notes.txt").write_text("x", "utf-8")
    for path in ("nothing", "empty", "notes.txt"):
        code, _, err = run("fmt", path)
        assert code == 2
        assert path in err
    assert run("fmt")[0] == 2
    assert run("fmt", "-", ".")[0] == 2


def piped(monkeypatch: pytest.MonkeyPatch, text: bytes, *arguments: str) -> tuple[int, str, str]:
    """Run with a text on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run_command_line(["fmt", "-", *arguments])
    out.seek(0)
    return code, out.read(), err.getvalue()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to standard output; findings go to standard error, under the name that was given."""
    assert piped(monkeypatch, b"define a  = 1\r\n") == (0, "define a = 1\n", "")
    assert piped(monkeypatch, b"define a  = 1\n", "--check") == (1, "stdin\n", "")
    assert piped(monkeypatch, b"define a = 1\n", "--check") == (0, "", "")
    code, out, err = piped(monkeypatch, b"define a =\n", "--stdin-filename", "x.rules")
    assert (code, out) == (1, "")
    assert "x.rules:1:" in err
    code, out, err = piped(monkeypatch, b"define a = 1 # \xff\n")
    assert (code, out) == (1, "")
    assert "E0108" in err


def test_links_in_folders_are_passed_over(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What lies elsewhere is formatted only if it is named."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "other.rules"
    elsewhere.write_text(CROOKED, "utf-8")
    (folder / "link.rules").symlink_to(elsewhere)
    assert run("fmt", ".")[0] == 0
    assert elsewhere.read_text("utf-8") == CROOKED
    assert run("fmt", "link.rules")[0] == 0
    assert elsewhere.read_text("utf-8") == PIG
    assert (folder / "link.rules").is_symlink()


def test_a_file_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is as it was, and nothing is left beside it."""
    monkeypatch.setattr("pathlib.Path.replace", _refuse)
    path = folder / "variants" / "crooked.rules"
    code, _, err = run("fmt", "variants")
    assert code == 2
    assert "error: " in err
    assert path.read_text("utf-8") == CROOKED
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def _refuse(*_arguments: object) -> None:
    raise PermissionError(13, "Permission denied")
