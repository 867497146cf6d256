"""Real workers: processes, a cluster of Dask and one of Ray on this machine; one process is killed."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interpreter.statistics.backends import NoClusterError, backend
from interpreter.statistics.running import Run, Serial
from tests.cli.sample_game import run
from tests.statistics.many import count_and_die_once, pig, plan_of

if TYPE_CHECKING:
    from interpreter.statistics.backends import Kind

ROOT = Path(__file__).resolve().parents[2]
BATCHES = 60
WORKERS = 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "package"), [("local", "joblib"), ("dask", "distributed"), ("ray", "ray")]
)
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by a signal")
def test_a_killed_worker_changes_nothing(
    kind: Kind, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums and rows are those of one process; played again is only what was under way."""
    pytest.importorskip(package)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made = plan_of(pig(tmp_path), 20, 25, games=4 * BATCHES, batch=4)
    rows: list[object] = []
    alone = Run(*made, Serial(), took=rows.extend).go()
    again: list[object] = []
    with backend(kind, WORKERS) as workers:
        found = Run(
            *made, workers, prepare=partial(count_and_die_once, tmp_path), took=again.extend
        ).go()
    assert (tmp_path / "dead").exists()
    assert json.dumps(found.result.plain()) == json.dumps(alone.result.plain())
    assert again == rows
    begun = (tmp_path / "begun").stat().st_size
    # What was under way, and what workers said that they need the Program for.
    assert BATCHES < begun <= BATCHES + 6 * WORKERS


class NeverUp:
    """A package Ray whose cluster never comes up, or only after some attempts."""

    def __init__(self, fails: int) -> None:
        self.fails = fails
        self.attempts = 0

    def init(self, **_: object) -> None:
        """Fail, so many times."""
        self.attempts += 1
        if self.attempts <= self.fails:
            raise Exception("The current node timed out during startup.")  # noqa: TRY002 - as Ray does

    def shutdown(self) -> None:
        """Do nothing."""

    def remote(self, **_: object) -> Any:
        """Give something that makes a function a task."""
        return lambda function: function


@pytest.mark.parametrize(
    ("fails", "address", "attempts"), [(0, None, 1), (2, None, 3), (9, None, 4), (1, "far:1", 1)]
)
def test_ray_is_given_time_to_start(
    fails: int, address: str | None, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine it does not start within its own time; a cluster that is not there is said at once."""
    ray = NeverUp(fails)
    monkeypatch.setattr("interpreter.statistics.backends.needed", lambda *_: ray)
    if fails < attempts:
        with backend("ray", WORKERS, address):
            pass
    else:
        with pytest.raises(NoClusterError, match="timed out"), backend("ray", WORKERS, address):
            pass
    assert ray.attempts == attempts


def test_a_cluster_that_is_not_there_is_a_mistake_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says so, and what to look at."""
    path = tmp_path / "pig.rules"
    pig(tmp_path)
    ray = NeverUp(1)
    monkeypatch.setattr("interpreter.statistics.backends.needed", lambda *_: ray)
    code, out, err = run(
        "simulate", str(path), "--games", "64", "--backend", "ray", "--address", "far:1"
    )
    assert (code, out) == (2, "")
    assert "There is no cluster to play on: Ray: " in err
    assert "Look whether --address is right" in err
