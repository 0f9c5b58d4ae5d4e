"""p-values: what they are where textbooks know them, that they go with the intervals, and that they hold."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm, ttest_ind

import steadyarm as sa
from steadyarm.inference.differences import METHODS_OF_DIFFERENCES, difference_ends
from steadyarm.inference.p_values import p_values
from steadyarm.inference.sample import Sample

LEVELS = st.sampled_from([0.5, 0.9, 0.95, 0.999])


@st.composite
def experiments(draw):
    """Arguments of `differences` for two to four arms of any kind of rewards, and a method that is made for them."""
    n_arms = draw(st.integers(2, 4))
    rewards = draw(st.sampled_from(["gaussian", "estimated", "bernoulli", "bounded"]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    counts = draw(st.lists(st.integers(0, 400), min_size=n_arms, max_size=n_arms))
    low, high = (-2.0, 3.0) if rewards == "bounded" else (0.0, 1.0)
    if rewards in ("gaussian", "estimated"):
        rows = [rng.normal(rng.uniform(0.0, 2.0), 1.0, n) for n in counts]
    elif rewards == "bernoulli":
        rows = [(rng.random(n) < rng.random()).astype(float) for n in counts]
    else:
        rows = [low + (high - low) * rng.beta(*rng.uniform(0.5, 3.0, 2), n) for n in counts]
    before = [np.cumsum(row)[:-1] / np.arange(1, len(row)) for row in rows]
    away = [float(((row[1:] - mean) ** 2).sum()) for row, mean in zip(rows, before, strict=True)]
    moments = {"squares": [float((row**2).sum()) for row in rows], "deviations": away}
    kind = (
        {"rewards": "gaussian", "noise_scale": "estimated"}
        if rewards == "estimated"
        else {"rewards": rewards}
    )
    kind |= {"low": low, "high": high} if rewards == "bounded" else {}
    methods = {"estimated": ["wald"], "bernoulli": METHODS_OF_DIFFERENCES}.get(rewards, ["wald", "anytime"])
    sums = [float(row.sum()) for row in rows]
    return (counts, sums), kind | moments | {"method": draw(st.sampled_from(methods)), "level": draw(LEVELS)}


@given(experiments(), st.sampled_from([None, 0]))
def test_a_p_value_is_below_one_less_the_level_exactly_where_the_interval_leaves_out_nought(data, control):
    (counts, sums), how = data
    found = sa.differences(counts, sums, control=control, **how)
    for row in found:
        assume(abs(row.p_value / (1.0 - how["level"]) - 1.0) > 1e-3)  # ends are rounded outwards
        assert (row.p_value < 1.0 - how["level"]) == (row.better is not None)
        if how["method"] == "anytime":
            assert row.anytime_p_value == row.p_value
        assert (row.anytime_p_value is None) == (how.get("noise_scale") == "estimated")
        assert 0.0 <= row.p_value <= 1.0


def test_walds_p_values_are_welchs_and_the_normals():
    rng = np.random.default_rng(3)
    one, other = rng.normal(1.0, 1.0, 9), rng.normal(0.0, 3.0, 40)
    counts, sums = [9, 40], [one.sum(), other.sum()]
    squares = [(one**2).sum(), (other**2).sum()]
    welch = sa.differences(counts, sums, squares=squares, noise_scale="estimated", method="wald")[0]
    assert welch.p_value == pytest.approx(ttest_ind(one, other, equal_var=False).pvalue)
    known = sa.differences(counts, sums, noise_scale=2.0, method="wald")[0]
    score = (one.mean() - other.mean()) / (2.0 * math.sqrt(1 / 9 + 1 / 40))
    assert known.p_value == pytest.approx(2.0 * norm.sf(abs(score)))


def test_p_values_of_many_differences_are_as_many_times_as_large_and_one_at_most():
    counts, sums = [100, 100, 100], [30, 50, 33]
    alone = sa.differences(counts[:2], sums[:2], rewards="bernoulli", method="wilson")[0]
    pairs = sa.differences(counts, sums, rewards="bernoulli", method="wilson")
    assert pairs[0].p_value == pytest.approx(3.0 * alone.p_value)
    assert pairs[1].p_value == 1.0


def test_without_rewards_or_a_variance_a_p_value_is_one():
    assert sa.differences([0, 10], [0, 9], rewards="bernoulli", method="wilson")[0].p_value == 1.0
    same = {"squares": [4.0, 0.0], "noise_scale": "estimated", "method": "wald"}
    assert sa.differences([4, 4], [4.0, 0.0], **same)[0].p_value == 1.0
    sure = sa.differences([10, 10], [0, 10], rewards="bernoulli", method="wald")[0]
    assert (sure.low, sure.high, sure.p_value) == (-1.0, 1.0, 1.0)  # rates of 0 and 1 have no standard error
    assert sa.differences([10, 10], [0, 10], rewards="bernoulli", method="wilson")[0].p_value < 1e-3


def looked_at_often(runs, rounds, rate):
    """Counts and sums of two equal coins in turn, (runs, looks, arms)."""
    rng = np.random.default_rng(4)
    ones = (rng.random((runs, rounds, 2)) < rate).cumsum(axis=1)
    counts = np.broadcast_to(np.arange(1, rounds + 1)[None, :, None], ones.shape)
    return counts[:, 4::3], ones[:, 4::3].astype(float)


def test_the_anytime_p_value_of_equal_arms_is_ever_below_alpha_in_a_share_alpha_of_runs_and_the_other_in_more():
    runs, alpha = 400, 0.1
    counts, sums = looked_at_often(runs, 200, 0.3)
    sample = Sample(counts, sums, None, None, "bernoulli", 0.0, 1.0, None)
    ever = {
        # At another level than it was tuned for: a p-value is valid at every one.
        method: (p_values(sample, method, 0.99, [(1, 0)], optimal_at=100).min(axis=(1, 2)) < alpha).mean()
        for method in ("anytime", "wilson")
    }
    error = math.sqrt(alpha * (1 - alpha) / runs)
    assert ever["anytime"] < alpha + 3 * error < ever["wilson"]
    end = p_values(sample, "wilson", 0.99, [(1, 0)], optimal_at=100)[:, -1, 0]
    assert abs((end < alpha).mean() - alpha) < 4 * error  # of one look


def every_fifth(sample):
    """The sample at every fifth look."""
    away = None if sample.deviations is None else sample.deviations[:, 4::5]
    return replace(sample, counts=sample.counts[:, 4::5], sums=sample.sums[:, 4::5], deviations=away)


def test_the_evidence_of_gaussian_and_bounded_rewards_holds_whenever_one_looks_too():
    rng, runs, rounds, alpha = np.random.default_rng(5), 300, 150, 0.1
    rewards = rng.random((runs, rounds, 2))
    counts = np.broadcast_to(np.arange(1, rounds + 1)[None, :, None], rewards.shape)
    sums = rewards.cumsum(axis=1)
    means = sums[:, :-1] / counts[:, :-1]
    away = np.concatenate([np.zeros((runs, 1, 2)), (rewards[:, 1:] - means) ** 2], axis=1).cumsum(axis=1)
    bounded = Sample(counts, sums, None, away, "bounded", 0.0, 1.0, None)
    gaussian = Sample(counts, sums, None, None, "gaussian", -np.inf, np.inf, np.array([12**-0.5] * 2))
    for sample in (bounded, gaussian):
        least = p_values(every_fifth(sample), "anytime", 0.9, [(1, 0)], optimal_at=75).min(axis=(1, 2))
        assert (least < alpha).mean() < alpha + 3 * math.sqrt(alpha * (1 - alpha) / runs)
        apart = replace(sample, sums=sums + counts * [0.0, 0.5], high=sample.high + 1.0)
        assert p_values(every_fifth(apart), "anytime", 0.9, [(1, 0)], optimal_at=75)[:, -1, 0].max() < 0.05


KINDS = {
    "gaussian": (-np.inf, np.inf, np.array([1.0, 2.0])),
    "bernoulli": (0.0, 1.0, None),
    "bounded": (0.0, 1.0, None),
}


@pytest.mark.parametrize(
    ("rewards", "method"),
    [(kind, "anytime") for kind in KINDS]
    + [("gaussian", "wald"), ("bernoulli", "wald"), ("bernoulli", "wilson")],
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_where_an_end_of_the_interval_touches_nought_the_p_value_is_one_less_the_level(
    rewards, method, level
):
    known, away = KINDS[rewards], np.array([5.0, 6.0])

    def sample(total):
        return Sample(np.array([400, 500]), np.array([total, 250.0]), None, away, rewards, *known)

    def low(total):
        return difference_ends(sample(total), method, level, [(0, 1)], optimal_at=400)[0][0]

    touching = brentq(low, 202.0, 398.0, xtol=1e-9)
    chance = p_values(sample(touching), method, level, [(0, 1)], optimal_at=400)
    assert chance[0] == pytest.approx(1.0 - level, rel=2e-3)
