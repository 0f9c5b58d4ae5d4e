"""Arms taken down side by side are where each would be alone, and never below the level."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.interface import Watch
from steadyarm.engines.played.descent import (
    CELLS_OF_STRETCHES,
    begin,
    draw_stretches,
    empty_descent,
    take_down,
)
from steadyarm.engines.played.game import game_of
from steadyarm.engines.played.lane_walks import WALKERS
from steadyarm.engines.source import source_of
from steadyarm.policies.core.curves import tilt, width

LARGE = 1 << 20  # pull counts beyond which no widths are kept


def descended(policy, instance, runs, level, start=0, left=10**9):
    """Take runs 5, 6, … down to a level, or each to its own, every arm from a sum of zero after `start` pulls."""
    game, watch = game_of(policy, instance, seed=3), Watch(np.zeros(1, np.int64), np.zeros(1, np.int64))
    descent = empty_descent(runs, policy.n_arms, policy.horizon)
    begin(descent)
    descent.pulls[:] = start
    take_down(game, 5, np.full(runs, level), descent, np.full(runs, left), watch)
    return descent, int(watch.done[0])


def indices(policy, instance, run, arm, last, start=0):
    """Sums, envelopes (or means + width) and indices of an arm after start + 1, …, last pulls, one after the other."""
    curves = policy.curves
    rewards = sa.reward_table(instance, seed=3, run=run, pulls=last - start, first=start + 1)[arm]
    n = np.arange(start + 1.0, last + 1.0)
    sums = np.cumsum(np.clip(rewards, -curves.clip, curves.clip))
    values = sums / n + [width(curves, each) for each in n]
    if curves.envelope:
        values = np.minimum.accumulate(values)
    return sums, values, values + [tilt(curves, each) for each in n]


@pytest.mark.parametrize("kind", [sa.SLEUCB, sa.MOSS, sa.UCB], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(("n_arms", "runs"), [(2, 7), (3, 4), (20, 1)])
def test_every_pull_taken_is_above_the_level_and_the_sums_are_those_of_the_table(kind, n_arms, runs):
    policy, instance = kind(n_arms=n_arms, horizon=20_000), sa.equal_gap(n_arms, 0.2)
    level = indices(policy, instance, 5, 0, 100)[2].min()
    descent, done = descended(policy, instance, runs, level)
    assert done == descent.pulls.sum() > 0
    for row, arm in np.argwhere(descent.pulls > 0):
        sums, values, index = indices(policy, instance, 5 + row, arm, int(descent.pulls[row, arm]))
        assert index.min() > level
        assert (descent.totals[row, arm], descent.values[row, arm]) == (sums[-1], values[-1])


@pytest.mark.parametrize("kind", [sa.SLEUCB, sa.MOSS], ids=lambda kind: kind.__name__)
def test_the_stretch_in_which_an_arm_may_come_to_the_level_is_kept(kind):
    policy, instance = kind(n_arms=3, horizon=20_000), sa.equal_gap(3, 0.2)
    level = indices(policy, instance, 5, 0, 100)[2].min()
    descent, _ = descended(policy, instance, 4, level)
    kept = np.argwhere(descent.stretch.size > 0)
    assert len(kept) >= 8
    for row, arm in kept:
        pulls, size = descent.pulls[row, arm], descent.stretch.size[row, arm]
        sums, values, _ = indices(policy, instance, 5 + row, arm, int(pulls + size))
        assert np.array_equal(descent.stretch.ahead[row, arm, :size], values[pulls:])
        ends = descent.stretch.totals[row, arm], descent.stretch.values[row, arm]
        assert ends == (sums[-1], values[-1])


def test_each_run_has_a_level_of_its_own():
    policy, instance = sa.SLEUCB(n_arms=10, horizon=20_000), sa.equal_arms(10)
    levels = np.quantile(indices(policy, instance, 5, 0, 4_000)[2], [0.5, 0.1, 0.3])
    descent, _ = descended(policy, instance, 3, levels)
    first, second, third = descent.pulls.sum(axis=1)
    assert 0 < first < third < second
    for row, arm in np.argwhere(descent.pulls > 0):
        assert indices(policy, instance, 5 + row, arm, int(descent.pulls[row, arm]))[2].min() > levels[row]


def test_hardly_anything_is_left_to_take_above_the_level():
    policy, instance = sa.SLEUCB(n_arms=20, horizon=200_000, constants="sharp"), sa.equal_arms(20)
    level = indices(policy, instance, 5, 0, 8_000)[2][-1]
    descent, _ = descended(policy, instance, 1, level)
    stretches = []
    for arm in range(20):
        index = indices(policy, instance, 5, arm, 12_000)[2]
        stretches.append(int(np.argmax(index <= level)) - descent.pulls[0, arm])
    assert sum(stretch < 128 for stretch in stretches) >= 16  # up to four lanes stop on their way
    assert min(stretches) >= 0


def test_pull_counts_beyond_the_kept_widths_give_the_same_sums():
    policy, instance = sa.SLEUCB(n_arms=8, horizon=4 * LARGE, constants="sharp"), sa.equal_arms(8)
    start = LARGE - 640
    level = indices(policy, instance, 5, 0, start + 1500, start)[2].min() - 1e-4
    descent, _ = descended(policy, instance, 1, level, start, left=8 * 1280)
    assert (descent.pulls > LARGE).any()
    for arm in range(8):
        sums, values, _ = indices(policy, instance, 5, arm, int(descent.pulls[0, arm]), start)
        assert (descent.totals[0, arm], descent.values[0, arm]) == (sums[-1], values[-1])


def test_a_run_takes_no_more_pulls_than_are_left():
    policy = sa.SLEUCB(n_arms=10, horizon=10_000)
    descent, _ = descended(policy, sa.equal_arms(10), 2, level=-100.0, left=5_000)
    assert (descent.pulls.sum(axis=1) <= 5_000).all()
    assert (descent.pulls.sum(axis=1) > 4_000).all()


def test_nothing_is_taken_without_a_level():
    descent, done = descended(sa.SLEUCB(n_arms=10, horizon=10_000), sa.equal_arms(10), 2, level=np.inf)
    assert done == descent.pulls.sum() == 0


@pytest.mark.parametrize(
    "instance", [sa.equal_gap(2, 0.2), sa.Instance.bernoulli([0.4, 0.5])], ids=["gaussian", "bernoulli"]
)
def test_what_is_drawn_to_no_end_are_the_cells_of_the_table(instance):
    cells = sa.reward_table(instance, seed=3, run=5 + WALKERS - 1, pulls=5 * CELLS_OF_STRETCHES // WALKERS)[0]
    for times in (1, 2, 5):
        last = draw_stretches(source_of(instance, 3), 5, times)
        assert last == cells[times * CELLS_OF_STRETCHES // WALKERS - 1]
