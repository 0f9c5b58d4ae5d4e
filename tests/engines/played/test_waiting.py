"""Rewards that wait: lists in the order of their rounds, in slots that are used again."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.engines.played.waiting import (
    NONE,
    first_unheard,
    let_nothing_wait,
    room_to_wait,
    take_list,
    wait,
)
from steadyarm.numerics.compiled import uncached

ROOM, RUNS = 8, 3


@uncached
def put(waiting, who, reward, due):
    wait(waiting, np.uint64(who), reward, np.uint64(due))


@uncached
def taken(waiting, due):
    found = []
    behind, end = take_list(waiting, np.uint64(due))
    while behind != end:
        behind = waiting.following[behind]
        found.append((waiting.who[behind], waiting.reward[behind]))
    return found


@given(st.lists(st.tuples(*[st.integers(0, ROOM - 1)] * RUNS), min_size=1, max_size=60))
def test_rewards_come_back_when_they_are_due_in_the_order_of_their_rounds(delays):
    waiting = room_to_wait(ROOM, RUNS)
    let_nothing_wait(waiting)
    expected, most = {}, 0
    for number, of_runs in enumerate([*delays, *[(0,) * RUNS] * ROOM], start=1):
        for run, delay in enumerate(of_runs):
            expected.setdefault(number + delay, []).append((run, float(number)))
            put(waiting, run, float(number), (number + delay) % ROOM)
        most = max(most, sum(map(len, expected.values())))
        assert taken(waiting, number % ROOM) == expected.pop(number, [])
    assert expected == {}
    assert waiting.fresh[0] == most  # no more slots than rewards ever waited at once


@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_of_the_arms_without_a_reward_the_one_with_the_fewest_pulls_comes_first_then_by_rank(arms, random):
    assigned = np.array([pulls for pulls, _ in arms])
    told = np.array([int(heard) for _, heard in arms])
    rank = np.array(random.sample(range(len(arms)), len(arms)))
    open_arms = [arm for arm in range(len(arms)) if not told[arm]]
    expected = min(open_arms, key=lambda arm: (assigned[arm], rank[arm])) if open_arms else NONE
    assert first_unheard(rank, assigned, told) == expected
