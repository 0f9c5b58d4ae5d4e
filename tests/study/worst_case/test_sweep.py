"""Both worst cases of many policies: one after the other, or several at once."""

import threading
import time

import pytest

import steadyarm as sa
from steadyarm.engines import workers
from steadyarm.errors import ClusterError, SimulationInterrupted
from steadyarm.study.runs.laboratory import Laboratory

SMALL = {"n_arms": 2, "horizon": 300, "alphas": [1, 4], "spreads": [], "rivals": ["UCB1", "MOSS"], "runs": 20}


class Wide(Laboratory):
    """A laboratory that is best asked for several simulations at once, like a cluster."""

    side_by_side = 4


class Failing(Wide):
    """One whose n-th simulation fails."""

    def __init__(self, error, at, **how):
        super().__init__(**how)
        object.__setattr__(self, "error", error)
        object.__setattr__(self, "left", at)

    def simulate(self, policy, instance, **how):
        object.__setattr__(self, "left", self.left - 1)
        if self.left == 0:
            raise self.error
        return super().simulate(policy, instance, **how)


class FailingAlone(Failing):
    side_by_side = 1


def test_searches_side_by_side_give_the_same_numbers(tmp_path):
    shares = []
    plain = sa.frontier(**SMALL, laboratory=Laboratory())
    wide = sa.frontier(**SMALL, laboratory=Wide(folder=tmp_path), progress=shares.append)
    assert wide.to_dict() == plain.to_dict()
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    kept = sa.frontier(**SMALL, laboratory=Laboratory(folder=tmp_path))
    assert kept.to_dict() == plain.to_dict()


@pytest.mark.parametrize("kind", [Failing, FailingAlone])
def test_an_error_in_one_search_ends_all_of_them(kind):
    before = threading.active_count()
    with pytest.raises(ClusterError, match="gone"):
        sa.frontier(**SMALL, laboratory=kind(ClusterError("the scheduler is gone"), 40))
    assert threading.active_count() == before


@pytest.mark.parametrize("kind", [Failing, FailingAlone])
def test_an_interruption_says_how_far_it_was_and_how_to_go_on(kind, tmp_path):
    broken = kind(SimulationInterrupted("stopped", None), 1, folder=tmp_path)
    with pytest.raises(
        SimulationInterrupted, match=r"stopped after \d of 6 policies; what was finished is kept"
    ):
        sa.frontier(**SMALL, laboratory=broken)
    broken = kind(SimulationInterrupted("stopped", None), 1)
    with pytest.raises(SimulationInterrupted, match="of 2 sizes; exponents need all of them"):
        sa.scaling("MOSS", horizons=[100, 200], runs=10, laboratory=broken)


def test_ctrl_c_stops_the_searches_that_are_under_way(monkeypatch):
    """The interruption reaches the thread that waits; the others are told at their next report."""

    looks = []

    def wait(*_how, **_more):
        looks.append(time.monotonic())
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "wait", wait)
    before = threading.active_count()
    with pytest.raises(SimulationInterrupted, match="of 6 policies"):
        sa.frontier(**SMALL | {"runs": 10**6, "horizon": 3000}, laboratory=Wide())
    assert time.monotonic() - looks[0] < 10.0
    assert threading.active_count() == before
