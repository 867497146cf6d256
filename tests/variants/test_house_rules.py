"""The house rules that come with Pyrates! as examples: each alone, all together, and what each changes."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from interpreter.machine import Match
from interpreter.providers.random import RandomProvider
from rulelang import api, ir

HOUSE_RULES = (
    "rich_ports",
    "spanish_gold",
    "big_fleets",
    "no_second_raid",
    "hired_guns",
    "spanish_main",
)
NEEDED = {"spanish_main": ("more_gold",)}
PEOPLE = 3
pytestmark = pytest.mark.slow


@cache
def program(*names: str) -> ir.Program:
    """Merge house rules, with what they need."""
    needed = {other for name in names for other in NEEDED.get(name, ())}
    result = api.load("pyrates", variants=(*names, *needed))
    assert [found.headline for found in result.diagnostics] == []
    assert result.program is not None
    return result.program


def play(played: ir.Program, seed: int) -> Match:
    """Play a game to its end; it keeps the promises of the ruleset."""
    providers = {seat: RandomProvider(seed + seat) for seat in range(PEOPLE)}
    match = Match(
        played, people=PEOPLE, seed=seed, providers=providers, checks=True, optimise=False
    )
    match.play()
    return match


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_alone(name: str) -> None:
    """Each makes another game of the base, and it can be played to the end."""
    assert program(name).digest != program().digest
    for seed in range(5):
        assert play(program(name), seed).outcome.winners


def test_together() -> None:
    """None contradicts another: all of them make one game."""
    for seed in range(5):
        assert play(program(*HOUSE_RULES), seed).outcome.winners


@pytest.mark.parametrize("pair", list(combinations(HOUSE_RULES, 2)), ids="+".join)
def test_pairs(pair: tuple[str, str]) -> None:
    """Any two make a game that is neither of the two alone."""
    both = program(*pair)
    assert both.digest not in {program(each).digest for each in pair}
    assert play(both, 1).outcome.winners
