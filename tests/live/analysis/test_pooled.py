"""Strata pooled: weighted so that no allocation turns a difference around, with intervals that hold."""

import pytest
from tests.live.core.setup.test_traffic import ASKED, AT

from steadyarm.live.analysis.results import results_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve

STRATA = ["desktop", "mobile"]


def test_a_better_arm_in_each_stratum_is_better_in_all_whatever_the_counts():
    setup = resolve(
        requested(ASKED | {"arms": ["old", "new"], "strata": STRATA, "horizon": 200, "policy": "UCB1"})
    )
    experiment, _ = Experiment.create(1, "e", setup, AT)
    experiment.move("started", AT)
    ones = {("desktop", "old"): 8, ("desktop", "new"): 9, ("mobile", "old"): 1, ("mobile", "new"): 2}
    seen = dict.fromkeys(ones, 0)
    for number in range(280):
        stratum = STRATA[number >= 100]
        _, unit = experiment.allocate(f"u{number}", AT, stratum=stratum)
        place = seen[stratum, unit.arm]
        seen[stratum, unit.arm] += 1
        experiment.reward(f"u{number}", unit, float(place % 10 < ones[stratum, unit.arm]), AT)
    found = results_of(experiment.summary())
    apart = {part["stratum"]: part["arms"] for part in found["strata"]}
    for number, arm in enumerate(found["arms"]):
        both = [apart[name][number] for name in STRATA]
        assert arm["count"] == sum(each["count"] for each in both)
        assert arm["mean"] == pytest.approx((100 * both[0]["mean"] + 180 * both[1]["mean"]) / 280)
        low = (100 * both[0]["anytime"]["low"] + 180 * both[1]["anytime"]["low"]) / 280
        assert arm["anytime"]["low"] < low < arm["mean"] < arm["anytime"]["high"]
    old, new = found["arms"]
    assert new["mean"] > old["mean"]
    assert found["regret"]["collected"] == sum(part["regret"]["collected"] for part in found["strata"])
    assert found["regret"]["level"] == found["level"] == 0.95
    bounds = [part["regret"]["guarantee_at_horizon"] for part in found["strata"]]
    told = None not in bounds and sum(bounds) < found["regret"]["most_at_horizon"]
    assert found["regret"]["guarantee_words"].startswith("Expected loss over all") is told


def test_nothing_is_pooled_before_every_stratum_has_a_reward():
    setup = resolve(requested(ASKED | {"strata": STRATA}))
    experiment, _ = Experiment.create(1, "e", setup, AT)
    found = results_of(experiment.summary())
    assert {arm["mean"] for arm in found["arms"]} == {None}
    assert found["round"] == 0
