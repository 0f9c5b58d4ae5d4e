"""Wherever it calls itself trusted, the fluid is within 2 % (regret) and 5 % (instability) of played runs."""

import numpy as np
import pytest

import steadyarm as sa

pytestmark = pytest.mark.slow

RUNS = 2500


def settings(count):
    """Random policies and instances, Gaussian and coins."""
    rng = np.random.default_rng(20261115)
    for number in range(count):
        n_arms, horizon = int(rng.integers(2, 9)), int(10 ** rng.uniform(3.3, 4.3))
        if rng.random() < 0.7:
            beta = float(10 ** rng.uniform(0.3, 1.7))
            policy = sa.SLEUCB(
                n_arms=n_arms, horizon=horizon, alpha=float(10 ** rng.uniform(-1, 1)), beta=beta
            )
        else:
            policy = sa.UCBf(n_arms=n_arms, horizon=horizon)
        if rng.random() < 0.3:
            instance = sa.Instance.bernoulli(rng.uniform(0.1, 0.9, n_arms))
        else:
            gap = 10 ** rng.uniform(-2, 0)
            instance = sa.Instance.gaussian(-np.sort(rng.uniform(0, gap, n_arms)))
        yield number, policy, instance


def test_trusted_predictions_agree_with_played_runs_and_distrust_has_its_reasons():
    trusted, missed = 0, 0
    for number, policy, instance in settings(45):
        found = sa.predict(policy, instance)
        played = sa.simulate(policy, instance, runs=RUNS, seed=number)
        regret_off = abs(found.regret - played.regret.value) / played.regret.value
        spread_off = abs(found.instability - played.instability.value) / played.instability.value
        error = played.instability.relative_half_width
        if found.trusted:
            trusted += 1
            assert regret_off < 0.02 + played.regret.relative_half_width, (policy, instance)
            assert spread_off < 0.05 + error, (policy, instance)
        else:
            missed += bool(not spread_off < 0.05)
    assert trusted >= 20
    assert missed >= 1  # the control: where it is not trusted it does go wrong
