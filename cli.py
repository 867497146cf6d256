"""The command line: one program, one verb for each thing to do with a ruleset.

Only click is imported here. Every command loads what it needs when it runs, so `--version`, `--help` and a mistyped
command answer at once. This is also the only place that knows exit codes:

    0 fine · 1 findings, failed scenarios, a replay that differs · 2 could not start (usage, missing file)
    3 a rule fault or a limit stopped a game · 70 internal error · 130 interrupted
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from commands import (
    conformance,
    docs,
    editors,
    fmt,
    fuzz,
    games,
    graph,
    questions,
    serve,
    simulation,
    solving,
    texts,
    variants,
)
from commands.basics import ExitCode, command_line, wants_colour

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ExitCode",
    "command_line",
    "conformance",
    "docs",
    "editors",
    "fmt",
    "fuzz",
    "games",
    "graph",
    "main",
    "questions",
    "run_command_line",
    "serve",
    "simulation",
    "solving",
    "texts",
    "variants",
    "wants_colour",
]


_FAMILIES = (
    ("rulelang.files", "RulesetNotFoundError", ExitCode.USAGE),
    ("rulelang.config", "ConfigError", ExitCode.USAGE),
    ("rulelang.api", "RulesetError", ExitCode.FINDINGS),
    ("interpreter.errors", "OptionError", ExitCode.USAGE),
    ("interpreter.errors", "Quit", ExitCode.INTERRUPTED),
    ("interpreter.errors", "EngineError", ExitCode.FAULT),
)


def _known_failure(error: Exception) -> ExitCode | None:
    """Report what went wrong if it is a mistake of the user or a fault of the ruleset."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {where}{error.strerror or error}", err=True)
        return ExitCode.USAGE
    # An error of either half can only have been raised if that half is loaded: nothing is imported.
    for module, name, code in _FAMILIES:
        family = getattr(sys.modules.get(module), name, None)
        if family is not None and isinstance(error, family):
            said = "" if code is ExitCode.INTERRUPTED else "error: "
            click.echo(f"{said}{error}", err=True)
            return code
    return None


def run_command_line(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: What follows the program's name; `sys.argv` if None.

    Returns:
        The exit code. Never raises for anything that a user can type or name.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name in a file may have letters that the terminal's encoding lacks.
            stream.reconfigure(errors="backslashreplace")
    try:
        given = None if arguments is None else list(arguments)
        code = command_line.main(args=given, prog_name="rulelang", standalone_mode=False)
        return int(code or 0)
    except click.ClickException as error:
        error.show()
        return ExitCode.FAULT if error.exit_code == ExitCode.FAULT else ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except Exception as error:  # the last resort: nobody is shown a traceback
        known = _known_failure(error)
        if known is not None:
            return known
        if os.environ.get("RULELANG_TRACEBACK"):
            raise
        text = str(error).partition("\n")[0]
        click.echo(
            f"internal error: {type(error).__name__}: {text}\n"
            "This is a mistake in rulelang itself. Please report it with the command and the files;"
            " RULELANG_TRACEBACK=1 shows where it happened.",
            err=True,
        )
        return ExitCode.INTERNAL


def main() -> NoReturn:
    """Run as the console script."""
    sys.exit(run_command_line())


if __name__ == "__main__":
    main()
