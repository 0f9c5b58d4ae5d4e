"""Hadad et al.'s design: means 0.9, 1 and 1.1, U(−1, 1) noise, Thompson sampling with a floor of t^−0.7/3.

V. Hadad, D. A. Hirshberg, R. Zhan, S. Wager & S. Athey, "Confidence intervals for policy evaluation in adaptive
experiments", PNAS 118 (2021). Their floor clips Thompson's probabilities; ours is mixed in, and is never below theirs.
Seeds are fixed and thresholds come from standard errors.
"""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.sums import reward_moments

pytestmark = pytest.mark.slow

MEANS, HORIZON, Z = np.array([0.9, 1.0, 1.1]), 200, 4.0
DESIGN = sa.Instance.bounded(MEANS.tolist(), low=-0.1, high=2.1, reach=1.0)
POLICY = sa.Mixed(sa.GaussianThompson(n_arms=3, horizon=HORIZON, noise_scale=3**-0.5), 1.0, decay=0.7)


def bias(estimates):
    """The mean error of each arm's estimate over the runs, and its standard error."""
    errors = estimates - MEANS
    return errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(len(errors))


def logged(run):
    """The log of one run."""
    play, table = POLICY.start(seed=1, run=run), sa.reward_table(DESIGN, seed=1, run=run, pulls=HORIZON)
    rows = []
    for _ in range(HORIZON):
        arm = play.ask()
        rows.append((arm, float(table[arm, play.counts[arm] - 1]), play.probability))
        play.tell(*rows[-1][:2])
    action, reward, pscore = zip(*rows, strict=True)
    return {"action": np.array(action), "reward": reward, "pscore": pscore, "n_actions": 3}


def test_plain_means_are_biased_downwards_and_weighted_ones_are_not():
    counts = sa.simulate(POLICY, DESIGN, runs=4000, seed=1, outside_class=True).counts
    pulled = counts.min(axis=1) > 0
    sums = reward_moments(DESIGN, counts, seed=1).sums
    plain, plain_error = bias(sums[pulled] / counts[pulled])
    assert (plain + Z * plain_error < 0.0).all()
    assert plain.argmin() != 2  # the arms that are left early most of all
    logs = [logged(run) for run in range(120)]
    found = np.array([[each.value for each in sa.weighted_intervals(log)] for log in logs])
    weighted, weighted_error = bias(found)
    assert (np.abs(weighted) < Z * weighted_error).all()
    floors = np.arange(1, HORIZON + 1) ** -0.7 / 3.0
    assert all(np.min(np.array(log["pscore"]) / floors) == pytest.approx(1.0) for log in logs)
