"""What is known of the policies, from the literature and from earlier simulations, measured once more.

Seeds are fixed and thresholds come from standard errors; every test has a negative control that fails it.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.policies import OwnHistoryPolicy, RulePolicy, rule

pytestmark = pytest.mark.slow

Z = 4.5  # a normal's tail of 7e-6, for the hundred or so comparisons below


def sd_error(sample):
    """The standard error of a sample's standard deviation, kurtosis included."""
    deviation = sample.std(ddof=1)
    kurtosis = ((sample - sample.mean()) ** 4).mean() / deviation**4
    return deviation * math.sqrt((kurtosis - 1) / (4 * sample.size))


def regret_bound_holds(policy, bound, gaps, runs=200):
    """Whether the measured regret lies below bound(gaps of the instance) by its error, at every gap."""
    for gap in gaps:
        result = sa.simulate(policy, sa.equal_gap(policy.n_arms, gap), runs=runs, seed=3)
        error = result.run_regrets.std(ddof=1) / math.sqrt(runs)
        if result.regret.value + Z * error > bound(result.instance.gaps[1:]):
            return False
    return True


def test_moss_keeps_its_minimax_bound_and_round_robin_breaks_it():
    """R ≤ 39√(KT) + ΣΔ (Lattimore & Szepesvári, Theorem 9.1)."""
    n_arms, horizon = 3, 100_000

    def bound(gaps):
        return 39 * math.sqrt(n_arms * horizon) + sum(gaps)

    gaps = (0.003, 0.01, 0.03, 0.1, 1.0)
    assert regret_bound_holds(sa.MOSS(n_arms=n_arms, horizon=horizon), bound, gaps)
    assert not regret_bound_holds(sa.RoundRobin(n_arms=n_arms, horizon=horizon), bound, gaps)


def test_ucb_keeps_its_gap_dependent_bound_and_round_robin_breaks_it():
    """R ≤ 3ΣΔ + Σ 16·log T/Δ (Lattimore & Szepesvári, Theorem 7.1)."""
    n_arms, horizon = 5, 10_000

    def bound(gaps):
        return 3 * sum(gaps) + sum(16 * math.log(horizon) / gap for gap in gaps)

    gaps = (0.25, 0.5, 1.0, 2.0)
    assert regret_bound_holds(sa.UCB(n_arms=n_arms, horizon=horizon), bound, gaps)
    assert not regret_bound_holds(sa.RoundRobin(n_arms=n_arms, horizon=horizon), bound, gaps)


def ucb_scores(delta, gap, mean, deviation, runs=2000):
    """Distance of the second arm's mean count and spread from earlier ones, in errors of the two together."""
    horizon = 10_000
    policy = sa.UCB(n_arms=2, horizon=horizon, delta=delta)
    pulls = sa.simulate(policy, sa.equal_gap(2, gap), runs=runs, seed=4).counts[:, 1]
    mean_error, spread_error = pulls.std(ddof=1) / math.sqrt(runs), sd_error(pulls)
    return (
        abs(pulls.mean() - mean) / (math.sqrt(2) * mean_error),
        abs(pulls.std(ddof=1) - deviation) / (math.sqrt(2) * spread_error),
    )


@pytest.mark.parametrize(("gap", "mean", "deviation"), [(1.0, 17.5, 7.6), (0.5, 62.0, 29.5)])
def test_ucb_pulls_the_worse_of_two_arms_as_often_as_it_did_in_earlier_runs(gap, mean, deviation):
    """Width √(2·log T/n), T = 10⁴: mean and standard deviation over 2,000 runs of another program."""
    assert max(ucb_scores(1e-4, gap, mean, deviation)) < Z
    assert max(ucb_scores(1e-8, gap, mean, deviation)) > Z  # the width of δ = 1/T²


