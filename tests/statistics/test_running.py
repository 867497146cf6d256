"""Many games, whoever plays them."""

from __future__ import annotations

import json
import random
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import attrs
import pytest

from interpreter.statistics import batches
from interpreter.statistics.batches import play_batch
from interpreter.statistics.running import (
    LostWorkerError,
    Progress,
    Run,
    Serial,
    Task,
    WorkersLostError,
)
from interpreter.statistics.stopping import Until
from interpreter.statistics.summaries import Result
from tests.statistics.many import pig, plan_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from interpreter.statistics.batches import Done, Row
    from interpreter.statistics.plan import Plan


Found: TypeAlias = "tuple[tuple[Plan, dict[str, bytes]], Progress, list[Row]]"


class Disorderly:
    """Plays batches a few at a time, in any order, and dies now and then with what it has not given yet."""

    workers = 3

    def __init__(self, *deaths: int) -> None:
        self.played = 0
        self.sent: list[int] = []
        self._deaths = list(deaths)

    def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
        """Play them."""
        while wave := list(islice(tasks, 5)):
            random.Random(self.played).shuffle(wave)  # noqa: S311 - any order will do
            self.sent += [task.batch for task in wave]
            for task in wave:
                if self._deaths and self.played >= self._deaths[0]:
                    self._deaths.pop(0)
                    raise LostWorkerError("it is gone")
                self.played += 1
                yield task.run()


@pytest.fixture(scope="module")
def goal_20_and_25(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """A plan with its programs, and what one worker makes of it."""
    made = plan_of(pig(tmp_path_factory.mktemp("pig")), 20, 25, games=200)
    rows: list[Row] = []
    progress = Run(*made, Serial(), took=rows.extend).go()
    return made, progress, rows


def text_of(result: Result) -> str:
    """Everything in it, to be compared."""
    return json.dumps(result.plain(), sort_keys=True)


def test_one_worker_plays_all(goal_20_and_25: Found) -> None:
    """Each version plays each seed; the differences are those of the games."""
    _, progress, rows = goal_20_and_25
    base, longer = progress.result.versions
    assert base.games == longer.games == 200
    assert base.endings == {"ended": 200}
    assert len(rows) == 400
    pair = progress.result.pairs[0]
    for name, tally in pair.tallies.items():
        expected = longer.tallies[name].total - base.tallies[name].total
        assert tally.total == pytest.approx(expected), name
    assert pair.tallies["decisions"].mean > 0
    moved = {named.name: each.total for named, each in pair.fired.items()}
    assert moved["turn"] == sum(
        firing.times for named, firing in longer.fired.items() if named.name == "turn"
    ) - sum(firing.times for named, firing in base.fired.items() if named.name == "turn")
    assert moved["turn"] > 0


@pytest.mark.parametrize("deaths", [(), (0,), (3, 3, 7), (12,)])
def test_any_order_and_any_loss_give_the_same(
    goal_20_and_25: Found, deaths: tuple[int, ...]
) -> None:
    """Sums and rows are those of one worker; a loss costs no batch that was given already."""
    made, progress, rows = goal_20_and_25
    backend = Disorderly(*deaths)
    again: list[Row] = []
    found = Run(*made, backend, took=again.extend).go()
    assert text_of(found.result) == text_of(progress.result)
    assert again == rows
    assert found.losses == len(deaths)
    assert backend.played == 13


def test_who_has_no_program_is_given_it(
    goal_20_and_25: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that was not told a program asks for it; then it has it."""
    (plan, programs), progress, _ = goal_20_and_25
    monkeypatch.setattr(batches, "_programs", {})
    monkeypatch.setattr(batches, "_measurers", {})
    asked = play_batch(plan, 0, {})
    assert asked.missing == tuple(programs)
    assert asked.result is None

    class Forgetful(Disorderly):
        """Forgets everything after each wave."""

        def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
            for done in super().run(tasks):
                if not done.missing and done.batch % 3 == 0:
                    batches._programs.clear()
                    batches._measurers.clear()
                yield done

    found = Run(plan, programs, Forgetful()).go()
    assert text_of(found.result) == text_of(progress.result)


def test_workers_that_only_die_are_given_up(
    goal_20_and_25: Found,
) -> None:
    """It does not go on for ever."""
    made, _, _ = goal_20_and_25
    with pytest.raises(WorkersLostError, match="again and again"):
        Run(*made, Disorderly(*[0] * 50)).go()


def test_a_run_goes_on_from_any_batch(
    goal_20_and_25: Found,
) -> None:
    """What was kept of a stopped run, as text, and what is played afterwards are what one run gives."""
    made, progress, _ = goal_20_and_25

    class StopError(Exception):
        """Somebody has pressed a key."""

    kept: list[Progress] = []

    def stop(at: Progress) -> None:
        if at.next == 5:
            data = json.loads(json.dumps(at.result.plain()))
            kept.append(Progress(Result.of(data), at.next))
            raise StopError

    with pytest.raises(StopError):
        Run(*made, Serial(), advanced=stop).go()
    found = Run(*made, Serial()).go(kept[0])
    assert text_of(found.result) == text_of(progress.result)


def test_stopping_by_width_needs_no_more_games_than_it_says(tmp_path: Path) -> None:
    """It stops at the first look at which all shares are known well enough, whoever plays."""
    made = plan_of(pig(tmp_path), 10, games=4000)
    until = Until(0.05)
    alone = Run(*made, Serial(), until=until).go()
    assert alone.enough
    looks = until.looks(16, 4000)
    assert alone.result.games in looks
    assert until.widest(alone.result) <= 0.05
    before = looks[looks.index(alone.result.games) - 1]
    plan, programs = made
    short = Run(attrs.evolve(plan, games=before), programs, Serial()).go()
    assert until.widest(short.result) > 0.05
    others = Run(*made, Disorderly(5, 9), until=until).go()
    assert text_of(others.result) == text_of(alone.result)


def test_seats_rotate(tmp_path: Path) -> None:
    """Who answers moves on by one seat; figures of roles follow, those of seats stay."""
    plan, programs = plan_of(pig(tmp_path), 20, games=64, rotate=True)
    assert [plan.seated(number) for number in range(3)] == [
        ("automa", "random"),
        ("random", "automa"),
        ("automa", "random"),
    ]
    result = Run(plan, programs, Serial()).go().result.versions[0]
    wins = {name: tally.total for name, tally in result.tallies.items() if "wins: " in name}
    assert wins["wins: automa"] + wins["wins: random"] == 64
    assert wins["wins: seat 1"] + wins["wins: seat 2"] == 64
    assert wins["wins: automa"] not in (wins["wins: seat 1"], wins["wins: seat 2"])
