"""Moments of the rewards read from the table again are those that the plays kept."""

import threading

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines import sums
from steadyarm.engines.choice import ENGINES, TABLE_ENGINES
from steadyarm.engines.sums import reward_moments
from steadyarm.errors import InvalidInput, InvalidType, SimulationInterrupted

INSTANCES = {
    "gaussian": sa.Instance.gaussian([0.0, -0.2, 0.3], noise_scale=[1.0, 0.5, 2.0]),
    "bernoulli": sa.Instance.bernoulli([0.5, 0.2, 1.0]),
    "bounded": sa.Instance.bounded([0.5, 0.2, 0.9]),
}
every_law = pytest.mark.parametrize("instance", INSTANCES.values(), ids=list(INSTANCES))


@every_law
def test_a_sum_has_the_bits_of_adding_the_cells_in_order(instance):
    counts = np.array([[0, 1, 2], [3, 4, 5], [1023, 1024, 1025], [5000, 7, 2049]])
    sums, squares, deviations = reward_moments(instance, counts, seed=9, first_run=4)
    for row, pulls in enumerate(counts):
        table = sa.reward_table(instance, seed=9, run=4 + row, pulls=5000)
        for arm, n in enumerate(pulls):
            rewards = table[arm, :n]
            assert sums[row, arm] == (np.cumsum(rewards)[-1] if n else 0.0)
            assert squares[row, arm] == pytest.approx((rewards**2).sum(), rel=1e-12)
            before = np.cumsum(rewards)[:-1] / np.arange(1, n) if n else rewards
            assert deviations[row, arm] == pytest.approx(((rewards[1:] - before) ** 2).sum(), rel=1e-12)


@every_law
def test_the_moments_of_a_simulation_have_the_bits_of_its_plays(instance):
    policy = sa.UCB1(n_arms=3, horizon=300, noise_scale=2.0)
    result = sa.simulate(policy, instance, runs=5, seed=3)
    moments = reward_moments(instance, result.counts, seed=3)
    for run in range(5):
        play = policy.start(seed=3, run=run)
        table = sa.reward_table(instance, seed=3, run=run, pulls=300)
        while play.round < 300:
            arm = play.ask()
            play.tell(arm, table[arm, play.counts[arm] - 1])
        assert play.to_dict()["totals"] == moments.sums[run].tolist()
        for read, kept in zip(moments, play.moments, strict=True):
            assert read[run].tobytes() == kept.tobytes()


def test_threads_and_ranges_decide_nothing():
    counts = np.random.default_rng(1).integers(0, 4000, (300, 3))
    whole = reward_moments(INSTANCES["gaussian"], counts, seed=5, threads=1)
    assert np.array_equal(reward_moments(INSTANCES["gaussian"], counts, seed=5, threads=7), whole)
    later = reward_moments(INSTANCES["gaussian"], counts[100:], seed=5, first_run=100)
    assert np.array_equal(later, np.array(whole)[:, 100:])


def test_another_seed_or_run_gives_other_sums():
    counts = np.full((4, 3), 50)
    sums = reward_moments(INSTANCES["gaussian"], counts, seed=5).sums
    assert len(np.unique(sums)) == 12
    assert not np.isin(reward_moments(INSTANCES["gaussian"], counts, seed=6).sums, sums).any()


def test_progress_is_reported_and_ctrl_c_stops_at_once():
    shares = []
    reward_moments(INSTANCES["gaussian"], np.full((2000, 3), 3000), report=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted):
        reward_moments(INSTANCES["gaussian"], np.full((2, 3), 10**12), report=stop)
    assert threading.active_count() < 50


def test_adding_rewards_up_costs_what_cutting_them_does():
    counts = np.array([[[300, 200]]])
    adder = sums._Adder(sa.equal_gap(2, 0.1), 0, 0, counts)
    assert adder.run_cost == ENGINES["prefix"].run_cost(sa.MOSS(n_arms=2, horizon=500))


def test_no_runs_have_no_sums():
    moments = reward_moments(INSTANCES["gaussian"], np.zeros((0, 3), dtype=int))
    assert [kept.shape for kept in moments] == [(0, 3)] * 3


def test_the_engines_that_read_the_table_give_the_same_counts():
    policy = sa.MOSS(n_arms=3, horizon=300, noise_scale=2.0)
    counts = [
        sa.simulate(policy, INSTANCES["gaussian"], runs=4, engine=name).counts for name in TABLE_ENGINES
    ]
    assert all(np.array_equal(one, counts[0]) for one in counts)


@pytest.mark.parametrize(
    ("counts", "error", "words"),
    [
        ([[1.5, 2.0, 1.0]], InvalidType, "counts must be whole numbers; got an array of float64"),
        ([[1, 2]], InvalidInput, "one row a run and 3 columns; got shape"),
        ([1, 2, 3], InvalidInput, "one row a run and 3 columns; got shape"),
        ([[1, -2, 3]], InvalidInput, "counts must be at least 0; got -2"),
    ],
)
def test_bad_counts_are_refused(counts, error, words):
    with pytest.raises(error, match=words):
        reward_moments(INSTANCES["gaussian"], counts)
