"""What a configuration leaves open is what a plan recommends, and the recorded one names it."""

import pytest

import steadyarm as sa
from steadyarm.live.analysis.results import state_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-01-01T00:00:00.000Z"


def setup(**configuration):
    return resolve(requested(configuration))


@pytest.mark.parametrize(("rewards", "rates"), [("bernoulli", (0.1, 0.9)), ("bernoulli", (0.2, 0.8, 0.3))])
def test_an_experiment_without_a_knob_adapts(rewards, rates):
    made = setup(arms=[f"arm {rate}" for rate in rates], horizon=1000, rewards=rewards)
    found = sa.simulate(made.policy, sa.Instance.bernoulli(rates), runs=50, seed=1)
    assert found.mean_counts[rates.index(max(rates))] > 600
    paper = setup(
        **made.requested, alpha=1.0
    ).policy  # the control, with the paper's constants: nearly equal shares
    assert sa.simulate(paper, sa.Instance.bernoulli(rates), runs=50, seed=1).mean_counts.max() < 550


def test_the_recorded_configuration_names_the_plan_behind_the_default():
    made = setup(arms=["a", "b", "c"], horizon=20_000, rewards="bernoulli")
    planned = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", valid_intervals=True).policy
    assert made.policy == planned
    assert made.configuration["plan"] == {"valid_intervals": True}
    assert (made.configuration["policy"], made.configuration["beta"]) == ("SLEUCB", planned.beta)
    assert "plan" not in made.requested
    assert made.is_requested_by(made.requested)
    assert made.is_requested_by(made.configuration)


def test_with_a_few_rounds_an_arm_no_plan_stands_behind_the_default():
    made = setup(arms=[f"arm {number}" for number in range(50)], horizon=60)
    assert (made.policy.alpha, made.policy.constants) == (1.0, "sharp")
    assert "plan" not in made.configuration


def test_a_knob_of_ones_own_is_left_alone():
    assert setup(arms=["a", "b"], horizon=1000, alpha=2.0).policy.constants == "paper"
    assert setup(arms=["a", "b"], horizon=1000, constants="sharp").policy.alpha == 1.0
    assert setup(arms=["a", "b"], horizon=1000, policy="UCB1").policy.name == "UCB1"
    assert setup(arms=["a", "b"], horizon=1000, spread=20.0).policy.name == "Steady"


def test_a_planned_spread_is_recorded_with_the_class_that_it_was_planned_for():
    made = setup(arms=["a", "b"], horizon=1000, rewards="bernoulli", plan={"max_sd": 20})
    assert made.configuration["policy"] == "Steady"
    assert made.configuration["spread"] == made.policy.spread
    assert made.configuration["mean_bound"] == 1.0  # though the policy does not know it


def test_a_goal_that_a_theorem_must_meet_gets_sle_ucb():
    made = setup(arms=["a", "b"], horizon=100_000, plan={"max_sd": 1000, "guaranteed": True})
    assert made.policy == sa.plan(n_arms=2, horizon=100_000, max_sd=1000, guaranteed=True).policy
    assert made.configuration["beta"] == made.policy.beta
    assert made.is_requested_by(made.configuration)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"plan": {"max_sd": 50}, "alpha": 1.0}, "a plan chooses the policy; leave alpha out"),
        ({"plan": {"max_sd": 50}, "policy": "SLEUCB"}, "this plan chooses Steady, not SLEUCB"),
        ({"plan": {"guaranteed": True}}, "plan must hold one goal"),
        ({"plan": {"max_sd": 50, "guaranteed": 1}}, "guaranteed must be True or False"),
        ({"spread": 50, "alpha": 1.0}, "has no member 'spread'"),
    ],
)
def test_a_plan_and_a_knob_of_ones_own_do_not_go_together(more, words):
    with pytest.raises(Problem, match=words):
        setup(arms=["a", "b"], horizon=10_000, **more)


def test_steady_takes_a_spread_or_a_tenth_of_the_fair_share():
    made = setup(arms=["a", "b"], horizon=1000, policy="Steady", spread=20, rewards="bernoulli")
    assert made.policy == sa.Steady(n_arms=2, horizon=1000, noise_scale=0.5, spread=20.0)
    assert made.configuration["spread"] == 20.0
    assert setup(arms=["a", "b"], horizon=1000, policy="Steady").policy.spread == 50.0
    assert "no finite-time guarantee" in notes_of(arms=["a", "b"], horizon=1000, policy="Steady")


def notes_of(**configuration):
    experiment, _ = Experiment.create(1, "e", setup(**configuration), AT)
    return " ".join(state_of(experiment.summary())["notes"])


def test_an_experiment_that_is_nearly_uniform_says_so():
    assert "nearly uniform" in notes_of(arms=["a", "b"], horizon=1000, alpha=1.0, rewards="bernoulli")
    assert "nearly uniform" not in notes_of(arms=["a", "b"], horizon=1000, rewards="bernoulli")


def test_the_digest_of_a_planned_trial_is_recorded():
    digest = sa.trial(
        sa.Instance.bernoulli([0.2, 0.5]), ["RoundRobin"], horizon=20, methods=["wilson"]
    ).digest
    made = setup(arms=["a", "b"], horizon=20, rewards="bernoulli", policy="RoundRobin", trial=digest)
    assert made.configuration["trial"] == digest
    with pytest.raises(Problem, match="64 hexadecimal digits; got 'yes'"):
        setup(arms=["a", "b"], horizon=20, trial="yes")
