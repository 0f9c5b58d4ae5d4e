"""An arm that nobody hears of while others are heard of raises an alarm; one whose units are young does not."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from steadyarm.live.analysis import silence as module
from steadyarm.live.analysis.evidence import never_answered
from steadyarm.live.analysis.health import FALSE_ALARMS, alarms_of, enough, health_of, silent_in, vitals_of
from steadyarm.live.analysis.prediction import prediction_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import later, read
from steadyarm.live.core.setup.configuration import requested, resolve

START = "2026-01-01T00:00:00.000Z"
HOUR = 3600.0


class Played:
    """An experiment whose units come every `gap` seconds; `late` says after how many an arm's outcome does, if ever."""

    def __init__(self, late, arms="ab", gap=1.0, **configuration):
        given = {"arms": [*arms], "horizon": 10_000, "rewards": "bernoulli", "policy": "MOSS", "seed": 1}
        setup = resolve(requested(given | configuration))
        self.late, self.gap, self.units = late, gap, 0
        self.experiment, created = Experiment.create(1, "e", setup, START)
        self.vitals, self.due = vitals_of(setup), []
        self.follow(created, self.experiment.move("started", START))

    def follow(self, *rows):
        for row in rows:
            self.vitals.take(read("e", row))

    def play(self, units, stratum=""):
        """Let so many units come, and what is due by then."""
        for _ in range(units):
            self.units += 1
            at, name = self.gap * self.units, f"u{self.units}"
            row, unit = self.experiment.allocate(name, later(START, at), None, stratum)
            self.follow(row)
            late = self.late(unit.arm)
            if late is not None:
                self.due.append((at + late, name, unit))
            for when, due, known in [each for each in self.due if each[0] <= at]:
                self.follow(self.experiment.reward(due, known, 1.0, later(START, at))[0])
                self.due.remove((when, due, known))
        return self

    def health(self):
        summary = self.experiment.summary()
        return health_of(summary, self.vitals, prediction_of(summary))


def all_but(*silent, late=0.0):
    """Return a delay for each arm; the outcomes of some never come."""
    return lambda arm: None if arm in silent else late


def average(part, rest, chance):
    """Return the exact average of E over all that can come of so many units."""
    answered = np.arange(rest + 1.0)
    found = never_answered(np.full(rest + 1, float(part)), np.full(rest + 1, float(part + rest)), answered)
    return float((np.exp(found) * binom.pmf(answered, rest, chance)).sum() * (1.0 - chance) ** part)


@pytest.mark.parametrize("chance", [0.001, 0.01, 0.1, 0.5, 0.99])
@pytest.mark.parametrize(("part", "rest"), [(1, 1), (100, 1), (100, 20), (10, 300)])
def test_evidence_that_units_are_never_heard_of_is_one_on_average_or_less(part, rest, chance):
    assert average(part, rest, chance) <= 1.0 + 1e-9


@pytest.mark.parametrize("arms", ["ab", "abcde"])
@pytest.mark.parametrize("policy", ["SLEUCB", "MOSS"])
def test_an_arm_that_is_never_heard_of_raises_an_alarm_before_it_has_four_hundred_units(arms, policy):
    played = Played(all_but("b"), arms, policy=policy).play(400)
    found = played.health()
    assert found["alarms"] == ["silence"]
    assert found["silence"]["arm"] == "b"
    assert found["silence"]["chance"] <= FALSE_ALARMS
    assert found["silence"]["silent"] == ["b"]
    assert found["silence"]["arms"][1]["units"] > 390
    assert "Arm 'b'" in found["words"]
    for remedy in ("retire it", "attribution window", "`at_most`"):
        assert remedy in found["words"]


def test_without_the_check_nothing_would_be_said_of_it_on_that_day():
    played = Played(all_but("b")).play(400)
    assert [name for name in alarms_of(played.vitals) if name != "silence"] == []


def test_two_of_three_arms_that_are_never_heard_of_are_both_named():
    found = Played(all_but("a", "c"), "abc", gap=10.0).play(1200).health()
    assert found["alarms"] == ["silence"]
    assert found["silence"]["silent"] == ["a", "c"]
    assert found["silence"]["words"].startswith(
        "Arms 'a', 'c': 1,199 units and no outcome at all, while 1 of the 1 other"
    )


