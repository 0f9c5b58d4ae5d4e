"""A sample: means and variances of one experiment, or of many runs at once."""

import numpy as np
import pytest

from steadyarm.errors import NotSupported
from steadyarm.inference.sample import Sample

REWARDS = [np.array([0.5, 0.1, 0.9, 0.4]), np.array([2.0, 2.0])]
SEEN = Sample(
    np.array([4, 2]),
    np.array([each.sum() for each in REWARDS]),
    np.array([(each**2).sum() for each in REWARDS]),
    None,
    "bounded",
    0.0,
    3.0,
    None,
)


def test_means_and_variances_are_those_of_the_rewards():
    assert SEEN.means == pytest.approx([each.mean() for each in REWARDS])
    assert SEEN.variances == pytest.approx([each.var(ddof=1) for each in REWARDS])
    assert SEEN.degrees.tolist() == [3.0, 1.0]


def test_a_variance_that_is_nothing_but_rounding_is_none():
    thirds = np.array([1 / 3] * 10)
    alike = Sample(
        np.array([10]), np.array([thirds.sum()]), np.array([(thirds**2).sum()]), None, "bounded", 0, 1, None
    )
    assert alike.varies.tolist() == [False]
    assert SEEN.varies.tolist() == [True, False]


def test_a_known_or_a_coins_variance_needs_no_squares_and_another_does():
    coins = Sample(np.array([4, 0]), np.array([1.0, 0.0]), None, None, "bernoulli", 0.0, 1.0, None)
    assert coins.variances == pytest.approx([0.1875, np.nan], nan_ok=True)
    assert np.isinf(coins.degrees).all()
    known = Sample(
        np.array([4, 1]), np.zeros(2), None, None, "gaussian", -np.inf, np.inf, np.array([2.0, 3.0])
    )
    assert known.variances.tolist() == [4.0, 9.0]
    with pytest.raises(NotSupported, match="needs the sums of the squared rewards"):
        _ = Sample(np.array([4]), np.zeros(1), None, None, "gaussian", -np.inf, np.inf, None).variances


def test_runs_and_arms_are_taken_out_of_a_sample_with_all_that_is_known_of_them():
    many = Sample(
        np.arange(6).reshape(3, 2),
        np.arange(6.0).reshape(3, 2),
        np.ones((3, 2)),
        None,
        "bounded",
        0.0,
        9.0,
        None,
    )
    assert many.runs(1).counts.tolist() == [2, 3]
    assert many.runs(np.array([0, 2])).sums.tolist() == [[0.0, 1.0], [4.0, 5.0]]
    assert many.taken([1, 1, 0]).counts.tolist() == [[1, 1, 0], [3, 3, 2], [5, 5, 4]]
    assert many.taken([1]).deviations is None
    assert (many.runs(0).high, many.taken([0]).rewards) == (9.0, "bounded")
