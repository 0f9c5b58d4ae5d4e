"""Every rule against its formula written out once more, and the laws of the randomised ones.

Statistical thresholds are normal or Kolmogorov quantiles at 10⁻⁵ for each statistic, with fixed seeds; each
has a negative control that the same threshold rejects.
"""

import math

import numpy as np
import pytest
from scipy.stats import beta, gamma, kstwobign, norm

import steadyarm as sa
from steadyarm.policies.general.tsallis_inf import fill_probabilities
from steadyarm.policies.rules.importance import draw
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.sampling import beta_at, gamma_at
from tests.policies.formulas import FORMULAS, SIGMA, K, T

TABLE = [[0.2, 1.0, 0.5, 0.0, 0.9, 0.3], [0.1, 0.4, 0.0, 0.6, 0.2, 0.8], [0.0, 0.3, 0.7, 0.1, 0.5, 0.9]]
Z = float(norm.isf(0.5e-5))
KOLMOGOROV = float(kstwobign.isf(1e-5))


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
    sampled = {"GaussianThompson", "StableThompson", "OptimisticThompson", "BetaThompson"}
    assert with_index == {name.split()[0] for name in FORMULAS} | sampled | {"SLEUCB"}


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


def kolmogorov_statistic(sample, cdf):
    ordered = np.sort(sample)
    expected = cdf(ordered)
    steps = np.arange(ordered.size + 1) / ordered.size
    return math.sqrt(ordered.size) * max((expected - steps[:-1]).max(), (steps[1:] - expected).max())


def many(sampler, *shapes, runs=20_000):
    seed = np.uint64(11)
    return np.array([sampler(Noise(seed, run, 4), 7, *shapes) for run in range(runs)])


@pytest.mark.parametrize("shape", [1.0, 1.5, 4.0, 250.0])
def test_gamma_numbers_have_their_law(shape):
    values = many(gamma_at, shape)
    assert kolmogorov_statistic(values, gamma(shape).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values, gamma(shape * 1.05 + 0.05).cdf) > KOLMOGOROV


@pytest.mark.parametrize("shapes", [(1.0, 1.0), (1.0, 8.0), (3.0, 2.0), (400.0, 100.0)])
def test_beta_numbers_have_their_law(shapes):
    values = many(beta_at, *shapes)
    a, b = shapes
    assert kolmogorov_statistic(values, beta(a, b).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values, beta(a * 1.1, b).cdf) > KOLMOGOROV


def test_a_beta_posterior_counts_successes_and_failures():
    policy = sa.BetaThompson(n_arms=2, horizon=100)
    values = []
    for run in range(4000):
        state = policy.start(seed=5, run=run).to_dict()
        state |= {"counts": [6, 2], "observed": [6, 2], "totals": [4.0, 0.0], "state": [4.0, 0.0]}
        values.append(sa.play_from_dict(state).indices)
    values = np.array(values)
    assert kolmogorov_statistic(values[:, 0], beta(5, 3).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values[:, 1], beta(1, 3).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values[:, 0], beta(4, 2).cdf) > KOLMOGOROV


def test_a_reward_between_nought_and_one_is_a_success_with_that_probability():
    policy = sa.BetaThompson(n_arms=2, horizon=20_000)
    play = policy.start(seed=6)
    for _ in range(20_000):
        play.tell(play.ask(), 0.3)
    successes = sum(play.to_dict()["state"])
    error = math.sqrt(0.3 * 0.7 * 20_000)
    assert abs(successes - 6000) < Z * error
    assert abs(successes - 6500) > Z * error
    sure = policy.start(seed=6)
    for _ in range(200):
        arm = sure.ask()
        sure.tell(arm, float(arm))
    assert sure.to_dict()["state"] == [0.0, float(sure.counts[1])]


def test_draws_come_in_proportion_to_the_weights():
    weights = np.array([0.0, 3.0, 1.0, 0.0, 4.0, 0.0])
    places, chances = zip(*[draw(weights, (i + 0.5) / 800) for i in range(800)], strict=True)
    assert np.bincount(places, minlength=6).tolist() == [0, 300, 100, 0, 400, 0]
    assert all(chance == weights[place] / 8 for place, chance in zip(places, chances, strict=True))


