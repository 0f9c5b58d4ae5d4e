"""Where kernels read rewards from: the noise of a cell becomes the bits of the reward table."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.source import NO_ARM, moving_source_of, reward_from, source_of
from steadyarm.model.table import Row, fill_cells

LAWS = {
    "gaussian": sa.Instance.gaussian([0.3, -0.2], [2.0, 0.5]),
    "coins": sa.Instance.bernoulli([0.3, 0.9]),
    "bounded": sa.Instance.bounded([0.3, 0.8]),
}


@pytest.mark.parametrize("instance", LAWS.values(), ids=LAWS)
def test_noise_becomes_the_cells_of_the_table_bit_for_bit(instance):
    source = moving_source_of(instance, 11)
    assert source.ends.tolist() == [np.iinfo(np.int64).max]
    expected = sa.reward_table(instance, seed=11, run=4, pulls=64)
    for arm in range(2):
        noise = np.empty(64)
        fill_cells(Row(source.noise_law, 0.0, 1.0, source.seed, 4, arm), 0, 16, noise)
        law = source.law, source.location[0, arm], source.scale[0, arm]
        assert [reward_from(*law, each) for each in noise] == expected[arm].tolist()


def test_a_plain_source_overrides_no_cell():
    source = source_of(LAWS["gaussian"], 2**64 - 1)
    assert source.overridden_arm == NO_ARM
    assert source.seed == np.uint64(2**64 - 1)
    assert source.location.tolist() == [0.3, -0.2]


def test_every_stretch_has_its_laws_and_the_last_one_has_no_end():
    drift = sa.Drift.of([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], each=10)
    source = moving_source_of(sa.Instance.drifting(drift, "bernoulli"), 0)
    assert source.ends.tolist() == [10, 20, np.iinfo(np.int64).max]
    assert source.location.tolist() == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
