"""*Pirates!* and its hand-written yardstick play the same games; see `benchmarks/oracle.py`."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import oracle
from benchmarks.oracle_pirates import Pirates

PIRATES = Pirates()
SHORT: dict[str, object] = {"round_limit": 12}


def test_they_agree_before_every_action() -> None:
    """Whole states, draws and decisions of some games are the same on both sides."""
    for seed in range(8):
        seen = PIRATES.compare(seed, 3, SHORT)
        assert seen["state"] > 60
        assert seen["first action"] > 30


def test_a_changed_die_is_noticed() -> None:
    """The comparison fails where one die is not what the ruleset was given."""
    record = PIRATES.play(1, 3, SHORT)
    place, first = next(
        (n, entry)
        for n, entry in enumerate(record)
        if isinstance(entry, oracle.Drawn) and entry.kind == "die"
    )
    record[place] = oracle.Drawn("pick", first.path, first.result, Counter("ab"))
    with pytest.raises(oracle.DisagreementError):
        PIRATES.check(record, 3, SHORT)


def test_an_action_too_many_is_noticed() -> None:
    """The comparison fails where one side goes on after the other has stopped."""
    record = PIRATES.play(0, 3, SHORT)
    with pytest.raises(oracle.DisagreementError):
        PIRATES.check(record, 3, {"round_limit": 11})


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("people", [2, 3, 4, 5, 6])
def test_they_agree_in_whole_games(people: int) -> None:
    """Games without a limit are the same; `python -m benchmarks.compare pirates` does as many as one likes."""
    for seed in range(8):
        PIRATES.compare(seed, people)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "options", PIRATES.all_readings(), ids=lambda options: "-".join(*options.items())
)
def test_they_agree_about_each_reading(options: dict[str, object]) -> None:
    """Each reading that the yardstick has is played the same on both sides, in two games."""
    for seed in range(2):
        PIRATES.compare(seed, PIRATES.people(seed), options | {"round_limit": 100})
