"""Games that are looked at closely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.statistics.closely import look_closely
from interpreter.statistics.running import Run, Serial
from tests.statistics.many import pig, plan_of

if TYPE_CHECKING:
    from pathlib import Path


def test_the_same_games_are_looked_at(tmp_path: Path) -> None:
    """What is answered adds up to the decisions that the fast engine has counted, seat by seat."""
    program = pig(tmp_path)
    plan, programs = plan_of(program, 20, games=6)
    found = look_closely(plan, plan.versions[0], program, 6)
    answers = {named: each for named, each in found.items() if named.sort == "answers"}
    fast = Run(plan, programs, Serial()).go().result.versions[0]
    assert sum(each.times for each in answers.values()) == fast.tallies["decisions"].total
    for each in answers.values():
        assert set(each.seats) <= {0, 1}
        assert 0 < each.games <= 6
    branches = {named.name.split(":")[0] for named in found if named.sort == "branches"}
    assert branches == {"yes", "no", "entered"}
