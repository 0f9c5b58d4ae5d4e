"""SLE-UCB is Algorithm 1: its constants, clipping, envelope, stabilizer, ties, and the paper's Figure 2."""

import json
import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policies import algorithm_1

from steadyarm.errors import HorizonReached, InvalidInput, InvalidType, OutsideClass, PlayError
from steadyarm.model import Instance, equal_gap
from steadyarm.policies import SLEUCB, play_from_dict, policy_from_dict
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


def test_ties_go_to_the_smallest_rank():
    policy = SLEUCB(n_arms=3, horizon=6)
    table = np.zeros((3, 6))
    for priority in ([0, 1, 2], [2, 0, 1], [2, 3, 1]):
        chosen, _ = play_through(policy, table, priority)
        assert chosen == sorted(range(3), key=lambda arm: priority[arm])


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


def test_each_arm_is_pulled_once_first_in_order_of_priority():
    play = SLEUCB(n_arms=4, horizon=10).start(priority=[3, 1, 0, 2])
    first = []
    for _ in range(4):
        first.append(play.ask())
        play.tell(first[-1], 100.0)
    assert first == [2, 1, 3, 0]
    assert play.counts.tolist() == [1, 1, 1, 1]
    assert play.round == 4


def test_delayed_rewards_an_arm_without_one_comes_first_then_the_fewest_pulls():
    play = SLEUCB(n_arms=3, horizon=20).start(priority=[0, 1, 2])
    assert [play.ask() for _ in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    play.tell(0, 1.0)
    assert [play.ask() for _ in range(2)] == [1, 2]
    assert play.counts.tolist() == [3, 3, 3]
    assert play.outstanding.tolist() == [2, 3, 3]
    assert play.indices[0] < math.inf
    assert play.indices[1] == math.inf


def test_outstanding_pulls_count_in_the_stabilizer_and_told_rewards_in_the_envelope():
    policy = SLEUCB(n_arms=2, horizon=50)
    play = policy.start(priority=[0, 1])
    play.tell(play.ask(), 0.3)
    play.tell(play.ask(), 0.3)
    before = play.indices[0]
    assert play.ask() == 0
    drop = before - play.indices[0]
    assert drop == pytest.approx(policy.lam * math.log(2.0), rel=1e-9)
    assert play.ask() == 1  # the outstanding pull alone moved arm 0 back


def test_late_rewards_lead_to_the_same_index_as_prompt_ones():
    policy = SLEUCB(n_arms=2, horizon=50, beta=2.0)
    prompt, late = policy.start(priority=[0, 1]), policy.start(priority=[0, 1])
    asked = [late.ask() for _ in range(6)]
    told = {0: 0, 1: 0}
    for arm in asked:
        late.tell(arm, 0.1 * told[arm])
        told[arm] += 1
    told = {0: 0, 1: 0}
    while prompt.round < 6:
        arm = prompt.ask()
        prompt.tell(arm, 0.1 * told[arm])
        told[arm] += 1
    assert late.counts.tolist() == prompt.counts.tolist() == [3, 3]
    assert late.indices.tolist() == prompt.indices.tolist()


@given(
    seed=st.integers(0, 1000),
    cut=st.integers(0, 60),
    delay=st.integers(0, 5),
    beta=st.sampled_from([0.5, 20.0]),
)
def test_a_play_saved_as_json_goes_on_exactly_as_it_would_have(seed, cut, delay, beta):
    policy = SLEUCB(n_arms=3, horizon=60, beta=beta)
    rng = np.random.default_rng(seed)
    rewards = rng.normal(size=60).round(1)

    def advance(play, until, queue):
        arms = []
        while play.round < until:
            arms.append(play.ask())
            queue.append((arms[-1], float(rewards[play.round - 1])))
            if len(queue) > delay:
                play.tell(*queue.pop(0))
        return arms

    play, queue = policy.start(seed=seed), []
    advance(play, cut, queue)
    saved = json.loads(json.dumps(play.to_dict()))
    rest = advance(play, 60, list(queue))
    restored = play_from_dict(saved)
    assert advance(restored, 60, list(queue)) == rest
    assert restored.to_dict() == play.to_dict()


def test_a_broken_save_is_refused():
    play = SLEUCB(n_arms=2, horizon=10).start()
    play.tell(play.ask(), 0.5)
    good = play.to_dict()
    for change in (
        {"counts": [1]},
        {"counts": [9, 9]},
        {"counts": "11"},
        {"observed": [5, 0]},
        {"totals": [math.nan, 0.0]},
        {"values": [0.0]},
        {"priority": [0, 0]},
        {"policy": {"policy": "Nobody"}},
        {"policy": {"policy": "SLEUCB", "arms": 3}},
    ):
        with pytest.raises(InvalidInput):
            play_from_dict(good | change)
    with pytest.raises(InvalidInput):
        play_from_dict({})


def test_a_hundred_thousand_arms_are_usable():
    play = SLEUCB(n_arms=100_000, horizon=200_000, beta=1.0).start(seed=1)
    rng = np.random.default_rng(1)
    for reward in rng.normal(size=100_500):
        play.tell(play.ask(), reward)
    assert play.counts.sum() == 100_500
    assert play.counts.max() > 1
    assert play.indices.argmax() == play.ask()


@given(
    n_arms=st.integers(2, 50),
    horizon=st.integers(51, 2**53),
    mean_bound=st.floats(1e-3, 1e3),
    noise_scale=st.floats(1e-3, 1e3),
    alpha=st.floats(1e-3, 1e3),
    constants=st.sampled_from(["paper", "sharp"]),
    beta=st.none() | st.floats(1e-3, 1e3),
)
def test_a_record_is_hashable_comparable_and_comes_back_from_its_dict(**parameters):
    policy = SLEUCB(**parameters)
    again = policy_from_dict(json.loads(json.dumps(policy.to_dict())))
    assert again == policy == pickle.loads(pickle.dumps(policy))
    assert hash(again) == hash(policy)
    assert policy != policy.replace(alpha=policy.alpha * 2)


def test_a_record_cannot_be_changed():
    with pytest.raises(AttributeError):
        SLEUCB(n_arms=2, horizon=10).alpha = 3.0


def test_an_unknown_parameter_is_refused():
    with pytest.raises(InvalidInput, match="SLEUCB has no parameter 'alfa'"):
        SLEUCB(n_arms=2, horizon=10).replace(alfa=2.0)


def test_an_algebraic_tie_of_two_prefixes_is_a_tie():
    """With β = 1, 0/1 + 1/√1 = 42/49 + 1/√49 = 1: the formula is evaluated as it is written."""
    curves = SLEUCB(n_arms=2, horizon=1000, beta=1.0).curves
    assert upper(curves, 0.0, 1.0) == upper(curves, 42.0, 49.0) == upper(curves, 6.0, 9.0) == 1.0


def test_horizons_written_as_floats_are_whole_numbers():
    assert SLEUCB(n_arms=2, horizon=1e6).horizon == 1_000_000
    assert SLEUCB(n_arms=np.int64(2), horizon=2**53).horizon == 2**53


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


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf, 1.7e308, "1", None, True, [1.0], 1j])
def test_a_bad_reward_is_refused_and_changes_nothing(reward):
    play = SLEUCB(n_arms=2, horizon=10).start()
    arm = play.ask()
    before = play.to_dict()
    with pytest.raises(InvalidInput, match="reward must be"):
        play.tell(arm, reward)
    assert play.to_dict() == before


