"""What the journal knows about a unit, entry after entry."""

import pytest

from steadyarm.live.core.units import OUTCOMES, Unit, defaulted, unit_after


def entry(kind, seq, **members):
    return {"kind": kind, "seq": seq, "at": f"at {seq}"} | members


def after(*entries):
    unit = None
    for each in entries:
        unit = unit_after(unit, each)
    return unit


GIVEN = entry("allocated", 3, arm="a", round=7, stratum="s")


def test_an_amendment_corrects_the_reward_and_keeps_what_the_policy_was_told():
    unit = after(GIVEN, entry("rewarded", 5, reward=1.0), entry("amended", 8, reward=0.0, reason="refunded"))
    assert (unit.outcome, unit.reward, unit.first_reward) == ("amended", 0.0, 1.0)
    assert (unit.seq, unit.first_seq, unit.outcome_seq, unit.amends) == (3, 5, 8, 5)
    again = unit_after(unit, entry("amended", 9, reward=1.0, reason="paid after all"))
    assert (again.reward, again.amends, again.first_seq, again.reason) == (1.0, 8, 5, "paid after all")


@pytest.mark.parametrize("kind", [kind for kind in OUTCOMES if kind != "defaulted"])
def test_an_outcome_settles_a_unit_where_it_was_given(kind):
    unit = after(GIVEN, entry(kind, 5, reward=0.5, reason="lost"))
    assert (unit.arm, unit.round, unit.stratum, unit.outcome, unit.outcome_at) == ("a", 7, "s", kind, "at 5")


def test_who_is_held_out_has_no_round_and_stays_held_out_with_an_outcome():
    unit = after(entry("held", 2, arm="b"), entry("rewarded", 4, reward=1.0))
    assert (unit.round, unit.holdout, unit.arm, unit.reward) == (0, True, "b", 1.0)
    assert after(entry("held", 2)).arm == ""


def test_a_default_leaves_the_policys_arm_and_tells_what_was_served():
    unit = after(GIVEN, entry("defaulted", 6, arm="z"))
    assert (unit.arm, unit.served, unit.outcome, unit.round) == ("a", "z", "defaulted", 7)
    fresh = defaulted(None, "z", 6, "at 6", "s")
    assert (fresh.arm, fresh.served, fresh.round, fresh.stratum) == ("z", "z", 0, "s")


def test_entries_of_a_unit_that_is_not_known_change_nothing():
    assert unit_after(None, entry("rewarded", 5, reward=1.0)) is None
    assert unit_after(None, entry("amended", 5, reward=1.0, reason="x")) is None
    unit = Unit("a", 1, 2, "at 2")
    assert unit_after(unit, entry("paused", 9)) is unit
