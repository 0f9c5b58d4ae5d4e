"""Random rounds mixed into a policy: how often, with which probability, and the same in every engine."""

import json
from itertools import product

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported

INNER = {name: kind for name, kind in sa.all_policies().items() if not kind.own_pulls_only}
COINS = sa.Instance.bernoulli([0.7, 0.5, 0.3])


def mixed(name, share, n_arms=3, horizon=120):
    return sa.Mixed(INNER[name](n_arms=n_arms, horizon=horizon), share)


def told(play, rounds, rewards=(0.0, 1.0, 0.0)):
    """Play some rounds; return what was given: arm and probability."""
    given = []
    for _ in range(rounds):
        arm = play.ask()
        given.append((arm, play.probability))
        play.tell(arm, rewards[arm])
    return given


@pytest.mark.parametrize("name", INNER)
def test_step_gives_the_counts_of_the_reference_for_every_policy_that_can_be_mixed(name):
    for share, seed in product((0.05, 0.6), (0, 2**64 - 1)):
        policy = mixed(name, share)
        expected = sa.simulate(policy, COINS, runs=3, seed=seed, engine="reference").counts
        assert np.array_equal(sa.simulate(policy, COINS, runs=3, seed=seed, engine="step").counts, expected)
        assert sa.simulate(policy, COINS, runs=3, seed=seed).engine == "step"


def test_step_gives_the_counts_of_the_reference_for_many_arms_and_other_rewards():
    arms = sa.Instance.gaussian([0.0] * 9)
    for inner in (sa.SLEUCB(n_arms=9, horizon=300, beta=1.0), sa.UCB1(n_arms=9, horizon=300)):
        policy = sa.Mixed(inner, 0.3)
        expected = sa.simulate(policy, arms, runs=3, seed=5, engine="reference").counts
        assert np.array_equal(sa.simulate(policy, arms, runs=3, seed=5, engine="step").counts, expected)


def test_a_round_is_given_at_random_as_often_as_the_share_says_and_every_arm_alike():
    rounds, share, n_arms = 8_000, 0.3, 4
    play = sa.Mixed(sa.RoundRobin(n_arms=n_arms, horizon=rounds), share).start(seed=3)
    found = told(play, rounds, (0.0,) * n_arms)
    unlikely = np.array([arm for arm, probability in found if probability < 0.5])
    chance = share * (n_arms - 1) / n_arms  # random, and not the policy's choice
    assert abs(len(unlikely) / rounds - chance) < 4 * np.sqrt(chance * (1 - chance) / rounds)
    assert abs(len(unlikely) / rounds - share) > 4 * np.sqrt(chance * (1 - chance) / rounds)
    shares = np.bincount(unlikely, minlength=n_arms) / len(unlikely)
    assert np.abs(shares - 1 / n_arms).max() < 4 * np.sqrt(0.25 * 0.75 / len(unlikely))


@pytest.mark.parametrize("name", ["MOSS", "BetaThompson", "ExploreThenCommit"])
def test_one_over_the_probability_counts_every_arm_once_a_round_on_average(name):
    rounds = 4000
    found = told(mixed(name, 0.25, horizon=rounds).start(seed=1), rounds)
    for arm in range(3):
        weights = np.array([1 / p if each == arm else 0.0 for each, p in found])
        assert abs(weights.mean() - 1) < 4 * weights.std() / np.sqrt(rounds)
    shares = np.bincount([arm for arm, _ in found], minlength=3) / rounds
    assert np.abs(shares - 1 / 3).max() > 0.2  # what was given is far from equal shares


def test_the_policy_inside_learns_from_random_rounds_too():
    play = mixed("SLEUCB", 0.5).start(seed=2)
    told(play, 60)
    assert np.array_equal(play.inner.counts, play.counts)
    assert play.inner.to_dict()["totals"] == [0.0, float(play.counts[1]), 0.0]
    assert np.array_equal(play.indices, play.inner.indices)


@pytest.mark.parametrize("name", ["SLEUCB", "BetaThompson", "SuccessiveElimination"])
def test_a_play_saved_as_json_goes_on_exactly_as_it_would_have(name):
    play = mixed(name, 0.3).start(seed=4, run=2)
    told(play, 50)
    late = [play.ask(), play.ask()]
    again = sa.play_from_dict(json.loads(json.dumps(play.to_dict())))
    for each in (play, again):
        for arm in late:
            each.tell(arm, 1.0)
    assert told(again, 68) == told(play, 68)
    assert again.to_dict() == play.to_dict()
    broken = play.to_dict()
    broken["inner"]["counts"][0] += 1
    with pytest.raises(InvalidInput, match="must have"):
        sa.play_from_dict(broken)


