"""Means that move: how each kind does, what a drifting instance is in a round, and what is refused."""

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported, OutsideClass

STEP = sa.Drift.step([0.2, 0.1], [0.1, 0.4], after=50)


def test_a_step_is_taken_after_its_round():
    nu = sa.Instance.drifting(STEP)
    assert nu.in_round(50) == sa.Instance.gaussian([0.2, 0.1])
    assert nu.in_round(51) == nu.in_round(10**9) == sa.Instance.gaussian([0.1, 0.4])
    assert nu.ever_best == (True, True)


@given(
    rounds=st.integers(1, 5000),
    stairs=st.integers(1, 300),
    start=st.floats(-1.0, 1.0),
    end=st.floats(-1.0, 1.0),
)
def test_a_linear_drift_is_never_further_from_its_line_than_half_a_stair_and_a_round(
    rounds, stairs, start, end
):
    nu = sa.Instance.drifting(sa.Drift.linear([start, 0.0], [end, 0.0], rounds=rounds, stairs=stairs))
    slack = abs(end - start) * (0.5 / min(stairs, rounds) + 1.0 / rounds) + 1e-12
    for number in {1, rounds // 3 + 1, rounds}:
        line = start + (end - start) * (number - 0.5) / rounds
        assert abs(nu.in_round(number).means[0] - line) <= slack
    assert nu.in_round(rounds + 1).means == (end, 0.0)


def test_a_season_comes_back_after_its_period_and_swings_as_far_as_it_says():
    nu = sa.Instance.drifting(
        sa.Drift.seasonal([0.0, 0.5], [0.2, -0.1], period=60, rounds=240, stairs=60), "bounded", low=-1.0
    )
    means = np.array([nu.in_round(number).means for number in range(1, 241)])
    assert np.array_equal(means[:60], means[60:120])
    turn = np.sin(2 * np.pi * (np.arange(60) + 0.5) / 60)
    assert np.allclose(means[:60], np.array([0.0, 0.5]) + np.outer(turn, [0.2, -0.1]), atol=1e-9)
    assert nu.in_round(241).means == (0.0, 0.5)


@pytest.mark.parametrize(
    ("rewards", "more"),
    [("gaussian", {"noise_scale": [1.0, 2.0]}), ("bernoulli", {}), ("bounded", {"high": 2.0})],
)
def test_a_drifting_instance_goes_through_json_and_is_equal_and_hashable(rewards, more):
    nu = sa.Instance.drifting(STEP, rewards, **more)
    again = sa.Instance.from_dict(json.loads(json.dumps(nu.to_dict())))
    assert again == nu
    assert hash(again) == hash(nu)
    assert nu != sa.Instance.drifting(sa.Drift.step([0.2, 0.1], [0.1, 0.3], after=50), rewards, **more)
    assert nu != nu.in_round(1)
    assert "means 0.1 to 0.2, 0.1 to 0.4, 2 stretches" in repr(nu)


def test_whatever_asks_for_one_mean_of_an_arm_is_refused():
    nu = sa.Instance.drifting(sa.Drift.step([0.2, 0.1], [0.1, 0.4], after=5), "bernoulli")
    policy = sa.UCB(n_arms=2, horizon=10, noise_scale=0.5)
    for asks in (
        lambda: nu.means,
        lambda: nu.gaps,
        lambda: nu.variances,
        lambda: nu.best_mean,
        lambda: nu.location,
        lambda: sa.predict(policy, nu),
        lambda: sa.exact(policy, nu),
        lambda: sa.reward_table(nu),
        lambda: sa.coverage([policy], nu, runs=5),
        lambda: sa.influence(policy, nu, arm=0, pull=1, reward=1.0),
    ):
        with pytest.raises(NotSupported, match="the means of a drifting instance move"):
            asks()


def test_a_mean_that_leaves_the_class_later_is_refused_too():
    nu = sa.Instance.drifting(sa.Drift.step([0.0, 0.0], [0.0, 3.0], after=5))
    with pytest.raises(OutsideClass, match="arm 1 has mean 3"):
        sa.simulate(sa.SLEUCB(n_arms=2, horizon=10), nu, runs=1)


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: sa.Drift.step([0.1, 0.2], [0.1], after=5), InvalidInput, "the same arms"),
        (
            lambda: sa.Drift.step([0.1, 0.2], [0.1, 0.2], after=0),
            InvalidInput,
            "after must be at least 1; got 0",
        ),
        (
            lambda: sa.Drift.step([0.1], [0.2], after="5"),
            InvalidType,
            "after must be a .* It is the last round",
        ),
        (lambda: sa.Drift.of([[0.1]], each=0), InvalidInput, "each must be at least 1; got 0. With 1 every"),
        (lambda: sa.Drift.of([[]]), InvalidInput, "must have a mean for each arm; got empty rows"),
        (
            lambda: sa.Drift.linear([0.1], [0.2], rounds=5, stairs=0),
            InvalidInput,
            "got 0. A hundred is usual",
        ),
        (
            lambda: sa.Drift(((0.0,), (1.0,)), (0,)),
            InvalidInput,
            "got 0. Name the last round of every stretch",
        ),
        (lambda: sa.Drift.linear([0.1], [0.1, 0.2], rounds=5), InvalidInput, "got 1 and 2 means"),
        (
            lambda: sa.Drift.linear([0.1], [0.1], rounds=0),
            InvalidInput,
            "rounds of a drift must be at least 1",
        ),
        (
            lambda: sa.Drift.seasonal([0.1], [0.1, 0.2], period=5, rounds=9),
            InvalidInput,
            "swing must be one number",
        ),
        (
            lambda: sa.Drift.seasonal([0.1], [0.1], period=1, rounds=9),
            InvalidInput,
            "period must be at least 2",
        ),
        (
            lambda: sa.Drift.seasonal([0.1], [0.1], period=9, rounds=9, stairs=1),
            InvalidInput,
            "With one the means would not move",
        ),
        (lambda: sa.Drift.of([]), InvalidInput, "at least one row"),
        (lambda: sa.Drift.of(5), InvalidType, "a row for each stretch of rounds; got 5"),
        (lambda: sa.Drift.of([0.1, 0.2]), InvalidType, r"means\[0\] must be a flat list of numbers"),
        (lambda: sa.Drift.step(0.1, 0.2, after=5), InvalidType, r"means\[0\] must be a flat list of numbers"),
        (lambda: sa.Drift(((0.0,), (1.0,)), 5), InvalidType, "ends must be a flat list"),
        (lambda: sa.Drift.of([[0.0, 1.0]] * 20_001), InvalidInput, "20,000 stretches of rounds; .* 20,001"),
        (lambda: sa.Drift(((0.0,), (1.0,), (0.0,)), (5, 5)), InvalidInput, "must rise"),
        (lambda: sa.Instance.drifting([[0.0, 1.0]]), InvalidType, "drift must be a steadyarm Drift"),
        (lambda: sa.Instance.drifting(STEP, "poisson"), InvalidInput, "rewards must be one of"),
        (
            lambda: sa.Instance.drifting(sa.Drift.of([[0.0, 2.0]]), "bernoulli"),
            InvalidInput,
            "from round 1 on: .* It is a probability",
        ),
        (
            lambda: sa.Instance.drifting(sa.Drift.step([0.1, 0.9], [0.1, 1.1], after=40), "bernoulli"),
            InvalidInput,
            r"from round 41 on: means\[1\] must be at most 1.0; got 1.1",
        ),
        (
            lambda: sa.Instance.drifting(sa.Drift.of([[0.1, 0.2]]), "bernoulli", noise_scale=3.0),
            InvalidInput,
            "noise_scale does not go with bernoulli rewards; got noise_scale=3.0",
        ),
    ],
)
def test_what_is_no_drift_is_refused(build, error, words):
    with pytest.raises(error, match=words):
        build()


