"""The generator: known numbers, evenness, independence of paths, no draw where nothing is open."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter.chance import Stream, below, picked, picked_one, seeded, shuffled


def slots_for(path: str = "a", seed: int = 1) -> list[object]:
    return [seeded(seed, path)]


def test_the_numbers_never_change() -> None:
    slots = slots_for()
    drawn = [below(slots, 0, 6) for _ in range(12)]
    assert seeded(1, "a") == 5929356027447281426
    assert drawn == [3, 4, 5, 5, 5, 1, 2, 0, 0, 1, 5, 0]


@pytest.mark.parametrize("n", [1, 2, 6, 7, 100])
def test_draws_are_even(n: int) -> None:
    slots = slots_for(seed=n)
    counts = Counter(below(slots, 0, n) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    assert max(counts.values()) < 300


def test_large_numbers_are_drawn_whole() -> None:
    stream = Stream(1, "large")
    drawn = [stream(1 << 80) for _ in range(50)]
    assert max(drawn) > 1 << 78
    assert len(set(drawn)) == 50


def test_paths_and_seeds_have_their_own_streams() -> None:
    assert len({seeded(seed, path) for seed in (0, 1, "0 ") for path in ("", "a", "b")}) == 9


def test_one_outcome_draws_nothing() -> None:
    slots = slots_for()
    before = list(slots)
    assert picked_one(slots, 0, (7,)) == 7
    assert picked(slots, 0, (3, 4), 2) == (3, 4)
    assert picked(slots, 0, (), 2) == ()
    assert picked(slots, 0, (3, 4), 0) == ()
    assert shuffled(slots, 0, (9,)) == (9,)
    assert slots == before


def test_shuffles_reach_every_order_evenly() -> None:
    slots = slots_for(seed=5)
    counts = Counter(shuffled(slots, 0, (1, 2, 3)) for _ in range(1200))
    assert len(counts) == 6
    assert min(counts.values()) > 140


def test_picks_keep_the_order_of_the_source() -> None:
    slots = slots_for(seed=6)
    counts = Counter(picked(slots, 0, (5, 3, 9), 2) for _ in range(300))
    assert set(counts) == {(5, 3), (5, 9), (3, 9)}
