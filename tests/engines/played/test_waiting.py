"""Rewards that wait: lists in the order of their rounds, in places that are used again."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.engines.played.waiting import NONE, first_unheard, let_nothing_wait, room_to_wait, wait
from steadyarm.model.compiled import uncached

ROOM = 8


@uncached
def put(following, last, place, due):
    wait(following, last, place, due)


@given(st.lists(st.integers(0, ROOM - 1), min_size=1, max_size=60))
def test_rewards_come_back_when_they_are_due_in_the_order_of_their_rounds(delays):
    waiting = room_to_wait(ROOM)
    let_nothing_wait(waiting.last)
    expected = {}
    for number, delay in enumerate([*delays, *[0] * ROOM], start=1):
        expected.setdefault(number + delay, []).append(number)
        waiting.arm[number % ROOM] = number
        put(waiting.following, waiting.last, number % ROOM, (number + delay) % ROOM)
        place, found = ROOM + number % ROOM, []
        end, waiting.last[number % ROOM] = waiting.last[number % ROOM], place
        while place != end:
            place = waiting.following[place]
            found.append(int(waiting.arm[place]))
        assert found == expected.pop(number, [])
    assert expected == {}


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
