"""Programs at the table: who they are, how patient the table is with them, and that they go when the game is over."""

from __future__ import annotations

import shlex
import time
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import click

from interpreter.providers.automa import AutomaProvider
from interpreter.providers.plugins import PluginProvider
from interpreter.providers.process import Limits, ProcessProvider, Seat
from interpreter.providers.random import RandomProvider
from interpreter.search.settings import is_search, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interpreter.machine import Match
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.ui.table import Bots

PROCESS = "process:"
"""Before the command of a program that holds a seat."""


@runtime_checkable
class LooksAhead(Protocol):
    """Whoever has to know the match that it plays in."""

    def sit(self, match: Match) -> None:
        """Look ahead in this match from now on."""


def provider_for(kind: str, seed: int | str, seat: int) -> DecisionProvider:
    """Make what answers for a seat that neither a person nor a program plays.

    Args:
        kind: `automa`, `random` or `search` with its settings.
        seed: Of the game.
        seat: From 0.

    Raises:
        ValueError: The settings of a search cannot be read.
    """
    own = f"{seed}/{seat}"
    if is_search(kind):
        # Loaded only for seats that search: it brings the reference interpreter with it.
        from interpreter.providers.search import SearchProvider
        from interpreter.search.searching import Search

        return SearchProvider(Search(settings_of(kind), own, time.perf_counter), own)
    return AutomaProvider(own) if kind == "automa" else RandomProvider(own)


def player_for(kind: str, seed: int | str, seat: Seat, bots: Bots) -> DecisionProvider:
    """Make what answers for a seat that nobody at the terminal plays.

    Args:
        kind: `automa`, `random`, `search` with its settings, `process:COMMAND`, or the name of a provider of another
            package.
        seed: Of the game.
        seat: Where in which game.
        bots: How programs are treated.

    Raises:
        PluginError: A provider of another package cannot be had.
    """
    if kind in ("automa", "random") or is_search(kind):
        return provider_for(kind, seed, seat.seat)
    instead = None if bots.failure == "stop" else provider_for(bots.failure, seed, seat.seat)
    tell = partial(click.echo, err=True)
    if not kind.startswith(PROCESS):
        own = f"{seed}/{seat.seat}"
        return PluginProvider(kind, seat, own, bots.failure, instead, tell)
    return ProcessProvider(
        shlex.split(kind.removeprefix(PROCESS)),
        seat,
        Limits(start=max(bots.seconds, Limits().start), answer=bots.seconds),
        bots.failure,
        instead,
        tell,
    )


def sit(providers: Iterable[DecisionProvider], match: Match) -> None:
    """Tell those who look ahead which match they play in."""
    for provider in providers:
        if isinstance(provider, LooksAhead):
            provider.sit(match)


def dismiss(providers: Iterable[DecisionProvider], winners: Sequence[int] | None) -> None:
    """Tell programs that the game is over, and see that they go."""
    for provider in providers:
        if isinstance(provider, ProcessProvider):
            provider.finish(winners)
