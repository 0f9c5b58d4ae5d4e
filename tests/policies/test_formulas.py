"""Every rule against its formula written out once more, and the laws of the randomised ones.

Statistical thresholds are normal or Kolmogorov quantiles at 10⁻⁵ for each statistic, with fixed seeds; each
has a negative control that the same threshold rejects.
"""

import math

import numpy as np
import pytest

import steadyarm as sa
from tests.policies.formulas import FORMULAS, ROWS, SIGMA, K, T
from tests.policies.laws import Z

TABLE = [[0.2, 1.0, 0.5, 0.0, 0.9, 0.3], [0.1, 0.4, 0.0, 0.6, 0.2, 0.8], [0.0, 0.3, 0.7, 0.1, 0.5, 0.9]]


def told(policy, rounds, **start):
    """Play some rounds of the table; return the play and each arm's rewards."""
    play = policy.start(**(start or {"priority": [0, 1, 2]}))
    rewards = [[], [], []]
    for _ in range(rounds):
        arm = play.ask()
        rewards[arm].append(TABLE[arm][len(rewards[arm]) % 6])
        play.tell(arm, rewards[arm][-1])
    return play, rewards


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("rounds", [3, 8, 40, 120])
def test_the_index_is_that_of_the_formula(name, rounds):
    kind, *family = name.split()
    policy = sa.all_policies()[kind](
        n_arms=K, horizon=T, noise_scale=SIGMA, **({"rewards": family[0]} if family else {})
    )
    play, rewards = told(policy, rounds)
    pulls = [len(seen) for seen in rewards]
    expected = [
        FORMULAS[name](math.fsum(seen) / len(seen), len(seen), rounds + 1, seen, pulls) for seen in rewards
    ]
    assert play.indices.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert play.ask() == int(np.argmax(np.round(expected, 12)))


def test_every_policy_with_an_index_has_its_row():
    with_index = set()
    for name, kind in sa.all_policies().items():
        play = kind(n_arms=K, horizon=T).start(seed=1)
        for _ in range(K):
            play.tell(play.ask(), 0.5)
        if not np.isnan(play.indices).any():
            with_index.add(name)
    assert with_index == {name.split()[0] for name, row in ROWS.items() if row.index}


def samples(policy, runs=4000):
    """Each arm's index in the tenth round of many plays that were told the same."""
    values = np.empty((runs, K))
    for run in range(runs):
        play = policy.start(seed=3, run=run)
        state = play.to_dict() | {"counts": [5, 3, 1], "observed": [5, 3, 1], "totals": [2.0, -1.0, 0.5]}
        values[run] = sa.play_from_dict(state).indices
    return values


def normal_scores(values, means, deviations):
    """Standardised distance of sample means and variances from those of normals."""
    standard = (values - means) / deviations
    runs = len(values)
    return np.abs([standard.mean(axis=0) * math.sqrt(runs), (standard.var(axis=0) - 1) * math.sqrt(runs / 2)])


MEANS, PULLS = np.array([0.4, -1 / 3, 0.5]), np.array([5, 3, 1])


@pytest.mark.parametrize(
    ("policy", "shift", "factor"),
    [
        (sa.GaussianThompson(n_arms=K, horizon=T, noise_scale=SIGMA), 0.0, 1.0),
        (sa.StableThompson(n_arms=K, horizon=T, noise_scale=SIGMA, gamma=2.5), 0.0, 2.5),
        (sa.OptimisticThompson(n_arms=K, horizon=T, noise_scale=SIGMA, b=1.5), 1.5, 1.0),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_thompson_sample_is_normal_with_variance_sigma_squared_over_n(policy, shift, factor):
    values = samples(policy)
    deviation = SIGMA * np.sqrt(factor / PULLS)
    centre = MEANS + shift * SIGMA / np.sqrt(PULLS)
    assert normal_scores(values, centre, deviation).max() < Z
    assert np.abs(np.corrcoef(values.T)[np.triu_indices(K, 1)]).max() * math.sqrt(len(values)) < Z
    assert normal_scores(values, centre, SIGMA * factor / PULLS).max() > Z  # the common mistake
    assert normal_scores(values, centre + 0.1, deviation).max() > Z


def test_thompson_samples_are_fresh_in_every_round():
    play = sa.GaussianThompson(n_arms=2, horizon=100).start(seed=1)
    seen = set()
    for _ in range(50):
        play.tell(play.ask(), 0.0)
        seen.add(play.indices[0])
    assert len(seen) == 50
