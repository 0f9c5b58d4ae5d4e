"""Sequences of indices: those of a play, their minimizers, and the offline rule."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.study.verify.claims.sequences import Sequences, prefix_counts, top_prefix


def test_the_sequences_are_the_indices_of_a_play_bit_for_bit():
    policy = sa.SLEUCB(n_arms=2, horizon=50, beta=2.0)
    table = sa.reward_table(sa.equal_gap(2, 0.5), seed=3, pulls=50)
    index = Sequences(policy, table).index
    play = policy.start(priority=[0, 1])
    for _ in range(50):
        arm = play.ask()
        n = play.counts[arm]
        play.tell(arm, table[arm, n - 1])
        assert play.indices[arm] == index[arm, n - 1]


@given(rewards=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_the_minimizer_is_the_shortest_prefix_that_makes_the_envelope(rewards):
    policy = sa.SLEUCB(n_arms=2, horizon=100, beta=1.0)
    found = Sequences(policy, np.array([rewards]))
    upper = found.mean[0] + 1.0 / np.sqrt(np.arange(1, len(rewards) + 1))
    for n in range(1, len(rewards) + 1):
        assert found.minimizer[0, n - 1] == 1 + int(np.argmin(upper[:n]))
        assert found.value[0, n - 1] == upper[:n].min()


def test_the_offline_rule_takes_every_arm_once_and_ties_by_rank():
    index = np.array([[3.0, 1.0], [3.0, 2.0]])
    arms, pulls = top_prefix(index, [1, 0], 4)
    assert list(zip(arms.tolist(), pulls.tolist(), strict=True)) == [(1, 1), (0, 1), (1, 2), (0, 2)]
    assert prefix_counts(arms, pulls, 2).tolist() == [2, 2]
    assert prefix_counts(np.array([0, 0]), np.array([1, 3]), 2) is None
