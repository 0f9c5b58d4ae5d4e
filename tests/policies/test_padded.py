"""Padding: the two-armed policy made from a K-armed one follows its play exactly on the real arms."""

from itertools import pairwise

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.policies.padded import Padded


def test_every_request_for_a_real_arm_is_granted_and_dummies_alternate():
    policy = Padded(sa.SLEUCB(n_arms=4, horizon=400, beta=2.0))
    play = policy.start(seed=3)
    dummies, granted = [], np.zeros(2, dtype=int)
    for _ in range(400):
        before = play.inner.counts.copy()
        arm = play.ask()
        asked = int(np.argmax(play.inner.counts - before))
        if asked < 2:
            assert arm == asked
            granted[arm] += 1
        else:
            dummies.append(arm)
        play.tell(arm, 0.1)
    assert np.array_equal(granted, play.inner.counts[:2])
    assert len(dummies) == play.inner.counts[2:].sum() > 2
    assert all(one != other for one, other in pairwise(dummies))


def test_dummy_arms_look_like_arms_of_mean_minus_m():
    policy = Padded(sa.SLEUCB(n_arms=3, horizon=3000), mean_bound=0.5)
    play = policy.start(seed=1)
    while play.round < 3000:
        play.tell(play.ask(), 0.0)
    inner = play.inner.to_dict()
    n, total = inner["counts"][2], inner["totals"][2]
    assert n > 100
    assert abs(total / n + 0.5) < 5 / np.sqrt(n)


def test_a_padded_play_is_reproducible_and_takes_late_rewards():
    policy = Padded(sa.MOSS(n_arms=3, horizon=60))
    one, other = policy.start(seed=5), policy.start(seed=5)
    arms = [one.ask() for _ in range(6)]
    assert arms == [other.ask() for _ in range(6)]
    for arm in arms:
        one.tell(arm, 1.0)
        other.tell(arm, 1.0)
    assert one.ask() == other.ask()


def test_padded_records_compare_by_what_they_pad():
    inner = sa.SLEUCB(n_arms=3, horizon=100)
    assert Padded(inner) == Padded(inner)
    assert Padded(inner) != Padded(inner.replace(alpha=2.0))
    assert hash(Padded(inner)) == hash(Padded(inner))
    assert sa.simulate(Padded(inner), sa.equal_gap(2, 0.5), runs=2).engine == "reference"


def test_unit_rewards_cannot_be_padded():
    class Unit(sa.SLEUCB):
        unit_rewards = True

    with pytest.raises(NotSupported, match="dummy rewards are Gaussian"):
        Padded(Unit(n_arms=3, horizon=100))
