"""The command `conformance`: a provider plays, and what it does that it must not is told."""

from __future__ import annotations

import json
import shlex
import time
from typing import TYPE_CHECKING

import attrs
import click

from interpreter.providers.checks import CHECKS, Finding, RefusedOnce, check_provider
from interpreter.providers.process import Limits, Seat
from interpreter.ui.bots import PROCESS, player_for
from interpreter.ui.loading import load_for
from interpreter.ui.table import Bots, Table
from rulelang.wording import plural

if TYPE_CHECKING:
    from interpreter.providers.protocol import DecisionProvider


@attrs.frozen
class Trial:
    """What was asked for.

    Attributes:
        provider: As `--seat` takes it.
        names: Rulesets.
        people: How many seats have a person; None: as few as the ruleset allows, but two if it does.
        games: How many games of each.
        seed: Of the first.
        seconds: For an answer.
    """

    provider: str
    names: tuple[str, ...]
    people: int | None = None
    games: int = 2
    seed: int = 1
    seconds: float = 10.0

    def made(self, seat: Seat, seed: str) -> DecisionProvider:
        """Make the provider; the first answer of a program is refused."""
        bots = Bots(self.seconds)
        if not self.provider.startswith(PROCESS):
            return player_for(self.provider, seed, seat, bots)
        words = shlex.split(self.provider.removeprefix(PROCESS))
        start = max(self.seconds, Limits().start)
        return RefusedOnce(words, seat, Limits(start=start, answer=self.seconds))


def try_provider(trial: Trial, *, as_json: bool) -> bool:
    """Check a provider, and tell what was found.

    Returns:
        Whether nothing was.

    Raises:
        RulesetNotFoundError: There is no such ruleset.
        PluginError: The provider cannot be had.
    """
    found: list[Finding] = []
    names = trial.names
    for name in names:
        program, people = load_for(name, Table(people=trial.people))
        found += [
            attrs.evolve(each, where=f"{program.name}, {each.where}")
            for each in check_provider(
                trial.made,
                program,
                people=people,
                games=trial.games,
                seed=trial.seed,
                seconds=trial.seconds,
                clock=time.perf_counter,
            )
        ]
    if as_json:
        document = {
            "version": 1,
            "provider": trial.provider,
            "games": list(names),
            "checks": {check: not any(each.check == check for each in found) for check in CHECKS},
            "findings": [attrs.asdict(each) for each in found],
        }
        click.echo(json.dumps(document, indent=2))
        return not found
    for check, text in CHECKS.items():
        wrong = [each for each in found if each.check == check]
        click.echo(f"{'FAILED' if wrong else 'ok':<7} {text}")
        for each in wrong:
            click.echo(f"        {each.what} ({each.where})")
    played = plural(trial.games, "game")
    click.echo(f"\n{trial.provider} has played {played} of each of {', '.join(names)}, twice.")
    return not found
