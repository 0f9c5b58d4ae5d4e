"""Blocks of runs on Dask: the same bits, whatever happens to the workers."""

import importlib
import os
import signal
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import steadyarm as sa
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.workers import TryAgain
from steadyarm.errors import ClusterError, NotSupported
from steadyarm.study.runs import blocks
from steadyarm.study.runs import cluster as dask
from steadyarm.study.runs.blocks import Piece
from steadyarm.study.runs.laboratory import Laboratory

POLICY = sa.SLEUCB(n_arms=2, horizon=10_000, constants="sharp")
INSTANCE = sa.equal_gap(2, gap=0.1)


def test_a_typed_in_rule_cannot_reach_workers(monkeypatch):
    @dataclass(frozen=True, kw_only=True)
    class Typed(sa.UCB1):
        title = "typed"

    monkeypatch.setattr(Typed, "__module__", "__main__")
    with pytest.raises(NotSupported, match="where workers cannot find its rule"):
        dask.send_code(None, [Typed])


class Future:
    """What a scheduler hands out."""

    def __init__(self, result=None, cancelled=False):
        self._result, self._cancelled = result, cancelled

    def cancelled(self):
        return self._cancelled

    def result(self):
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


def test_what_a_worker_may_do_wrong_is_told_with_its_remedy():
    from distributed import KilledWorker

    piece = Piece(POLICY)
    worker = SimpleNamespace(address="tcp://10.0.0.7:1")
    died = KilledWorker("block", worker, 3)
    assert dask._result(Future((piece, sa.__version__, dask.RESULTS_VERSION)), 1) is piece
    with pytest.raises(TryAgain):
        dask._result(Future(died), 1)
    for problem, result in (
        (r"workers keep dying of one block .*10\.0\.0\.7.* memory", died),
        ("could not import 'my_package'", ModuleNotFoundError("no", name="my_package")),
        (r"a worker has steadyarm 0\.0\.1, .* Install the same", (piece, "0.0.1", dask.RESULTS_VERSION)),
        (r"might differ", (piece, sa.__version__, dask.RESULTS_VERSION + 1)),
    ):
        with pytest.raises(ClusterError, match=problem):
            dask._result(Future(result), 3)
    with pytest.raises(ClusterError, match="the Dask scheduler has dropped the work or is gone"):
        dask._result(Future(cancelled=True), 1)
    with pytest.raises(ZeroDivisionError):
        dask._result(Future(ZeroDivisionError()), 1)


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes on this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # a free port: 8787 may be taken
        silence_logs=True,
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster, monkeypatch):
    from distributed import Client

    monkeypatch.setattr(blocks, "SECONDS_PER_BLOCK", 16 * ENGINES["prefix"].run_cost(POLICY))
    with Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


@pytest.mark.slow
def test_a_cluster_gives_the_same_bits(client, cluster, tmp_path):
    for policy, engine in ((POLICY, "prefix"), (POLICY, "step"), (POLICY.replace(horizon=10**9), "leap")):
        plain = sa.simulate(policy, INSTANCE, runs=100, seed=1, engine=engine)
        spread = Laboratory(client=client).simulate(policy, INSTANCE, runs=100, seed=1, engine=engine)
        assert spread.counts.tobytes() == plain.counts.tobytes()
        assert spread.to_dict() == plain.to_dict()
    plain = sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=1000, runs=200)
    with Laboratory(client=cluster.scheduler_address, folder=tmp_path) as lab:
        assert sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=1000, runs=200, laboratory=lab).to_dict() == (
            plain.to_dict()
        )
    kept = Laboratory(folder=tmp_path)  # what the workers played is read on this machine
    assert sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=1000, runs=200, laboratory=kept).to_dict() == (
        plain.to_dict()
    )


@pytest.mark.slow
def test_a_frontier_on_a_cluster_that_loses_a_worker_has_the_same_bits(client, tmp_path):
    how = {
        "n_arms": 3,
        "horizon": 2000,
        "alphas": [1, 4],
        "spreads": [],
        "rivals": ["UCB1", "MOSS"],
        "runs": 60,
    }
    plain = sa.frontier(**how).to_dict()
    workers = list(client.run(os.getpid).values())
    killed = []

    def kill(share):
        if share > 0.2 and not killed:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    laboratory = Laboratory(client=client, folder=tmp_path)
    assert laboratory.side_by_side == 2
    assert sa.frontier(**how, laboratory=laboratory, progress=kill).to_dict() == plain
    assert killed
    assert sa.frontier(**how, laboratory=Laboratory(folder=tmp_path)).to_dict() == plain


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_time_only(client, tmp_path):
    workers = list(client.run(os.getpid).values())
    killed = []

    def kill(share):
        if share >= 0.2 * (1 + len(killed)) and len(killed) < len(workers):
            killed.append(workers[len(killed)])
            os.kill(killed[-1], signal.SIGKILL)

    lab = Laboratory(client=client, folder=tmp_path)
    spread = lab.simulate(POLICY, INSTANCE, runs=1600, seed=2, report=kill)
    assert killed == workers
    plain = sa.simulate(POLICY, INSTANCE, runs=1600, seed=2)
    assert spread.counts.tobytes() == plain.counts.tobytes()


OWN = """
from dataclasses import dataclass
from typing import NamedTuple

from steadyarm.policies import RulePolicy, rule


class OwnParameters(NamedTuple):
    bonus: float


def index(parameters, noise, arm, counts, totals, state):
    return totals[arm] / counts[arm] + parameters.bonus / counts[arm]


rule(OwnParameters, index=index)


@dataclass(frozen=True, kw_only=True)
class Own(RulePolicy):
    title = "own"
    source = "a test"

    @property
    def parameters(self):
        return OwnParameters(2.0)
"""


@pytest.mark.slow
def test_a_policy_in_a_file_of_ones_own_travels_to_the_workers(client, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_policy_for_workers.py").write_text(OWN)
    own = importlib.import_module("own_policy_for_workers").Own(n_arms=2, horizon=500)
    spread = Laboratory(client=client).simulate(own, INSTANCE, runs=40, seed=0)
    assert (spread.engine, spread.counts.tolist()) == (
        "step",
        sa.simulate(own, INSTANCE, runs=40, seed=0).counts.tolist(),
    )


@pytest.mark.slow
def test_a_package_that_workers_do_not_have_is_told(client, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_package").mkdir()
    (tmp_path / "own_package" / "__init__.py").touch()
    (tmp_path / "own_package" / "inner.py").write_text(OWN.replace("OwnParameters", "InnerParameters"))
    own = importlib.import_module("own_package.inner").Own(n_arms=2, horizon=500)
    with pytest.raises(ClusterError, match="a worker could not import 'own_package'"):
        Laboratory(client=client).simulate(own, INSTANCE, runs=40, seed=0)
