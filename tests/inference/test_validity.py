"""Which interval "auto" takes, and why."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.sums import reward_moments
from steadyarm.inference.methods import interval_ends
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import VALID_SPREAD, choose_method, counts_are_steady


def finished(policy, means=(0.3, 0.5), seed=1, rounds=None):
    play = policy.start(seed=seed)
    table = sa.reward_table(sa.Instance.bernoulli(means), seed=seed, pulls=policy.horizon)
    for _ in range(rounds or policy.horizon):
        arm = play.ask()
        play.tell(arm, table[arm, play.counts[arm] - 1])
    return play


SIZE = {"n_arms": 2, "horizon": 300, "noise_scale": 0.5}


@pytest.mark.parametrize(
    ("policy", "method", "words"),
    [
        (sa.RoundRobin(**SIZE), "wilson", "fixes every count in advance"),
        (sa.SLEUCB(**SIZE), "wilson", "little enough"),  # by less than a pull
        (sa.SLEUCB(**SIZE, beta=5.0), "wilson", "little enough"),
        (sa.SLEUCB(**SIZE, beta=1.5), "anytime", "cannot be predicted"),
        (sa.Steady(**SIZE, spread=15.0), "anytime", "too much"),
        (sa.MOSS(**SIZE), "anytime", "cannot be predicted"),
        (sa.KLUCBpp(**SIZE), "anytime", "cannot be predicted"),
        (sa.BetaThompson(**SIZE), "anytime", "cannot be predicted"),
        (sa.ExploreThenCommit(**SIZE), "anytime", "cannot be predicted"),
    ],
)
def test_ordinary_intervals_are_taken_where_counts_hardly_spread(policy, method, words):
    found = sa.intervals(finished(policy), rewards="bernoulli")
    assert found.method == method
    assert words in found.reason
    assert found.reason in found.words


def test_before_the_end_and_without_a_policy_only_what_holds_at_any_time_is_valid():
    play = finished(sa.RoundRobin(**SIZE), rounds=200)
    found = sa.intervals(play, rewards="bernoulli")
    assert (found.method, "may look again" in found.reason) == ("anytime", True)
    assert sa.intervals([10, 10], [4.0, 5.0]).method == "anytime"


def test_a_method_that_was_asked_for_is_taken():
    found = sa.intervals(finished(sa.MOSS(**SIZE)), rewards="bernoulli", method="wald")
    assert (found.method, found.reason) == ("wald", "you asked for them")


def test_gaussian_and_bounded_rewards_have_walds_interval_at_the_end():
    play = finished(sa.SLEUCB(**SIZE, beta=5.0))
    for how in ({}, {"noise_scale": "estimated"}, {"rewards": "bounded"}):
        assert sa.intervals(play, **how).method == "wald"


def test_the_criterion_is_the_predicted_spread_at_the_estimated_means():
    instance, counts = sa.Instance.gaussian([0.3, 0.5], noise_scale=0.5), np.array([600, 1400])
    sample = Sample(counts, counts * instance.means, None, None, "gaussian", -np.inf, np.inf, np.full(2, 0.5))
    found = []
    for beta in (3.0, 4.0, 8.0):
        policy = sa.SLEUCB(n_arms=2, horizon=2000, noise_scale=0.5, beta=beta)
        prediction = sa.predict(policy, instance)
        assert prediction.trusted
        spread = (prediction.sd / prediction.counts).max()
        steady, words = counts_are_steady(sample, policy)
        assert steady == (spread <= VALID_SPREAD)
        assert f"{spread:.1%}" in words
        found.append(steady)
    assert found == [False, True, True]


def test_an_arm_with_a_single_reward_has_no_steady_count():
    sample = Sample(np.array([1, 9]), np.zeros(2), None, None, "bernoulli", 0.0, 1.0, None)
    assert counts_are_steady(sample, sa.SLEUCB(**SIZE)) == (False, "an arm has fewer than two rewards")


@pytest.mark.slow
@pytest.mark.parametrize("means", [(0.3, 0.5), (0.7, 0.9)])
def test_what_auto_takes_covers_as_often_as_it_says_where_an_ordinary_interval_does_not(means):
    """Wilson's interval of the worse arm under Beta Thompson sampling or MOSS is the negative control."""
    runs, instance, missed = 500, sa.Instance.bernoulli(means), []
    for policy in (
        sa.RoundRobin(**SIZE),
        sa.SLEUCB(**SIZE, beta=5.0),
        sa.Steady(**SIZE),
        sa.MOSS(**SIZE),
        sa.BetaThompson(**SIZE),
    ):
        simulation = sa.simulate(policy, instance, runs=runs, seed=8, engine="step")
        moments = reward_moments(instance, simulation.counts, seed=8)
        kind = ("bernoulli", 0.0, 1.0, None)
        whole = Sample(simulation.counts, *moments, *kind)
        ends = {
            name: interval_ends(whole, name, 0.95, optimal_at=150) for name in ("wald", "wilson", "anytime")
        }
        methods = []
        for run in range(runs):
            one = Sample(simulation.counts[run], *(kept[run] for kept in moments), *kind)
            methods.append(choose_method(one, policy, finished=True).method)
        ordinary = np.array(methods)[:, None] == "wilson"
        low, high = (np.where(ordinary, ends["wilson"][end], ends["anytime"][end]) for end in (0, 1))
        held = ((low <= instance.means) & (instance.means <= high)).mean(axis=0)
        assert held.min() >= 0.95 - 4.0 * np.sqrt(0.05 * 0.95 / runs)
        low, high = ends["wald"]
        missed.append(((low > instance.means) | (instance.means > high)).mean(axis=0).max())
    assert missed[-1] > 0.05 + 4.0 * np.sqrt(0.05 * 0.95 / runs)


