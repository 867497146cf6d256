"""All batches of a plan, wherever they are played: the same sums whatever the number and the fate of the workers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

import attrs

from interpreter.errors import EngineError
from interpreter.statistics.batches import play_batch
from interpreter.statistics.summaries import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from interpreter.statistics.batches import Done, Row
    from interpreter.statistics.plan import Plan
    from interpreter.statistics.stopping import Until

_MOST_LOSSES: Final = 20


class WorkersLostError(EngineError):
    """Workers died again and again before they had played anything."""


@attrs.frozen
class Task:
    """A batch on its way to a worker.

    Attributes:
        plan: The plan.
        batch: Which batch of it.
        programs: Packed Programs that the worker may be lacking, by hash.
        prepare: What the worker calls first.
    """

    plan: Plan
    batch: int
    programs: Mapping[str, bytes]
    prepare: Callable[[], None] | None

    def run(self) -> Done:
        """Play it."""
        return play_batch(self.plan, self.batch, self.programs, self.prepare)


class Backend(Protocol):
    """Plays batches, here or elsewhere."""

    workers: int
    """How many batches are played at a time."""

    def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
        """Play the tasks, as they are asked for; results come in any order.

        Raises:
            LostWorkerError: A worker died; what was not given yet has to be played again.
        """
        ...


class LostWorkerError(Exception):
    """A worker has died with what it was doing."""


class Serial:
    """Plays one batch after the other, in this process."""

    workers = 1

    def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
        """See :meth:`Backend.run`."""
        for task in tasks:
            yield task.run()


@attrs.define
class Progress:
    """How far a run is.

    Attributes:
        result: The sums of all batches up to `next`.
        next: The batch that comes next; all before it are counted.
        enough: Whether the rule for stopping was satisfied.
        losses: How many times workers were lost.
    """

    result: Result
    next: int = 0
    enough: bool = False
    losses: int = 0


@attrs.define
class Run:
    """Plays a plan, from its beginning or from where it was stopped.

    Attributes:
        plan: What is played.
        programs: Packed Programs by hash.
        backend: Who plays.
        until: When to stop before all games are played.
        prepare: What each worker calls first; it can be pickled.
        advanced: Called whenever batches were counted: with how far the run is.
        took: Called with the rows of each batch, in order of the games, before `advanced`.
    """

    plan: Plan
    programs: Mapping[str, bytes]
    backend: Backend
    until: Until | None = None
    prepare: Callable[[], None] | None = None
    advanced: Callable[[Progress], None] = lambda _: None
    took: Callable[[tuple[Row, ...]], None] = lambda _: None
    _waiting: dict[int, Done] = attrs.field(factory=dict, init=False)
    _again: deque[int] = attrs.field(factory=deque, init=False)
    _sent: int = attrs.field(default=0, init=False)

    def go(self, progress: Progress | None = None) -> Progress:
        """Play what is left.

        Args:
            progress: Where to go on; it is changed.

        Raises:
            WorkersLostError: Workers are lost again and again without playing anything.
            LookupError: A score does not exist.
        """
        plan = self.plan
        at = progress or Progress(Result.empty(len(plan.versions), len(plan.pairs)))
        looks = (
            [] if self.until is None else self.until.looks(plan.batch, plan.games)
        )  # fmt: skip
        idle = 0
        while at.next < plan.batches and not at.enough:
            before = at.next + len(self._waiting)
            try:
                for done in self.backend.run(self._tasks(at)):
                    if done.missing:
                        if not self.programs.keys() >= set(done.missing):
                            raise KeyError(done.missing)
                        self._again.append(done.batch)
                    else:
                        self._waiting[done.batch] = done
                        self._count(at, looks)
                    if at.enough:
                        break
            except LostWorkerError as error:
                at.losses += 1
                idle = 0 if at.next + len(self._waiting) > before else idle + 1
                if idle >= _MOST_LOSSES:
                    raise WorkersLostError(f"workers are lost again and again: {error}") from error
        return at

    def _tasks(self, at: Progress) -> Iterator[Task]:
        """The batches that are still to be played, as workers ask for them."""
        first = at.next
        sent = 0
        self._again.clear()
        for batch in range(first, self.plan.batches):
            if at.enough:
                return
            while self._again:
                yield self._task(self._again.popleft(), whole=True)
            if batch not in self._waiting and batch >= at.next:
                # The first ones bring the Programs along: nobody has them yet.
                yield self._task(batch, whole=sent < 2 * self.backend.workers)
                sent += 1

    def _task(self, batch: int, *, whole: bool) -> Task:
        return Task(self.plan, batch, self.programs if whole else {}, self.prepare)

    def _count(self, at: Progress, looks: list[int]) -> None:
        """Count the batches that have come, as far as none is missing before them."""
        moved = False
        while at.next in self._waiting and not at.enough:
            done = self._waiting.pop(at.next)
            assert done.result is not None  # noqa: S101 - nothing is missing
            at.result.join(done.result)
            at.next += 1
            moved = True
            self.took(done.rows)
            if self.until is not None and at.result.games in looks:
                at.enough = self.until.reached(at.result)
        if moved:
            self.advanced(at)
