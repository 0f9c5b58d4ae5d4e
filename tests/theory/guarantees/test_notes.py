"""What the guarantees do not say, in sentences."""

import steadyarm as sa
from steadyarm.theory import guarantee
from steadyarm.theory.guarantees import about, first_nontrivial_horizon, notes_on


def test_a_trivial_regret_bound_says_so_with_the_horizon_where_that_ends():
    policy = sa.SLEUCB(n_arms=2, horizon=10_000)
    begins = about(first_nontrivial_horizon(policy))
    assert guarantee(policy).notes[0] == (
        "The regret bound is trivial: it is 2MT = 20,000, which no policy exceeds; it starts to say something at a "
        f"horizon of about {begins}."
    )
    assert guarantee(sa.SLEUCB(n_arms=2, horizon=10**9)).notes == ()


def test_a_trivial_instability_bound_says_so_whoever_set_beta():
    found = guarantee(sa.SLEUCB(n_arms=2, horizon=10**9, beta=4.0, constants="sharp"))
    assert found.notes == (
        "The instability bound is trivial: it is (T − K)/2 = 499,999,999, which no count exceeds.",
    )


def test_alpha_below_one_says_that_the_papers_product_bound_is_not_uniform():
    notes = guarantee(sa.SLEUCB(n_arms=2, horizon=10**9, alpha=0.5)).notes
    assert notes == (
        "The bounds hold, but the paper's uniform product bound needs alpha >= 1; alpha is 0.5.",
    )
    assert guarantee(sa.SLEUCB(n_arms=2, horizon=10**9, alpha=0.5, beta=40.0)).notes == ()


def test_an_instance_outside_the_class_has_no_guarantee():
    policy = sa.SLEUCB(n_arms=2, horizon=10**9)
    assert notes_on(policy, sa.equal_gap(2, gap=0.5)) == ()
    assert "so no guarantee applies" in notes_on(policy, sa.equal_gap(2, gap=1.5))[0]
    assert notes_on(sa.MOSS(n_arms=2, horizon=100), sa.equal_gap(2, gap=0.5)) == ()
