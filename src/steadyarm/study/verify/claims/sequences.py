"""The index sequences of an arm and the offline top-prefix rule, written out in NumPy.

An arm's index after n pulls depends on its own rewards only, so the whole sequence can be written down before
anything is played (Section online_offline_equivalence). The curves come from the tables that engines read,
so the numbers are the engines' own, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from steadyarm.engines.played.game import Tables, tables_of
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.play import Play
from steadyarm.policies.own_history.sle_ucb import SLEUCB

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Offline = Callable[[Floats, Sequence[int], int], tuple[Integers, Integers]]


class Sequences:
    """For tables of rewards, (…, arms, pulls): what is known of each arm after each of its pulls.

    Attributes:
        rewards: clipped.
        mean: the average of the first n.
        value: the lower envelope of mean + width, or mean + width itself where there is none.
        minimizer: the shortest prefix s(n) that makes the envelope, eq. (perturbation_minimizer).
        index: value + stabilizer.
    """

    def __init__(self, policy: SLEUCB, table: Floats) -> None:
        curves, tables = policy.curves, _tables(policy.curves)
        pulls = np.arange(1, table.shape[-1] + 1)
        self.rewards = np.clip(table, -curves.clip, curves.clip)
        self.mean = np.cumsum(self.rewards, axis=-1) / pulls
        upper = self.mean + tables.bonuses[pulls]
        if curves.envelope:
            self.value = np.minimum.accumulate(upper, axis=-1)
            fresh = np.ones(upper.shape, dtype=bool)
            fresh[..., 1:] = upper[..., 1:] < self.value[..., :-1]
            self.minimizer = np.maximum.accumulate(np.where(fresh, pulls, 0), axis=-1)
        else:
            self.value = upper
            self.minimizer = np.broadcast_to(pulls, upper.shape)
        self.index = self.value + tables.tilts[pulls]


def top_prefix(index: Floats, priority: Sequence[int], horizon: int) -> tuple[Integers, Integers]:
    """Return the arms and pull numbers of the T items of largest value, the first selected first.

    Item (i, n) has value I_i(n − 1), infinite for n = 1; ties go to the smaller rank. `index` has a row for
    each arm and a column for each pull count from 1 on, T − K of them at least.
    """
    n_arms, columns = index.shape
    values = np.concatenate([np.full((n_arms, 1), np.inf), index], axis=1).ravel()
    arms = np.repeat(np.arange(n_arms), columns + 1)
    pulls = np.tile(np.arange(1, columns + 2), n_arms)
    order = np.lexsort((pulls, np.asarray(priority)[arms], -values))[:horizon]
    return arms[order], pulls[order]


def prefix_counts(arms: Integers, pulls: Integers, n_arms: int) -> Integers | None:
    """Return how many items of each arm were selected, or None if they are not its first ones."""
    counts = np.bincount(arms, minlength=n_arms)
    first = all(set(pulls[arms == arm]) == set(range(1, counts[arm] + 1)) for arm in range(n_arms))
    return counts if first else None


def tables_of_runs(instance: Instance, seed: int, runs: int, pulls: int) -> Floats:
    """Return the reward tables of the first runs, (runs, arms, pulls)."""
    return np.array([reward_table(instance, seed=seed, run=run, pulls=pulls) for run in range(runs)])


def is_good(policy: SLEUCB, mean: Floats, instance: Instance) -> npt.NDArray[np.bool_]:
    """Say for each run whether the concentration event holds, eq. (uniform_concentration).

    The clipped means are taken to be the means: they differ by σ(KT)⁻⁶ at most, below the rounding.
    """
    pulls = np.arange(1, mean.shape[-1] + 1)
    strays = np.abs(mean - np.array(instance.means)[:, None]) - policy.beta / (2.0 * np.sqrt(pulls))
    good: npt.NDArray[np.bool_] = (strays <= 1e-12).all(axis=(-1, -2))
    return good


def play_table(policy: SLEUCB, table: Floats, priority: Sequence[int]) -> tuple[list[int], Play]:
    """Play a table of rewards round by round; return all choices and the finished play."""
    play = policy.start(priority=priority)
    pulled, chosen = [0] * policy.n_arms, []
    while play.round < policy.horizon:
        arm = play.ask()
        chosen.append(arm)
        play.tell(arm, float(table[arm][pulled[arm]]))
        pulled[arm] += 1
    return chosen, play


@lru_cache(maxsize=64)
def _tables(curves: Curves) -> Tables:
    return tables_of(curves)
