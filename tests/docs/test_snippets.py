"""Whatever the documents show is run: commands, Python and rules.

Marked blocks of a page share one folder, in the order of the page:

* a `rules` block with `title="FILE"` is written there and checked; without one it is checked alone;
* a `python` block is run there;
* a `console` block runs each line that begins with `$ `; the lines below it, if there are any, are what it prints.
  A line `...` stands for any lines. A command may fail only if the page says so: `$ COMMAND || echo "exit code $?"`.

Commands that make an environment are left out: `.ci/run` runs those of the README word for word.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
BLOCK = re.compile(
    r'^```(?P<language>console|python|rules)(?: title="(?P<title>[^"\n]+)")?\n(?P<text>.*?)^```$',
    re.DOTALL | re.MULTILINE,
)


@attrs.frozen
class Snippet:
    """One fenced block."""

    language: str
    title: str | None
    text: str
    line: int


def snippets(page: Path) -> list[Snippet]:
    """List the blocks of a page that are to be run."""
    markdown = page.read_text("utf-8")
    return [
        Snippet(
            found["language"],
            found["title"],
            found["text"],
            markdown.count("\n", 0, found.start()) + 1,
        )
        for found in BLOCK.finditer(markdown)
    ]


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Split a console block into commands with the lines they are said to print."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            assert found, f"output before the first command: {line}"
            found[-1][1].append(line)
    return [item for item in found if not item[0].startswith("python3 -m venv ")]


def matches(expected: list[str], printed: str) -> bool:
    """Compare output with what a page shows, `...` standing for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n"
        for line in expected
    )
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one command as a reader of the page would."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],  # noqa: S607 - whichever the reader has
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=100,
    )


def run_snippet(snippet: Snippet, folder: Path) -> None:
    """Run one block in the folder of its page."""
    where = f"line {snippet.line}"
    if snippet.language == "console":
        for command, expected in commands(snippet.text):
            done = shell(command, folder)
            assert done.returncode == 0, f"{where}: {command}\n{done.stdout}"
            if expected:
                assert matches(expected, done.stdout), f"{where}: {command}\n{done.stdout}"
        return
    if snippet.language == "python":
        script = folder / "snippet.py"
        script.write_text(snippet.text, "utf-8")
        done = shell("python snippet.py", folder)
        assert done.returncode == 0, f"{where}:\n{done.stdout}"
        return
    file = folder / (snippet.title or "snippet.rules")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(snippet.text, "utf-8")
    done = shell(f"rulelang check {file.name}", file.parent)
    assert done.returncode == 0, f"{where}:\n{done.stdout}"
    if snippet.title is None:
        file.unlink()


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if snippets(page)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_page(page: Path, tmp_path: Path) -> None:
    """Every block of the page does what the page says."""
    for snippet in snippets(page):
        run_snippet(snippet, tmp_path)


def test_every_block_is_known() -> None:
    """No page has a fenced block of a kind that nothing would run, except plain text and tables."""
    for page in PAGES:
        fences = re.findall(r"^```(.*)$", page.read_text("utf-8"), re.MULTILINE)
        for opening in fences[::2]:
            language = opening.partition(" ")[0]
            assert language in {"", "console", "python", "rules", "text"}, f"{page.name}: {opening}"


def test_two_commands_of_the_readme() -> None:
    """The README promises two commands that do all the set-up: a game and the tests."""
    done = shell(f"python {ROOT}/tests/docs/readme_commands.py {ROOT}/README.md", ROOT)
    first, second = done.stdout.splitlines()
    assert first.endswith("rulelang run pyrates --seed 7")
    assert second.endswith("pytest")


def test_output_is_compared() -> None:
    """A page that shows something else fails, `...` or not."""
    assert matches(["a", "...", "c"], "a\nb\nb\nc\n")
    assert matches(["a", "...", "c"], "a\nc\n")
    assert not matches(["a", "...", "c"], "a\nb\n")
    assert not matches(["a"], "a\nb\n")
