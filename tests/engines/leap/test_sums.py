"""What leapt runs add up to is the walk that decided them."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.leap.sums import walk_sums

COINS, GAUSSIAN = (
    sa.Instance.bernoulli([0.3, 0.03]),
    sa.Instance.gaussian([2.0, -1.0], noise_scale=[1.0, 3.0]),
)


@pytest.mark.parametrize("instance", [COINS, GAUSSIAN], ids=["coins", "gaussian"])
def test_sums_have_the_mean_and_the_variance_of_so_many_rewards(instance):
    runs, counts = 2000, (1000, 77)
    sums = walk_sums(instance, np.tile(counts, (runs, 1)), seed=5)
    for arm, n in enumerate(counts):
        mean, deviation = n * instance.means[arm], np.sqrt(n * instance.variances[arm])
        assert sums[:, arm].mean() == pytest.approx(mean, abs=4.0 * deviation / np.sqrt(runs))
        assert sums[:, arm].std() == pytest.approx(deviation, rel=4.0 / np.sqrt(2 * runs))


def test_a_walk_goes_up_by_its_own_rewards():
    counts = np.arange(1, 66)[:, None] * np.ones((1, 2), dtype=np.int64)
    walk = np.concatenate([walk_sums(COINS, row[None], seed=3, first_run=9) for row in counts])
    assert set(np.diff(walk, axis=0).ravel()) <= {0.0, 1.0}
    assert np.array_equal(walk_sums(COINS, np.array([[0, 64]]), seed=3, first_run=9), [[0.0, walk[63, 1]]])


def test_the_index_of_a_leapt_run_is_level_at_its_own_sums():
    """The engine stops all arms at one level; other sums than its own would not be level there."""
    policy = sa.Steady(n_arms=2, horizon=200_000, noise_scale=0.5, spread=500)
    run = sa.simulate(policy, COINS, runs=20, seed=4, engine="leap")

    def unevenness(seed):
        means = walk_sums(COINS, run.counts, seed=seed) / run.counts
        return np.abs((means - np.array(COINS.means)) @ [1.0, -1.0] - _tilts(policy, run.counts)).std()

    assert unevenness(4) < 0.1 * unevenness(5)


def _tilts(policy, counts):
    """Return how far the deterministic parts of the two arms' indices are apart, less what the means are."""
    from steadyarm.theory.fluid import bonus

    parts = np.array([[bonus(policy.curves, float(n)) for n in row] for row in counts])
    return parts[:, 1] - parts[:, 0] - (COINS.means[0] - COINS.means[1])
