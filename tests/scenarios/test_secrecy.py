"""What a seat must not see never changes what it sees, is asked and is offered, in positions of games of chance."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from interpreter.errors import EngineError
from interpreter.machine import Match
from interpreter.sight.redeal import differences, redealt
from rulelang.api import load_ruleset

RULESETS = Path(__file__).parents[2] / "rulesets"
SHARE = 0.1
"""Of the questions of a game, so many are looked at."""

BACKS = {"pirate_republic": {"Token": ("kind",), "PirateCard": ("deck",)}}
"""What everybody knows of things that lie face down: the colour of the back, and what stands in public places only."""

FEW = (("pyrates", 3, (), 15), ("pirates", 3, (), 15), ("pirate_republic", 3, (), 4))
MANY = (
    ("pyrates", 2, (), 300),
    ("pyrates", 4, (), 300),
    ("pirates", 2, (), 300),
    ("pirates", 4, ("sealed_holds",), 300),
    ("pirate_republic", 1, ("solo", "dummy_player"), 100),
    ("pirate_republic", 2, (), 300),
    ("pirate_republic", 3, (), 300),
    ("pirate_republic", 3, ("cooperative",), 100),
    ("pirate_republic", 4, ("teams",), 100),
    ("pirate_republic", 5, (), 200),
)


def leaks(game: str, people: int, variants: tuple[str, ...], positions: int) -> Counter[str]:
    """Deal anew for each seat in so many positions, and count what it could tell."""
    program = load_ruleset(RULESETS / game, people=people, variants=variants)
    found: Counter[str] = Counter()
    seed = changed = 0
    while positions > 0:
        seed += 1
        below = Random(seed).randrange  # noqa: S311
        match = Match(program, people=people, seed=seed, optimise=False)
        while positions > 0 and (decision := match.next()) is not None:
            if below(1000) < 1000 * SHARE:
                positions -= 1
                for seat in range(people):
                    try:
                        twin = redealt(match, seat, below, BACKS.get(game))
                    except EngineError as error:
                        found[str(error)] += 1
                        continue
                    chance = set(match.layout.streams.values())
                    changed += any(
                        one != other
                        for slot, (one, other) in enumerate(
                            zip(match.state(), twin.state(), strict=True)
                        )
                        if slot not in chance
                    )
                    found.update(differences(match, twin, seat))
            match.apply(decision.options.sample(below))
    assert changed
    return found


@pytest.mark.parametrize(("game", "people", "variants", "positions"), FEW)
def test_no_secret_is_told(
    game: str, people: int, variants: tuple[str, ...], positions: int
) -> None:
    """In a few positions."""
    assert not leaks(game, people, variants, positions)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "people", "variants", "positions"), MANY)
def test_no_secret_is_told_in_many_positions(
    game: str, people: int, variants: tuple[str, ...], positions: int
) -> None:
    """In more than a thousand of each game."""
    assert not leaks(game, people, variants, positions)
