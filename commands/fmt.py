"""The verb that formats."""

from __future__ import annotations

import sys

import click

from commands.basics import ExitCode, command_line, findings, wants_colour


@command_line.command(
    epilog="\b\nrulelang fmt .\nrulelang fmt --check rulesets\nrulelang fmt - < game.rules"
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--check",
    is_flag=True,
    help="Change nothing, list the files that are not in the one style, and fail if there are any.",
)
@click.option(
    "--diff",
    is_flag=True,
    help="Change nothing, show what would change, and fail if anything would.",
)
@click.option(
    "--stdin-filename",
    metavar="NAME",
    default="stdin",
    show_default=True,
    help="What standard input is called in findings and differences.",
)
@click.pass_obj
def fmt(
    color: str, paths: tuple[str, ...], check: bool, diff: bool, stdin_filename: str
) -> ExitCode:
    """Write rules in the one style.

    A PATH is a folder, a file, or the name of a ruleset; - formats standard input to standard output. What cannot be
    parsed is left alone, and a file that is in the style already is not written.
    """
    from interpreter.ui.formatting import PIPE, Wanted, format_paths, format_pipe

    colour = wants_colour(sys.stdout if diff else sys.stderr, color)
    wanted = Wanted(check, diff, colour)
    if paths == (PIPE,):
        return findings(format_pipe(stdin_filename, wanted))
    if PIPE in paths:
        raise click.UsageError(
            "- stands alone: standard input is not formatted together with files."
        )
    return findings(format_paths(paths, wanted))
