"""Simulated differences: what they are where the truth is known, and what they see that an ordinary one does not."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import SEED
from steadyarm.inference.simulated_differences import difference_tails, likeliest_means


def played(policy, instance, seed):
    """A play of all its rounds, on the rewards of the table."""
    play, table = policy.start(seed=seed), sa.reward_table(instance, seed=seed, pulls=policy.horizon)
    for _ in range(policy.horizon):
        arm = play.ask()
        play.tell(arm, float(table[arm, play.counts[arm] - 1]))
    return play


def test_with_counts_fixed_in_advance_the_interval_and_the_p_value_are_walds():
    policy = sa.RoundRobin(n_arms=3, horizon=300)
    play = played(policy, sa.Instance.gaussian([0.0, 0.3, 0.1]), seed=4)
    found = sa.differences(play, method="simulated", control=0, replays=2000)
    known = sa.differences(play, method="wald", control=0)
    for one, other in zip(found, known, strict=True):
        width = other.high - other.low
        assert one.low == pytest.approx(other.low, abs=0.06 * width)
        assert one.high == pytest.approx(other.high, abs=0.06 * width)
        assert one.p_value == pytest.approx(other.p_value, abs=4 * np.sqrt(other.p_value / 1000) + 0.01)
    assert "replays of round robin were played" in found.words.lower()


def test_the_decision_is_that_of_the_p_value():
    policy = sa.MOSS(n_arms=2, horizon=200, noise_scale=0.5)
    for seed in range(4):
        play = played(policy, sa.Instance.bernoulli([0.3, 0.55]), seed)
        row = sa.differences(play, rewards="bernoulli", method="simulated", replays=400)[0]
        assert (row.p_value < 0.05) == (row.better is not None)
        assert row.low <= row.value <= row.high
        assert row.low >= -1.0


def test_the_likeliest_means_are_so_far_apart_and_no_others_fit_better():
    known = np.array([40, 90]), np.array([3.0, 60.0]), None, None
    coins = Sample(*known, "bernoulli", 0.0, 1.0, None)
    gaussian = Sample(*known, "gaussian", -np.inf, np.inf, np.array([1.0, 2.0]))
    for difference in (-0.9, -0.3, 0.0, 0.5, 1.0):
        one, other = likeliest_means(coins, (0, 1), difference)
        assert one - other == pytest.approx(difference)
        assert 0.0 <= min(one, other) <= max(one, other) <= 1.0
        one, other = likeliest_means(gaussian, (0, 1), difference)
        assert one - other == pytest.approx(difference)
        slope = 40 * (3 / 40 - one) + 90 * (60 / 90 - other) / 4.0
        assert slope == pytest.approx(0.0, abs=1e-9)  # of the likelihood


def test_replays_know_that_a_policy_leaves_an_arm_that_began_badly():
    """Two equal coins under Thompson sampling: |z| > 1.96 in more than 5 % of the replays of Wald's statistic."""
    policy = sa.BetaThompson(n_arms=2, horizon=200, noise_scale=0.5)
    seen = Sample(np.array([180, 20]), np.array([90.0, 5.0]), None, None, "bernoulli", 0.0, 1.0, None)
    unequal = difference_tails(policy, seen, (0, 1), 0.0, 2000, SEED)
    turns = sa.RoundRobin(n_arms=2, horizon=200, noise_scale=0.5)
    fixed = difference_tails(turns, seen, (0, 1), 0.0, 2000, SEED)
    assert unequal.above > fixed.above + 4 * np.sqrt(fixed.above / 2000)


def test_what_cannot_be_replayed_is_refused_with_the_reason():
    with pytest.raises(NotSupported, match="replay the policy, so give a play"):
        sa.differences([5, 5], [1.0, 2.0], method="simulated")
    play = sa.MOSS(n_arms=2, horizon=50).start(seed=1)
    with pytest.raises(NotSupported, match="at its end"):
        sa.differences(play, method="simulated")
    done = played(sa.MOSS(n_arms=2, horizon=50), sa.equal_arms(2), 1)
    with pytest.raises(InvalidInput, match=r"replays must be at least 2000.*0\.999"):
        sa.differences(done, method="simulated", level=0.999)
