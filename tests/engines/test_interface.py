"""What every engine promises: its players fill their rows, count their rounds and say how exact they are."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.interface import Setting, Watch

POLICY, INSTANCE = sa.MOSS(n_arms=2, horizon=1000), sa.equal_gap(2, 0.2)


@pytest.mark.parametrize("name", ENGINES)
def test_a_player_fills_its_rows_and_counts_its_rounds(name):
    player = ENGINES[name].prepare(Setting(POLICY, INSTANCE, seed=1, at=np.array([1, 2, 70, 1000])))
    rows, watch = np.zeros((3, 4, 2), np.int64), Watch(np.zeros(1, np.int64), np.zeros(1, np.int64))
    player.play(5, rows, watch)
    assert (rows.sum(axis=2) == [1, 2, 70, 1000]).all()
    assert watch.done[0] == 3 * player.rounds
    alone = ENGINES[name].prepare(Setting(POLICY, INSTANCE, seed=1, at=np.array([1000])))
    assert alone.run_cost == ENGINES[name].run_cost(POLICY)


@pytest.mark.parametrize("name", ENGINES)
def test_a_player_that_is_told_to_stop_leaves_at_once(name):
    player = ENGINES[name].prepare(
        Setting(POLICY.replace(horizon=10**9), INSTANCE, seed=1, at=np.array([10**9]))
    )
    watch = Watch(stop=np.ones(1, np.int64), done=np.zeros(1, np.int64))
    player.play(0, np.zeros((3, 1, 2), np.int64), watch)
    assert watch.done[0] < 10**6


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_reads_the_table_is_exact(name):
    engine = ENGINES[name]
    player = engine.prepare(Setting(POLICY, INSTANCE, seed=1, at=np.array([1000])))
    assert player.tolerance == 1
    assert not engine.reads_table or player.total_variation == 0.0
