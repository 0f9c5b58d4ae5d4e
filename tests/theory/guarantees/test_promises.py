"""The best that is proved: which theorem says it, where it is capped, and from which horizon on it speaks."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.theory import guarantee
from steadyarm.theory.bounds import (
    instability_bound,
    largest_instability,
    product_bound,
    regret_bound,
    trivial_regret,
)
from steadyarm.theory.guarantees import first_nontrivial_horizon

policies = st.builds(
    sa.SLEUCB,
    n_arms=st.integers(2, 1000),
    horizon=st.integers(1001, 10**12),
    mean_bound=st.floats(0.01, 100),
    noise_scale=st.floats(0.01, 100),
    alpha=st.floats(0.01, 1e6),
    constants=st.sampled_from(["paper", "sharp"]),
    beta=st.none() | st.floats(0.01, 1e4),
)
NAMES = {"trivial", "Theorem 2", "Theorem R", "Theorem B", "Theorem C′", "Theorem E2"}


@given(policies)
def test_it_is_never_above_theorem_2_nor_above_what_can_happen(policy):
    found = guarantee(policy, quick=True)
    assert 0.0 < found.regret <= min(regret_bound(policy), trivial_regret(policy))
    assert 0.0 < found.instability <= min(instability_bound(policy), largest_instability(policy))
    assert found.product <= min(product_bound(policy), found.regret * found.instability)
    of_regret, of_instability = found.theorem.removeprefix("regret: ").split("; instability: ")
    assert {of_regret, of_instability} <= NAMES
    assert (of_regret == "trivial") == (found.regret == trivial_regret(policy))
    assert (of_instability == "trivial") == (found.instability == largest_instability(policy))


@given(policies, st.floats(1e-3, 1e3))
def test_it_scales_with_the_rewards(policy, unit):
    policy = policy.replace(constants="sharp")
    scaled = policy.replace(
        mean_bound=unit * policy.mean_bound, noise_scale=unit * policy.noise_scale, beta=unit * policy.beta
    )
    ours, theirs = guarantee(policy, quick=True), guarantee(scaled, quick=True)
    assert theirs.regret == pytest.approx(unit * ours.regret, rel=1e-9)
    assert theirs.instability == pytest.approx(ours.instability, rel=1e-9)


@pytest.mark.parametrize("constants", ["paper", "sharp"])
@pytest.mark.parametrize(("n_arms", "horizon"), [(2, 10**5), (4, 10**6), (10, 10**9), (1000, 10**12)])
def test_a_larger_alpha_is_steadier_and_costs_more(constants, n_arms, horizon):
    along = [
        guarantee(sa.SLEUCB(n_arms=n_arms, horizon=horizon, alpha=alpha, constants=constants))
        for alpha in (0.2, 1.0, 5.0)
    ]
    assert [found.regret for found in along] == sorted(found.regret for found in along)
    assert along[0].instability > along[1].instability > along[2].instability


def test_the_full_bound_is_never_above_the_quick_one():
    for n_arms, horizon, beta in ((2, 1000, 8.0), (3, 10**5, 12.0), (50, 10**8, 30.0)):
        policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon, beta=beta, constants="sharp")
        full, quick = guarantee(policy), guarantee(policy, quick=True)
        assert full.instability <= quick.instability
        assert full.regret == quick.regret
    assert full.theorem == "regret: Theorem R; instability: Theorem E2"


@pytest.mark.parametrize(
    ("n_arms", "horizon", "regret", "instability"),
    [
        (2, 10**5, 0.0289, 0.0168),
        (2, 10**9, 0.00038, 0.0116),
        (4, 10**6, 0.0291, 0.0138),
        (10, 10**5, 0.236, 0.0116),
        (10, 10**6, 0.0805, 0.0101),
    ],
)
def test_sharp_constants_are_guaranteed_what_the_closed_forms_give(n_arms, horizon, regret, instability):
    policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon, constants="sharp")
    quick = guarantee(policy, quick=True)
    assert quick.regret / (2 * horizon) == pytest.approx(regret, rel=0.01)
    assert quick.instability / horizon == pytest.approx(instability, rel=0.02)
    assert guarantee(policy).instability < 0.93 * quick.instability


def test_clipping_costs_nothing_that_one_could_see():
    paper = sa.SLEUCB(n_arms=3, horizon=10**6)
    unclipped = paper.replace(constants="sharp", beta=paper.beta)
    assert guarantee(paper).instability == pytest.approx(guarantee(unclipped).instability, rel=1e-12)
    assert guarantee(paper).regret == pytest.approx(guarantee(unclipped).regret, rel=1e-12)


def test_a_narrower_gap_lowers_the_cap_and_the_cost_of_the_first_pulls():
    policy = sa.SLEUCB(n_arms=50, horizon=10**6, constants="sharp")
    wide, narrow = guarantee(policy), guarantee(policy, widest_gap=1.0)
    assert wide.regret - narrow.regret == pytest.approx(49.0)
    assert guarantee(policy, widest_gap=0.01).regret == 10**4
    with pytest.raises(InvalidInput, match=r"widest_gap must be at most 2\.0"):
        guarantee(policy, widest_gap=3.0)


@pytest.mark.parametrize("constants", ["paper", "sharp"])
def test_the_regret_bound_is_trivial_up_to_its_horizon_and_says_something_beyond(constants):
    policy = sa.SLEUCB(n_arms=2, horizon=100, constants=constants)
    end = first_nontrivial_horizon(policy)
    after, before = (policy.replace(horizon=int(end * factor)) for factor in (1.01, 1 / 1.01))
    assert guarantee(after).regret < trivial_regret(after)
    assert guarantee(before).regret == trivial_regret(before)
    assert regret_bound(after) == trivial_regret(after)  # Theorem 2 speaks much later


def test_a_horizon_that_never_comes_is_infinite():
    assert first_nontrivial_horizon(sa.SLEUCB(n_arms=2, horizon=10, alpha=1e12)) == math.inf
    lost = sa.SLEUCB(n_arms=2, horizon=10, mean_bound=0.1, beta=0.5, constants="sharp")
    assert first_nontrivial_horizon(lost) == math.inf  # so narrow that the best arm may be lost for good


def test_a_beta_too_narrow_is_promised_regret_only():
    found = guarantee(sa.SLEUCB(n_arms=2, horizon=10**9, beta=4.0, constants="sharp"))
    assert found.theorem == "regret: Theorem R; instability: trivial"
    assert not found.trivial
    assert guarantee(sa.SLEUCB(n_arms=2, horizon=10**9, beta=0.2, constants="sharp")).trivial


@pytest.mark.parametrize("noise_scale", [1e-90, 1e90])
@pytest.mark.parametrize("beta", [1e-90, None, 1e90])
@pytest.mark.parametrize("alpha", [1e-12, 1e12])
def test_no_size_is_too_large_or_too_small(noise_scale, beta, alpha):
    for constants in ("paper", "sharp"):
        policy = sa.SLEUCB(n_arms=3, horizon=2**53, noise_scale=noise_scale, alpha=alpha, constants=constants)
        found = guarantee(policy if beta is None else policy.replace(beta=beta))
        assert 0.0 < found.regret <= 2.0 * 2**53
        assert 0.5 <= found.instability <= 2**52


def test_no_theorem_speaks_of_other_policies():
    with pytest.raises(NotSupported, match="about SLE-UCB; they say nothing about MOSS"):
        guarantee(sa.MOSS(n_arms=2, horizon=100))
    with pytest.raises(InvalidType, match="policy must be a steadyarm Policy"):
        guarantee("SLEUCB")
