"""What is followed of a journal: outcomes in the order of allocations, by the entries' own clock, in little memory."""

import pytest

from steadyarm.live.analysis import vitals as module
from steadyarm.live.analysis.health import vitals_of
from steadyarm.live.core.journal import later
from steadyarm.live.core.setup.configuration import requested, resolve

START = "2026-01-01T00:00:00.000Z"
DAY = 86_400.0


class Told:
    """Tells vitals entries of units, each with its arm and time."""

    def __init__(self, **configuration):
        given = {
            "arms": ["a", "b"],
            "horizon": 100_000,
            "rewards": "bernoulli",
            "policy": "RoundRobin",
            "seed": 1,
        }
        self.vitals, self.seq = vitals_of(resolve(requested(given | configuration))), 2

    def __call__(self, kind, unit, after=0.0, **members):
        self.seq += 1
        entry = {"seq": self.seq, "kind": kind, "unit": unit, "at": later(START, after)}
        self.vitals.take(entry | members)


def test_an_outcome_waits_for_those_of_earlier_units():
    told = Told()
    told("allocated", "u1", arm="a")
    told("allocated", "u2", arm="b")
    told("rewarded", "u2", reward=1.0)
    assert told.vitals.settled.tolist() == [0, 0]
    told("rewarded", "u1", reward=0.0)
    assert told.vitals.settled.tolist() == [1, 1]
    assert told.vitals.missing.tolist() == [0, 0]


def test_a_unit_is_passed_over_after_the_patience_and_its_late_outcome_is_no_evidence():
    told = Told()
    told("allocated", "u1", arm="a")
    told("allocated", "u2", arm="b")
    told("rewarded", "u2", reward=1.0)
    told("allocated", "u3", DAY + 1.0, arm="a")
    assert told.vitals.settled.tolist() == [1, 1]
    assert told.vitals.missing.tolist() == [1, 0]
    told("rewarded", "u1", DAY + 2.0, reward=1.0)
    assert told.vitals.late.tolist() == [1, 0]
    assert told.vitals.steadiness[0].number == 0
    assert told.vitals.missing.tolist() == [1, 0]


def test_an_outcome_that_comes_just_too_late_counts_as_missing_even_if_nobody_looked_before():
    told = Told()
    told("allocated", "u1", arm="a")
    told("rewarded", "u1", DAY + 2.0, reward=1.0)
    assert told.vitals.missing.tolist() == [1, 0]
    assert told.vitals.steadiness[0].number == 0


def test_with_a_window_silence_is_an_outcome_and_only_voids_are_missing():
    told = Told(attribution={"after": "P7D", "reward": 0})
    for unit in ("u1", "u2", "u3"):
        told("allocated", unit, arm="a")
    told("allocated", "u4", 3 * DAY, arm="b")
    assert told.vitals.settled.sum() == 0
    told("voided", "u2", 3 * DAY, reason="left")
    told("lapsed", "u1", 7 * DAY + 1.0, reward=0.0)
    told("lapsed", "u3", 7 * DAY + 1.0, reward=0.0)
    assert told.vitals.settled.tolist() == [3, 0]
    assert told.vitals.missing.tolist() == [1, 0]
    assert told.vitals.steadiness[0].number == 2


def test_a_clock_that_goes_back_settles_nothing_too_early_and_no_lateness_is_negative():
    told = Told()
    told("allocated", "u1", 100.0, arm="a")
    told("rewarded", "u1", 50.0, reward=1.0)
    assert told.vitals.median_lateness(0) == 0.0
    told("allocated", "u2", 2 * DAY, arm="b")
    told("allocated", "u3", 0.0, arm="a")
    told("rewarded", "u2", 60.0, reward=1.0)
    assert told.vitals.settled.tolist() == [1, 1]  # u3 has waited for a minute
    assert round(told.vitals.median_lateness(1)) == 60
    told("started", None, DAY + 120.0)
    assert told.vitals.settled.tolist() == [2, 1]  # and now for more than a day
    assert told.vitals.missing.tolist() == [1, 0]


@pytest.mark.parametrize(("limit", "word"), [("MOST_WAITING", "waited"), ("MOST_QUEUED", "came after")])
def test_too_many_units_to_follow_are_given_up_with_a_reason(monkeypatch, limit, word):
    monkeypatch.setattr(module, limit, 20)
    told = Told()
    told("allocated", "first", arm="a")
    for number in range(30):
        told("allocated", f"u{number}", arm="b")
        if limit == "MOST_QUEUED":
            told("rewarded", f"u{number}", reward=1.0)
    assert word in told.vitals.lost
    assert len(told.vitals.waiting) == 0
    told("rewarded", "first", reward=1.0)
    assert told.vitals.settled.sum() == 0


def test_memory_does_not_grow_with_the_units():
    told = Told()
    for number in range(12_000):
        told("allocated", f"u{number}", arm="ab"[number % 2])
        told("rewarded", f"u{number}", reward=float(number % 4 == 0))
    assert len(told.vitals._arms) <= 10_001
    assert told.vitals.settled.tolist() == [6_000, 6_000]
    assert len(told.vitals.steadiness[0]._cuts) < 40
