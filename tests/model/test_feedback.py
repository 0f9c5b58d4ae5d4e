"""When rewards are told: the definition, the laws of delays, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model.feedback import AT_ONCE, NEVER, Feedback, feedback_of

rounds = st.integers(1, 10**9)


def delays_of(law, number=40_000):
    feedback = Feedback(law)
    return np.array([feedback.due(7, 3, each) - each for each in range(1, number + 1)])


@given(number=rounds, delay=st.integers(0, 1000), batch=st.integers(1, 1000))
def test_a_reward_is_told_at_the_first_multiple_of_the_batch_after_its_delay(number, delay, batch):
    due = Feedback(sa.Delay.fixed(delay), batch).due(0, 0, number)
    assert due % batch == 0
    assert number + delay <= due < number + delay + batch


def test_no_delay_and_no_batch_is_at_once():
    assert feedback_of(0, 1) == feedback_of(sa.Delay.fixed(0), 1) == feedback_of(None, 1) == AT_ONCE
    assert not feedback_of(0, 2).at_once
    assert not feedback_of(1, 1).at_once


@pytest.mark.parametrize("mean", [0.5, 30.0])
def test_a_geometric_delay_has_its_law(mean):
    found, chance = delays_of(sa.Delay.geometric(mean)), 1.0 / (1.0 + mean)
    spread = math.sqrt(mean * (1.0 + mean))
    assert abs(found.mean() - mean) < 4.0 * spread / math.sqrt(len(found))
    edges = np.unique(stats.geom.ppf(np.arange(0.1, 1.0, 0.1), chance, loc=-1))
    cells = np.searchsorted(edges, found)
    expected = np.diff([0.0, *stats.geom.cdf(edges, chance, loc=-1), 1.0]) * len(found)
    assert stats.chisquare(np.bincount(cells, minlength=len(expected)), expected).pvalue > 1e-4
    assert stats.chisquare(np.bincount(cells, minlength=len(expected)), expected[::-1]).pvalue < 1e-4
    assert found.max() <= sa.Delay.geometric(mean).longest


def test_a_law_of_one_s_own_comes_as_often_as_it_says_and_what_is_missing_never():
    law = sa.Delay.of([0.5, 0.0, 0.3])
    found = delays_of(law)
    never = found > 2
    observed = [(found == 0).sum(), (found == 2).sum(), never.sum()]
    assert stats.chisquare(observed, np.array([0.5, 0.3, 0.2]) * len(found)).pvalue > 1e-4
    assert not (found == 1).any()
    assert (found[never] + np.flatnonzero(never) + 1 == NEVER).all()
    assert law.lost == pytest.approx(0.2)
    assert sa.Delay.of([0.1] * 10).lost == 0.0


def test_delays_differ_between_runs_and_rounds_and_seeds_and_nothing_else():
    feedback = Feedback(sa.Delay.geometric(100))
    assert len({feedback.due(seed, run, 5) for seed in range(6) for run in range(6)}) > 20
    assert feedback.due(1, 2, 3) == Feedback(sa.Delay.geometric(100)).due(1, 2, 3)


@given(delay=st.integers(0, 5000), batch=st.integers(1, 5000), horizon=st.integers(2, 10**4))
def test_there_is_room_for_every_reward_that_waits(delay, batch, horizon):
    room = Feedback(sa.Delay.fixed(delay), batch).lateness(horizon).room
    assert room > min(horizon, delay + batch - 1)
    assert room & (room - 1) == 0


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: sa.Delay.fixed(-1), InvalidInput, "delay must be at least 0; got -1"),
        (lambda: sa.Delay.geometric(0.0), InvalidInput, "mean of the delay must be at least 1e-09"),
        (lambda: sa.Delay.of([]), InvalidInput, "one or more"),
        (lambda: sa.Delay.of([0.7, 0.4]), InvalidInput, "add up to at most 1; got 2 numbers with sum 1.1"),
        (lambda: sa.Delay.of([0.7, -0.4]), InvalidInput, r"probabilities\[1\] must be at least 0"),
        (lambda: sa.Delay(rounds=-5), InvalidInput, "delay must be at least 0; got -5"),
        (lambda: sa.Delay(mean=-3.0), InvalidInput, "mean of the delay must be at least 1e-09; got -3.0"),
        (lambda: sa.Delay(probabilities=(2.0,)), InvalidInput, r"probabilities\[0\] must be at most 1"),
        (lambda: sa.Delay(rounds=3, mean=5.0), InvalidInput, "one of rounds, mean and probabilities"),
        (lambda: feedback_of("geometric:30", 1), InvalidType, "a whole number or a steadyarm Delay"),
        (lambda: feedback_of([0.5, 0.5], 1), InvalidType, r"Delay.of\(\[0.5, 0.3\]\)"),
        (lambda: feedback_of(2.5, 1), InvalidInput, "delay must be a whole number"),
        (lambda: feedback_of(0, 0), InvalidInput, "batch must be at least 1; got 0"),
    ],
)
def test_what_is_no_delay_or_batch_is_refused(build, error, words):
    with pytest.raises(error, match=words):
        build()


def test_feedback_is_said_in_words_and_as_a_dict():
    assert str(Feedback(sa.Delay.fixed(1), 100)) == "1 round late, every 100 rounds"
    assert str(Feedback(batch=100)) == "every 100 rounds"
    assert str(Feedback(sa.Delay.geometric(1))) == "1 round late on average (geometric)"
    assert str(Feedback(sa.Delay.of([0.0, 0.0]))) == "never told"
    assert str(Feedback(sa.Delay.of([0.5, 0.25]))) == "up to 1 round late, 0.25 of them never"
    assert Feedback(sa.Delay.geometric(3), 2).to_dict() == {
        "delay": {"law": "geometric", "mean": 3.0},
        "batch": 2,
    }
    assert AT_ONCE.to_dict() == {}
    assert str(sa.Delay.of([1.0])) == "at once"
    assert str(sa.Delay.of([0.5, 0.0])) == "at once, 0.5 of them never"
    for law in (sa.Delay.geometric(1234567.89), sa.Delay.geometric(30), sa.Delay.geometric(1 / 3)):
        assert eval(repr(law), {"Delay": sa.Delay}) == law
    assert eval(repr(sa.Delay.of([0.5])), {"Delay": sa.Delay}) == sa.Delay.of([0.5])
