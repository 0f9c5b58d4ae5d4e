"""Each check of an experiment's health is quiet while all is well, and raises an alarm when its fault is there."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from steadyarm.live.analysis import vitals as module
from steadyarm.live.analysis.evidence import Steadiness
from steadyarm.live.analysis.health import FALSE_ALARMS, alarms_of, health_of, vitals_of
from steadyarm.live.analysis.prediction import prediction_of
from steadyarm.live.analysis.results import finite
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import canonical, read
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-11-15T09:30:00.125Z"
PATH = Path(__file__).parents[3] / "tools" / "health_measured.py"


def load():
    spec = spec_from_file_location("health_measured", PATH)
    tool = module_from_spec(spec)
    sys.modules.setdefault("health_measured", tool)
    spec.loader.exec_module(tool)
    return tool


tool = load()


def health(simulated, now=None):
    simulated.follow()
    summary = simulated.experiment.summary()
    return finite(health_of(summary, simulated.vitals, prediction_of(summary), now))


@pytest.mark.slow
def test_healthy_experiments_seldom_have_an_alarm_in_all_their_life(monkeypatch):
    monkeypatch.setattr(module.Looks, "due", lambda *_: True)
    situations = [*tool.HEALTHY.values()]
    raised = [bool(tool.Simulated(seed, units=300, **situations[seed % 5]).alarms()) for seed in range(40)]
    assert np.mean(raised) <= FALSE_ALARMS


FAULTS = {
    "outcomes": {"missing": (0.1, 0.6)},
    "drift": {"later_means": (0.9, 0.9), "means": (0.1, 0.1), "policy": "RoundRobin"},
    "ratio": {"share": 1.0, "logged": 0.3, "policy": "RoundRobin"},
}


@pytest.mark.parametrize("check", FAULTS)
def test_a_fault_raises_the_alarm_of_its_check_and_no_other(check):
    simulated = tool.Simulated(1, units=600, **FAULTS[check])
    assert simulated.alarms() == [check]
    found = health(simulated)
    assert found["alarms"] == [check]
    assert found[check]["alarm"]
    assert found[check]["chance"] <= FALSE_ALARMS
    assert 1 < found[check]["since_seq"] <= found["seq"]
    assert "'arm " in found["words"]


def test_what_comes_early_may_differ_from_what_comes_late_without_an_alarm():
    simulated = tool.Simulated(3, units=600, missing=0.0, delay=120, policy="RoundRobin", means=(0.3, 0.3))
    assert simulated.alarms() == []
    as_they_come, largest = Steadiness(600, 0.0, 1.0), 0.0
    for row in simulated.rows:
        if row.kind == "rewarded":
            as_they_come.take(read("e", row)["reward"])
            largest = max(largest, as_they_come.evidence())
    assert largest > simulated.vitals.highest["drift"].enough


def test_an_experiment_without_units_is_healthy_as_far_as_is_known():
    simulated = tool.Simulated(1)
    found = health(simulated)
    assert found["alarms"] == []
    assert not found["allocation"]["available"]
    assert [arm["share_missing"] for arm in found["outcomes"]["arms"]] == [None, None]
    canonical(found)


def test_when_every_outcome_is_missing_no_arm_stands_out():
    simulated = tool.Simulated(1, units=400, missing=1.0, policy="RoundRobin")
    assert simulated.alarms() == []
    found = health(simulated)
    assert [arm["share_missing"] for arm in found["outcomes"]["arms"]] == [1.0, 1.0]
    assert all(
        arm["oldest_waiting_seconds"] > module.MISSING_AFTER_SECONDS for arm in found["outcomes"]["arms"]
    )
    assert found["drift"]["chance"] == 1.0


def test_health_tells_lateness_and_the_oldest_that_waits():
    simulated = tool.Simulated(2, units=300, means=(0.0, 0.0), missing=0.0, policy="RoundRobin")
    for _ in simulated.steps():
        pass
    first, _ = health(simulated, now=simulated.vitals.clock + 600.0)["outcomes"]["arms"]
    assert first["median_lateness_seconds"] == pytest.approx(3600.0, rel=0.1)
    assert first["oldest_waiting_seconds"] == pytest.approx(3300.0, abs=301.0)  # u294 or u295
    assert first["waiting"] == 3


def test_the_band_says_inside_or_outside_with_numbers():
    simulated = tool.Simulated(2, units=300, missing=0.0, policy="SLEUCB", constants="sharp", alpha=1.0)
    for _ in simulated.steps():
        pass
    summary = simulated.experiment.summary()
    prediction = prediction_of(summary)
    inside = health_of(summary, simulated.vitals, prediction)["allocation"]
    assert inside["inside"]
    assert "standard deviations away" in inside["words"]
    prediction["arms"][1]["deviations"] = -3.5
    outside = health_of(summary, simulated.vitals, prediction)
    assert outside["allocation"]["outside"] == ["arm 1"]
    assert "1 arm is outside of the band of 3." in outside["allocation"]["words"]
    assert outside["alarms"] == []  # it is information, with no rate of false alarms


def test_the_same_journal_gives_the_same_health_whatever_the_slices():
    simulated = tool.Simulated(1, units=300, missing=(0.1, 0.6))
    simulated.alarms()
    again = vitals_of(simulated.experiment.setup)
    for row in simulated.rows:
        again.take(read("e", row))
    summary = simulated.experiment.summary()
    prediction = prediction_of(summary)
    assert health_of(summary, again, prediction) == health_of(summary, simulated.vitals, prediction)
    assert alarms_of(again) == alarms_of(simulated.vitals)


def test_how_far_was_looked_is_told_once_however_many_strata_have_an_alarm():
    asked = {"arms": ["a", "b"], "horizon": 500, "rewards": "bernoulli", "policy": "RoundRobin", "seed": 1}
    experiment, created = Experiment.create(1, "e", resolve(requested(asked | {"strata": ["x", "y"]})), AT)
    vitals = vitals_of(experiment.setup)
    rows = [created, experiment.move("started", AT)]
    for number in range(300):
        row, unit = experiment.allocate(str(number), AT, None, "xy"[number % 2])
        if unit.arm == "a" and unit.round > 4:
            rows += [row, experiment.void(str(number), unit, "lost", AT)[0]]
        else:
            rows += [row, experiment.reward(str(number), unit, 1.0, AT)[0]]
    for row in rows[:-1]:
        vitals.take(json.loads(row.body))
    summary = experiment.summary()
    found = health_of(summary, vitals, prediction_of(summary))
    assert found["alarms"] == ["outcomes"]
    assert found["words"].count("Stratum") == 2
    assert found["words"].count("entries were looked at") == 1
