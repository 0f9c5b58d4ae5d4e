"""The notes of a plan: what a reader of its numbers has to know."""

from itertools import product

import pytest

import steadyarm as sa
from steadyarm.planning.baseline.designs import designs_for, equal_loss, equal_loss_today
from steadyarm.planning.baseline.notes import worst_words
from steadyarm.planning.baseline.situation import describe

CLINIC = {"n_arms": 2, "horizon": 240, "baseline": 0.35, "smallest_difference": 0.15}


def test_at_worst_says_that_arm_0_may_lie_anywhere_in_the_range_too():
    words = worst_words(describe(**CLINIC))
    assert "wherever in the plausible range all rates lie, that of arm 0 too" in words
    assert "If it stays at 35%, equal shares lose at most 54 conversions, not 96" in words
    revenue = worst_words(describe(n_arms=2, horizon=1000, baseline=(8.0, 50.0), smallest_difference=1.0))
    assert "If it stays at 8, equal shares lose at most 1,500 units of reward, not 3,000" in revenue


def test_where_arm_0_is_at_an_end_of_the_range_nothing_is_said_of_its_staying_there():
    assert "stays at" not in worst_words(describe(**CLINIC, differences=(0.0, 0.3)))


def test_the_sentence_that_leaves_a_guarantee_out_is_about_all_arms_too():
    small = designs_for(describe(n_arms=2, horizon=300, baseline=0.03, smallest_difference=0.003))
    assert "wherever in the plausible range all arms lie, arm 0 too" in small.notes[0]


@pytest.mark.parametrize("differences", [(-0.35, 0.45), (-0.3, 0.15), (0.0, 0.2), (-0.01, 0.16)])
@pytest.mark.parametrize("arms", [2, 3, 5])
def test_what_equal_shares_lose_at_most_is_the_largest_of_all_corners_of_the_range(arms, differences):
    situation = describe(**CLINIC | {"n_arms": arms}, differences=differences)

    def lost(means):
        return 240 * (max(means) - sum(means) / arms)

    corners = [lost(means) for means in product(situation.mean_range, repeat=arms)]
    assert equal_loss(situation) == pytest.approx(max(corners))
    today = [lost((0.35, *means)) for means in product(situation.mean_range, repeat=arms - 1)]
    assert equal_loss_today(situation) == pytest.approx(max(today))


def test_the_reason_why_power_falls_from_one_design_to_the_next_is_told():
    notes = sa.plan(**CLINIC).notes
    assert any(
        "at most 10% of itself from run to run" in note and "power falls sharply" in note for note in notes
    )


@pytest.mark.parametrize("late", [{}, {"per_day": 10, "delay_days": 3}])
def test_no_note_of_a_plan_takes_a_statistician(late):
    notes = " ".join(sa.plan(**CLINIC, **late).notes)
    for word in ("σ", "Kearns", "first order", "finite-time", "Theorem", "sub-Gaussian"):
        assert word not in notes


def test_a_range_that_rates_cut_off_is_not_said_to_be_three_times_the_smallest_either_way():
    assert "as far as rates between 0% and 100% allow" in describe(**CLINIC).remarks[0]
    assert "as far as" not in describe(**CLINIC | {"smallest_difference": 0.1}).remarks[0]


def test_what_is_expected_in_all_stands_in_every_plan():
    assert "At the baseline all units bring about 84 conversions." in describe(**CLINIC).words
    revenue = describe(n_arms=2, horizon=1000, baseline=(8.0, 50.0), smallest_difference=1.0)
    assert revenue.words.endswith("At the baseline all units bring about 8,000 units of reward.")
