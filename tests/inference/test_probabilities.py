"""Weighted estimates: unbiased whatever the policy does, and their intervals cover as often as they say."""

import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.inference.probabilities import round_scores, weighted_intervals

MEANS = np.array([0.3, 0.5])
RUNS, ROUNDS, SHARE = 4000, 400, 0.2


def greedy_logs(means, drift=0.0, seed=1):
    """Logs of many runs of a greedy policy with random rounds mixed in, (runs, rounds); arm 0 may get better."""
    rng = np.random.default_rng(seed)
    sums, counts = np.ones((RUNS, 2)), np.full((RUNS, 2), 2.0)
    runs = np.arange(RUNS)
    columns = []
    for turn in range(ROUNDS):
        choice = (sums / counts).argmax(axis=1)
        action = np.where(rng.random(RUNS) < SHARE, rng.integers(2, size=RUNS), choice)
        now = means + drift * np.array([turn / ROUNDS, 0.0])
        reward = (rng.random(RUNS) < now[action]).astype(float)
        sums[runs, action] += reward
        counts[runs, action] += 1
        columns.append((action, reward, SHARE / 2 + (1 - SHARE) * (action == choice)))
    return [np.array(each).T for each in zip(*columns, strict=True)]


@pytest.fixture(scope="module")
def logs():
    return greedy_logs(MEANS)


def of_run(logs, run, rounds=None):
    action, reward, pscore = (column[run, :rounds] for column in logs)
    return {"action": action, "reward": reward, "pscore": pscore, "n_actions": 2}


@pytest.mark.parametrize("augmented", [False, True])
def test_scores_are_unbiased_where_the_mean_of_the_rewards_is_not(logs, augmented):
    action, reward, pscore = logs
    values = np.array(
        [
            round_scores(*columns, 2, augmented).mean(axis=0)
            for columns in zip(action, reward, pscore, strict=True)
        ]
    )
    error = values.std(axis=0) / np.sqrt(RUNS)
    assert (np.abs(values.mean(axis=0) - MEANS) < 4 * error).all()
    plain = np.array([(reward * (action == arm)).sum(1) / (action == arm).sum(1) for arm in (0, 1)])
    assert plain[0].mean() - MEANS[0] < -5 * plain[0].std() / np.sqrt(RUNS)


def test_with_a_mean_that_drifts_its_average_over_the_rounds_is_estimated():
    drifting = greedy_logs(MEANS, drift=0.4, seed=2)
    values = np.array([weighted_intervals(of_run(drifting, run))[0].value for run in range(400)])
    truth = MEANS[0] + 0.4 * (ROUNDS - 1) / 2 / ROUNDS
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(400)


@pytest.mark.slow
@pytest.mark.parametrize("control", [None, 0])
def test_wald_intervals_of_the_scores_cover_about_as_often_as_they_say(logs, control):
    truth = MEANS if control is None else MEANS - MEANS[control]
    hits = np.zeros(2)
    for run in range(2000):
        for arm, found in enumerate(weighted_intervals(of_run(logs, run), control=control)):
            hits[arm] += found.low <= truth[arm] <= found.high
    assert (hits / 2000 > 0.92).all()  # first order: a little below 0.95 at 400 rounds
    assert (hits[1:] / 2000 < 0.97).all()


@pytest.mark.slow
def test_anytime_intervals_hold_at_all_of_many_looks_and_wald_intervals_do_not(logs):
    looks = range(50, ROUNDS + 1, 50)
    missed = {"wald": 0, "anytime": 0}
    for run in range(200):
        for method in missed:
            ends = [
                weighted_intervals(of_run(logs, run, rounds), method=method, optimal_at=200)[1]
                for rounds in looks
            ]
            missed[method] += any(not found.low <= MEANS[1] <= found.high for found in ends)
    error = np.sqrt(0.05 * 0.95 / 200)
    assert missed["anytime"] / 200 < 0.05 + 3 * error < missed["wald"] / 200


def test_the_difference_from_a_control_is_that_of_the_means_and_the_control_has_none(logs):
    log = of_run(logs, 0)
    means, differences = weighted_intervals(log), weighted_intervals(log, control=1)
    assert differences[0].value == pytest.approx(means[0].value - means[1].value)
    assert (differences[1].low, differences[1].value, differences[1].high) == (0.0, 0.0, 0.0)


def test_a_mixed_play_gives_the_columns():
    play = sa.Mixed(sa.BetaThompson(n_arms=2, horizon=500), 0.3).start(seed=1)
    table = sa.reward_table(sa.Instance.bernoulli(MEANS), seed=1, pulls=500)
    rows = []
    while play.round < 500:
        arm = play.ask()
        rows.append((arm, table[arm, play.counts[arm] - 1], play.probability))
        play.tell(*rows[-1][:2])
    action, reward, pscore = (np.array(column) for column in zip(*rows, strict=True))
    found = sa.weighted_intervals({"action": action, "reward": reward, "pscore": pscore, "n_actions": 2})
    assert all(each.low < mean < each.high for each, mean in zip(found, MEANS, strict=True))


def test_an_arm_given_once_has_an_infinite_interval(logs):
    log = of_run(logs, 0)
    found = weighted_intervals(
        {name: column[:3] for name, column in log.items() if name != "n_actions"} | {"n_actions": 4}
    )
    assert (found[3].low, found[3].high) == (-np.inf, np.inf)


def test_a_log_that_supports_no_estimate_is_refused_with_the_reason(logs):
    log = of_run(logs, 0)
    with pytest.raises(NotSupported, match=r"without probabilities .* supports no weighted estimate"):
        weighted_intervals({name: column for name, column in log.items() if name != "pscore"})
    for name, value, words in (
        ("pscore", np.zeros(ROUNDS), "above 0 and at most 1"),
        ("reward", np.full(ROUNDS, np.nan), "finite numbers"),
        ("action", np.full(ROUNDS, 2), "from 0 to 1"),
        ("reward", np.zeros(3), "of one length"),
    ):
        with pytest.raises(InvalidInput, match=words):
            weighted_intervals(log | {name: value})
    with pytest.raises(InvalidInput, match="n_actions is missing"):
        weighted_intervals({name: column for name, column in log.items() if name != "n_actions"})


def test_an_arm_whose_rewards_are_all_the_same_has_no_interval():
    log = {"action": [0, 1] * 20, "reward": [0, 0, 0, 1] * 10, "pscore": [0.5] * 40, "n_actions": 2}
    for method in ("wald", "anytime"):
        rare, other = sa.weighted_intervals(log, method=method)
        assert (rare.low, rare.high) == (-math.inf, math.inf)
        assert math.isfinite(other.low)


def test_a_probability_that_is_no_number_is_refused():
    log = {"action": [0, 1], "reward": [0, 0], "pscore": [0.5, "a"], "n_actions": 2}
    with pytest.raises(InvalidInput, match="pscore must be lists of numbers"):
        sa.weighted_intervals(log)
