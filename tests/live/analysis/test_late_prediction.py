"""The band of an experiment that learns late or in batches: simulated as it is played, within a budget, once."""

from dataclasses import replace

import numpy as np
import pytest
from tests.live.core.courses.test_updates import created, played

import steadyarm as sa
from steadyarm.live.analysis import late_prediction
from steadyarm.live.analysis.health import health_of, vitals_of
from steadyarm.live.analysis.prediction import band_of, prediction_of
from steadyarm.live.analysis.results import results_of
from steadyarm.live.core.journal import read
from steadyarm.model.feedback import Feedback

LATE = [Feedback(batch=40), Feedback(sa.Delay.fixed(25), 40), Feedback(sa.Delay.fixed(25))]


@pytest.fixture(autouse=True)
def _nothing_simulated_yet():
    late_prediction._simulated.cache_clear()


@pytest.mark.parametrize("policy", ["MOSS", "Steady", "UCB1", "BetaThompson"])
@pytest.mark.parametrize("feedback", LATE, ids=str)
def test_a_healthy_experiment_is_inside_its_band_and_one_that_gave_its_arms_otherwise_is_not(
    policy, feedback
):
    more = {"delay": feedback.delay.rounds} | ({"spread": 20.0} if policy == "Steady" else {})
    experiment, rows = played(feedback, policy=policy, **more)
    summary, vitals = experiment.summary(), vitals_of(experiment.setup)
    for row in rows:
        vitals.take(read("e", row))
    found = prediction_of(summary)
    assert found["simulated_runs"] == late_prediction.MOST_RUNS
    health = health_of(summary, vitals, found)
    assert health["allocation"]["inside"], health["allocation"]["words"]
    assert health["alarms"] == []
    best = int(np.argmax(summary.counts))
    wrong = replace(summary, counts=tuple(np.roll(summary.counts, 1)))
    assert not health_of(wrong, vitals, prediction_of(wrong))["allocation"]["inside"]
    assert best == 1


def test_the_band_is_that_of_the_simulation_with_the_same_batch_and_delay():
    experiment, _ = played(Feedback(sa.Delay.fixed(25), 40), policy="MOSS", delay=25)
    summary = experiment.summary()
    means = [total / n for total, n in zip(summary.sums, summary.observed, strict=True)]
    late, at_once = (
        sa.simulate(summary.setup.policy, sa.Instance.bernoulli(means), runs=2000, seed=3, **told)
        for told in ({"batch": 40, "delay": 25}, {})
    )
    band = band_of(summary)
    assert band["rounds"] == [*range(40, summary.horizon, 40), summary.horizon]
    for arm in range(3):
        error = late.sd[arm] / np.sqrt(late_prediction.MOST_RUNS)
        assert abs(band["counts"][arm][-1] - late.counts[:, arm].mean()) < 5 * error + 2
    gone = [abs(band["counts"][arm][-1] - at_once.counts[:, arm].mean()) for arm in range(3)]
    assert max(gone) > 20


def test_a_look_that_knows_no_more_simulates_nothing(monkeypatch):
    experiment, _ = played(Feedback(batch=40), policy="MOSS")
    summary, calls = experiment.summary(), []
    honest = late_prediction.simulate
    monkeypatch.setattr(late_prediction, "simulate", lambda *a, **k: calls.append(1) or honest(*a, **k))
    for _ in range(3):
        results_of(summary)
        band_of(summary)
    assert len(calls) == 1


def test_what_would_take_too_long_is_not_simulated_and_says_so(monkeypatch):
    experiment, _ = played(Feedback(batch=150), policy="MOSS")
    monkeypatch.setattr(late_prediction, "BUDGET_SECONDS", 1e-6)
    for found in (prediction_of(experiment.summary()), band_of(experiment.summary())):
        assert not found["available"]
        assert "40 simulated runs of" in found["reason"]
        assert "steadyarm simulate --batch 150 --delay 0" in found["reason"]


def test_before_every_arm_has_a_reward_there_is_none():
    found = prediction_of(created(policy="MOSS", batch=10)[0].summary())
    assert found == {"available": False, "reason": "every arm needs a reward first"}
