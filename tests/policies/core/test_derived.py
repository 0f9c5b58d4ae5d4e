"""Parameters that follow from the others unless they are set by hand."""

import math

import pytest
from tests.policies.test_registry import HORIZON, N_ARMS, POLICIES


@pytest.mark.parametrize(
    ("name", "parameter", "default", "by_hand"),
    [
        ("UCBf", "f", math.log(HORIZON), 2.0),
        ("Steady", "spread", HORIZON / (10 * N_ARMS), 20.0),
        ("UCB", "delta", HORIZON**-2, 0.05),
        ("StableThompson", "gamma", math.sqrt(math.log(HORIZON) / math.log(math.log(HORIZON))), 1.5),
        ("OptimisticThompson", "b", math.sqrt(math.log(math.log(HORIZON))), 0.0),
        ("Exp3", "eta", math.sqrt(2 * math.log(N_ARMS) / (N_ARMS * HORIZON)), 0.01),
        (
            "ExploreThenCommit",
            "exploration",
            math.ceil((HORIZON / N_ARMS) ** (2 / 3) * math.log(HORIZON) ** (1 / 3)),
            7,
        ),
        ("SuccessiveElimination", "delta", HORIZON**-2, 0.05),
    ],
)
def test_a_derived_parameter_follows_the_horizon_unless_it_is_set_by_hand(name, parameter, default, by_hand):
    policy = POLICIES[name]
    assert getattr(policy, parameter) == pytest.approx(default, rel=1e-14)
    assert parameter not in policy.to_dict()
    longer = policy.replace(horizon=10 * HORIZON)
    assert getattr(longer, parameter) != getattr(policy, parameter)
    assert longer == type(policy)(n_arms=N_ARMS, horizon=10 * HORIZON)
    fixed = policy.replace(**{parameter: by_hand})
    assert fixed.to_dict()[parameter] == by_hand
    assert getattr(fixed.replace(horizon=10 * HORIZON), parameter) == by_hand