def test_at_a_fixed_gap_ucb_pulls_two_log_t_over_gap_squared_with_variance_eight_log_t_over_its_fourth_power():
    """The orders of the literature, which T = 10¹² is long enough to show within 5 %; no log log T is in them."""
    horizon, gap, runs = 10**12, 0.5, 2000
    policy = sa.UCB(n_arms=2, horizon=horizon, delta=1 / horizon)
    pulls = sa.simulate(policy, sa.equal_gap(2, gap), runs=runs, seed=3).counts[:, 1]
    mean, variance = 2 * math.log(horizon) / gap**2, 8 * math.log(horizon) / gap**4
    assert abs(pulls.mean() / mean - 1) < 0.05
    assert abs(pulls.var(ddof=1) / variance - 1) < 0.05 + Z * 2 * sd_error(pulls) / pulls.std()
    assert (
        abs(pulls.mean() / (mean + 4 * math.log(math.log(horizon)) / gap**2) - 1) > 0.1
    )  # of KL-UCB's width


def thompson_ratios(noise_scale, horizon=10_000, gap=2.0, runs=2000):
    """Mean and variance of the worse arm's count over 2·log T/Δ² and 8·log T/Δ⁴, with the errors of both."""
    policy = sa.GaussianThompson(n_arms=2, horizon=horizon, noise_scale=noise_scale)
    pulls = sa.simulate(policy, sa.equal_gap(2, gap), runs=runs, seed=3).counts[:, 1]
    mean, variance = 2 * math.log(horizon) / gap**2, 8 * math.log(horizon) / gap**4
    errors = pulls.std() / math.sqrt(runs) / mean, 2 * sd_error(pulls) * pulls.std() / variance
    return (pulls.mean() / mean, pulls.var(ddof=1) / variance), errors


def test_at_a_fixed_gap_gaussian_thompson_sampling_has_the_same_orders():
    """Fan & Glynn 2021; T = 10⁴ shows them within 15 %. The control samples twice as widely."""
    ratios, errors = thompson_ratios(1.0)
    for ratio, error in zip(ratios, errors, strict=True):
        assert abs(ratio - 1) < 0.15 + Z * error
    ratios, errors = thompson_ratios(2.0)
    for ratio, error in zip(ratios, errors, strict=True):
        assert ratio - 1 > 0.15 + Z * error


def relative_instability(kind, horizon, instance, runs):
    """The largest standard deviation of a count over the horizon, and its standard error."""
    counts = sa.simulate(kind(n_arms=2, horizon=horizon), instance, runs=runs, seed=6).counts[:, 0]
    return counts.std(ddof=1) / horizon, sd_error(counts) / horizon


TIED, UNIQUE = sa.equal_arms(2), sa.equal_gap(2, 0.5)


def test_thompson_sampling_is_unstable_to_the_order_of_t_if_two_arms_are_tied_and_only_then():
    """Han 2026; with two tied arms the share of one is spread almost evenly, which has sd 0.289."""
    for horizon, runs in ((1000, 2000), (10_000, 500)):
        share, error = relative_instability(sa.GaussianThompson, horizon, TIED, runs)
        assert share - Z * error > 0.2
    short, short_error = relative_instability(sa.GaussianThompson, 1000, UNIQUE, 10_000)
    long, long_error = relative_instability(sa.GaussianThompson, 10_000, UNIQUE, 1000)
    assert short - long > Z * math.hypot(short_error, long_error)  # vanishes with a unique best arm
    assert long + Z * long_error < 0.02
    share, error = relative_instability(sa.SLEUCB, 10_000, TIED, 500)
    assert share + Z * error < 0.2  # the first threshold can fail


def trend(kind):
    """How relative instability on tied arms changes from T = 10³ to T = 10⁵, in standard errors."""
    short, short_error = relative_instability(kind, 1000, TIED, 2000)
    long, long_error = relative_instability(kind, 100_000, TIED, 400)
    return (long - short) / math.hypot(short_error, long_error)


