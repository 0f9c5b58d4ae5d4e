"""Rewards on the edge of the concentration event."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.study.verify.claims.base import Setting
from steadyarm.study.verify.claims.edge import edge_cases, edge_prefix, edge_rewards
from steadyarm.study.verify.claims.sequences import Sequences

CASES = edge_cases(Setting())


@pytest.mark.parametrize("policy", CASES, ids=lambda policy: f"beta-{policy.beta:.3g}")
def test_the_averages_stay_on_the_event_and_the_envelope_looks_back_ninefold(policy):
    found = Sequences(policy, edge_rewards(policy)[None])
    n, prefix = np.arange(1, policy.horizon + 1), edge_prefix(policy)
    assert (np.abs(found.mean[0]) <= policy.beta / (2.0 * np.sqrt(n)) + 1e-12).all()
    assert found.minimizer[0, 9 * prefix - 2] == prefix
    assert found.minimizer[0, 9 * prefix + 1] > prefix


def test_no_reward_is_clipped():
    policy = CASES[0]
    assert np.isfinite(policy.clip)
    assert (np.abs(edge_rewards(policy)) <= policy.clip * (1.0 + 1e-12)).all()


def test_further_inside_it_looks_back_less_far():
    policy = sa.SLEUCB(n_arms=2, horizon=3000, beta=1.0)
    minimizer = Sequences(policy, edge_rewards(policy, inside=0.5)[None]).minimizer[0]
    furthest = (np.arange(1, 3001) / minimizer).max()
    assert furthest == pytest.approx((2.5 / 1.5) ** 2, rel=0.01)
