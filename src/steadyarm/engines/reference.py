"""The reference engine: plays through `ask` and `tell` in plain Python; the oracle of the tests."""

import numpy as np
import numpy.typing as npt

from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.base import Policy

Integers = npt.NDArray[np.int64]

_READ_AHEAD = 256


def supports(_policy: Policy, _instance: Instance) -> bool:
    """Whether this engine can play the policy: every policy has a play."""
    return True


def play_range(
    policy: Policy,
    instance: Instance,
    seed: int,
    first_run: int,
    counts: Integers,
    stop: Integers,
    done: Integers,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
    for row in range(counts.shape[0]):
        play = policy.start(seed=seed, run=first_run + row)
        pulled = [0] * policy.n_arms
        table = np.empty((policy.n_arms, 0))
        for _ in range(policy.horizon):
            if stop[0]:
                return
            arm = play.ask()
            if pulled[arm] == table.shape[1]:
                more = reward_table(
                    instance, seed=seed, run=first_run + row, pulls=_READ_AHEAD, first=table.shape[1] + 1
                )
                table = np.concatenate([table, more], axis=1)
            play.tell(arm, float(table[arm, pulled[arm]]))
            pulled[arm] += 1
            done[0] += 1
        counts[row] = play.counts
