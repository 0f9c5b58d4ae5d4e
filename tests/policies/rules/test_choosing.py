"""Choices without an index against the same in NumPy, ties included."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.policies.rules.choosing import fewest, larger_mean, leader

ARMS = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 4)), min_size=1, max_size=8)


@given(ARMS, st.randoms(use_true_random=False))
def test_the_leader_has_the_largest_mean_and_among_equals_the_smallest_rank(arms, random):
    counts = np.array([pulls for pulls, _ in arms])
    totals = np.array([float(min(ones, pulls)) for pulls, ones in arms])
    rank = np.array(random.sample(range(len(arms)), len(arms)))
    means = totals / counts
    best = np.flatnonzero(means == means.max())
    assert leader(rank, counts, totals) == best[rank[best].argmin()]


@given(ARMS, st.randoms(use_true_random=False))
def test_the_fewest_pulls_come_first_and_among_equals_the_smallest_rank(arms, random):
    pulls = np.array([float(count) for count, _ in arms])
    rank = np.array(random.sample(range(len(arms)), len(arms)))
    least = np.flatnonzero(pulls == pulls.min())
    assert fewest(rank, pulls) == least[rank[least].argmin()]


def test_of_two_arms_the_larger_mean_leads_and_ties_go_to_the_first():
    chances = larger_mean((2, 4))
    assert chances.shape == (3, 5)
    assert chances.tolist() == [[1, 0, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]
