"""A goal that a theorem must meet is met by it, most cheaply, or refused with what can be guaranteed."""

import pytest

import steadyarm as sa
from steadyarm.errors import CannotBeHad
from steadyarm.inference.validity import VALID_SPREAD
from steadyarm.theory.guarantees.counts import least_count


@pytest.mark.parametrize(("n_arms", "horizon"), [(2, 100_000), (5, 10**6)])
def test_a_guaranteed_spread_is_guaranteed_and_costs_less_than_the_constants_of_the_proof(n_arms, horizon):
    plan = sa.plan(n_arms=n_arms, horizon=horizon, max_sd_share=0.01, guaranteed=True)
    assert plan.guarantee.instability <= 0.01 * horizon
    assert plan.expected.regret < plan.guarantee.regret
    assert plan.expected.instability < plan.guarantee.instability
    sharp = plan.policy.replace(
        beta=None, constants="sharp"
    )  # the control: its β, and α raised until the spread is kept
    for alpha in (1.0, 2.0, 4.0, 8.0, 16.0):
        promised = sa.theory.guarantee(sharp.replace(alpha=alpha))
        if promised.instability <= 0.01 * horizon:
            assert plan.guarantee.regret < promised.regret
            break
    else:
        pytest.fail("no alpha kept the spread")


def test_a_guaranteed_regret_is_guaranteed_and_what_nobody_can_guarantee_is_refused():
    plan = sa.plan(n_arms=2, horizon=100_000, max_regret=8000, guaranteed=True)
    assert plan.guarantee.regret <= 8000
    cheaper = sa.plan(n_arms=2, horizon=100_000, max_regret=7000, guaranteed=True)
    assert cheaper.guarantee.instability > plan.guarantee.instability
    with pytest.raises(CannotBeHad, match=r"at most 100 .*; 917 can be guaranteed\. .* \(Theorem 1′\)"):
        sa.plan(n_arms=2, horizon=100_000, max_regret=100, guaranteed=True)
    assert sa.plan(n_arms=2, horizon=100_000, max_regret=917, guaranteed=True).guarantee.regret <= 917


def test_a_spread_that_no_theorem_guarantees_is_refused_with_one_that_is():
    with pytest.raises(
        CannotBeHad, match=r"at most 1 pull with .*; 2\.51 pulls can be guaranteed\. Allow more"
    ):
        sa.plan(n_arms=3, horizon=10_000, max_sd=1, guaranteed=True)
    assert sa.plan(n_arms=3, horizon=10_000, max_sd=2.51, guaranteed=True).guarantee.instability <= 2.51


def test_the_curve_of_a_guaranteed_plan_is_made_of_promises_that_hold():
    plan = sa.plan(n_arms=3, horizon=10_000, max_sd=500, guaranteed=True)
    assert len(plan.curve) >= 10
    for promise in plan.family.promises[::20]:
        sure = sa.theory.guarantee(plan.family.policy_of(promise))
        assert sure.regret <= promise.regret * (1 + 1e-9)
        assert sure.instability <= promise.instability * (1 + 1e-9)


def test_guaranteed_intervals_rest_on_two_theorems():
    plan = sa.plan(n_arms=2, horizon=100_000, valid_intervals=True, guaranteed=True)
    least = least_count(plan.policy, 2.0)
    assert plan.guarantee.instability <= VALID_SPREAD * least
    farthest = sa.Instance.gaussian([1.0, -1.0])
    counts = sa.simulate(plan.policy, farthest, runs=200, seed=1, engine="leap").mean_counts
    assert counts.min() > least  # and it is not far from that
    assert counts.min() < 4.0 * least
    with pytest.raises(CannotBeHad, match="no theorem guarantees that every count spreads by at most 10%"):
        sa.plan(n_arms=20, horizon=1000, valid_intervals=True, guaranteed=True)
