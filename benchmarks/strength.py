"""How strong a player is against another: games of two kinds of players with seats changed, and intervals.

Run it with `python -m benchmarks.strength pyrates search:playouts=100,depth=15 automa --games 40`. Each seed is played
once from every seat that has a person; the second player holds the others. Times are processor times, because a busy
machine disturbs them least.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

import attrs

from interpreter.compiling.compiler import use_store
from interpreter.errors import EngineError
from interpreter.machine import LATER, Match
from interpreter.providers.protocol import DecisionProvider
from interpreter.statistics.intervals import wilson
from interpreter.ui.bots import provider_for, sit
from interpreter.ui.codecache import CodeCache
from interpreter.ui.table import Table, option_values
from rulelang.api import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.decision import Decision
    from interpreter.sight.observation import Observation
    from rulelang.ir import Program


@attrs.define
class Timed:
    """A provider whose answers are timed.

    Attributes:
        inner: The provider.
        seconds: What each answer has taken, in seconds of the processor.
    """

    inner: DecisionProvider
    seconds: list[float] = attrs.field(factory=list)

    def decide(self, observation: Callable[[], Observation], decision: Decision) -> object:
        """Ask the provider."""
        begun = time.process_time()
        answer = self.inner.decide(observation, decision)
        if answer is not LATER:
            self.seconds.append(time.process_time() - begun)
        return answer


@attrs.define
class Score:
    """What came of games.

    Attributes:
        games: How many ended.
        won: How many the first player won.
        lost: How many it did not, and one of the seats of the second player did.
        faults: How many were stopped by a rule.
        seconds: What each answer of the first player has taken.
    """

    games: int = 0
    won: int = 0
    lost: int = 0
    faults: int = 0
    seconds: list[float] = attrs.field(factory=list)

    def settled(self, aim: float | None) -> bool:
        """Does the interval of the games that one of the two won lie on one side of a share?"""
        if aim is None or not self.won + self.lost:
            return False
        low, high = wilson(self.won, self.won + self.lost)
        return not low <= aim <= high

    def lines(self) -> list[str]:
        """Give the report."""
        decisive = self.won + self.lost
        share = _share(self.won, self.games)
        against = _share(self.won, decisive)
        mean = sum(self.seconds) / max(len(self.seconds), 1)
        most = max(self.seconds, default=0.0)
        answers = len(self.seconds) / max(self.games, 1)
        return [
            f"won {self.won} of {self.games} games: {share}",
            f"of {decisive} games that one of the two won: {against}",
            f"games that neither won: {self.games - decisive}; stopped: {self.faults}",
            f"{1000 * mean:.0f} ms for an answer, {1000 * most:.0f} ms at most, {answers:.0f} answers a game",
        ]


def _share(won: int, games: int) -> str:
    low, high = wilson(won, games)
    return (
        f"{100 * won / max(games, 1):.0f} % (95 % interval: {100 * low:.0f} to {100 * high:.0f} %)"
    )


def compare(
    program: Program,
    options: dict[str, object],
    players: tuple[str, str],
    people: int,
    games: int,
    seed: int,
    aim: float | None = None,
) -> Score:
    """Let two players meet.

    Args:
        program: What is played.
        options: Values of options, by name.
        players: As `--seat` names them.
        people: How many seats have a person; the first player holds one of them.
        games: How many.
        seed: Of the first game; each is played once from every seat.
        aim: No more is played once the interval of the games that one of the two won lies on one side of this share.
    """
    score = Score()
    for number in range(games):
        if score.settled(aim):
            break
        seat, chance = number % people, seed + number // people
        timed = Timed(provider_for(players[0], chance, seat))
        providers: dict[int, DecisionProvider] = {
            each: timed if each == seat else provider_for(players[1], chance, each)
            for each in range(people)
        }
        match = Match(program, people=people, seed=chance, options=options, providers=providers)
        sit([timed.inner, *providers.values()], match)
        try:
            match.play()
        except EngineError:
            score.faults += 1
            continue
        winners = match.winners or ()
        score.games += 1
        score.won += seat in winners
        score.lost += seat not in winners and any(each in winners for each in range(people))
        score.seconds += timed.seconds
        print(f"  {score.won} : {score.lost} of {score.games}", file=sys.stderr, flush=True)
    return score


def main() -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="name or path of a ruleset")
    parser.add_argument("player", help="whose strength is measured, as --seat names it")
    parser.add_argument("against", help="who holds the other seats")
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--aim", type=float, help="a share; stop when the interval lies on one side"
    )
    parser.add_argument("--with", dest="variants", action="append", default=[])
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    use_store(CodeCache())
    program = load_ruleset(given.game, people=given.people, variants=tuple(given.variants))
    options = dict(each.split("=", 1) for each in given.option)
    values = option_values(program, Table(options=options))
    players = (given.player, given.against)
    score = compare(program, values, players, given.people, given.games, given.seed, given.aim)
    print(f"{program.title}, {given.people} people: {given.player} against {given.against}")
    for line in score.lines():
        print(f"  {line}")


if __name__ == "__main__":
    main()
