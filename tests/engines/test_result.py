"""What a simulation found: estimates of its counts, and notes."""

import json
import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.result import dynamic_losses, noted
from tests.engines.test_simulate import INSTANCE, POLICY


def test_the_estimates_are_those_of_the_counts():
    result = sa.simulate(POLICY, INSTANCE, runs=300, seed=4)
    assert result.counts.shape == (300, 3)
    assert (result.counts.sum(axis=1) == 500).all()
    assert result.regret.value == pytest.approx(0.5 * result.counts[:, 1:].sum(axis=1).mean())
    assert result.instability.value == pytest.approx(result.counts.std(axis=0, ddof=1).max())
    assert result.sd.tolist() == pytest.approx(result.counts.std(axis=0, ddof=1).tolist())
    assert result.regret.low < result.regret.value < result.regret.high
    assert result.instability.low < result.instability.value < result.instability.high
    assert (result.engine, result.seed, result.runs) == ("prefix", 4, 300)
    assert json.loads(json.dumps(result.to_dict()))["regret"]["value"] == result.regret.value


def test_one_run_has_no_interval():
    result = sa.simulate(POLICY, INSTANCE, runs=1)
    assert (result.regret.low, result.regret.high) == (-math.inf, math.inf)
    assert math.isnan(result.instability.value)
    assert result.to_dict()["instability"]["value"] is None


def test_notes_say_what_the_guarantees_do_not():
    result = sa.simulate(POLICY.replace(alpha=0.5), sa.equal_gap(3, 1.5), runs=5, outside_class=True)
    assert any("needs alpha >= 1" in note for note in result.notes)
    assert any("outside the policy's class" in note and "arm 1" in note for note in result.notes)
    assert sa.simulate(sa.MOSS(n_arms=3, horizon=100), INSTANCE, runs=5).notes == ()


def test_an_arm_has_its_mean_and_its_spread_with_intervals():
    result = sa.simulate(POLICY, INSTANCE, runs=100, seed=4)
    mean, spread = result.arm(1)
    assert mean.value == pytest.approx(result.mean_counts[1])
    assert spread.value == pytest.approx(result.sd[1])
    assert mean.low < mean.value < mean.high
    for arm in (-1, 3, 1.5):
        with pytest.raises(sa.errors.InvalidInput, match="arm must be"):
            result.arm(arm)


def test_pulls_cost_the_gaps_of_their_stretch():
    nu = sa.Instance.drifting(sa.Drift.step([1.0, 0.0], [0.0, 0.5], after=10))
    counts = np.array([[[6, 4], [10, 10]], [[10, 0], [20, 0]]])
    losses = dynamic_losses(nu, np.array([10, 20]), counts)
    assert losses.tolist() == [[4.0, 4.0 + 4 * 0.5], [0.0, 10 * 0.5]]
    kept = noted(nu, np.array([10]), np.array([10, 20]), counts)
    assert kept["counts"].tolist() == [[10, 10], [20, 0]]
    assert kept["counts_at"].tolist() == [[[6, 4]], [[10, 0]]]
    assert kept["losses"].tolist() == losses.tolist()


def test_the_product_is_what_commands_print():
    result = sa.simulate(POLICY, INSTANCE, runs=50)
    by_hand = result.regret.value * result.instability.value / POLICY.horizon**1.5
    assert result.product == pytest.approx(by_hand)
    assert math.isnan(sa.simulate(POLICY, INSTANCE, runs=1).product)
