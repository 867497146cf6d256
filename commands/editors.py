"""Verbs that editors call."""

from __future__ import annotations

import importlib.util

import click

from commands.basics import ExitCode, command_line


@command_line.command()
def server() -> ExitCode:
    """Serve an editor that writes rules.

    It speaks the Language Server Protocol over standard input and output, and editors start it themselves. It needs
    pygls, which the extra `rulelang[editor]` brings.
    """
    if importlib.util.find_spec("pygls") is None:
        raise click.UsageError(
            "The language server needs pygls, which is not installed."
            " Install it with the extra: pip install 'rulelang[editor]'."
        )
    from rulelang.server.service import serve

    serve()
    return ExitCode.FINE