@pytest.mark.parametrize("kind", [sa.MOSS, sa.AnytimeMOSS, sa.AdaUCB, sa.KLUCBpp], ids=lambda k: k.__name__)
def test_minimax_policies_do_not_become_stable_as_the_horizon_grows(kind):
    """Praharaj & Khamaru 2025; the control is UCB, below, whose trend is far beyond this threshold."""
    assert trend(kind) > -2.0


def test_ucb_becomes_stable_as_the_horizon_grows():
    """Praharaj & Khamaru 2025; only like 1/√log T, so that it takes two decades to see it."""
    assert trend(sa.UCB) < -Z


def bad_for_moss(n_arms):
    """T = K³ and means (0, −√(K/T), −1, …): Section 9.2 of Lattimore & Szepesvári."""
    horizon = n_arms**3
    return horizon, sa.Instance.gaussian([0.0, -math.sqrt(n_arms / horizon)] + [-1.0] * (n_arms - 2))


def share_of_lost_runs(policy_of, n_arms, runs):
    """How many runs give most rounds to arm 1 of the bad instance: each loses over K²/2."""
    horizon, instance = bad_for_moss(n_arms)
    counts = sa.simulate(policy_of(n_arms, horizon), instance, runs=runs, seed=2).counts
    lost = (counts[:, 1] > horizon / 2).mean()
    return lost, math.sqrt((lost * (1 - lost) + 1 / runs) / runs)


def test_moss_loses_half_of_k_squared_in_one_run_of_eight_where_ucb_hardly_ever_does():
    """The mechanism of MOSS's Ω(K²) against UCB's O(K·log K) (Lattimore & Szepesvári, Section 9.2).

    The mean regrets themselves do not part at such sizes: UCB's O(K·log K) has the larger constant, and its
    regret is twice that of MOSS from K = 16 to K = 160. What shows is where MOSS's K² comes from.
    """
    for n_arms, runs in ((8, 4000), (16, 3000), (32, 1000)):
        lost, error = share_of_lost_runs(lambda k, t: sa.MOSS(n_arms=k, horizon=t), n_arms, runs)
        assert lost - Z * error > 0.08  # does not fall as K grows
    lost, error = share_of_lost_runs(lambda k, t: sa.UCB(n_arms=k, horizon=t), 32, 1000)
    assert lost + Z * error < 0.02


def test_on_its_bad_instance_moss_loses_of_the_order_k_squared_and_ucb_k_log_k():
    """Visible from thousands of arms and 10¹⁰ rounds on: below, K·log K with UCB's constant is the larger."""
    horizon, instance = bad_for_moss(3000)
    moss = sa.simulate(sa.MOSS(n_arms=3000, horizon=horizon), instance, runs=40, seed=1)
    ucb = sa.simulate(sa.UCB(n_arms=3000, horizon=horizon), instance, runs=6, seed=1)
    assert moss.engine == ucb.engine == "leap"
    assert moss.regret.low > ucb.regret.high
    assert moss.regret.low / 3000**2 > 0.05
    horizon, instance = bad_for_moss(300)
    small = sa.simulate(sa.UCB(n_arms=300, horizon=horizon), instance, runs=10, seed=1, engine="leap")
    growth = (ucb.regret.value / (3000 * math.log(3000))) / (small.regret.value / (300 * math.log(300)))
    assert growth < 2  # the control, for K²: 3000·log(300)/(300·log(3000)) = 7
    few = sa.simulate(sa.MOSS(n_arms=300, horizon=horizon), instance, runs=50, seed=1, engine="leap")
    assert few.regret.low < small.regret.high  # the control: with 300 arms the order is not to be seen yet


class OracleParameters(NamedTuple):
    nothing: int


def _first_arm(parameters, noise, rank, counts, totals, state):  # noqa: ARG001
    return 0


rule(OracleParameters, choose=_first_arm)


