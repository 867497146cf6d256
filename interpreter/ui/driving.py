"""Drives a game from outside: what was answered before, then what the providers answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from interpreter.providers.automa import AutomaProvider
from interpreter.providers.human import HumanProvider
from interpreter.providers.plugins import PluginProvider
from interpreter.providers.random import RandomProvider
from interpreter.records import replay as recording
from interpreter.records.journal import Answer, End

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from interpreter.decision import Decision
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.ui.engine import Game
    from interpreter.ui.matches import Sitting


def play_on(
    sitting: Sitting,
    game: Game,
    providers: Mapping[int, DecisionProvider],
    recorder: recording.Recorder,
    *,
    stopped: Callable[[], None] = lambda: None,
    catch_up: Callable[[], None] = lambda: None,
    followed: Callable[[Decision], None] = lambda _: None,
) -> None:
    """Go on to the end: what was played before, then what the providers answer.

    It goes step by step: a fault then leaves the game, and its log, at the last decision.

    Args:
        sitting: What is played.
        game: It has not begun.
        providers: Who answers, by seat.
        recorder: Notes the answers.
        stopped: Is called whenever the game stands still.
        catch_up: Is called before a person at the lines of a terminal is asked.
        followed: Is called before a decision is answered as it was before.
    """
    begun = sitting.begun
    follower = None if begun is None else recording.Follower(begun)
    if follower is not None:
        follower.game = game
    while True:
        decision = game.match.next()
        stopped()
        if decision is None:
            break
        provider = providers[decision.seat]
        observe = partial(game.match.observation, decision.seat)
        if follower is not None and (follower.left or (begun is not None and begun.final)):
            followed(decision)
            answer = follower.decide(observe, decision)
            if isinstance(provider, RandomProvider | AutomaProvider | PluginProvider):
                provider.decide(observe, decision)  # its next draws follow those it has made
        else:
            if isinstance(provider, HumanProvider):
                catch_up()
            answer = decision.options.normal(provider.decide(observe, decision))
            if sitting.journal is not None:
                state = recording.fingerprint(game, sitting.dice)
                sitting.journal.answer(Answer(decision.path, decision.seat, answer, state))
        recorder.note(decision, answer)
        game.match.apply(answer)
    if begun is not None and begun.final and follower is not None:
        recording.check_end(begun, game, follower.position)
    elif sitting.journal is not None:
        winners = game.winners
        final = recording.fingerprint(game, sitting.dice)
        sitting.journal.end(End(final, None if winners is None else list(winners)))
