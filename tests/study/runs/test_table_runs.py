"""Runs on the reward table: played and added up, or stopped with a word about whose turn it was."""

import pytest

import steadyarm as sa
from steadyarm.errors import SimulationInterrupted
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.runs.table_runs import play_with_moments, table_engine

INSTANCE = sa.equal_gap(2, 0.3)
POLICY = sa.MOSS(n_arms=2, horizon=500)


def play(folder=None, **how):
    how = {"label": "MOSS", "runs": 20, "seed": 1, "report": lambda _share: None} | how
    return play_with_moments(Laboratory(folder=folder), how.pop("policy", POLICY), INSTANCE, **how)


def test_the_runs_are_those_of_simulate_and_the_moments_their_rewards():
    shares = []
    simulation, moments = play(report=shares.append)
    plain = sa.simulate(POLICY, INSTANCE, runs=20, seed=1)
    assert simulation.to_dict() == plain.to_dict()
    table = sa.reward_table(INSTANCE, seed=1, run=3, pulls=500)
    expected = [table[arm, : plain.counts[3, arm]].sum() for arm in range(2)]
    assert moments.sums[3].tolist() == pytest.approx(expected)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_an_engine_with_rewards_of_its_own_has_no_moments():
    simulation, moments = play(policy=POLICY.replace(horizon=10**6), engine="leap")
    assert (simulation.engine, moments) == ("leap", None)


def test_the_engine_is_the_cheapest_that_reads_the_table():
    assert table_engine(POLICY.replace(horizon=10**12), INSTANCE) == "prefix"
    assert table_engine(sa.UCB1(n_arms=2, horizon=500), INSTANCE) == "step"


def stop(_share):
    raise KeyboardInterrupt


def test_an_interruption_says_whose_turn_it_was_and_what_is_kept(tmp_path):
    with pytest.raises(
        SimulationInterrupted, match="while playing MOSS; nothing is kept without a study's folder"
    ):
        play(report=stop)
    with pytest.raises(SimulationInterrupted, match="while playing MOSS; what was finished is kept in"):
        play(tmp_path, report=stop)