@pytest.mark.parametrize("eta", [2.0, 0.1, 0.002])
@pytest.mark.parametrize("n_arms", [2, 5, 1000])
def test_tsallis_probabilities_add_up_to_one_and_solve_their_equation(n_arms, eta):
    rng = np.random.default_rng(n_arms)
    for spread in (0.0, 1.0, 1e3, 1e7):
        losses = 1e4 + spread * rng.random(n_arms)
        probabilities = np.empty(n_arms)
        fill_probabilities(losses, eta, probabilities)
        assert math.fsum(probabilities) == pytest.approx(1.0, abs=1e-12)
        x = losses - 2 / (eta * np.sqrt(probabilities))  # the same for all arms
        assert x == pytest.approx(np.full(n_arms, x[losses.argmin()]), rel=1e-9)
        assert (np.argsort(losses, kind="stable") == np.argsort(-probabilities, kind="stable")).all()


def first_choices(policy, losses_or_weights, rounds_played, runs=20_000):
    """How often each arm is the next choice of plays with this state."""
    chosen = np.zeros(policy.n_arms)
    counts = [rounds_played] + [0] * (policy.n_arms - 1)
    state = policy.start(seed=2).to_dict() | {
        "counts": counts,
        "observed": counts,
        "state": [*losses_or_weights, *[0.0] * (2 * policy.n_arms)],
    }
    for run in range(runs):
        chosen[sa.play_from_dict(state | {"run": run}).ask()] += 1
    return chosen


def frequency_score(chosen, probabilities):
    runs = chosen.sum()
    return (np.abs(chosen - runs * probabilities) / np.sqrt(runs * probabilities * (1 - probabilities))).max()


def test_exp3_chooses_in_proportion_to_exponential_weights():
    policy = sa.Exp3(n_arms=3, horizon=100)
    log_weights = np.array([-700.0, -701.0, -699.5])
    expected = np.exp(log_weights + 700) / np.exp(log_weights + 700).sum()
    chosen = first_choices(policy, log_weights.tolist(), 10)
    assert frequency_score(chosen, expected) < Z
    assert frequency_score(chosen, np.array([0.3, 0.2, 0.5])) > Z


def test_tsallis_inf_chooses_with_its_probabilities_at_the_rounds_learning_rate():
    policy = sa.TsallisINF(n_arms=3, horizon=100)
    losses = np.array([4.0, 0.5, 2.0])
    expected, stale = np.empty(3), np.empty(3)
    fill_probabilities(losses, 2 / math.sqrt(26), expected)
    fill_probabilities(losses, 2 / math.sqrt(10), stale)
    chosen = first_choices(policy, losses.tolist(), 25)
    assert frequency_score(chosen, expected) < Z
    assert frequency_score(chosen, stale) > Z


@pytest.mark.parametrize("name", ["Exp3", "TsallisINF"])
def test_a_loss_is_weighted_by_the_chance_its_pull_had_even_if_it_comes_late(name):
    policy = sa.all_policies()[name](n_arms=3, horizon=500)
    rate = -policy.eta if name == "Exp3" else 1.0
    play = policy.start(seed=1)
    asked = [play.ask() for _ in range(30)]  # nothing told yet, so every arm has its third
    state = np.reshape(play.to_dict()["state"], (3, 3))
    outstanding = np.bincount(asked, minlength=3)
    assert state[1] == pytest.approx(3.0 * outstanding)
    assert state[2].tolist() == outstanding.tolist()
    for arm in (0, 1, 2):
        play.tell(arm, 0.2 * arm)
    state = np.reshape(play.to_dict()["state"], (3, 3))
    assert state[0] == pytest.approx(rate * 3.0 * np.array([1.0, 0.8, 0.6]))

    asked += [play.ask() for _ in range(30)]  # now the chances differ
    mixed = np.reshape(play.to_dict()["state"], (3, 3))
    for arm in rest_of(asked):
        play.tell(arm, 0.5)
    final = np.reshape(play.to_dict()["state"], (3, 3))
    assert final[0] - mixed[0] == pytest.approx(rate * 0.5 * mixed[1])
    assert final[1:] == pytest.approx(0.0, abs=1e-9)


def rest_of(asked):
    """What was asked, less one pull of each arm."""
    left = sorted(asked)
    for arm in (0, 1, 2):
        left.remove(arm)
    return left