@pytest.mark.parametrize("arm", [-1, 2, "0", 0.5, True, None])
def test_a_bad_arm_is_refused(arm):
    play = SLEUCB(n_arms=2, horizon=10).start()
    play.ask()
    with pytest.raises(InvalidInput, match="arm must be"):
        play.tell(arm, 1.0)


def test_a_reward_without_an_outstanding_pull_is_refused():
    play = SLEUCB(n_arms=2, horizon=10).start(priority=[0, 1])
    play.ask()
    with pytest.raises(PlayError, match="arm 1 has no outstanding pull"):
        play.tell(1, 1.0)
    play.tell(0, 1.0)
    with pytest.raises(PlayError, match="arm 0 has no outstanding pull: 1 assigned, 1 rewarded"):
        play.tell(0, 1.0)


def test_asking_beyond_the_horizon_is_refused():
    play = SLEUCB(n_arms=2, horizon=3).start()
    for _ in range(3):
        play.tell(play.ask(), 0.0)
    with pytest.raises(HorizonReached, match="all 3 rounds are assigned"):
        play.ask()
    assert play.counts.sum() == 3


def test_an_instance_of_another_size_or_class_is_refused_unless_asked_for():
    policy = SLEUCB(n_arms=2, horizon=100)
    with pytest.raises(InvalidInput, match="n_arms = 2 arms; it has 3"):
        policy.check_instance(equal_gap(3, 0.1))
    with pytest.raises(OutsideClass, match=r"arm 1 has mean -2\.0"):
        policy.check_instance(equal_gap(2, 2.0))
    policy.check_instance(equal_gap(2, 2.0), outside_class=True)
    policy.check_instance(Instance.bernoulli([0.5, 0.5]))
