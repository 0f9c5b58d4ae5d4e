"""One run, round by round, is the run that the engines play."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType

INSTANCE = sa.Instance.bernoulli([0.6, 0.4, 0.5])


def on_coins(name, horizon=60):
    return sa.all_policies()[name](n_arms=3, horizon=horizon, noise_scale=0.5)


@pytest.mark.parametrize("name", sa.all_policies())
def test_every_policy_has_the_counts_and_the_rewards_of_the_same_run(name):
    policy = on_coins(name)
    one = sa.path(policy, INSTANCE, seed=5, run=2)
    played = sa.simulate(policy, INSTANCE, seed=5, first_run=2, runs=1, engine="reference")
    assert one.counts.tolist() == played.counts[0].tolist()
    cells = sa.reward_table(INSTANCE, seed=5, run=2, pulls=60)
    table = one.table
    assert (table["reward"] == cells[table["arm"], table["pull"] - 1]).all()
    assert table["round"].tolist() == list(range(1, 61))


@pytest.mark.parametrize("late", [{"delay": 7}, {"batch": 5}, {"delay": sa.Delay.geometric(4), "batch": 3}])
def test_late_rewards_are_those_of_a_simulation_and_indices_know_only_what_was_told(late):
    policy = on_coins("MOSS")
    one = sa.path(policy, INSTANCE, seed=5, run=2, **late)
    played = sa.simulate(policy, INSTANCE, seed=5, first_run=2, runs=1, **late)
    assert one.counts.tolist() == played.counts[0].tolist()
    assert np.isinf(one.indices[:3]).all()


def test_a_path_says_that_its_rewards_were_late_and_its_regret_dynamic():
    moving = sa.Instance.drifting(sa.Drift.step([0.0, 0.3], [0.3, 0.0], after=20))
    one = sa.path(sa.MOSS(n_arms=2, horizon=60), moving, delay=5, batch=2)
    assert (one.feedback.delay, one.feedback.batch) == (sa.Delay.fixed(5), 2)
    assert one.plot().axes[0].get_title(loc="left").endswith("rewards told 5 rounds late, every 2 rounds")
    shown = one._repr_html_()
    for words in (
        "told 5 rounds late, every 2 rounds",
        "dynamic regret",
        "against the best arm of that round",
    ):
        assert words in shown
    still = sa.path(sa.MOSS(n_arms=2, horizon=60), sa.equal_gap(2, 0.3))
    assert still.feedback.at_once
    assert still.notes == ()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), run=st.integers(0, 2**32 - 1))
def test_the_arm_of_each_round_is_one_with_the_largest_index(seed, run):
    one = sa.path(sa.MOSS(n_arms=3, horizon=40), sa.equal_arms(3), seed=seed, run=run)
    rounds = np.arange(40)
    assert (one.indices[rounds, one.arms] == one.indices.max(axis=1)).all()
    assert (
        one.counts.tolist()
        == sa.simulate(one.policy, one.instance, seed=seed, first_run=run, runs=1, engine="prefix")
        .counts[0]
        .tolist()
    )


def test_pulls_grow_by_one_arm_a_round_and_regret_is_what_they_cost():
    one = sa.path(sa.MOSS(n_arms=2, horizon=50), sa.equal_gap(2, gap=0.5), seed=1)
    assert one.pulls.sum(axis=1).tolist() == list(range(1, 51))
    assert one.regret == 0.5 * one.counts[1]
    assert repr(one).startswith("RunPath(MOSS, run 0 of seed 1, counts [")


def test_a_rule_without_an_index_has_none():
    one = sa.path(on_coins("Exp3"), INSTANCE)
    assert np.isnan(one.indices).all()


def test_the_picture_has_a_line_for_each_arm_that_ends_at_its_count():
    one = sa.path(on_coins("MOSS"), INSTANCE)
    [axes] = one.plot(size=(5, 3)).axes
    assert [int(line.get_ydata()[-1]) for line in axes.lines] == one.counts.tolist()
    assert len({(line.get_marker(), line.get_linestyle()) for line in axes.lines}) == 3


def test_twelve_arms_are_told_apart_without_colour():
    [axes] = sa.path(sa.MOSS(n_arms=15, horizon=100), sa.equal_gap(15, 0.1)).plot().axes
    looks = {(line.get_marker(), str(line._dash_pattern)) for line in axes.lines}
    assert len(looks) == len(axes.lines) == 12


def test_the_picture_of_a_long_run_ends_with_the_last_round_too():
    one = sa.path(sa.MOSS(n_arms=2, horizon=5004), sa.equal_arms(2))
    [axes] = one.plot().axes
    assert axes.lines[0].get_xdata()[-1] == 5004


def test_a_path_that_memory_would_not_hold_is_refused_with_its_size():
    with pytest.raises(
        InvalidInput, match=r"at most 100,000,000 rounds × arms; 100,000,000 rounds of 2 arms are 200,"
    ):
        sa.path(sa.MOSS(n_arms=2, horizon=10**8), sa.equal_arms(2))


def test_what_is_no_policy_or_no_run_is_refused():
    with pytest.raises(InvalidType, match="policy must be a steadyarm Policy; got 'MOSS'"):
        sa.path("MOSS", INSTANCE)
    with pytest.raises(InvalidInput, match="run must be at least 0; got -1"):
        sa.path(on_coins("MOSS"), INSTANCE, run=-1)


def test_progress_is_told_and_ends_at_one():
    told = []
    sa.path(sa.MOSS(n_arms=2, horizon=3000), sa.equal_arms(2), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
