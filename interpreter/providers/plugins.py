"""Providers of other packages: `[project.entry-points."rulelang.providers"]` gives each a name for `--seat 2=NAME`.

An entry point is a callable `make(seat, seed)`: it is given a :class:`interpreter.providers.process.Seat` and a text,
and gives a :class:`interpreter.providers.protocol.DecisionProvider` whose answers follow from the seed and from what it
is asked. If it raises something, or answers what is not legal, it has failed, as a program at the table does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from interpreter.errors import EngineError, Quit
from interpreter.providers.standin import BotError, Failure, StandIn

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

    from interpreter.decision import Decision
    from interpreter.providers.process import Seat
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.sight.observation import Observation

GROUP: Final = "rulelang.providers"

_NAME: Final = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)


class PluginError(EngineError):
    """A provider of another package cannot be had: there is none of that name, or it cannot be made."""


def plugin_names() -> tuple[str, ...]:
    """Name the providers of other packages that are installed, in order."""
    return tuple(sorted({each.name for each in _entry_points() if _NAME.fullmatch(each.name)}))


def plugin(name: str) -> Callable[[Seat, str], DecisionProvider]:
    """Load what makes a provider.

    Raises:
        PluginError: There is no such provider, or it cannot be loaded.
    """
    found = [each for each in _entry_points() if each.name == name]
    if not found:
        known = ", ".join(plugin_names()) or "none"
        raise PluginError(f"no provider {name!r} is installed (installed are: {known})")
    if len(found) > 1:
        packages = ", ".join(sorted(each.dist.name for each in found if each.dist is not None))
        raise PluginError(f"several packages have a provider {name!r}: {packages}")
    try:
        made: Callable[[Seat, str], DecisionProvider] = found[0].load()
    except Exception as error:  # noqa: BLE001 - whatever the other package does
        raise PluginError(f"the provider {name!r} cannot be loaded: {_told(error)}") from None
    return made


class PluginProvider:
    """A provider of another package, held to what is expected of it.

    Args:
        name: What it is called.
        seat: Which game it takes part in, and where.
        seed: Of its own draws.
        failure: What happens if it fails: the game stops, or another provider goes on in its place.
        instead: That other provider; needed unless the game stops.
        tell: Told once, in a sentence, that another provider goes on and why.

    Raises:
        PluginError: It cannot be made.
    """

    def __init__(
        self,
        name: str,
        seat: Seat,
        seed: str,
        failure: Failure = "stop",
        instead: DecisionProvider | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._called = f"the provider {name} of seat {seat.seat + 1}"
        self._stand_in = StandIn(failure, instead, tell)
        make = plugin(name)
        try:
            self._inner = make(seat, seed)
        except Exception as error:  # noqa: BLE001 - whatever the other package does
            raise PluginError(f"{self._called} cannot be made: {_told(error)}") from None

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Ask it.

        Raises:
            BotError: It has failed, and the game is to stop then.
        """
        return self._stand_in.decide(self._ask, observation, decision)

    def _ask(self, observation: Callable[[], Observation], decision: Decision) -> object:
        try:
            answer = self._inner.decide(observation, decision)
        except Quit:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the other package does
            raise BotError(f"{self._called} has failed: {_told(error)}") from None
        if not decision.options.contains(answer):
            raise BotError(f"{self._called} has given an illegal answer: {answer!r:.60}")
        return answer


def _entry_points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - only who asks pays for it

    return tuple(entry_points(group=GROUP))


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
