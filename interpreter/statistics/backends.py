"""Many workers: processes of this machine (joblib), a cluster of Dask (through joblib), or one of Ray."""

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
_ATTEMPTS: Final = 4
_STORE: Final = 100 * 1024 * 1024
_RETRIES: Final = 20


class NoClusterError(Exception):
    """A cluster cannot be reached, or does not start."""


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
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._joblib = needed("joblib", "parallel")

    def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
        """See :meth:`interpreter.statistics.running.Backend.run`."""
        parallel = self._joblib.Parallel(
            n_jobs=self.workers,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch="2*n_jobs",
        )
        try:
            yield from parallel(self._joblib.delayed(_run)(task) for task in tasks)
        except Exception as error:
            if isinstance(error, BrokenExecutor) or type(error).__name__ in _LOST:
                raise LostWorkerError(f"{type(error).__name__}: {error}") from error
            raise


class Ray:
    """Plays batches as tasks of Ray, which plays those of a lost worker again.

    joblib's own backend for Ray starts new processes for each call, and gives nothing before all is done.

    Args:
        ray: The package, which is connected to a cluster.
        workers: How many at a time.
    """

    def __init__(self, ray: Any, workers: int) -> None:  # noqa: ANN401 - a module
        self.workers = workers
        self._ray = ray
        self._remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(_run)

    def run(self, tasks: Iterator[Task]) -> Iterable[Done]:
        """See :meth:`interpreter.statistics.running.Backend.run`."""
        pending = [self._remote.remote(task) for task in islice(tasks, 2 * self.workers)]
        try:
            while pending:
                (ready, *_), pending = self._ray.wait(pending)
                done: Done = self._ray.get(ready)
                yield done
                # Asked for afterwards: the answer may say which batch comes next.
                pending += [self._remote.remote(task) for task in islice(tasks, 1)]
        except Exception as error:
            if type(error).__name__ in _LOST:
                raise LostWorkerError(f"{type(error).__name__}: {error}") from error
            raise
        finally:
            for each in pending:
                self._ray.cancel(each, force=False)


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
        NoClusterError: There is no cluster at the address, or none can be started here.
    """
    with ExitStack() as stack:
        if kind == "local":
            yield Serial() if workers == 1 else Joblib(workers)
            return
        if kind == "dask":
            joblib, distributed = needed("joblib", "parallel"), needed("distributed", "dask")
            try:
                if address is None:
                    address = stack.enter_context(
                        distributed.LocalCluster(
                            n_workers=workers, threads_per_worker=1, dashboard_address=None
                        )
                    )
                stack.enter_context(distributed.Client(address))
            except (OSError, RuntimeError, ValueError) as error:
                raise NoClusterError(f"Dask: {error}") from error
            stack.enter_context(joblib.parallel_config(backend="dask"))
            yield Joblib(workers)
            return
        ray = needed("ray", "ray")
        _connect(ray, workers, address)
        stack.callback(ray.shutdown)
        yield Ray(ray, workers)


def _connect(ray: Any, workers: int, address: str | None) -> None:  # noqa: ANN401 - a module
    """Connect with a cluster of Ray, or start one on this machine.

    Ray gives its own processes 30 seconds to start, which cannot be changed; on a busy machine that is too short now
    and then, so it is tried again.

    Raises:
        NoClusterError: There is none after some attempts.
    """
    settings: dict[str, object] = {"log_to_driver": False, "logging_level": "critical"}
    if address is not None:
        settings["address"] = address
    else:
        # Results are small: a store as Ray likes it would take a third of the memory.
        settings |= {
            "address": "local",
            "num_cpus": workers,
            "include_dashboard": False,
            "object_store_memory": _STORE,
        }
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            ray.init(**settings)
        except Exception as error:  # Ray raises a bare one when it was too slow
            ray.shutdown()
            if attempt == _ATTEMPTS or address is not None:
                raise NoClusterError(f"Ray: {error}") from error
        else:
            return
