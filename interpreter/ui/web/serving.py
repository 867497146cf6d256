"""The command `serve`: listens, tells the links, and stops when asked to."""

from __future__ import annotations

import signal
import socket
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click
import uvicorn

from interpreter.ui.web.app import make_app
from interpreter.ui.web.hall import Hall, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.ui.table import Table

_PATIENCE = 3
"""Seconds that open connections get when the server stops."""


class _Server(uvicorn.Server):
    """A server that a signal stops and nothing else: that is how it is meant to end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and go on behind the server."""
        signals = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(each, self.handle_exit) for each in signals]
        try:
            yield
        finally:
            for each, handler in zip(signals, before, strict=True):
                signal.signal(each, handler)


def serve_games(game: str, table: Table, folder: str | None, host: str, port: int) -> bool:
    """Let people play in browsers until the process is told to stop.

    Args:
        game: Name or path of the ruleset.
        table: Who sits where in new games, by which options.
        folder: Where the games are; None: a folder named like the ruleset, here.
        host: The address to listen at.
        port: The port; 0: a free one.

    Returns:
        True.

    Raises:
        click.UsageError: It cannot listen there, or the folder cannot be used.
    """
    try:
        hall = Hall(game, table, Path(folder or f"{Path(game).stem}.games"))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    try:
        listening = _listen(host, port)
        base = _base(host, listening)
        if not hall.names():
            try:
                hall.begin()
            except RefusedError as error:
                raise click.UsageError(str(error)) from None
        _tell(hall, base)
        config = uvicorn.Config(
            make_app(hall, _hosts(host)),
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=500,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=_PATIENCE,
        )
        _Server(config).run(sockets=[listening])
    finally:
        hall.close()
    return True


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen()
    except OSError as error:
        raise click.UsageError(
            f"The server cannot listen at {host}, port {port}: {error.strerror or error}."
        ) from None
    return made


def _base(host: str, listening: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}/"


def _hosts(host: str) -> list[str]:
    """Give the names by which browsers may call the server: a name that leads to this machine only is no other."""
    return ["127.0.0.1", "localhost", "[::1]"] if _is_local(host) else ["*"]


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _tell(hall: Hall, base: str) -> None:
    click.echo(f"{hall.program.title}, games in {hall.folder}")
    click.echo(f"For the host, who begins games and hands links out: {base}host/{hall.keys.host()}")
    newest = hall.listed()[:1]
    for game in newest:
        if game.trouble:
            click.echo(f"Game {game.name}: {game.trouble}", err=True)
        if game.room is not None:
            click.echo(f"Game {game.name}; each link opens one seat:")
            for seat in game.room.people():
                token = hall.keys.seat(game.name, seat)
                name = game.room.names.seat(seat)
                click.echo(f"  {name}: {base}join/{game.name}/{seat + 1}/{token}")
    if not _is_local(base.partition("//")[2].rpartition(":")[0].strip("[]")):
        click.echo(
            "Others on the network can reach this server; what they send is not encrypted.",
            err=True,
        )
    click.echo("Ctrl+C stops the server; the games go on when it is started again.")
