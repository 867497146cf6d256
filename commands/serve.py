"""The verb that plays games in browsers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from commands.basics import ExitCode, Whole, command_line, findings, match_options
from commands.extras import needs

if TYPE_CHECKING:
    from interpreter.ui.table import Bots


@command_line.command(
    epilog="\b\nrulelang serve pirates --people 3\n"
    "rulelang serve my_game --seat 2=automa --games evening --port 8080"
)
@click.argument("game")
@partial(match_options, others="a person, who gets a link")
@click.option(
    "--games",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where the journals of the games and the server's key are. Default: GAME.games.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address that the server listens at; 0.0.0.0 is every one of this machine.",
)
@click.option(
    "--port",
    type=Whole(0, 65_535),
    default=8000,
    show_default=True,
    help="The port; 0 takes a free one.",
)
def serve(
    game: str,
    people: int | None,
    seats: dict[int, str],
    bots: Bots,
    options: dict[str, str],
    variants: tuple[str, ...],
    preset: str | None,
    games: str | None,
    host: str,
    port: int,
) -> ExitCode:
    """Play games in browsers.

    Each person opens a private link and sees what that seat may see, and nothing else. Every answer is in a journal
    before it counts: the games of the folder go on when the server is started again, with the same links. It needs
    the extra `web`: pip install 'rulelang[web]'.
    """
    from interpreter.ui.settings import settle
    from interpreter.ui.table import Table

    needs("web", "jinja2", "starlette", "uvicorn")
    from interpreter.ui.web.serving import serve_games

    table = settle(game, Table(people, seats, options, variants, bots=bots, others="human"), preset)
    return findings(serve_games(game, table, games, host, port))
