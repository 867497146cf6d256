"""Verdicts are given where they can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.chance import Stream
from interpreter.statistics.comparing import differences, shifts, verdicts
from interpreter.statistics.counting import Named
from interpreter.statistics.figures import NOBODY_WINS, ROUNDS
from interpreter.statistics.measuring import Record
from interpreter.statistics.running import Run, Serial
from interpreter.statistics.summaries import Paired, Summary
from tests.statistics.many import pig, plan_of

if TYPE_CHECKING:
    from pathlib import Path

RULE = Named("rule", "late")


def two_versions(
    games: int, draw: Stream, *, rate: int = 0, rounds: int = 0
) -> tuple[Paired, Summary, Summary]:
    """Pairs of made-up games that are alike by half; the second has a rate that is higher, and more rounds at times."""
    base, changed, paired = Summary(), Summary(), Paired()
    for number in range(games):
        common = draw(20)
        one = {NOBODY_WINS: float(draw(100) < 30), ROUNDS: float(common + draw(20))}
        two = {
            NOBODY_WINS: float(draw(100) < 30 + rate),
            ROUNDS: common + draw(20) + rounds * (draw(4) == 0),
        }
        record = Record(number, "ended", "", (), (), 0)
        paired.add((two, changed.add(record, two)), (one, base.add(record, one)))
    return paired, changed, base


def share_with_verdict(
    runs: int, games: int, seed: int, *, rate: int = 0, rounds: int = 0
) -> float:
    """In how many of many comparisons there is any verdict."""
    draw = Stream(seed, "comparisons")
    found = 0
    for _ in range(runs):
        pair = two_versions(games, draw, rate=rate, rounds=rounds)
        found += bool(verdicts(differences([pair], ["random"])[0]))
    return found / runs


def test_nothing_is_found_where_there_is_nothing() -> None:
    """Versions that do not differ get a verdict in about one of twenty comparisons or less."""
    assert share_with_verdict(50, 60, 3) <= 0.1


def test_what_is_there_is_found() -> None:
    """A difference of 40 % of the games, or of two rounds in ten, is found in hundreds of games."""
    assert share_with_verdict(6, 100, 5, rate=40) == 1
    assert share_with_verdict(6, 200, 5, rounds=12) == 1


def test_the_number_of_games_that_would_tell() -> None:
    """What is undecided says how many games would decide it, and with so many it is decided most of the time."""
    draw = Stream(11, "needed")
    pair = two_versions(100, draw, rate=10)
    found = {each.name: each for each in differences([pair], ["random"])[0]}
    needed = found[NOBODY_WINS].needed
    assert 100 < needed < 10_000
    assert found[ROUNDS].verdict == "undecided"


def test_equal_games_are_the_same(tmp_path: Path) -> None:
    """A change that changes nothing is told as that, and never as undecided."""
    made = plan_of(pig(tmp_path), 20, 20, games=48)
    result = Run(*made, Serial()).go().result
    pair = (result.pairs[0], result.versions[1], result.versions[0])
    found = differences([pair], ["automa", "random"])[0]
    assert {each.verdict for each in found} == {"the same"}
    assert result.pairs[0].differing == 0
    assert shifts(*pair) == []


def test_what_moves_most_comes_first(tmp_path: Path) -> None:
    """A goal of 40 instead of 20 makes turns and rounds more; pairs are worth something."""
    made = plan_of(pig(tmp_path), 20, 40, games=96)
    result = Run(*made, Serial()).go().result
    pair = (result.pairs[0], result.versions[1], result.versions[0])
    found = {each.name: each for each in differences([pair], ["automa", "random"])[0]}
    assert found["decisions"].verdict == "higher"
    assert found["decisions"].interval[0] > 0
    moved = shifts(*pair)
    assert moved[0].certain
    assert moved[0].changed > moved[0].base
    assert [each.corrected for each in moved] == sorted(each.corrected for each in moved)


@pytest.mark.parametrize(("flips", "verdict"), [(4, "undecided"), (12, "higher")])
def test_few_games_that_differ_decide_nothing(flips: int, verdict: str) -> None:
    """However many games there are, a few that differ may do so by chance."""
    base, changed, paired = Summary(), Summary(), Paired()
    for number in range(2000):
        one = {NOBODY_WINS: 0.0}
        two = {NOBODY_WINS: float(number < flips)}
        record = Record(number, "ended", "", (0,), (0,), 1, fired={(RULE, 0): 1 + (number < flips)})
        before = Record(number, "ended", "", (0,), (0,), 1, fired={(RULE, 0): 1})
        paired.add((two, changed.add(record, two)), (one, base.add(before, one)))
    (found,) = differences([(paired, changed, base)], ["random"])[0]
    assert found.verdict == verdict
    (shift,) = shifts(paired, changed, base)
    assert shift.certain == (verdict == "higher")
