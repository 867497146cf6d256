"""What is loaded before a command is known, and what each command may load."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {
    "lark",
    "cattrs",
    "attrs",
    "interpreter",
    "hypothesis",
    "rich",
    "importlib.metadata",
    "jinja2",
    "drawsvg",
}


def modules_after(*arguments: str, cache: Path | None = None) -> set[str]:
    """Run a command in a fresh interpreter and list what it has loaded."""
    environment = dict(os.environ)
    if cache is not None:
        environment["RULELANG_CACHE_DIR"] = str(cache)
    program = (
        "import sys, cli; code = cli.run_command_line(sys.argv[1:]); "
        "print('MODULES', *sys.modules); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        encoding="utf-8",
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("MODULES "))
    return set(line.split()[1:])


@pytest.mark.parametrize(
    "arguments",
    [("--version",), ("--help",), ("run", "--help"), ("rum",)],
    ids=["version", "help", "help of a verb", "mistyped verb"],
)
def test_nothing_heavy_before_a_command_is_known(arguments: tuple[str, ...]) -> None:
    """Version, help and a mistyped verb load neither half and no library but click."""
    loaded = modules_after(*arguments)
    assert "click" in loaded
    assert not loaded & HEAVY


def test_explain_loads_no_parser_and_no_engine() -> None:
    """A code is explained without the parser and without the engine."""
    assert not modules_after("explain", "E0101") & {"lark", "cattrs", "interpreter"}


def test_a_game_from_the_cache_loads_no_parser_and_no_checker(tmp_path: Path) -> None:
    """The second run of a ruleset loads neither Lark nor any stage of the language that reads texts."""
    arguments = ("run", "pyrates", "--seed", "7", "--log", "quiet")
    first = modules_after(*arguments, cache=tmp_path)
    assert "rulelang.parser" in first
    second = modules_after(*arguments, cache=tmp_path)
    stages = {"rulelang.parser", "rulelang.nodes", "rulelang.binder", "rulelang.lowering"}
    assert not second & {*stages, "lark", "cattrs"}