def test_rewards_that_are_still_to_come_may_be_looked_at_again():
    play = sa.RoundRobin(n_arms=2, horizon=100, noise_scale=0.5).start(seed=1)
    given = [play.ask() for _ in range(100)]
    for number, arm in enumerate(given[:60]):
        play.tell(arm, float(number % 3 == 0))
    assert sa.intervals(play, rewards="bernoulli").method == "anytime"
    assert sa.differences(play, rewards="bernoulli").method == "anytime"
    assert sa.intervals(play, rewards="bernoulli", finished=True).method == "wilson"  # the others never come


@pytest.mark.parametrize(("ones", "method"), [(4, "exact"), (5, "wilson"), (45, "wilson"), (46, "exact")])
def test_few_successes_or_failures_have_clopper_and_pearsons_interval(ones, method):
    play = sa.RoundRobin(n_arms=2, horizon=100, noise_scale=0.5).start(seed=1)
    seen = [0, 0]
    for _ in range(100):
        arm = play.ask()
        seen[arm] += 1
        play.tell(arm, float(seen[arm] <= (ones if arm == 0 else 25)))
    assert sa.intervals(play, rewards="bernoulli").method == method
    assert sa.differences(play, rewards="bernoulli").method == "wilson"


@pytest.mark.parametrize(("rate", "method"), [(0.01, "anytime"), (0.99, "anytime"), (0.4, "wald")])
def test_bounded_rewards_that_are_rare_have_the_interval_of_any_time(rate, method):
    """0/1 rewards, called bounded: at 1 % Wald's holds in four runs of five."""
    policy = sa.RoundRobin(n_arms=2, horizon=300, noise_scale=0.5)
    table, play = sa.reward_table(sa.Instance.bernoulli([rate] * 2), seed=4, pulls=150), policy.start(seed=4)
    for _ in range(300):
        arm = play.ask()
        play.tell(arm, float(table[arm, play.counts[arm] - 1]))
    assert sa.intervals(play, rewards="bounded").method == method
