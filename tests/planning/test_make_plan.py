"""`plan`: what it takes together, what it refuses, and five situations that teams are in."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput

KNOWN = {"n_arms": 2, "horizon": 400, "baseline": 0.3, "smallest_difference": 0.1}

SITUATIONS = {
    "conversion": {"n_arms": 4, "horizon": 10_000, "baseline": 0.03, "smallest_difference": 0.01},
    "revenue": {"n_arms": 3, "horizon": 20_000, "baseline": (8.0, 50.0), "smallest_difference": 2.0},
    "clinical": {"n_arms": 2, "horizon": 300, "baseline": 0.4, "smallest_difference": 0.15},
    "headlines": {
        "n_arms": 20,
        "per_day": 10**6,
        "days": 0.008,
        "baseline": 0.01,
        "smallest_difference": 0.002,
    },
    "prices": {
        "n_arms": 3,
        "per_day": 500,
        "days": 14,
        "delay_days": 3,
        "baseline": 0.05,
        "smallest_difference": 0.02,
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SITUATIONS)
def test_five_situations_end_in_finite_numbers_and_a_recommendation(name):
    plan = sa.plan(**SITUATIONS[name], runs=20, seed=1)
    assert len(plan.measured) >= 6
    numbers = plan.table.drop(columns=["design", "interval", "days"]).to_numpy(dtype=float)
    assert np.isfinite(numbers).all()
    assert (plan.table["lost_at_worst_high"] >= plan.table["least_at_worst"]).all()
    assert plan.recommendation.design.name in list(plan.table["design"])
    assert plan.recommendation.sentence.endswith(".")


@pytest.mark.slow
def test_simulation_on_another_seed_confirms_the_plan_within_its_stated_errors():
    plan = sa.plan(**SITUATIONS["clinical"], runs=60, seed=1)
    again = sa.plan(**SITUATIONS["clinical"], runs=120, seed=2)
    compared = 0
    for one, other in zip(plan.measured, again.measured, strict=True):
        for name, estimate in one.estimates().items():
            second = other.estimates()[name]
            halves = [(each.high - each.low) / 2.0 for each in (estimate, second)]
            if name != "spread_at_worst":  # the largest of two, which may be other ones on another seed
                assert abs(estimate.value - second.value) <= 2.2 * np.hypot(*halves) + 1e-9, (
                    one.design.name,
                    name,
                )
                compared += 1
    assert compared > 60


@pytest.mark.slow
def test_skewed_outcomes_of_the_same_noise_confirm_a_plan_made_for_gaussian_ones():
    """Revenue: most visitors buy nothing, a few buy for much. Played unit by unit."""
    chance, basket = 0.05, 160.0
    mean = chance * basket
    sd = np.sqrt(2.0 * chance * basket**2 - mean**2)  # exponential baskets
    plan = sa.plan(n_arms=2, horizon=1000, baseline=(mean, sd), smallest_difference=4.0, runs=60, seed=1)
    design = plan.measured[2].design
    random, lost = np.random.default_rng(5), []
    for run in range(40):
        play = design.policy.start(seed=run)
        bought = random.random((2, 1000)) < chance
        outcomes = np.where(bought, random.exponential(basket, (2, 1000)), 0.0)
        outcomes[1] *= (mean + 4.0) / mean
        for _ in range(1000):
            arm = play.ask()
            play.tell(arm, outcomes[arm, play.counts[arm] - 1])
        lost.append(4.0 * play.counts[0])
    predicted = plan.measured[2].lost_at_smallest
    error = 2.0 * np.std(lost) / np.sqrt(40)
    assert abs(np.mean(lost) - predicted.value) <= 2.0 * np.hypot(error, predicted.high - predicted.value)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rewards": "bernoulli"}, "rewards describe a class of rewards, and baseline describes one too"),
        ({"noise_scale": 0.5, "low": 0.0}, "noise_scale and low describe a class"),
        ({"smallest_difference": None}, "needs smallest_difference"),
        ({"guaranteed": True}, "guaranteed is about a goal"),
        ({"max_sd": 10, "max_regret": 10}, "exactly one goal; got 2"),
        ({"runs": 5}, "runs must be at least 20; got 5"),
        ({"baseline": None}, "a plan needs horizon and one goal, or a baseline"),
    ],
)
def test_what_does_not_go_together_is_refused(changed, message):
    with pytest.raises(InvalidInput, match=message):
        sa.plan(**KNOWN | changed)


def test_a_plan_without_a_baseline_needs_a_horizon():
    with pytest.raises(InvalidInput, match="a plan needs horizon and one goal, or a baseline"):
        sa.plan(max_sd=10)
