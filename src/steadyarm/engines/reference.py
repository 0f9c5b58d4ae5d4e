"""The reference engine: plays through `ask` and `tell` in plain Python; the oracle of the tests."""

import numpy as np
import numpy.typing as npt

from steadyarm.engines.pool import PlayRange
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.core.base import Policy

Integers = npt.NDArray[np.int64]

_READ_AHEAD = 256


def supports(_policy: Policy, _instance: Instance) -> bool:
    """Whether this engine can play the policy: every policy has a play."""
    return True


def prepare(policy: Policy, instance: Instance, seed: int) -> PlayRange:
    """Return a function that plays a range of runs, one row of counts a run."""

    def play_range(first_run: int, counts: Integers, stop: Integers, done: Integers) -> None:
        for row in range(counts.shape[0]):
            counts[row] = _play(policy, instance, seed, first_run + row, stop, done)

    return play_range


def _play(
    policy: Policy, instance: Instance, seed: int, run: int, stop: Integers, done: Integers
) -> Integers:
    play = policy.start(seed=seed, run=run)
    pulled = [0] * policy.n_arms
    table = np.empty((policy.n_arms, 0))
    while play.round < policy.horizon and not stop[0]:
        arm = play.ask()
        if pulled[arm] == table.shape[1]:
            more = reward_table(instance, seed=seed, run=run, pulls=_READ_AHEAD, first=table.shape[1] + 1)
            table = np.concatenate([table, more], axis=1)
        play.tell(arm, float(table[arm, pulled[arm]]))
        pulled[arm] += 1
        done[0] += 1
    return play.counts
