"""Who may import whom, read from the text of the modules, so that no import is run for it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE_CORE = [
    path
    for path in sorted((ROOT / "interpreter").rglob("*.py"))
    if "ui" not in path.relative_to(ROOT).parts
]
LANGUAGE = sorted((ROOT / "rulelang").rglob("*.py"))
CLOCKS_AND_CHANCE = {"random", "secrets", "time", "datetime", "uuid"}


def imported_modules(path: Path) -> set[str]:
    """List every module that a file imports, at the top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def name_of(path: Path) -> str:
    """Name a test after the file it looks at."""
    return str(path.relative_to(ROOT))


def test_something_is_looked_at() -> None:
    """The lists that the other tests run over are not empty."""
    assert ENGINE_CORE
    assert LANGUAGE


@pytest.mark.parametrize("path", LANGUAGE, ids=name_of)
def test_language_does_not_know_the_engine(path: Path) -> None:
    """No module of the language imports the engine or the command line."""
    assert not {
        name
        for name in imported_modules(path)
        if name.partition(".")[0] in {"interpreter", "commands", "cli"}
    }


@pytest.mark.parametrize("path", ENGINE_CORE, ids=name_of)
def test_engine_sees_only_the_representation(path: Path) -> None:
    """Of the language the engine imports `rulelang.ir` and nothing else."""
    language = {
        name for name in imported_modules(path) if name.partition(".")[0] in {"rulelang", "lark"}
    }
    outside = {
        name
        for name in language
        if name not in {"rulelang", "rulelang.ir"} and not name.startswith("rulelang.ir.")
    }
    assert not outside


@pytest.mark.parametrize("path", [*LANGUAGE, *ENGINE_CORE], ids=name_of)
def test_core_reads_no_clock_and_no_global_chance(path: Path) -> None:
    """Neither half reads a clock or a random generator of the process."""
    assert not {
        name for name in imported_modules(path) if name.partition(".")[0] in CLOCKS_AND_CHANCE
    }


@pytest.mark.parametrize("path", [*LANGUAGE, *ENGINE_CORE], ids=name_of)
def test_no_text_is_run_as_code(path: Path) -> None:
    """Nothing is evaluated from text; only syntax trees built by the emitter are compiled."""
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "eval" not in calls
    if path.name != "compiled.py":
        assert "exec" not in calls


def test_only_the_command_line_knows_exit_codes() -> None:
    """No other module ends the process."""
    for path in [*LANGUAGE, *sorted((ROOT / "interpreter").rglob("*.py"))]:
        text = path.read_text("utf-8")
        assert "sys.exit" not in text, name_of(path)
        assert "SystemExit" not in text, name_of(path)
