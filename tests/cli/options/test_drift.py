"""Means that move, on the command line."""

import json

import pytest

import steadyarm as sa

WORDS = ("simulate", "--policy", "MOSS", "--horizon", "400", "--runs", "20", "--json")
POLICY = sa.MOSS(n_arms=2, horizon=400)
MEANS, THEN = [0.1, -0.1], [-0.1, 0.1]


@pytest.mark.parametrize(
    ("text", "drift"),
    [
        ("step:-0.1,0.1:200", sa.Drift.step(MEANS, THEN, after=200)),
        ("linear:-0.1,0.1", sa.Drift.linear(MEANS, THEN, rounds=400)),
        ("linear:-0.1,0.1:2e2", sa.Drift.linear(MEANS, THEN, rounds=200)),
        ("seasonal:-0.1,0.1:100", sa.Drift.seasonal(MEANS, THEN, period=100, rounds=400)),
    ],
)
def test_a_drift_plays_as_in_python(steadyarm, text, drift):
    given = json.loads(steadyarm(*WORDS, "--means", "0.1,-0.1", "--drift", text).out)
    result = sa.simulate(POLICY, sa.Instance.drifting(drift), runs=20)
    assert given["instance"] == result.instance.to_dict()
    assert given["regret"] == result.regret.to_dict()


@pytest.mark.parametrize(
    ("words", "around"),
    [
        ("--rewards bernoulli", {"rewards": "bernoulli"}),
        ("--rewards bounded --low -1 --high 2", {"rewards": "bounded", "low": -1.0, "high": 2.0}),
        ("--noise-scale 0.5", {"noise_scale": 0.5}),
    ],
)
def test_the_law_around_the_means_stays(steadyarm, words, around):
    told = ("--means", "0.3,0.6", "--drift", "step:0.6,0.3:100", *words.split())
    given = json.loads(steadyarm(*WORDS, *told).out)
    moving = sa.Instance.drifting(sa.Drift.step([0.3, 0.6], [0.6, 0.3], after=100), **around)
    assert given["instance"] == moving.to_dict()


def test_a_comparison_takes_a_drift_and_says_that_nothing_is_proved(steadyarm):
    told = ("--arms", "2", "--gap", "0.2", "--drift", "linear:-0.2,0", "--horizon", "300", "--runs", "10")
    done = steadyarm("compare", "--policies", "MOSS,UCB1", *told)
    assert "means that stay" in done.out


@pytest.mark.parametrize(
    "text",
    [
        *("soon", "step", "step:1,2", "step:1,2:0", "step:1,x:5", "step:1,2:5:6", "linear", "linear:1,2:-3"),
        *("linear:1,2:2.5", "seasonal:1,2", "step:1,2:soon", ":1,2:5"),
    ],
)
def test_what_is_no_drift_is_refused_with_the_forms_that_are(steadyarm, text):
    done = steadyarm(*WORDS, "--drift", text, code=2)
    assert f"'{text}' is not a drift. Write step:0,0.1:5000" in done.err
    assert "linear:0,0.1" in done.err
    assert "seasonal:0.1,-0.1:2000" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--drift step:0,0,0:5", "a number for each of the 2 arms; got 3"),
        ("--drift step:0,0.1:400", "must step before the last round, 400; got a step after round 400"),
        ("--drift seasonal:0.1,0.1:1", "period must be at least 2; got 1. With one the means would not move"),
        (
            "--rewards bernoulli --means 0.5,0.9 --drift step:0.5,1.2:100",
            "from round 101 on: means[1] must be",
        ),
        ("--drift linear:0,0.1 --engine leap", "means move with the rounds"),
    ],
)
def test_a_drift_that_cannot_be_played_is_refused_with_the_reason(steadyarm, words, message):
    assert message in steadyarm(*WORDS, *words.split(), code=2).err
