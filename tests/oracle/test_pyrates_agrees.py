"""The ruleset and the hand-written yardstick play the same games; see `benchmarks/oracle.py`."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import oracle
from benchmarks.bare_ruleset import bare_program
from benchmarks.oracle_pyrates import QUESTIONS, Pyrates

PYRATES = Pyrates()


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_they_agree_after_every_phase(people: int) -> None:
    """Whole states, draws and decisions of some games are the same on both sides."""
    for seed in range(people, 32, 4):
        seen = PYRATES.compare(seed, people)
        assert seen["state"] > 10
        assert seen["bid"] > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_they_agree_in_many_games() -> None:
    """So do many games, in which every question of the default readings is asked."""
    seen = Counter[str]()
    for seed in range(200):
        seen += PYRATES.compare(seed, PYRATES.people(seed))
    assert set(QUESTIONS.values()) - {"join", "kind first"} <= set(seen)


def test_they_agree_under_other_readings() -> None:
    """Games with other numbers and readings of the rulebook are the same on both sides."""
    for seed in range(2):
        assert PYRATES.compare(seed, 2 + seed, PYRATES.mixed_readings(seed))["state"] > 5


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "options",
    PYRATES.all_readings(),
    ids=lambda options: "-".join(*options.items()),
)
def test_they_agree_about_each_reading(options: dict[str, object]) -> None:
    """Each reading of each option is played the same on both sides."""
    for seed in range(10):
        PYRATES.compare(seed, PYRATES.people(seed), options)


def test_a_different_reading_is_noticed() -> None:
    """The comparison fails where the ruleset plays by another number."""
    record = PYRATES.play(3, 2, {"goods_per_gold": 2})
    with pytest.raises(oracle.DisagreementError, match=r"gold: \d+ in the ruleset"):
        PYRATES.check(record, 2)


def test_a_changed_die_is_noticed() -> None:
    """The comparison fails where one die is not what the ruleset was given."""
    record = PYRATES.play(3, 2)
    place, first = next(
        (n, entry)
        for n, entry in enumerate(record)
        if isinstance(entry, oracle.Drawn) and entry.path == "booty_phase.column_roll.column"
    )
    record[place] = oracle.Drawn("die", first.path, 7 - first.result)
    with pytest.raises(oracle.DisagreementError):
        PYRATES.check(record, 2)


def test_a_missing_draw_is_noticed() -> None:
    """The comparison fails where one side draws more often."""
    record = PYRATES.play(3, 2)
    place = next(
        n
        for n, entry in enumerate(record)
        if isinstance(entry, oracle.Drawn) and entry.kind == "pick"
    )
    del record[place]
    with pytest.raises(oracle.DisagreementError):
        PYRATES.check(record, 2)


def test_only_the_cards_of_captains_are_left_out() -> None:
    """The events of the merchant ships stay; the rules about unique actions are gone."""
    program = bare_program()
    rules = [
        hook for doing in program.doings for hook in (*doing.before, *doing.instead, *doing.after)
    ]
    cites = {cite for hook in rules for cite in hook.cites}
    assert not any(cite.startswith("PYR-UNIQ") for cite in cites)
    assert {f"PYR-EVENT-{number:02}" for number in range(1, 19)} <= cites
