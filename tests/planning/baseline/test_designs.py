"""The designs that a team compares."""

import steadyarm as sa
from steadyarm.planning.baseline.designs import designs_for, equal_loss
from steadyarm.planning.baseline.situation import describe

CLINIC = describe(n_arms=2, horizon=300, baseline=0.4, smallest_difference=0.15)


def test_steady_runs_along_the_frontier_below_a_third_of_the_fair_share():
    shop = describe(n_arms=20, horizon=10**6, baseline=0.01, smallest_difference=0.001)
    spreads = [
        each.policy.spread
        for each in designs_for(shop)
        if isinstance(each.policy, sa.all_policies()["Steady"])
    ]
    assert spreads == sorted(spreads, reverse=True)
    assert 0.3 < spreads[0] * 20 / 10**6 <= 1 / 3


def test_a_guarantee_stands_in_the_table_only_where_a_theorem_beats_equal_shares():
    found = {each.name: each.policy for each in designs_for(CLINIC)}
    worth = sa.theory.guarantee(found["SLE-UCB, guaranteed"], widest_gap=CLINIC.reward_class.widest_gap)
    assert worth.regret < equal_loss(CLINIC) == 127.5
    assert found["SLE-UCB, guaranteed"].noise_scale == CLINIC.reward_class.proof_scale
    small = describe(n_arms=2, horizon=300, baseline=0.03, smallest_difference=0.003)
    left = designs_for(small)
    assert "SLE-UCB, guaranteed" not in [each.name for each in left]
    assert "no theorem promises" in left.notes[0]


def test_late_outcomes_leave_no_theorem_to_speak():
    late = describe(n_arms=2, horizon=300, baseline=0.4, smallest_difference=0.15, per_day=10, delay_days=3)
    assert "every outcome to be known before the next unit" in designs_for(late).notes[0]


def test_thompson_sampling_is_that_of_the_outcomes():
    revenue = describe(n_arms=2, horizon=300, baseline=(8.0, 50.0), smallest_difference=5.0)
    policies = [designs_for(each).designs[-1].policy for each in (CLINIC, revenue)]
    assert [policy.name for policy in policies] == ["BetaThompson", "GaussianThompson"]
    assert policies[1].noise_scale == 50.0
