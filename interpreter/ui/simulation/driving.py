"""A run as a person sees it: a line that says how far it is, a file from which it can go on, a file of single games."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from interpreter.compiling.compiler import use_store
from interpreter.statistics.backends import MissingExtraError, NoClusterError, backend
from interpreter.statistics.figures import WINS
from interpreter.statistics.intervals import around, wilson
from interpreter.statistics.running import Progress, Run, WorkersLostError
from interpreter.statistics.summaries import Result
from interpreter.ui.codecache import CodeCache
from interpreter.ui.faults import GameStoppedError
from interpreter.ui.simulation.rows import Rows

if TYPE_CHECKING:
    from interpreter.ui.simulation.asking import Prepared, Wish

_FORMAT: Final = 1
_SAVED_EVERY: Final = 5.0
_SHOWN_EVERY: Final = 0.5
_WIDTH: Final = 100


def with_store() -> None:
    """Take generated code from the cache on disk, and leave it there; for workers."""
    use_store(CodeCache())


@attrs.frozen
class Played:
    """A run that is over.

    Attributes:
        result: What it says.
        enough: Whether the rule for stopping was satisfied.
        losses: How many times workers were lost.
        seconds: How long this run of the program took.
        games: How many games of each version were played in it, those of earlier runs left out.
    """

    result: Result
    enough: bool
    losses: int
    seconds: float
    games: int


def drive(prepared: Prepared, wish: Wish) -> Played:
    """Play a plan to its end, or go on with it.

    Raises:
        click.UsageError: The checkpoint is of another plan, or a file cannot be used; a package is missing.
        GameStoppedError: Workers are lost again and again.
    """
    plan = prepared.plan
    saved = Checkpoint(wish.checkpoint, plan.digest())
    progress, written = saved.read(len(plan.versions), len(plan.pairs))
    before = progress.result.games
    started = time.monotonic()
    rows = Rows(wish.rows, written, fresh=before == 0) if wish.rows is not None else None
    line = _Line(plan.games)
    last = time.monotonic()

    def advanced(now: Progress) -> None:
        nonlocal last
        line.show(now)
        if time.monotonic() - last >= _SAVED_EVERY:
            last = time.monotonic()
            saved.write(now, rows.size() if rows is not None else 0)

    try:
        with backend(wish.kind, wish.workers, wish.address) as played_by:
            run = Run(
                plan,
                prepared.packed,
                played_by,
                until=wish.stop,
                prepare=with_store,
                advanced=advanced,
                took=rows.add if rows is not None else (lambda _: None),
            )
            try:
                progress = run.go(progress)
            finally:
                saved.write(progress, rows.size() if rows is not None else 0)
    except MissingExtraError as error:
        raise click.UsageError(
            f'This needs the package {error.package}: pip install "rulelang[{error.extra}]"'
        ) from None
    except NoClusterError as error:
        raise click.UsageError(
            f"There is no cluster to play on: {error}. Look whether --address is right and the cluster is up; without"
            " --address one is started here."
        ) from None
    except WorkersLostError as error:
        raise GameStoppedError(str(error)) from None
    finally:
        line.close()
    if rows is not None:
        rows.close()
    return Played(
        progress.result,
        progress.enough,
        progress.losses,
        time.monotonic() - started,
        progress.result.games - before,
    )


class Checkpoint:
    """A file that says how far a run is, written whole or not at all.

    Args:
        path: Where; None: nowhere.
        digest: Of the plan.
    """

    def __init__(self, path: str | None, digest: str) -> None:
        self._path = None if path is None else Path(path)
        self._digest = digest

    def read(self, versions: int, pairs: int) -> tuple[Progress, int]:
        """Give how far the run is, and how many bytes of rows belong to that.

        Raises:
            click.UsageError: The file is of another run, or no checkpoint.
        """
        fresh = Progress(Result.empty(versions, pairs))
        if self._path is None or not self._path.exists():
            return fresh, 0
        try:
            data: dict[str, Any] = json.loads(self._path.read_text("utf-8"))
            same = data["version"] == _FORMAT and data["plan"] == self._digest
            found = Progress(
                Result.of(data["result"]), data["next"], data["enough"], data["losses"]
            )
            rows: int = data["rows"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise click.UsageError(
                f"{self._path} is no checkpoint of this program; name another file."
            ) from None
        if not same:
            raise click.UsageError(
                f"{self._path} is the checkpoint of another run: other rules, options, seats, seed or games."
                " Name another file, or repeat the command as it was."
            )
        return found, rows

    def write(self, progress: Progress, rows: int) -> None:
        """Keep how far the run is.

        Raises:
            click.UsageError: The file cannot be written.
        """
        if self._path is None:
            return
        data = {
            "version": _FORMAT,
            "plan": self._digest,
            "next": progress.next,
            "enough": progress.enough,
            "losses": progress.losses,
            "rows": rows,
            "result": progress.result.plain(),
        }
        beside = self._path.with_name(f"{self._path.name}.new")
        try:
            beside.write_text(json.dumps(data), "utf-8")
            beside.replace(self._path)
        except OSError as error:
            raise click.UsageError(f"{self._path} cannot be written: {error.strerror}") from None


class _Line:
    """A line on a terminal that says how far it is, and what the figures are so far."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._terminal = sys.stderr.isatty()
        self._started = self._shown = time.monotonic()
        self._first: int | None = None
        self._written = False

    def show(self, progress: Progress) -> None:
        """Show it, now and then."""
        now = time.monotonic()
        if self._first is None:
            self._first = progress.result.games
        if not self._terminal or now - self._shown < _SHOWN_EVERY:
            return
        self._shown = now
        done = progress.result.games
        speed = (done - self._first) / (now - self._started)
        left = f", {(self._games - done) / speed:.0f} s left" if speed else ""
        text = f"{done:,} of {self._games:,} games{left}; {_estimate(progress.result)}"
        click.echo(f"\r{text[:_WIDTH]:<{_WIDTH}}", nl=False, err=True)
        self._written = True

    def close(self) -> None:
        """Wipe it out."""
        if self._written:
            with contextlib.suppress(OSError):
                click.echo("\r" + " " * _WIDTH + "\r", nl=False, err=True)


def _estimate(result: Result) -> str:
    """The first figures so far: rates of wins, or their differences."""
    tallies = result.pairs[0].tallies if result.pairs else result.versions[0].tallies
    found: list[str] = []
    for name, tally in tallies.items():
        if not name.startswith(WINS):
            continue
        if result.pairs:
            low, high = around(tally.mean, tally.error)
            found.append(f"{name}: {100 * tally.mean:+.1f} ± {50 * (high - low):.1f} %")
        else:
            low, high = wilson(tally.total, tally.count)
            found.append(f"{name}: {100 * tally.mean:.1f} ± {50 * (high - low):.1f} %")
    return ", ".join(found)
