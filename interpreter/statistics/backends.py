"""Many workers: processes of this machine (joblib), a cluster of Dask, or one of Ray."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

from interpreter.statistics.running import LostWorkerError, Serial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter.statistics.batches import Done
    from interpreter.statistics.running import Backend, Task

Kind = Literal["local", "dask", "ray"]
_LOST: Final = (
    "KilledWorker", "RayActorError", "ActorDiedError", "WorkerCrashedError", "NodeDiedError",
    "ObjectLostError", "CommClosedError",
)  # fmt: skip
_WAVE: Final = 8


class MissingExtraError(Exception):
    """A package that is needed is not there; `extra` brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package)
        self.package = package
        self.extra = extra


def needed(package: str, extra: str) -> Any:  # noqa: ANN401 - a module
    """Import a package of an extra.

    Raises:
        MissingExtraError: It is not there.
    """
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtraError(package, extra) from None


class Joblib:
    """Plays batches with whatever joblib has been told to play them with.

    Args:
        workers: How many at a time.
        stream: Whether results come one by one; else in waves.
    """

    def __init__(self, workers: int, *, stream: bool = True) -> None:
        self.workers = workers
        self._stream = stream
        self._joblib = needed("joblib", "parallel")

    def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
        """See :meth:`interpreter.statistics.running.Backend.run`."""
        try:
            if self._stream:
                yield from self._parallel("generator_unordered", tasks)
            else:
                while wave := list(islice(tasks, _WAVE * self.workers)):
                    yield from self._parallel("list", wave)
        except Exception as error:
            if isinstance(error, BrokenExecutor) or type(error).__name__ in _LOST:
                raise LostWorkerError(f"{type(error).__name__}: {error}") from error
            raise

    def _parallel(self, how: str, tasks: Iterable[Task]) -> Iterable[Done]:
        parallel = self._joblib.Parallel(
            n_jobs=self.workers, return_as=how, batch_size=1, pre_dispatch="2*n_jobs"
        )
        found: Iterable[Done] = parallel(self._joblib.delayed(_run)(task) for task in tasks)
        return found


def _run(task: Task) -> Done:
    return task.run()


@contextmanager
def backend(kind: Kind, workers: int, address: str | None = None) -> Iterator[Backend]:
    """Give who plays, and let them go afterwards.

    Args:
        kind: Where.
        workers: How many at a time; on a cluster that is there already, how many tasks are under way.
        address: Of the cluster; None: one of this machine, for as long as it is needed.

    Raises:
        MissingExtraError: The package is not there.
    """
    with ExitStack() as stack:
        if kind == "local":
            yield Serial() if workers == 1 else Joblib(workers)
            return
        joblib = needed("joblib", "parallel")
        if kind == "dask":
            distributed = needed("distributed", "dask")
            if address is None:
                cluster = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=workers, threads_per_worker=1, dashboard_address=None
                    )
                )
                stack.enter_context(distributed.Client(cluster))
            else:
                stack.enter_context(distributed.Client(address))
            stack.enter_context(joblib.parallel_config(backend="dask"))
            yield Joblib(workers)
            return
        ray = needed("ray", "ray")
        needed("ray.util.joblib", "ray").register_ray()
        ray.init(
            address=address,
            num_cpus=None if address is not None else workers,
            include_dashboard=None if address is not None else False,
            log_to_driver=False,
            logging_level="error",
        )
        stack.callback(ray.shutdown)
        stack.enter_context(joblib.parallel_config(backend="ray"))
        yield Joblib(workers, stream=False)