def test_a_record_comes_back_from_its_dict_and_can_be_changed():
    policy = sa.Mixed(sa.SLEUCB(n_arms=3, horizon=100, alpha=2.0, mean_bound=3.0), 0.1)
    again = sa.policy_from_dict(json.loads(json.dumps(policy.to_dict())))
    assert again == policy
    assert hash(again) == hash(policy)
    assert policy.replace(share=0.2) == sa.Mixed(policy.policy, 0.2) != policy
    assert policy.replace(horizon=200).policy.horizon == 200
    assert policy.class_bound == 3.0
    assert mixed("BetaThompson", 0.1).unit_rewards
    assert policy.title == "SLE-UCB with 0.1 at random"


def test_what_cannot_be_mixed_is_refused_with_the_reason():
    inner = sa.MOSS(n_arms=2, horizon=50)
    for share in (0.0, -0.1, 1.1):
        with pytest.raises(InvalidInput, match="share must be"):
            sa.Mixed(inner, share)
    others = (sa.Exp3(n_arms=2, horizon=50), sa.TsallisINF(n_arms=2, horizon=50))
    for policy in (*others, sa.Mixed(inner, 0.1), sa.Padded(inner.replace(n_arms=3))):
        with pytest.raises(NotSupported, match="learns only from pulls that it chose itself"):
            sa.Mixed(policy, 0.1)
    with pytest.raises(InvalidInput, match=r"must be a dict|must name one of"):
        sa.policy_from_dict({"policy": "Mixed", "share": 0.1})
    for engine in ("prefix", "leap"):
        with pytest.raises(NotSupported, match="does not choose by an index"):
            sa.simulate(sa.Mixed(inner, 0.1), sa.equal_arms(2), runs=1, engine=engine)


def test_a_play_saved_between_ask_and_tell_still_knows_its_probability():
    play = sa.Mixed(sa.MOSS(n_arms=2, horizon=50), share=0.2).start(seed=3)
    assert sa.play_from_dict(play.to_dict()).probability is None
    play.ask()
    assert sa.play_from_dict(play.to_dict()).probability == play.probability == 0.9


@pytest.mark.parametrize("name", ["MOSS", "SLEUCB", "BetaThompson", "EpsilonGreedy"])
def test_a_falling_share_gives_the_same_counts_in_step_and_reference(name):
    policy = mixed(name, 1.0).replace(decay=0.4)
    for seed in (0, 2**64 - 1):
        expected = sa.simulate(policy, COINS, runs=4, seed=seed, engine="reference").counts
        assert np.array_equal(sa.simulate(policy, COINS, runs=4, seed=seed, engine="step").counts, expected)
    other = sa.simulate(policy.replace(decay=0.0), COINS, runs=4, engine="step").counts
    assert not np.array_equal(sa.simulate(policy, COINS, runs=4, engine="step").counts, other)


def test_every_probability_of_a_falling_share_is_the_floor_of_its_round_or_what_the_choice_has_more():
    policy = mixed("BetaThompson", 1.0, horizon=2000).replace(decay=0.7)
    found = told(policy.start(seed=6), 2000)
    floors = np.array([policy.share_in(number) / 3 for number in range(1, 2001)])
    probabilities = np.array([probability for _, probability in found])
    chosen = 1.0 - 2.0 * floors
    assert (
        np.isclose(probabilities, floors, rtol=1e-15) | np.isclose(probabilities, chosen, rtol=1e-15)
    ).all()
    random = (np.isclose(probabilities, floors, rtol=1e-15)).sum()
    expected, spread = 2.0 * floors.sum(), np.sqrt((2.0 * floors * chosen).sum())
    assert abs(random - expected) < 4 * spread
    assert abs(random - 2000 * 2 / 3) > 4 * spread  # of a share that stays
    for arm in range(3):
        weights = np.array([1 / p if each == arm else 0.0 for each, p in found])
        assert abs(weights.mean() - 1) < 4 * weights.std() / np.sqrt(2000)


def test_the_exact_law_of_a_falling_share_is_that_of_its_simulation():
    policy = sa.Mixed(sa.BetaThompson(n_arms=2, horizon=60, noise_scale=0.5), 1.0, decay=0.5)
    coins = sa.Instance.bernoulli([0.3, 0.6])
    exact, simulated = sa.exact(policy, coins), sa.simulate(policy, coins, runs=20_000, seed=2)
    errors = simulated.counts.std(axis=0) / np.sqrt(20_000)
    counts = simulated.counts.mean(axis=0)
    assert (np.abs(counts - exact.mean_counts) < 4 * errors).all()
    assert (np.abs(counts - sa.exact(policy.replace(decay=0.0), coins).mean_counts) > 4 * errors).all()


def test_a_falling_share_comes_back_from_its_dict_and_one_that_stays_has_no_decay_in_it():
    policy = sa.Mixed(sa.MOSS(n_arms=3, horizon=100), 1.0, decay=0.7)
    assert sa.policy_from_dict(json.loads(json.dumps(policy.to_dict()))) == policy
    assert policy.title == "MOSS with 1·t^−0.7 at random"
    assert "decay" not in policy.replace(decay=0.0).to_dict()
    for decay in (-0.1, 1.0, float("nan")):
        with pytest.raises(InvalidInput, match="decay must be"):
            policy.replace(decay=decay)
