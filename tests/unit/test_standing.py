"""Where a match waits, as the reference interpreter sees it: the same question with the same options."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter.errors import EngineError
from interpreter.machine import Match
from interpreter.providers.random import RandomProvider
from interpreter.reference.moves import Moves
from interpreter.sight.openness import Openness
from interpreter.standing import position_of
from interpreter.why import Asked
from rulelang import api


def options_of(at: Asked) -> tuple[tuple[object, ...], ...]:
    """What the reference interpreter offers at the question that waits."""
    assert at.pending is not None
    ask, names = at.pending
    static = at.program.decisions[ask.decision]
    return at._domain(ask, static, at.need(ask.chooser, names), names).groups


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "people", "optimise"),
    [
        ("pyrates", 3, False),
        pytest.param("pyrates", 3, True, marks=SLOW),
        pytest.param("pirates", 2, False, marks=SLOW),
        pytest.param("pirates", 2, True, marks=SLOW),
    ],
)
def test_the_question_is_the_same(game: str, people: int, optimise: bool) -> None:
    """At every decision of a game the state and the names of the question give just what is on offer."""
    program = api.load_ruleset(game, people=people)
    match = Match(program, people=people, seed=5, optimise=optimise)
    provider, moves = RandomProvider("standing"), Moves(program)
    asked: Counter[str] = Counter()
    while (decision := match.next()) is not None and asked.total() < 60:
        asked[decision.path] += 1
        at = Asked(position_of(match), moves)
        assert options_of(at) == decision.options.groups, decision.path
        assert at.offered == tuple(each for group in decision.options.groups for each in group)
        match.apply(provider.decide(lambda: match.observation(0), decision))
    assert len(asked) > 8


@pytest.mark.parametrize(
    ("game", "people", "most"),
    [pytest.param("pirates", 2, 0.5, marks=SLOW), ("pyrates", 3, 0.0)],
)
def test_what_a_seat_is_offered_follows_from_what_it_sees(
    game: str, people: int, most: float
) -> None:
    """Of a question the seat sees enough to work out the options; where it does not, nothing is worked out."""
    program = api.load_ruleset(game, people=people)
    match = Match(program, people=people, seed=5, optimise=False)
    provider, moves, openness = RandomProvider("standing"), Moves(program), Openness(program)
    told: list[bool] = []
    while (decision := match.next()) is not None and len(told) < 60:
        at = Asked(position_of(match, None, decision.seat, openness), moves)
        try:
            assert options_of(at) == decision.options.groups, decision.path
            told.append(True)
        except EngineError:
            told.append(False)
        match.apply(provider.decide(lambda: match.observation(0), decision))
    assert told.count(False) <= most * len(told)
