"""What waits comes in the order of its rounds, whenever it came, as from a list that is sorted anew each time."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.live.core.courses import waiting
from steadyarm.live.core.courses.waiting import Waiting


class Listed:
    """The same, as simple as can be."""

    def __init__(self):
        self.kept = []

    def take(self, last):
        due = sorted(each for each in self.kept if each[0] <= last)
        self.kept = [each for each in self.kept if each[0] > last]
        return [arm for _, arm, _ in due], [reward for *_, reward in due]


def pairs(taken):
    return [each.tolist() for each in taken]


@given(st.data())
def test_rewards_that_come_in_any_order_are_taken_in_that_of_their_rounds(data):
    waits, listed, outstanding, last = Waiting(), Listed(), [], 0
    few, size = data.draw(st.booleans()), data.draw(st.sampled_from([1, 4, 900, 1500]))
    delay = data.draw(st.sampled_from([0, 3, 2000]))
    for _ in range(data.draw(st.integers(1, 6))):
        outstanding += range(last + 1, last + size + 1)
        last += size
        comes = data.draw(st.integers(0, len(outstanding)))
        data.draw(st.randoms(use_true_random=False)).shuffle(outstanding)
        for turn in outstanding[:comes]:
            waits.put(turn, turn % 3, turn / 7)
            listed.kept.append((turn, turn % 3, turn / 7))
        del outstanding[:comes]
        if data.draw(st.booleans()):
            saved = json.loads(json.dumps(waits.to_dict()))
            waits = Waiting.of(saved, max(0, last - size - delay))
        assert len(waits) == len(listed.kept)
        expected = listed.take(last - delay)
        if few:
            assert waits.take_few(last - delay) == list(zip(*expected, strict=True))
        else:
            assert pairs(waits.take(last - delay)) == [*expected]
    assert len(waits) == len(listed.kept)


def test_rounds_that_were_told_take_no_memory():
    waits = Waiting()
    for turn in range(1, 20_001):
        waits.put(turn, 0, 1.0)
        if turn % 100 == 0:
            waits.take(turn - 50)
            assert len(waits._arms) <= 2 * waiting._SMALL


def test_a_snapshot_of_a_hundred_thousand_conversions_is_small_and_one_that_is_none_is_refused():
    waits = Waiting()
    for turn in range(1, 100_001):
        waits.put(turn, turn * 7 % 20, float(turn % 30 == 0))
    saved = waits.to_dict()
    assert len(json.dumps(saved)) < 200_000
    assert pairs(Waiting.of(saved, 0).take(10**6)) == pairs(waits.take(10**6))
    for name in saved:
        with pytest.raises(ValueError, match=r"."):
            Waiting.of(saved | {name: "AAAA"}, 0)
