"""All lanes choose at once what each run would choose alone."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.numerics.compiled import uncached
from steadyarm.policies.rules import dispatch
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.side_by_side import Runs, choose_side_by_side, room_for

SEED, RUN, ROUND = np.uint64(3), 20, 300


@uncached
def choose(parameters, noise, runs, room):
    choose_side_by_side(parameters, noise, runs, room)


def chosen(parameters, noise, unheard, rank, count, total, state, leader):
    n_arms, lanes = count.size // leader.size, leader.size
    runs = Runs(rank, rank.reshape(n_arms, lanes), count, total, state, unheard, leader)
    choose(parameters, noise, runs, room_for(n_arms, lanes))


def lanes_of(policy, lanes, seed):
    """Return ranks, counts, totals and states after different rewards, a column for each lane; many arms are equal."""
    random, columns = np.random.default_rng(seed), []
    for lane in range(lanes):
        play = policy.start(seed=seed, run=lane)
        for _ in range(4 * policy.n_arms):
            play.tell(play.ask(), float(random.integers(0, 2)))
        saved, state = play.to_dict(), np.zeros(policy.room)
        totals, state[: policy.state_size] = np.array(saved["totals"]), saved["state"][: policy.state_size]
        dispatch.keep_all(policy.parameters, play.counts, totals, state)
        columns.append((saved["priority"], play.counts, totals, state))
    return [np.ascontiguousarray(np.array(numbers).T) for numbers in zip(*columns, strict=True)]


@pytest.mark.parametrize("lanes", [8, 16])
@pytest.mark.parametrize(
    "name", ["UCB1", "GaussianThompson", "EpsilonGreedy", "Exp3", "TsallisINF", "ExploreThenCommit"]
)
def test_lanes_choose_what_their_runs_choose_alone(name, lanes):
    policy = sa.all_policies()[name](n_arms=5, horizon=1000)
    rank, count, total, state = lanes_of(policy, lanes, seed=lanes)
    leader, unheard = np.empty(lanes, np.int64), np.zeros(lanes, np.int64)
    flat = [numbers.ravel().copy() for numbers in (rank, count, total, state)]
    chosen(policy.parameters, Noise(SEED, RUN, ROUND), unheard, *flat, leader)
    alone = [
        dispatch.choose_arm(
            policy.parameters,
            Noise(SEED, RUN + lane, ROUND),
            *(numbers[:, lane].copy() for numbers in (rank, count, total, state)),
        )
        for lane in range(lanes)
    ]
    assert leader.tolist() == alone
    assert len(set(alone)) > 1


def test_a_lane_that_waits_for_first_rewards_is_not_asked():
    policy = sa.ExploreThenCommit(n_arms=5, horizon=1000)
    rank, count, total, state = lanes_of(policy, 8, seed=1)
    leader, unheard = np.full(8, -7), np.arange(8) % 2
    flat = [numbers.ravel() for numbers in (rank, count, total, state)]
    chosen(policy.parameters, Noise(SEED, RUN, ROUND), unheard, *flat, leader)
    assert (leader[1::2] == -7).all()
    assert (leader[::2] >= 0).all()


def test_plain_python_cannot_choose_for_lanes():
    with pytest.raises(TypeError, match="call a rule from compiled code"):
        choose_side_by_side(*[None] * 4)
