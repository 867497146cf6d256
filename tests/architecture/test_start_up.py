"""What is loaded before a command is known, and what each command may load."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"lark", "cattrs", "attrs", "interpreter", "hypothesis", "rich", "importlib.metadata"}


def modules_after(*arguments: str) -> set[str]:
    """Run a command in a fresh interpreter and list what it has loaded."""
    program = (
        "import sys, cli; code = cli.run_command_line(sys.argv[1:]); "
        "print('MODULES', *sys.modules); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
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
