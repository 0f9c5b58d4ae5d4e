"""Laws of randomised policies: statistics, and thresholds at 10⁻⁵ for each."""

import math

import numpy as np
from scipy.stats import kstwobign, norm

import steadyarm as sa

Z = float(norm.isf(0.5e-5))
KOLMOGOROV = float(kstwobign.isf(1e-5))


def first_choices(policy, losses_or_weights, rounds_played, runs=20_000):
    """How often each arm is the next choice of plays with this state."""
    chosen = np.zeros(policy.n_arms)
    counts = [rounds_played] + [0] * (policy.n_arms - 1)
    state = policy.start(seed=2).to_dict() | {
        "counts": counts,
        "observed": counts,
        "state": [*losses_or_weights, *[0.0] * (2 * policy.n_arms)],
    }
    for run in range(runs):
        chosen[sa.play_from_dict(state | {"run": run}).ask()] += 1
    return chosen


def frequency_score(chosen, probabilities):
    runs = chosen.sum()
    return (np.abs(chosen - runs * probabilities) / np.sqrt(runs * probabilities * (1 - probabilities))).max()


def kolmogorov_statistic(sample, cdf):
    ordered = np.sort(sample)
    expected = cdf(ordered)
    steps = np.arange(ordered.size + 1) / ordered.size
    return math.sqrt(ordered.size) * max((expected - steps[:-1]).max(), (steps[1:] - expected).max())
