"""Results: intervals, bounds and predictions, from a service and from Python."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.live.conftest import problem

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.live.analysis.results import results_of, state_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-01-01T00:00:00.000Z"
MEANS = [0.3, 0.5, 0.7]


def played(rounds, rewards="bernoulli", **configuration):
    given = {"arms": ["a", "b", "c"], "horizon": 5000, "rewards": rewards, "constants": "sharp", "seed": 3}
    experiment, _ = Experiment.create(1, "e", resolve(requested(given | configuration)), AT)
    experiment.move("started", AT)
    generator = np.random.default_rng(1)
    for number in range(rounds):
        _, unit = experiment.allocate(f"u{number}", AT)
        mean = MEANS[experiment.number_of[unit.arm]]
        reward = generator.normal(mean) if rewards == "gaussian" else float(generator.random() < mean)
        experiment.reward(f"u{number}", unit, float(reward), AT)
    return experiment


def test_the_regret_so_far_lies_below_its_bound_and_the_bound_below_the_trivial_one():
    experiment = played(5000, rewards="gaussian", mean_bound=1.0)
    found = results_of(experiment.summary())
    regret = sum(n * (max(MEANS) - mean) for n, mean in zip(experiment.summary().counts, MEANS, strict=True))
    assert regret < found["regret"]["so_far_at_most"] < 2.0 * 5000
    assert found["regret"]["guarantee_at_horizon"] == sa.theory.guarantee(experiment.setup.policy).regret


def test_a_guarantee_is_told_where_it_says_more_than_that_no_more_can_be_lost():
    useful, trivial = (
        results_of(played(50, horizon=horizon, alpha=alpha).summary())["regret"]
        for horizon, alpha in ((10**8, 0.05), (100, 50.0))
    )
    share = useful["guarantee_at_horizon"] / useful["most_at_horizon"]
    assert "guaranteed if every reward comes before the next round" in useful["guarantee_words"]
    assert useful["guarantee_words"].endswith(f"{share:.1%} of all that could be lost.")
    assert trivial["guarantee_at_horizon"] == trivial["most_at_horizon"]
    assert trivial["guarantee_words"] == ""


@pytest.mark.parametrize("rounds", [1, 3, 20, 300])
def test_no_more_is_lost_than_the_largest_rewards_would_have_brought(rounds):
    for rewards, low, high in (("bernoulli", 0.0, 1.0), ("bounded", -2.0, 4.0)):
        ends = {"low": low, "high": high} if rewards == "bounded" else {}
        experiment = played(rounds, rewards=rewards, horizon=10**6, alpha=0.05, **ends)
        regret = results_of(experiment.summary())["regret"]
        assert regret["collected"] == sum(experiment.summary().sums)
        assert 0.0 <= regret["so_far_at_least"] <= regret["so_far_at_most"]
        assert regret["so_far_at_most"] <= high * rounds - regret["collected"] + 1e-9
        assert regret["guarantee_at_horizon"] <= regret["most_at_horizon"] == (high - low) * 10**6


def test_what_was_lost_is_estimated_by_the_best_mean_and_lies_between_its_ends():
    experiment = played(2000)
    found = results_of(experiment.summary())
    regret, best = found["regret"], max(arm["mean"] for arm in found["arms"])
    assert regret["so_far"] == pytest.approx(2000 * best - sum(experiment.summary().sums))
    assert regret["so_far_at_least"] < regret["so_far"] < regret["so_far_at_most"]
    assert regret["so_far_at_least"] < 2000 * max(MEANS) - regret["collected"] < regret["so_far_at_most"]


def test_before_every_arm_has_a_reward_nothing_is_estimated():
    assert results_of(played(2).summary())["regret"]["so_far"] is None
    nothing = results_of(played(0).summary())["regret"]
    assert (nothing["so_far"], nothing["so_far_at_least"], nothing["so_far_at_most"]) == (None, 0.0, 0.0)
    unbounded = results_of(played(2, rewards="gaussian", policy="GaussianThompson", constants=None).summary())
    assert unbounded["regret"]["so_far_at_most"] is None  # a third arm of which nothing is known


def test_an_interval_keeps_within_the_range_of_the_rewards():
    for rounds in (5, 60):
        found = results_of(played(rounds, horizon=10**5).summary())
        ends = [
            arm[kind][end]
            for arm in found["arms"]
            for kind in ("wald", "wilson", "anytime")
            for end in ("low", "high")
        ]
        assert 0.0 <= min(ends) <= max(ends) <= 1.0
    gaussian = results_of(played(60, rewards="gaussian", horizon=10**5).summary())
    assert min(arm["anytime"]["low"] for arm in gaussian["arms"]) < -1.0  # means within ±1 are only declared


def test_an_interval_that_speaks_against_the_declared_means_stays():
    experiment = played(0, rewards="gaussian", mean_bound=0.1)
    for number in range(300):
        _, unit = experiment.allocate(f"u{number}", AT)
        experiment.reward(f"u{number}", unit, 50.0, AT)
    regret = results_of(experiment.summary())["regret"]
    assert regret["so_far"] == 0.0
    assert regret["so_far_at_most"] > 0.0


def test_results_say_what_cannot_be_said():
    early = results_of(played(2).summary())
    assert early["prediction"] == {"available": False, "reason": "every arm needs a reward first"}
    assert early["arms"][0]["anytime"].keys() == {"low", "high"}
    thompson = results_of(played(50, policy="GaussianThompson", constants=None).summary())
    assert "no fluid prediction" in thompson["prediction"]["reason"]
    assert thompson["regret"]["guarantee_at_horizon"] is None
    assert math.isfinite(thompson["regret"]["so_far_at_most"])


def test_notes_tell_of_late_rewards_and_of_a_noise_scale_that_is_too_small():
    experiment = played(10, noise_scale=0.3)
    experiment.allocate("open", AT)
    _, lost = experiment.allocate("lost", AT)
    experiment.void("lost", lost, "never came", AT)
    notes = " ".join(results_of(experiment.summary())["notes"])
    assert "1 reward is outstanding and 1 unit was voided" in notes
    assert "as its noise_scale of 0.3 says" in notes
    assert "sub-Gaussian" not in notes


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"max_sd_share": 0.02}, "a standard deviation of at most 100 pulls"),
        ({"max_sd": 150, "guaranteed": False}, "a standard deviation of at most 150 pulls"),
        ({"max_regret_share": 0.04}, "an expected regret of at most 200"),
        ({"valid_intervals": True}, "the cheapest allocation after which ordinary intervals are valid"),
    ],
)
def test_the_goal_that_was_planned_for_is_told_as_a_plan_tells_it(plan, words):
    given = {"arms": ["a", "b"], "horizon": 5000, "rewards": "bernoulli", "plan": plan}
    experiment, _ = Experiment.create(1, "e", resolve(requested(given)), AT)
    asked = {"n_arms": 2, "horizon": 5000, "rewards": "bernoulli"}
    assert state_of(experiment.summary())["goal"] == words == sa.plan(**asked, **plan).goal


@pytest.mark.parametrize("plan", [None, 3, {"something_new": 3}, {"max_sd": "wide"}, {}])
def test_without_a_goal_that_is_known_none_is_told(plan):
    summary = played(0).summary()
    setup = summary.setup
    declared = setup.configuration | ({} if plan is None else {"plan": plan})
    assert state_of(replace(summary, setup=replace(setup, configuration=declared)))["goal"] is None


def test_an_index_is_the_envelope_and_the_stabilizer(api):
    api.create()
    for number in range(6):
        api.allocate(f"u{number}")
        if number != 2:
            api.report(f"u{number}", number % 2)
    arms = api("GET", "/v1/experiments/e/arms").json()["arms"]
    waiting = [arm for arm in arms if arm["rewarded"] == 0]
    assert all(arm["envelope"] is None and arm["stabilizer"] is None for arm in waiting)
    policy = sa.SLEUCB(n_arms=3, horizon=300, noise_scale=0.5)
    for arm in arms:
        if arm["rewarded"]:
            assert arm["stabilizer"] == pytest.approx(policy.lam * math.log(300 / arm["count"]))
            assert arm["index"] == pytest.approx(arm["envelope"] + arm["stabilizer"])


@pytest.mark.parametrize("n_arms", [2, 1000])
def test_a_level_is_possible_or_refused(api, n_arms):
    api.create(arms=[f"arm {number}" for number in range(n_arms)], horizon=10**6)
    units = [f"u{number}" for number in range(n_arms)]
    assert api("POST", "/v1/experiments/e/allocations", {"units": units}).status_code == 200
    for unit in units[:50]:
        api.report(unit, 1)
    for level in (5e-324, 1e-9, 0.95, 0.999999999):
        found = api("GET", f"/v1/experiments/e/results?level={level!r}")
        assert found.status_code == 200, found.text
        assert math.isfinite(found.json()["arms"][0]["mean"] or 0.0)
    for level in ("0", "1", "0.9999999999999999", "0.9999999999", "-1", "nan", "inf", "1e400", "x", ""):
        problem(api("GET", f"/v1/experiments/e/results?level={level}"), 422, "invalid")
    with pytest.raises(InvalidInput, match=r"level must be at most 0\.999999999"):
        results_of(api.service.writer.memory.published["e"], level=0.9999999999999999)