def test_units_that_are_younger_than_outcomes_take_are_no_evidence():
    played = Played(lambda arm: 2 * HOUR if arm == "a" else None)
    played.play(
        2 * 3600 + 40
    )  # half are of the other arm until the first outcome, and none of those is old enough
    assert played.experiment.summary().observed[0] > 0
    assert alarms_of(played.vitals) == []
    assert played.vitals.highest["silence"].values.max() < 0.5 * enough(2)


def test_an_arm_that_is_heard_of_once_is_not_silent_and_nothing_more_is_kept_of_it():
    heard = iter([None, None, 0.0])
    played = Played(lambda arm: next(heard, None) if arm == "b" else 0.0).play(400)
    assert alarms_of(played.vitals) == []
    assert not played.vitals.silence.followed
    assert played.health()["silence"]["silent"] == []


def test_before_any_outcome_no_arm_is_silent():
    played = Played(all_but("a", "b")).play(400)
    assert alarms_of(played.vitals) == []
    found = played.health()["silence"]
    assert found["silent"] == []
    assert found["words"] == "Outcomes come from every arm, as far as can be told."


def test_silence_is_told_from_ten_units_on_though_it_is_no_alarm_yet():
    played = Played(all_but("b"))
    assert played.play(10).health()["silence"]["silent"] == []
    found = played.play(2).health()["silence"]
    assert not found["alarm"]
    assert found["words"].startswith(
        "Arm 'b': 11 units and no outcome at all, while 1 of the 1 other unit has one."
    )


def test_with_an_attribution_window_silence_is_told_and_never_an_alarm():
    played = Played(all_but("b"), attribution={"after": "P14D", "reward": 0}).play(600)
    found = played.health()
    assert found["alarms"] == []
    assert found["silence"]["silent"] == ["b"]
    assert "until its first silence counts" in found["silence"]["words"]


def test_voids_are_no_outcomes():
    played = Played(all_but("b")).play(1)
    while played.units < 600:
        played.units += 1
        at, name = later(START, played.gap * played.units), f"u{played.units}"
        row, unit = played.experiment.allocate(name, at)
        told = played.experiment.reward(name, unit, 1.0, at) if unit.arm == "a" else None
        told = told or played.experiment.void(name, unit, "no answer", at)
        played.follow(row, told[0])
    assert alarms_of(played.vitals) == ["silence"]
    assert played.health()["silence"]["silent"] == ["b"]


def test_an_alarm_stays_when_the_arm_is_retired_and_its_words_say_so():
    played = Played(all_but("b"), "abc").play(400)
    played.follow(played.experiment.retire("b", "it crashes", later(START, 401.0)))
    found = played.health()
    assert found["alarms"] == ["silence"]
    assert found["silence"]["silent"] == []
    assert found["silence"]["words"].startswith("For a long time arm 'b' had no outcome")


def test_strata_are_silent_apart():
    played = Played(all_but("b"), strata=["x", "y"])
    played.play(700, "x")
    played.play(4, "y")
    found = played.health()
    assert found["alarms"] == ["silence"]
    assert found["words"].startswith("Stratum 'x': Arm 'b': 699 units")
    assert silent_in(found) == {"b"}
    assert silent_in({}) == set()


def test_units_are_followed_in_bounded_memory(monkeypatch):
    monkeypatch.setattr(module, "MOST_UNITS", 50)
    played = Played(all_but("b"), gap=0.1).play(80)
    assert not played.vitals.silence.followed
    assert len(played.vitals.silence._arms) == 0
    assert played.health()["silence"]["silent"] == ["b"]  # is told all the same


def healthy_alarm(seed, share):
    """Play two arms of which a share of outcomes comes; an arm without any comes first. Whether an alarm was raised."""
    draw = np.random.default_rng(seed)
    played = Played(lambda _: 0.0 if draw.random() < share else None, seed=seed, gap=60.0)
    return bool(alarms_of(played.play(400).vitals))


@pytest.mark.slow
def test_arms_that_are_seldom_heard_of_raise_few_alarms_and_a_rule_of_thumb_raises_many():
    seeds = range(40)
    assert np.mean([healthy_alarm(seed, 0.02) for seed in seeds]) <= FALSE_ALARMS
    waits = np.random.default_rng(5).geometric(0.02, (4000, 2))
    # "Twenty units and no outcome, while the other arm has one", if units are shared until the first is heard of.
    assert np.mean(waits.max(axis=1) - waits.min(axis=1) > 20) > math.sqrt(FALSE_ALARMS)
