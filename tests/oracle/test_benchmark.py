"""The benchmark runs; what it measures is asserted nowhere."""

from __future__ import annotations

import pytest

from benchmarks import run
from benchmarks.bare_ruleset import bare_program


@pytest.mark.slow
def test_the_comparisons_in_one_process_are_measured() -> None:
    """Two short rounds give a positive ratio for each comparison, and a table that names them."""
    found = run.comparisons(2, processes=False)
    results = run.measure_all(found, 2)
    assert [each.name for each in results] == [each.name for each in found]
    for each in results:
        assert 0 < each.lowest <= each.ratio <= each.highest
        assert each.name in run.table(results)


def test_a_process_takes_time() -> None:
    """The time of a process is that of the process, not of the wait for it."""
    assert 0.001 < run.process("-c", "pass") < 5


def test_driven_play_is_the_same_game() -> None:
    """From outside and inside the same person plays the same game."""
    for table in (run.pyrates_table(bare_program()), run.pirates_table()):
        for seed in range(2):
            match = run.synchronous_game(table, seed)
            assert run.driven_game(table, seed).state() == match.state()
