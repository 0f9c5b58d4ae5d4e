"""A glance is never farther from the index than it says, so that it chooses the arm that the indices choose."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steadyarm.numerics.compiled import uncached
from steadyarm.policies.general.gaussian_thompson import ThompsonParameters
from steadyarm.policies.general.ucb1 import UCB1Parameters
from steadyarm.policies.rules.dispatch import choose_arm, index_of
from steadyarm.policies.rules.glances import NOBODY, better_of, glance_of, has_glance
from steadyarm.policies.rules.noise import Noise, rough_normal_at

MEANS = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=6)
SPREADS = st.sampled_from([1e-12, 1e-3, 1.0, 1e6])
BONUSES = st.sampled_from([0.0, 1.5, 1e8, 1e100])


@uncached
def glanced(parameters, noise, counts, totals, state):
    found = np.empty((counts.size, 3))
    for arm in range(counts.size):
        value, error = glance_of(parameters, rough_normal_at(noise, arm), arm, counts, totals, state)
        found[arm] = value, error, index_of(parameters, noise, arm, counts, totals, state)
    return found


@uncached
def by_indices(parameters, noise, rank, counts, totals, state):
    leader, best = 0, index_of(parameters, noise, 0, counts, totals, state)
    for arm in range(1, counts.size):
        index = index_of(parameters, noise, arm, counts, totals, state)
        if index > best or (index == best and rank[arm] < rank[leader]):
            leader, best = arm, index
    return leader


def seen(means, pulls):
    counts = np.full(len(means), pulls)
    state = np.array(means + [1.0 / np.sqrt(pulls)] * len(means))
    return counts, np.array(means) * pulls, state


@given(MEANS, SPREADS, BONUSES, st.integers(1, 10**12), st.integers(1, 10**9))
def test_the_index_is_within_the_error_of_the_glance(means, spread, bonus, pulls, number):
    noise, numbers = Noise(np.uint64(7), 3, number), seen(means, pulls)
    for value, error, index in glanced(ThompsonParameters(spread, bonus), noise, *numbers):
        assert abs(value - index) <= error


@given(MEANS, SPREADS, BONUSES, st.integers(1, 10**12), st.integers(1, 10**9))
@example([1e9] * 5, 1e-12, 0.0, 10**12, 5)  # all indices are equal: the rank decides
@example([0.0] * 6, 1e-12, 1e100, 1, 5)
def test_the_arm_is_the_one_of_the_largest_index(means, spread, bonus, pulls, number):
    parameters, noise = ThompsonParameters(spread, bonus), Noise(np.uint64(7), 3, number)
    rank, numbers = np.arange(len(means))[::-1].copy(), seen(means, pulls)
    assert choose_arm(parameters, noise, rank, *numbers) == by_indices(parameters, noise, rank, *numbers)


def test_rules_without_a_glance_have_none_and_plain_python_cannot_glance():
    assert has_glance(ThompsonParameters)
    assert not has_glance(UCB1Parameters)
    with pytest.raises(TypeError, match="call a rule from compiled code"):
        glance_of(*[None] * 6)


@pytest.mark.parametrize("base", [0.0, 1.0, -3e8])
@pytest.mark.parametrize("error", [0.0, 1e-3, 10.0])
def test_what_is_clear_from_glances_is_so_for_any_indices_within_their_errors(base, error):
    eighths, shares = range(-8, 9), (-1.0, 0.0, 1.0)
    for mine, its, my_share, its_share in itertools.product(eighths, eighths, shares, shares):
        indices, values = [base + error * number / 8 for number in (mine, its)], []
        best = NOBODY
        for arm, (index, share) in enumerate(zip(indices, (my_share, its_share), strict=True)):
            values.append(index + share * error)
            best = better_of(best, values[arm], error + 2.0**-50 * abs(base), arm)
        if best.lowest > best.others:
            assert indices[best.arm] == max(indices), values


def test_the_clearly_largest_of_a_few_is_clear():
    best = NOBODY
    for arm, value in enumerate([1.0, 3.0, 2.0]):
        best = better_of(best, value, 0.4, arm)
    assert best.arm == 1
    assert best.lowest > best.others