@dataclass(frozen=True, kw_only=True)
class Oracle(RulePolicy):
    """Knows that arm 0 is the best: what no policy may do."""

    title = "oracle"
    source = "none"

    @property
    def parameters(self):
        return OracleParameters(0)


def least_worst_regret(policy):
    """The regret at the worst of a few gaps, less its error."""
    regrets = []
    for multiple in (0.5, 1.0, 2.0, 4.0):
        gap = multiple * math.sqrt(policy.n_arms / policy.horizon)
        result = sa.simulate(policy, sa.one_better(policy.n_arms, gap), runs=200, seed=7)
        error = result.run_regrets.std(ddof=1) / math.sqrt(result.runs)
        regrets.append(result.regret.value - Z * error)
    return max(regrets)


def for_gaussian_rewards(n_arms, horizon):
    """Every policy of the registry that takes Gaussian rewards."""
    for kind in sa.all_policies().values():
        policy = kind(n_arms=n_arms, horizon=horizon)
        try:
            policy.check_instance(sa.equal_arms(n_arms))
        except NotSupported:
            continue
        yield policy


def test_no_policy_beats_the_minimax_lower_bound():
    """R ≥ √((K − 1)T)/27 for unit noise and means in [0, 1] (Lattimore & Szepesvári, Theorem 15.2)."""
    n_arms, horizon = 5, 1000
    bound = math.sqrt((n_arms - 1) * horizon) / 27
    policies = list(for_gaussian_rewards(n_arms, horizon))
    assert len(policies) >= 17
    for policy in policies:
        assert least_worst_regret(policy) > bound, policy.name
    assert least_worst_regret(Oracle(n_arms=n_arms, horizon=horizon)) < bound


def enveloped(policy, envelope):
    """The same policy with the running minimum of its index taken, or not."""
    kind = type(policy)

    class Enveloped(kind):
        @property
        def curves(self):
            return super().curves._replace(envelope=envelope)

    return Enveloped(**{name: value for name, value in policy.to_dict().items() if name != "policy"})


def path(policy, instance, seed):
    table = sa.reward_table(instance, seed=seed, pulls=policy.horizon)
    play = policy.start(seed=seed)
    arms = []
    for _ in range(policy.horizon):
        arms.append(play.ask())
        play.tell(arms[-1], table[arms[-1], play.counts[arms[-1]] - 1])
    return arms


OWN_HISTORY = [kind for kind in sa.all_policies().values() if issubclass(kind, OwnHistoryPolicy)]
COINS = sa.Instance.bernoulli([0.6, 0.5, 0.4])


@pytest.mark.parametrize(
    ("policy", "instance"),
    [
        pytest.param(policy, instance, id=f"{policy.name}-{instance.rewards}")
        for kind in OWN_HISTORY
        for policy in (kind(n_arms=3, horizon=1500),)
        for instance in (sa.equal_gap(3, 0.1), COINS)
        if policy.curves.tilt == 0.0 and not (policy.unit_rewards and instance is not COINS)
    ]
    + [pytest.param(sa.KLUCBpp(n_arms=3, horizon=1500, rewards="bernoulli"), COINS, id="KLUCBpp-coins")],
)
def test_an_envelope_without_a_stabilizer_does_not_change_the_path(policy, instance):
    one, other = enveloped(policy, True), enveloped(policy, False)
    for seed in range(3):
        assert path(one, instance, seed) == path(other, instance, seed)
    counts = [sa.simulate(each, instance, runs=200, seed=8).counts for each in (one, other)]
    assert np.array_equal(*counts)


def test_under_a_stabilizer_the_envelope_does_change_the_path():
    policy = sa.SLEUCB(n_arms=3, horizon=1500, beta=1.0)
    one, other = enveloped(policy, True), enveloped(policy, False)
    assert any(path(one, COINS, seed) != path(other, COINS, seed) for seed in range(3))
