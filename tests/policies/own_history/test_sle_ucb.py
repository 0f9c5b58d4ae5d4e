"""SLE-UCB is Algorithm 1: its constants, clipping, envelope, stabilizer, ties, and the paper's Figure 2."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policies import algorithm_1

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.policies import SLEUCB
from steadyarm.policies.core.curves import upper


def play_through(policy, table, priority):
    """Play a table of rewards; return the choices after the initial pulls."""
    play = policy.start(priority=priority)
    chosen = []
    for _ in range(policy.horizon):
        arm = play.ask()
        chosen.append(arm)
        play.tell(arm, table[arm][play.counts[arm] - 1])
    return chosen[policy.n_arms :], play


@pytest.mark.parametrize(
    ("n_arms", "horizon", "alpha"), [(2, 10, 1.0), (5, 1_000_000, 3.5), (1000, 2**53, 0.1)]
)
def test_the_constants_are_those_of_line_2(n_arms, horizon, alpha):
    policy = SLEUCB(n_arms=n_arms, horizon=horizon, mean_bound=2.0, noise_scale=0.5, alpha=alpha)
    expected = algorithm_1.constants(n_arms, horizon, 2.0, 0.5, alpha)
    assert (policy.iota, policy.clip, policy.beta, policy.lam) == pytest.approx(expected, rel=1e-14)


def test_sharp_constants_leave_rewards_unclipped_and_take_a_smaller_beta():
    policy = SLEUCB(n_arms=3, horizon=1000, noise_scale=0.5, constants="sharp", alpha=2.0)
    assert policy.clip == math.inf
    assert policy.beta == pytest.approx(8 * 0.5 * math.sqrt(math.log(3000)), rel=1e-14)
    assert policy.lam == pytest.approx(2.0 * policy.beta * math.sqrt(3 / 1000), rel=1e-14)
    assert policy.guaranteed


def test_beta_by_hand_is_kept_and_carries_no_guarantee():
    policy = SLEUCB(n_arms=3, horizon=1000, beta=6.0)
    assert (policy.beta, policy.guaranteed) == (6.0, False)
    assert policy.clip == SLEUCB(n_arms=3, horizon=1000).clip
    assert SLEUCB(n_arms=3, horizon=1000).guaranteed


def test_a_changed_record_derives_its_constants_anew():
    policy = SLEUCB(n_arms=3, horizon=1000)
    assert policy.replace(horizon=5000) == SLEUCB(n_arms=3, horizon=5000)
    assert policy.replace(horizon=5000).guaranteed
    assert policy.replace(beta=2.0).replace(alpha=4.0).beta == 2.0


# The choices of the play against Algorithm 1 written down once more, with rewards on a coarse grid and a
# small β, so that ties happen all the time.
@given(
    rewards=st.lists(
        st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=30, max_size=30), min_size=2, max_size=4
    ),
    extra=st.integers(1, 25),
    beta=st.sampled_from([0.25, 1.0, 4.0]),
    alpha=st.sampled_from([0.1, 1.0, 3.0]),
    data=st.data(),
)
def test_the_choices_are_those_of_algorithm_1_ties_included(rewards, extra, beta, alpha, data):
    n_arms, horizon = len(rewards), len(rewards) + extra
    priority = data.draw(st.permutations(range(n_arms)))
    policy = SLEUCB(n_arms=n_arms, horizon=horizon, beta=beta, alpha=alpha)
    expected = algorithm_1.choices(rewards, horizon, policy.clip, policy.beta, policy.lam, priority)
    chosen, _ = play_through(policy, rewards, priority)
    assert chosen == expected


def test_figure_2_of_the_paper():
    """K = 3, T = 8, ω = (2, 3, 1): after the initial pulls the choices are 2 → 1 → 3 → 1 → 2 (from 1)."""
    policy = SLEUCB(n_arms=3, horizon=8, beta=1.0)
    # Arm 1's second index ties exactly with arm 3's first: walk arm 3's reward to the double that does it.
    arm_1 = [0.5, 0.5] + [-9.0] * 6
    arm_2 = [0.6, 0.3] + [-9.0] * 6

    def index_after(rewards):
        play = SLEUCB(n_arms=3, horizon=8, beta=1.0).start(priority=[0, 1, 2])
        told = 0
        while told < len(rewards):
            arm = play.ask()
            play.tell(arm, rewards[told] if arm == 0 else -50.0)
            told += arm == 0
        return play.indices[0]

    goal = index_after(arm_1[:2])
    reward = goal - (index_after([0.0]) - 0.0)
    while index_after([reward]) < goal:
        reward = math.nextafter(reward, math.inf)
    while index_after([reward]) > goal:
        reward = math.nextafter(reward, -math.inf)
    assert index_after([reward]) == goal
    table = [arm_1, arm_2, [reward] + [-9.0] * 7]
    assert index_after(arm_2[:1]) > index_after(arm_1[:1]) > goal > index_after(arm_2[:2])

    chosen, _ = play_through(policy, table, priority=[2, 3, 1])
    assert [arm + 1 for arm in chosen] == [2, 1, 3, 1, 2]
    other_order, _ = play_through(policy, table, priority=[1, 2, 3])  # the control: the tie decides
    assert [arm + 1 for arm in other_order] == [2, 1, 1, 3, 2]


def test_rewards_are_clipped_at_b():
    policy = SLEUCB(n_arms=2, horizon=100)
    wild, tame = policy.start(priority=[0, 1]), policy.start(priority=[0, 1])
    wild.tell(wild.ask(), 1e9)
    tame.tell(tame.ask(), policy.clip)
    assert wild.indices[0] == tame.indices[0]
    sharp = policy.replace(constants="sharp").start(priority=[0, 1])
    sharp.tell(sharp.ask(), 1e9)
    assert sharp.indices[0] > 1e9


@given(rewards=st.lists(st.floats(-100, 100), min_size=1, max_size=60))
def test_an_arms_index_falls_by_at_least_the_stabilizers_step(rewards):
    policy = SLEUCB(n_arms=2, horizon=200, beta=3.0)
    play = policy.start(priority=[0, 1])
    play.tell(play.ask(), 0.0)
    play.tell(play.ask(), 0.0)
    history = {0: [play.indices[0]], 1: [play.indices[1]]}
    for reward in rewards:
        arm = play.ask()
        play.tell(arm, reward)
        history[arm].append(play.indices[arm])
    for values in history.values():
        for n, (before, after) in enumerate(pairwise(values), start=1):
            assert before - after >= policy.lam * math.log((n + 1) / n) * (1 - 1e-9)  # eq. (index_gap)


def test_an_algebraic_tie_of_two_prefixes_is_a_tie():
    """With β = 1, 0/1 + 1/√1 = 42/49 + 1/√49 = 1: the formula is evaluated as it is written."""
    curves = SLEUCB(n_arms=2, horizon=1000, beta=1.0).curves
    assert upper(curves, 0.0, 1.0) == upper(curves, 42.0, 49.0) == upper(curves, 6.0, 9.0) == 1.0


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"n_arms": 1}, InvalidInput, "n_arms must be at least 2; got 1"),
        ({"n_arms": 2.5}, InvalidInput, "whole number; got 2.5"),
        ({"n_arms": "3"}, InvalidType, "whole number; got '3'"),
        ({"n_arms": True}, InvalidType, "whole number; got True"),
        ({"n_arms": None}, InvalidType, "whole number; got None"),
        ({"n_arms": [3]}, InvalidType, "whole number"),
        ({"horizon": 3}, InvalidInput, "horizon must be at least 4; got 3. With 3 arms"),
        ({"horizon": 2**53 + 1}, InvalidInput, "horizon must be at most"),
        ({"horizon": math.nan}, InvalidInput, "horizon must be a whole number; got nan"),
        ({"horizon": math.inf}, InvalidInput, "horizon must be a whole number; got inf"),
        ({"horizon": np.array([100])}, InvalidType, "horizon must be a whole number"),
        ({"mean_bound": 0}, InvalidInput, "mean_bound must be positive; got 0.0"),
        ({"mean_bound": math.inf}, InvalidInput, "mean_bound must be finite; got inf"),
        ({"noise_scale": -1}, InvalidInput, "noise_scale must be positive; got -1.0"),
        ({"noise_scale": "1"}, InvalidType, "noise_scale must be a number; got '1'"),
        ({"noise_scale": False}, InvalidType, "noise_scale must be a number; got False"),
        (
            {"alpha": -1.0},
            InvalidInput,
            "alpha must be positive; got -1.0. Use alpha >= 1 for the paper's product guarantee.",
        ),
        ({"alpha": math.nan}, InvalidInput, "alpha must be finite; got nan"),
        ({"alpha": True}, InvalidType, "alpha must be a number; got True"),
        ({"constants": "loose"}, InvalidInput, "constants must be one of 'paper', 'sharp'; got 'loose'"),
        ({"constants": 3}, InvalidType, "constants must be one of"),
        ({"beta": 0.0}, InvalidInput, "beta must be positive; got 0.0"),
        ({"beta": "2"}, InvalidType, "beta must be a number"),
        ({"alpha": 1e308}, InvalidInput, r"alpha \* beta .* Use a smaller alpha or beta"),
        ({"noise_scale": 1e308}, InvalidInput, r"noise_scale must be at most"),
    ],
)
def test_a_bad_parameter_is_refused_with_rule_and_value(changes, error, words):
    with pytest.raises(error, match=words):
        SLEUCB(**({"n_arms": 3, "horizon": 100} | changes))
