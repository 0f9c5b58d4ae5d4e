"""The reference engine: plays by ask and tell, each reward told when it is due."""

import numpy as np

import steadyarm as sa
from steadyarm.engines.reference import rounds_of
from steadyarm.model.feedback import feedback_of
from tests.engines.test_simulate import INSTANCE, POLICY


def test_a_play_with_the_runs_seed_reproduces_a_run():
    result = sa.simulate(POLICY, INSTANCE, runs=3, seed=4)
    play = POLICY.start(seed=4, run=2)
    table = sa.reward_table(INSTANCE, seed=4, run=2, pulls=500)
    pulled = [0, 0, 0]
    while play.round < 500:
        arm = play.ask()
        play.tell(arm, table[arm, pulled[arm]])
        pulled[arm] += 1
    assert result.counts[2].tolist() == pulled


def test_the_reference_engine_gives_the_same_counts_on_request():
    assert np.array_equal(
        sa.simulate(POLICY, INSTANCE, runs=4, engine="reference").counts,
        sa.simulate(POLICY, INSTANCE, runs=4, engine="step").counts,
    )


def test_a_reward_is_told_before_the_first_round_in_which_it_may_be_known():
    play = sa.MOSS(n_arms=3, horizon=30).start(seed=4, run=1)
    known = [int(play.observed.sum()) for _ in rounds_of(play, INSTANCE, feedback_of(5, 1))]
    assert known == [max(0, number - 5) for number in range(1, 31)]


def test_means_that_move_give_each_round_the_cell_of_its_own_law():
    nu = sa.Instance.drifting(sa.Drift.step([0.0, 0.0, 0.0], [9.0, 9.0, 9.0], after=10))
    play = sa.RoundRobin(n_arms=3, horizon=20).start(seed=4, run=1)
    rounds = list(rounds_of(play, nu))
    assert max(abs(reward) for _, reward in rounds[:10]) < 5.0 < min(reward for _, reward in rounds[10:])
    pulled = [0, 0, 0]
    for number, (arm, reward) in enumerate(rounds, start=1):
        pulled[arm] += 1
        cell = sa.reward_table(nu.in_round(number), seed=4, run=1, pulls=1, first=pulled[arm])[arm, 0]
        assert reward == cell
