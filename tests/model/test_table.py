"""The reward table is a pure function: a cell depends on (seed, run, arm, pull) and nothing else."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import Instance, equal_arms, reward_table
from steadyarm.model.instance import BERNOULLI, BOUNDED, GAUSSIAN
from steadyarm.model.table import Row, fill_cells, uniform
from steadyarm.numerics.arithmetic import gaussian_pair
from steadyarm.numerics.operations import fma
from steadyarm.numerics.philox import words_at

INSTANCES = [
    Instance.gaussian([0.0, -0.5, 1.25], noise_scale=[1.0, 0.5, 2.0]),
    Instance.bernoulli([0.5, 0.1, 0.999]),
    Instance.bounded([0.0, 1.5, 2.9], low=-1.0, high=3.0),
]


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.rewards)
@given(
    first=st.integers(1, 70), pulls=st.integers(0, 40), seed=st.integers(0, 2**64 - 1), run=st.integers(0, 9)
)
def test_any_window_shows_the_same_cells(instance, first, pulls, seed, run):
    whole = reward_table(instance, seed=seed, run=run, pulls=120)
    window = reward_table(instance, seed=seed, run=run, pulls=pulls, first=first)
    assert np.array_equal(window, whole[:, first - 1 : first - 1 + pulls])


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.rewards)
def test_the_cells_are_what_the_plain_formula_says(instance):
    seed, run = 2**63 + 11, 4_000_000_000
    table = reward_table(instance, seed=seed, run=run, pulls=12)
    for arm in range(instance.n_arms):
        for block in range(3):
            words = words_at(*(np.uint64(number) for number in (seed, run, arm, 0, block)))
            location, scale = instance.location[arm], instance.scale[arm]
            if instance.law == GAUSSIAN:
                normals = (*gaussian_pair(*words[:2]), *gaussian_pair(*words[2:]))
                expected = [fma(scale, z, location) for z in normals]
            elif instance.law == BERNOULLI:
                expected = [float((int(word) + 0.5) / 2**32 < location) for word in words]
            else:
                assert instance.law == BOUNDED
                expected = [fma(scale, (int(word) + 0.5) / 2**32, location) for word in words]
            assert table[arm, 4 * block : 4 * block + 4].tolist() == expected


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.rewards)
def test_block_size_order_and_threads_do_not_change_a_cell(instance):
    blocks, arm = 64, 1
    row = Row(instance.law, instance.location[arm], instance.scale[arm], np.uint64(3), 2, arm)
    whole = np.empty(4 * blocks)
    fill_cells(row, 0, blocks, whole)
    pieces = np.empty(4 * blocks)

    def one_block(block):
        cells = pieces[4 * block : 4 * block + 4]
        fill_cells(row, block, 1, cells)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one_block, reversed(range(blocks))))
    assert np.array_equal(whole, pieces)


def test_cells_far_out_can_be_read_without_those_before_them():
    far = reward_table(equal_arms(2), seed=1, pulls=3, first=2**53 - 2)
    assert np.isfinite(far).all()
    assert len(np.unique(far)) == 6


def test_arms_runs_and_seeds_have_different_rewards():
    nu = equal_arms(3)
    tables = [reward_table(nu, seed=seed, run=run, pulls=50) for seed in (0, 1, 2**32) for run in (0, 1)]
    cells = np.concatenate([table.ravel() for table in tables])
    assert len(np.unique(cells)) == cells.size


def test_certain_and_impossible_rewards_are_exact():
    table = reward_table(Instance.bernoulli([0.0, 1.0]), pulls=10_000)
    assert table[0].max() == 0.0
    assert table[1].min() == 1.0


def test_bounded_rewards_stay_between_low_and_high():
    table = reward_table(INSTANCES[2], pulls=10_000)
    assert table.min() >= -1.0
    assert table.max() <= 3.0


def test_uniform_takes_the_middle_of_its_cell():
    assert uniform(np.uint64(0)) == 2.0**-33
    assert uniform(np.uint64(2**32 - 1)) == 1.0 - 2.0**-33


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"seed": -1}, InvalidInput),
        ({"seed": 2**64}, InvalidInput),
        ({"seed": "1"}, InvalidType),
        ({"seed": True}, InvalidType),
        ({"run": -1}, InvalidInput),
        ({"run": 2**32}, InvalidInput),
        ({"pulls": -1}, InvalidInput),
        ({"pulls": 1.5}, InvalidInput),
        ({"first": 0}, InvalidInput),
        ({"first": 2**53, "pulls": 2}, InvalidInput),
    ],
)
def test_a_bad_address_is_refused(arguments, error):
    with pytest.raises(error, match=next(iter(arguments))):
        reward_table(equal_arms(2), **arguments)


def test_something_else_than_an_instance_is_refused():
    with pytest.raises(InvalidType, match="instance must be a steadyarm Instance"):
        reward_table([0.0, 1.0])
