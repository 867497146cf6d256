"""The verbs `docs` and `graph`, as people type them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.sample_game import run
from tests.variants.stall import GAME

FAIR = str(Path(__file__).parents[1] / "rulebook" / "fair")


def started(
    *arguments: str, before: str = "pass", seed: str = "0"
) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    program = f"import sys; {before}; import cli; sys.exit(cli.run_command_line(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )


def test_a_book_in_a_file(tmp_path: Path) -> None:
    """The ending of the file says the format; standard output stays empty."""
    page, text = tmp_path / "fair.html", tmp_path / "fair.md"
    code, out, err = run("docs", FAIR, "--out", str(page))
    assert (code, out) == (0, "")
    assert str(page) in err
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert run("docs", FAIR, "--with", "dear", "--out", str(text))[0] == 0
    assert text.read_text("utf-8").startswith("# The Fair\n")


def test_a_book_on_standard_output() -> None:
    """HTML if nothing else is said."""
    code, out, err = run("docs", FAIR)
    assert (code, err) == (0, "")
    assert out.startswith("<!DOCTYPE html>")
    assert "<svg" in out
    code, out, _ = run("docs", FAIR, "--format", "markdown")
    assert code == 0
    assert "```mermaid\n" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("docs", FAIR, "--with", "dear"),
        ("docs", FAIR, "--format", "markdown"),
        ("graph", FAIR),
        ("graph", FAIR, "--what", "map"),
    ],
    ids=["html", "markdown", "phases", "map"],
)
def test_the_same_each_time(arguments: tuple[str, ...]) -> None:
    """Two processes with other hashes write the same bytes."""
    one, two = started(*arguments, seed="1"), started(*arguments, seed="2")
    assert one.returncode == two.returncode == 0, one.stderr.decode()
    assert one.stdout == two.stdout != b""


def test_drawings(tmp_path: Path) -> None:
    """SVG and Mermaid, of the course and of the map."""
    place = tmp_path / "fair.svg"
    assert run("graph", FAIR, "--out", str(place))[0] == 0
    assert ET.fromstring(place.read_text("utf-8")).tag.endswith("svg")  # noqa: S314 - our own
    code, out, _ = run("graph", FAIR, "--what", "map", "--format", "mermaid")
    assert code == 0
    assert out.startswith("flowchart LR\n")


def test_no_map(tmp_path: Path) -> None:
    """A game whose data name no places has none: that is a finding."""
    game = tmp_path / "stall.rules"
    game.write_text(GAME, "utf-8")
    code, out, err = run("graph", str(game), "--what", "map")
    assert (code, out) == (1, "")
    assert "no places" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("docs", "nosuch"), "no ruleset 'nosuch'"),
        (("docs", FAIR, "--with", "nosuch"), "nosuch"),
        (("docs", FAIR, "--out", "x.svg"), "html or markdown"),
        (("graph", FAIR, "--out", "x.html"), "svg or mermaid"),
        (("docs", FAIR, "--out", "/nosuch/folder/x.md"), "No such file"),
    ],
)
def test_could_not_start(arguments: tuple[str, ...], said: str) -> None:
    """Wrong names and endings are said, with exit code 2."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("package", "arguments"),
    [("jinja2", ("docs", FAIR)), ("drawsvg", ("docs", FAIR)), ("drawsvg", ("graph", FAIR))],
)
def test_without_the_extra(package: str, arguments: tuple[str, ...]) -> None:
    """What is missing is named, with what to install; exit code 2."""
    done = started(*arguments, before=f"sys.modules[{package!r}] = None")
    assert (done.returncode, done.stdout) == (2, b"")
    assert package in done.stderr.decode()
    assert "rulelang[docs]" in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments", [("docs", FAIR, "--format", "markdown"), ("graph", FAIR, "--format", "mermaid")]
)
def test_text_needs_no_extra(arguments: tuple[str, ...]) -> None:
    """Markdown and Mermaid are written without any of them."""
    before = "sys.modules.update(dict.fromkeys(['jinja2', 'markupsafe', 'drawsvg']))"
    done = started(*arguments, before=before)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout


def test_a_ruleset_with_mistakes(tmp_path: Path) -> None:
    """They are reported as `check` does, with exit code 1; nothing is written."""
    game = tmp_path / "broken.rules"
    game.write_text(
        'game broken "Broken":\n    version "1"\n    players 1..2\nphase game:\n    do\n', "utf-8"
    )
    code, out, err = run("docs", str(game))
    assert (code, out) == (1, "")
    assert "error[" in err