@pytest.mark.parametrize(
    ("build", "number", "remedy"),
    [
        (
            lambda: sa.Drift.seasonal([0.0, 1.0], [1.0, 1.0], period=2, rounds=10**9),
            "1,000,000,001",
            "Take fewer stairs, a longer period or fewer rounds",
        ),
        (
            lambda: sa.Drift.linear([0.0, 1.0], [1.0, 1.0], rounds=10**9, stairs=10**9),
            "1,000,000,001",
            "Take fewer stairs",
        ),
    ],
)
def test_too_many_stretches_are_refused_before_any_is_made(build, number, remedy):
    tracemalloc.start()
    try:
        with pytest.raises(InvalidInput, match=f"at most 20,000 .* would have {number}. {remedy}"):
            build()
        assert tracemalloc.get_traced_memory()[1] < 10**6
    finally:
        tracemalloc.stop()


def test_as_many_stretches_as_are_taken_can_be_had():
    assert len(sa.Drift.seasonal([0.0], [1.0], period=9, rounds=9 * 2222, stairs=9).means) == 19_999
    assert len(sa.Drift.linear([0.0], [1.0], rounds=10**9, stairs=19_999).means) == 20_000


@pytest.mark.parametrize("number", [0, -5, 2.5, "3"])
def test_a_round_that_there_is_not_has_no_instance_and_no_average(number):
    nu = sa.Instance.drifting(STEP)
    with pytest.raises((InvalidInput, InvalidType), match=r"number must be .* numbered from 1\."):
        nu.in_round(number)
    with pytest.raises((InvalidInput, InvalidType), match=r"rounds must be .* Say over how many"):
        nu.average_means(number)