@pytest.mark.parametrize("name", ["Exp3", "TsallisINF"])
def test_rewards_that_come_at_once_leave_nothing_outstanding(name):
    play, _ = told(sa.all_policies()[name](n_arms=3, horizon=100), 50, seed=1)
    assert play.to_dict()["state"][3:] == [0.0] * 6


def test_epsilon_greedy_explores_a_share_of_the_rounds_and_is_greedy_otherwise():
    runs, rounds = 200, 100
    policy = sa.EpsilonGreedy(n_arms=4, horizon=4 + rounds, epsilon=0.2)
    others = 0
    for run in range(runs):
        play = policy.start(seed=1, run=run)
        for _ in range(policy.horizon):
            arm = play.ask()
            play.tell(arm, float(arm == 2))
        others += play.counts.sum() - play.counts[2] - 3
    expected = runs * rounds * 0.2 * 0.75
    error = math.sqrt(runs * rounds * 0.15 * 0.85)
    assert abs(others - expected) < Z * error
    assert abs(others - runs * rounds * 0.2) > Z * error


def test_explore_then_commit_keeps_its_choice_whatever_follows():
    play = sa.ExploreThenCommit(n_arms=3, horizon=60, exploration=4).start(priority=[2, 0, 1])
    arms = []
    for t in range(60):
        arms.append(play.ask())
        play.tell(arms[-1], float(arms[-1] == 1) if t < 12 else -100.0)
    assert arms == [1, 2, 0] * 4 + [1] * 48


def test_explore_then_commit_waits_for_late_rewards_and_still_takes_turns():
    play = sa.ExploreThenCommit(n_arms=2, horizon=60, exploration=3).start(priority=[0, 1])
    asked = [play.ask() for _ in range(8)]
    assert asked == [0, 1] * 4
    for arm in asked[:6]:
        play.tell(arm, float(arm))
    assert [play.ask() for _ in range(3)] == [1, 1, 1]


def test_successive_elimination_drops_an_arm_when_the_bounds_part_and_only_after_a_full_turn():
    delta = 0.1
    policy = sa.SuccessiveElimination(n_arms=3, horizon=200, noise_scale=SIGMA, delta=delta)
    play = policy.start(priority=[0, 1, 2])
    means = {0: 0.0, 1: 1.0, 2: 0.8}
    arms = []
    for _ in range(200):
        arms.append(play.ask())
        play.tell(arms[-1], means[arms[-1]])

    def last_turn(gap):
        """The first n at which twice the width is below the gap."""
        return next(n for n in range(1, 999) if 2 * SIGMA * math.sqrt(2 * math.log(1 / delta) / n) < gap)

    assert play.counts[0] == last_turn(1.0)
    assert arms[: 3 * play.counts[0]] == [0, 1, 2] * play.counts[0]
    rest = arms[3 * play.counts[0] :]
    assert play.counts[2] == min(last_turn(0.2), play.counts[0] + len(rest) // 2)
    assert rest[:4] == [1, 2, 1, 2]


def test_successive_elimination_ends_with_one_arm():
    play = sa.SuccessiveElimination(n_arms=3, horizon=100).start(priority=[0, 1, 2])
    arms = []
    for _ in range(100):
        arms.append(play.ask())
        play.tell(arms[-1], 50.0 * arms[-1])
    assert arms == [0, 1, 2] + [2] * 97


def test_ucb_f_takes_an_exploration_function_or_its_value():
    assert sa.UCBf(n_arms=2, horizon=400, f=math.sqrt) == sa.UCBf(n_arms=2, horizon=400, f=20.0)


def test_the_order_of_the_past_breaks_no_tie_of_ada_ucb():
    """Coins make many ties: arms with the same pulls and successes have the same index to the last bit."""
    policy = sa.AdaUCB(n_arms=5, horizon=400, noise_scale=0.5)
    for seed in range(5):
        play = policy.start(seed=seed)
        coins = np.random.default_rng(seed)
        successes = [0] * 5
        for _ in range(400):
            arm = play.ask()
            reward = float(coins.random() < 0.5)
            successes[arm] += int(reward)
            play.tell(arm, reward)
            if play.round >= 5:
                pasts = list(zip(play.counts.tolist(), successes, strict=True))
                assert len(set(zip(pasts, play.indices.tolist(), strict=True))) == len(set(pasts))
