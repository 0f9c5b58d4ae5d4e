"""What clipping does to the laws of the rewards, against the clipped cells of the reward table."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.model.clipping import clipped_moments, clipping_chances

INSTANCES = [
    sa.Instance.gaussian([0.0, 0.4, -1.9, 2.0, 30.0], noise_scale=[1.0, 0.3, 2.0, 0.7, 1.0]),
    sa.Instance.bernoulli([0.0, 0.2, 0.9, 1.0]),
    sa.Instance.bounded([-4.0, -3.0, 0.5, 2.5, 4.0], low=-4.0, high=4.0),
]


@pytest.mark.parametrize("clip", [0.0, 0.6, 1.5, 2.0, 5.0])
@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.rewards)
def test_chance_mean_and_variance_are_those_of_clipped_cells(instance, clip):
    cells = sa.reward_table(instance, seed=3, pulls=40_000)
    clipped = np.clip(cells, -clip, clip)
    means, variances = clipped_moments(instance, clip)
    assert clipping_chances(instance, clip) == pytest.approx((clipped != cells).mean(axis=1), abs=0.013)
    assert means == pytest.approx(clipped.mean(axis=1), abs=4.5 * 2.4 / 200)
    assert variances == pytest.approx(clipped.var(axis=1), rel=0.05, abs=1e-3)


def test_far_clipping_leaves_the_moments_to_the_last_bit():
    for instance in INSTANCES:
        means, variances = clipped_moments(instance, 100.0)
        assert tuple(means) == instance.means
        assert np.array_equal(variances, instance.variances)
        assert clipping_chances(instance, 100.0).max() == 0.0
    assert clipping_chances(sa.Instance.gaussian([0.0, 1.0]), np.inf).max() == 0.0
