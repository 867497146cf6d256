"""Games of *The Pirate Republic* in every mode end, and keep its promises; see `benchmarks/modes.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import modes

VARIANTS = Path(__file__).parents[2] / "rulesets" / modes.GAME / "variants"
FIRST_GAMES = range(1, 4)


def test_every_variant_is_in_a_mode() -> None:
    """No variant is forgotten, but for the one that exists for scenarios."""
    shipped = {
        name
        for path in VARIANTS.glob("*.rules")
        for name in re.findall(r"(?m)^variant (\w+)", path.read_text(encoding="utf-8"))
    }
    assert {name for mode in modes.MODES for name in mode.variants} == shipped - {"fixtures"}
    assert len({mode.name for mode in modes.MODES}) == len(modes.MODES)


def test_the_table_has_a_row_for_each_record() -> None:
    """Games, faults, and the decisions of those that ended."""
    record = modes.Record("a mode", 2, [10, 30], [modes.Fault(7, "something")], 1.25)
    assert record.games == 3
    assert record.row.split() == ["a", "mode", "2", "3", "1", "20", "30", "1.2"]
    assert len(record.row) == len(modes.HEADING)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", modes.MODES[::5], ids=lambda mode: mode.name)
def test_games_end(mode: modes.Mode) -> None:
    """Games of as many people as can play so: a few at random and, as it takes longer, one by the policies.

    Every fifth mode: `python -m benchmarks.modes` plays all, and many games of each.
    """
    for automa, seeds in ((False, FIRST_GAMES), (True, FIRST_GAMES[:1])):
        record = modes.play_mode(mode, mode.people[-1], seeds, automa=automa)
        assert not record.faults
        assert len(record.decisions) == len(seeds)
        assert all(record.decisions)
