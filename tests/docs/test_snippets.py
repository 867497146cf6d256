"""Whatever the documents show is run: commands, Python and rules.

Marked blocks of a page share one folder, in the order of the page:

* a `rules`, `csv`, `python` or `javascript` block with `title="FILE"` is written there; when all that follow each other
  are written, the ruleset (the first folder of the path, or the file) must have no error;
* a `rules` block without a title is checked alone, with the `csv` blocks above it, and its scenarios are played on both
  engines: it must have no error, and no warning but that something is not used;
* a `rules-wrong CODE` block is checked alone too: it must have this finding and no other but what is not used;
* a `rules-from NAME` block is an excerpt of a ruleset that comes along: its lines stand there so, one after the other;
* a `python` block is run there;
* a `toml` block is read; commands of ours in a `text` block are understood;
* a `console` block runs each line that begins with `$ `; the lines below it, if there are any, are what it prints.
  A line `...` stands for any lines. A command may fail only if the page says so: `$ COMMAND || echo "exit code $?"`.

What a page about NAME leaves behind is what lies in the folder `examples/NAME` beside it, if there is one.

Commands that make an environment are left out: `.ci/run` runs those of the README word for word. Commands that start
Node.js are left out where there is none.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs
import click
import pytest

from cli import command_line
from interpreter.examples.scenarios import ScenarioRunner
from interpreter.examples.stage import Stage
from rulelang import api

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
BLOCK = re.compile(
    r"^```(?P<language>console|javascript|python|rules-wrong|rules-from|rules|csv|toml|text)(?: (?P<code>\w+))?"
    r'(?: title="(?P<title>[^"\n]+)")?\n(?P<text>.*?)^```$',
    re.DOTALL | re.MULTILINE,
)
LANGUAGES = {
    "",
    "console",
    "csv",
    "javascript",
    "python",
    "rules",
    "rules-from",
    "rules-wrong",
    "text",
    "toml",
}
LONG = {
    "cli",
    "first-house-rule",
    "formats",
    "royal-game-of-ur",
    "rulebook",
    "test-your-ruleset",
    "what-does-my-house-rule-do",
    "write-a-bot",
    "write-a-ruleset",
    "write-scenarios",
}  # pages with many commands
UNUSED = {"E0210", "E0704"}


@attrs.frozen
class Snippet:
    """One fenced block."""

    language: str
    title: str | None
    code: str | None
    text: str
    line: int

    @property
    def what(self) -> str:
        """What to do with it."""
        return "file" if self.title is not None else self.language


def snippets(page: Path) -> list[Snippet]:
    """List the blocks of a page that are to be run."""
    markdown = page.read_text("utf-8")
    return [
        Snippet(
            found["language"],
            found["title"],
            found["code"],
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
    left_out = (
        ["python3 -m venv "] if shutil.which("node") else ["python3 -m venv ", "process:node "]
    )
    return [item for item in found if not any(word in item[0] for word in left_out)]


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


def check_alone(snippet: Snippet, data: dict[str, str]) -> None:
    """Check a block of rules as a text of its own, and play its scenarios."""
    found = api.check_text(snippet.text, "snippet.rules", data)
    said = [
        f"{each.span}: {each.code} {each.headline}" for each in found if each.code not in UNUSED
    ]
    codes = {each.code for each in found} - UNUSED
    where = f"line {snippet.line}: {said}"
    if snippet.language == "rules-wrong":
        assert codes == {snippet.code} or (snippet.code in UNUSED and not codes), where
        assert snippet.code in {each.code for each in found}, where
        return
    assert not said, where
    written = snippet.text.count("\nscenario ") + snippet.text.startswith("scenario ")
    played = 0
    texts = api.texts_in_memory({"snippet.rules": snippet.text, **data})
    for group in texts.groups():
        program, _ = texts.compile(group.variants, seats=group.seats, scenarios=True)
        assert program is not None, where
        for start in (None, Stage):
            for result in ScenarioRunner(program, start).run_all():
                played += 1
                assert result.passed, f"line {snippet.line}: {result}"
    assert played == 2 * written, f"line {snippet.line}: not all scenarios were played"


def find_excerpt(snippet: Snippet) -> None:
    """Find the lines of a block in a ruleset that comes along; an empty line stands for any lines."""
    texts = [
        path.read_text("utf-8") for path in (ROOT / "rulesets" / str(snippet.code)).rglob("*.rules")
    ]
    for part in snippet.text.strip("\n").split("\n\n"):
        assert any(f"\n{part}\n" in f"\n{text}" for text in texts), f"line {snippet.line}: {part}"


def read_toml(snippet: Snippet) -> None:
    """Read a block as TOML."""
    assert tomllib.loads(snippet.text), f"line {snippet.line}"


def understand(snippet: Snippet) -> None:
    """Take commands of ours apart as the program does, without running them."""
    for line in snippet.text.splitlines():
        program, _, rest = line.partition(" ")
        if program != "rulelang" or "[OPTIONS]" in rest or rest.startswith("="):
            continue
        group: click.Command = command_line
        name, typed = None, shlex.split(rest)
        while isinstance(group, click.Group):
            name, found, typed = group.resolve_command(click.Context(group), typed)
            assert found is not None
            group = found
        group.make_context(name, typed)


READ = {"rules-from": find_excerpt, "text": understand, "toml": read_toml}


def run_python(blocks: list[Snippet], folder: Path) -> None:
    """Run blocks of Python one after the other, each for itself, in one process."""
    names = [f"line_{block.line}.py" for block in blocks]
    for name, block in zip(names, blocks, strict=True):
        (folder / name).write_text(block.text, "utf-8")
    program = "import runpy, sys; [runpy.run_path(name) for name in sys.argv[1:]]"
    done = shell(f'python -c "{program}" {" ".join(names)}', folder)
    assert done.returncode == 0, done.stdout


def write_files(blocks: list[Snippet], folder: Path) -> None:
    """Write blocks to their files, and check each ruleset when all that stand together are written."""
    for block in blocks:
        file = folder / str(block.title)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, "utf-8")
    for name in {
        str(block.title).partition("/")[0] for block in blocks if block.language == "rules"
    }:
        for result in api.check_path([folder / name]):
            said = [f"{each.span}: {each.code} {each.headline}" for each in result.diagnostics]
            assert not result.has_errors, f"line {blocks[0].line}: {said}"


def run_console(block: Snippet, folder: Path) -> None:
    """Run the commands of a block and compare what they print."""
    for command, expected in commands(block.text):
        where = f"line {block.line}: {command}"
        done = shell(command, folder)
        assert done.returncode == 0, f"{where}\n{done.stdout}"
        if expected:
            assert matches(expected, done.stdout), f"{where}\n{done.stdout}"


def compare_with_examples(page: Path, folder: Path) -> None:
    """Compare what a page has left behind with what is kept of it; RULELANG_KEEP_EXAMPLES writes that."""
    kept = page.parent / "examples" / page.stem
    if not kept.is_dir():
        return
    for top in sorted(path.name for path in kept.iterdir()):
        if os.environ.get("RULELANG_KEEP_EXAMPLES"):
            shutil.rmtree(kept / top)
            shutil.copytree(folder / top, kept / top)
        assert contents(kept / top) == contents(folder / top)


def contents(folder: Path) -> dict[str, str]:
    """Read all files of a folder, by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if page.stem in LONG else ())
        for page in PAGES
        if snippets(page)
    ],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_page(page: Path, tmp_path: Path) -> None:
    """Every block of the page does what the page says."""
    for what, group in itertools.groupby(snippets(page), lambda each: each.what):
        blocks = list(group)
        if what == "file":
            write_files(blocks, tmp_path)
        elif what == "python":
            run_python(blocks, tmp_path)
        elif what in READ:
            for block in blocks:
                READ[what](block)
        elif what == "console":
            for block in blocks:
                run_console(block, tmp_path)
        else:
            data = {
                file.relative_to(tmp_path).as_posix(): file.read_text("utf-8")
                for file in sorted(tmp_path.rglob("*.csv"))
            }
            for block in blocks:
                check_alone(block, data)
    compare_with_examples(page, tmp_path)


def test_every_block_is_known() -> None:
    """No page has a fenced block of a kind that nothing would run, except plain text and tables."""
    for page in PAGES:
        fences = re.findall(r"^```(.*)$", page.read_text("utf-8"), re.MULTILINE)
        for opening in fences[::2]:
            language = opening.partition(" ")[0]
            assert language in LANGUAGES, f"{page.name}: {opening}"


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
