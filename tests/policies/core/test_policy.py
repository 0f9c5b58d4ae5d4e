"""What every policy says of itself."""

import steadyarm as sa


def test_a_policy_with_a_mean_bound_is_built_for_means_within_it_and_others_for_any():
    assert sa.SLEUCB(n_arms=2, horizon=10, mean_bound=3.0).class_bound == 3.0
    assert sa.Padded(sa.SLEUCB(n_arms=3, horizon=10, mean_bound=3.0)).class_bound == 3.0
    assert sa.MOSS(n_arms=2, horizon=10).class_bound is None
