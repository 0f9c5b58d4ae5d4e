"""The exact law of small trials against all their reward sequences, against simulation and against urns."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta, binom, norm

import steadyarm as sa
from steadyarm.engines.exact.law import LONGEST
from steadyarm.errors import InvalidInput, NotSupported

MEANS = (0.3, 0.6)
COINS = sa.Instance.bernoulli(MEANS)
FEW = 9  # rounds, 512 reward sequences


def made(name, horizon=FEW, **parameters):
    return sa.all_policies()[name](n_arms=2, horizon=horizon, noise_scale=0.5, **parameters)


CERTAIN = {  # nothing random but the rewards and the priority
    "UCB": made("UCB"),
    "MOSS": made("MOSS"),
    "Steady": made("Steady"),
    "UCBf": made("UCBf"),
    "SafeUCB": made("SafeUCB"),
    "KLUCBpp": made("KLUCBpp", rewards="bernoulli"),
    "KLUCBSwitch": made("KLUCBSwitch"),
    "RoundRobin": made("RoundRobin"),
    "SLE-UCB": made("SLEUCB"),
    "SLE-UCB with a narrow width": made("SLEUCB", beta=0.4, alpha=0.3),
    "SLE-UCB with clipped ones": sa.SLEUCB(n_arms=2, horizon=FEW, mean_bound=0.1, noise_scale=0.05, beta=0.5),
    "UCB1": made("UCB1"),
    "AsymptoticUCB": made("AsymptoticUCB"),
    "AnytimeMOSS": made("AnytimeMOSS"),
    "KLUCB": made("KLUCB", rewards="bernoulli"),
    "OCUCB": made("OCUCB"),
    "ExploreThenCommit": made("ExploreThenCommit", exploration=2),
    "greedy": made("EpsilonGreedy", epsilon=0.0),
}
REFUSED = ("UCBV", "AdaUCB", "TsallisINF", "Exp3", "SuccessiveElimination")


def ends_of(law):
    """Return the chances by (pulls, successes)."""
    ends = np.hstack([law.counts, law.successes]).tolist()
    return dict(zip(map(tuple, ends), law.chances.tolist(), strict=True))


def enumerated(policy):
    """Play all reward sequences under both priorities through `ask` and `tell`."""
    ends = {}
    for priority, rewards in product(([0, 1], [1, 0]), product((0, 1), repeat=policy.horizon)):
        play, successes, chance = policy.start(priority=priority), [0, 0], 0.5
        for reward in rewards:
            arm = play.ask()
            play.tell(arm, float(reward))
            successes[arm] += reward
            chance *= MEANS[arm] if reward else 1.0 - MEANS[arm]
        end = (*play.counts.tolist(), *successes)
        ends[end] = ends.get(end, 0.0) + chance
    return ends


@pytest.mark.parametrize("policy", CERTAIN.values(), ids=CERTAIN)
def test_it_is_the_law_over_all_reward_sequences_and_both_priorities(policy):
    assert ends_of(sa.exact(policy, COINS, outside_class=True)) == pytest.approx(
        enumerated(policy), abs=1e-12
    )


def larger_beta(n, s, m, r):
    law, other = beta(1 + s, 1 + n - s), beta(1 + r, 1 + m - r)
    return quad(lambda x: law.pdf(x) * other.cdf(x), 0.0, 1.0, epsabs=1e-13, epsrel=1e-13)[0]


def larger_normal(n, s, m, r):
    return norm.cdf((s / n - r / m) / (0.5 * (1 / n + 1 / m) ** 0.5))


def leads_mostly(n, s, m, r):  # where nothing is tied
    return 0.9 if s / n > r / m else 0.1


@pytest.mark.parametrize(
    ("name", "chance"),
    [("BetaThompson", larger_beta), ("GaussianThompson", larger_normal), ("EpsilonGreedy", leads_mostly)],
)
def test_random_policies_choose_with_the_chance_that_they_say(name, chance):
    policy = made(name, epsilon=0.2) if name == "EpsilonGreedy" else made(name)
    for pulls in ((1, 2), (3, 2), (5, 7)):
        chances = policy.two_armed_chances(pulls)
        for s, r in np.ndindex(*chances.shape):
            if s / pulls[0] != r / pulls[1]:
                assert chances[s, r] == pytest.approx(chance(pulls[0], s, pulls[1], r), abs=1e-10)


@pytest.mark.parametrize(
    "name", ["BetaThompson", "GaussianThompson", "StableThompson", "OptimisticThompson", "EpsilonGreedy"]
)
def test_random_policies_end_as_they_do_in_simulations(name):
    policy = made(name, horizon=30)
    law, simulation = sa.exact(policy, COINS), sa.simulate(policy, COINS, runs=20_000, seed=7)
    shares = np.bincount(simulation.counts[:, 0], minlength=31) / 20_000
    errors = np.sqrt(law.count_law * (1.0 - law.count_law) / 20_000) + 1e-4
    assert (np.abs(shares - law.count_law) < 4.5 * errors).all()
    wrong = sa.exact(
        policy, sa.Instance.bernoulli([0.35, 0.6])
    ).count_law  # the threshold would see another law
    assert (np.abs(shares - wrong) > 4.5 * errors).any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["BetaThompson", "Steady", "SLEUCB"])
def test_three_hundred_patients_end_as_they_do_in_simulations(name):
    policy = made(name, horizon=300, **({"constants": "sharp"} if name == "SLEUCB" else {}))
    law = sa.exact(policy, COINS)
    simulation = sa.simulate(policy, COINS, runs=20_000, seed=3, level=0.9999)
    assert simulation.regret.low < law.regret < simulation.regret.high
    assert simulation.instability.low < law.instability < simulation.instability.high
    assert law.chances.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("horizon", [3, 40, 101])
def test_beta_thompson_is_an_urn(horizon):
    policy = made("BetaThompson", horizon=horizon)
    polya = sa.exact(policy, sa.Instance.bernoulli([1.0, 1.0]))
    assert polya.count_law == pytest.approx(np.full(horizon + 1, 1.0 / (horizon + 1)), rel=1e-12)
    assert polya.sd**2 == pytest.approx(horizon * (horizon + 2) / 12, rel=1e-12)
    friedman = sa.exact(policy, sa.Instance.bernoulli([0.0, 0.0]))
    assert friedman.sd**2 == pytest.approx((horizon + 2) / 12, rel=1e-12)


@pytest.mark.parametrize(
    "policy",
    [made("UCB", 60), made("BetaThompson", 60), made("SLEUCB", 60, beta=0.5, alpha=0.1)],
    ids=["UCB", "Beta Thompson", "SLE-UCB"],
)
@given(means=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@settings(max_examples=20, deadline=None)
def test_chances_add_up_and_arms_are_alike(policy, means):
    law, mirrored = (sa.exact(policy, sa.Instance.bernoulli(each)) for each in (means, means[::-1]))
    assert law.chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert law.count_law == pytest.approx(mirrored.count_law[::-1], abs=1e-12)
    assert law.expected_successes == pytest.approx(60 * max(means) - law.regret, abs=1e-9)


def test_equal_shares_have_the_power_of_a_binomial_test():
    law = sa.exact(made("RoundRobin", horizon=20), COINS)
    first, second = (binom.pmf(np.arange(11), 10, mean) for mean in MEANS)
    above = np.subtract.outer(np.arange(11), np.arange(11)) <= -5
    power = law.probability(lambda _counts, successes: successes[:, 1] - successes[:, 0] >= 5)
    assert power == pytest.approx(np.outer(first, second)[above].sum(), abs=1e-13)
    assert law.bias == pytest.approx([0.0, 0.0], abs=1e-13)


def test_means_of_what_was_collected_adaptively_are_too_low():
    assert (sa.exact(made("BetaThompson", horizon=40), COINS).bias < -0.005).all()


@pytest.mark.parametrize("name", REFUSED)
def test_policies_that_remember_more_are_refused(name):
    with pytest.raises(NotSupported, match="pulls and successes"):
        sa.exact(made(name), COINS)


def test_what_it_cannot_compute_is_refused_with_the_reason():
    with pytest.raises(NotSupported, match="two arms with 0/1 rewards; got 2 with gaussian"):
        sa.exact(sa.UCB(n_arms=2, horizon=10), sa.equal_gap(2, gap=0.1))
    with pytest.raises(NotSupported, match=f"at most {LONGEST} rounds; got 500"):
        sa.exact(made("UCB", horizon=500), COINS)
    with pytest.raises(InvalidInput, match="one yes or no for each"):
        sa.exact(made("UCB"), COINS).probability(np.ones(3))
