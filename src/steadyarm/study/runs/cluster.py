"""Blocks of runs on the workers of a Dask cluster: connecting, sending code, and what may go wrong there."""

from __future__ import annotations

import logging
import pickle
import sysconfig
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from pathlib import Path
from typing import Any

from steadyarm.engines.progress import Report
from steadyarm.engines.workers import TryAgain, work_through
from steadyarm.errors import ClusterError, InvalidType, NotSupported
from steadyarm.policies.rules.rule_policy import RulePolicy
from steadyarm.study.runs.blocks import Piece, Task
from steadyarm.study.runs.keys import RESULTS_VERSION, own_version, source_file

_TIMEOUT_SECONDS = 15.0  # for a scheduler to answer
_TRIES = 3  # of a block whose workers die, each of which Dask itself tries several times
_AHEAD = 2  # blocks under way for each thread of the cluster, so that none waits for the next
_REMEDY = "With a study's folder (--study) finished parts are kept, and the same command goes on from there."


def on_cluster(
    client: Any, tasks: Sequence[Task], report: Report, note: Callable[[str], None]
) -> Generator[tuple[int, Piece]]:
    """Do blocks of runs on the workers of a cluster; yield each one's number and result as it is finished."""
    if tasks and not client.nthreads():
        note("the cluster has no workers yet; waiting for the first.")
    try:
        yield from work_through(_Cluster(client, tasks), [1.0] * len(tasks), report)
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"the connection to the Dask scheduler was lost: {error}. {_REMEDY}") from error


class _Cluster:
    """The workers of a cluster."""

    def __init__(self, client: Any, tasks: Sequence[Task]) -> None:
        self._client, self._tasks, self._tries = client, tasks, [0] * len(tasks)
        self._completed = _distributed().as_completed(loop=client.loop, raise_errors=False)

    def room(self) -> int:
        return _AHEAD * max(1, cluster_threads(self._client))

    def submit(self, number: int, _report: Report) -> Any:
        future = self._client.submit(_do_packed, _pack(self._tasks[number]), pure=False)
        self._tries[number] += 1
        self._completed.add(future)
        return future

    def finished(self, _futures: Collection[Any]) -> Iterable[Any]:
        return [next(self._completed)]

    def result(self, future: Any, number: int) -> Piece:
        return _result(future, self._tries[number])

    def close(self, futures: Collection[Any]) -> None:
        if futures and self._client.status == "running":
            self._client.cancel(list(futures))


def cluster_threads(client: Any) -> int:
    """Return how many threads the workers of a cluster have."""
    return sum(map(int, client.nthreads().values()))


def connect(address: str) -> Any:
    """Return a client of the scheduler at an address."""
    distributed = _distributed()
    # A lost scheduler is told once, by a ClusterError; Dask's own account of it has thirty lines of traces.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        if not address.startswith("inproc"):
            # Dask finds a wrong address out too late: its half-made client holds the process up for 30 seconds.
            distributed.comm.get_address_host_port(address)
        return distributed.Client(address, timeout=_TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r}: {error}. Start one with `dask scheduler`, and give the "
            "address that it prints, like tcp://10.0.0.1:8786."
        ) from None


def check_client(client: Any) -> None:
    """Refuse what is not a client of a cluster, or cannot be waited for."""
    if not isinstance(client, _distributed().Client):
        raise InvalidType(f"client must be a distributed.Client or an address; got {client!r}.")
    if client.asynchronous:
        raise NotSupported("client must not be asynchronous. Make it with Client(asynchronous=False).")


def send_code(client: Any, kinds: Iterable[type]) -> None:
    """See to it that workers can make policies of the user's own: a class's file goes to all of them.

    A class of a package must be installed there, and a class that was typed in travels by itself.
    """
    for kind in kinds:
        file = source_file(kind)
        if kind.__module__ == "__main__":
            if issubclass(kind, RulePolicy):
                raise NotSupported(
                    f"{kind.__name__} is defined in the script itself, where workers cannot find its rule. Put it "
                    "into a file of its own, like my_module.py, and import it from there."
                )
        elif file is not None and "." not in kind.__module__ and not _is_installed(file):
            client.upload_file(file)


def _is_installed(file: str) -> bool:
    places = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib", "stdlib")}
    return any(place in Path(file).resolve().parents for place in places)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise NotSupported(
            "running on several machines needs Dask. Install it with pip install 'steadyarm[dask]'."
        ) from None
    return distributed


def _pack(task: Task) -> bytes:
    """Return a task as bytes, so that only workers, not the scheduler, have to know its classes."""
    import cloudpickle  # type: ignore[import-untyped]

    return bytes(cloudpickle.dumps(task))


def _do_packed(packed: bytes) -> tuple[Piece, str, int]:
    """Do a task on a worker, on the one thread that Dask has given it."""
    return pickle.loads(packed)(1, lambda _share: None), own_version(), RESULTS_VERSION


def _result(future: Any, tries: int) -> Piece:
    """Return what a worker computed, or say that it has to be tried again."""
    if future.cancelled():
        raise ClusterError(f"the Dask scheduler has dropped the work or is gone. {_REMEDY}")
    try:
        piece, version, results_version = future.result()
    except _distributed().KilledWorker as error:
        if tries < _TRIES:
            raise TryAgain from None
        raise ClusterError(
            f"workers keep dying of one block of runs, the last at {error.last_worker.address}: perhaps "
            f"their memory is too small, or a policy brings them down. {_REMEDY}"
        ) from None
    except ModuleNotFoundError as error:
        raise ClusterError(
            f"a worker could not import {error.name!r}. Install on the workers what is installed here; a policy of "
            "your own in a single file is sent by itself, a package is not."
        ) from None
    if (version, results_version) != (own_version(), RESULTS_VERSION):
        raise ClusterError(
            f"a worker has steadyarm {version}, and this machine {own_version()}, so their numbers might differ. "
            "Install the same version on all of them."
        )
    assert isinstance(piece, Piece)
    return piece
