"""Sums side by side have the bits of sums one after the other, whatever the lanes' pull counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.engines.played.lane_walks import WALKERS, Walk, walk_on
from steadyarm.numerics.compiled import uncached


@uncached
def walked(walk, blocks, bonuses, before, clip, envelope):
    walk_on(walk, blocks, bonuses, before, clip, envelope)


def plain_walk(rewards, bonuses, clip, pulls, total, lowest):
    values = []
    for reward, bonus in zip(rewards, bonuses, strict=True):
        total += min(clip, max(-clip, reward))
        pulls += 1
        value = total / pulls + bonus
        lowest = min(lowest, value)
        values.append((value, lowest))
    return (float(pulls), total, lowest, value), values


@given(
    seed=st.integers(0, 2**32),
    blocks=st.integers(1, 5),
    clip=st.sampled_from([0.5, np.inf]),
    lowest=st.sampled_from([-1.0, 0.2, np.inf]),
    envelope=st.booleans(),
)
def test_a_lane_adds_clipped_rewards_in_order_and_keeps_the_least_mean_with_its_bonus(
    seed, blocks, clip, lowest, envelope
):
    draw = np.random.default_rng(seed)
    cells, bonuses = draw.normal(size=(4, 8 * WALKERS)), draw.normal(size=1000)
    before, pulls = draw.integers(0, 900, WALKERS), draw.integers(0, 10**6, WALKERS)
    total, kept = draw.normal(size=WALKERS), np.full((2, WALKERS), lowest)
    expected = [
        plain_walk(
            cells[:, lane : blocks * WALKERS : WALKERS].ravel(order="F"),
            bonuses[before[lane] + 1 : before[lane] + 1 + 4 * blocks],
            clip,
            pulls[lane],
            total[lane],
            lowest,
        )
        for lane in range(WALKERS)
    ]
    counted = pulls.astype(float)
    walked(Walk(cells, counted, total, kept), blocks, bonuses, before, clip, envelope)
    assert np.array_equal(np.array([ends for ends, _ in expected]).T, [counted, total, *kept])
    for lane, (_, values) in enumerate(expected):
        on_the_way = cells[:, lane : blocks * WALKERS : WALKERS].ravel(order="F")
        assert np.array_equal(on_the_way, np.array(values)[:, int(envelope)])


def test_it_is_for_compiled_code_only():
    with pytest.raises(TypeError, match="compiled code"):
        walk_on(*[None] * 6)
