"""Which single reward moved this allocation? The paper's perturbation argument, run on real runs.

Changing one reward moves a few pulls; half the expected sum of squared moves over all rewards bounds the
variance of a count (Efron–Stein, Lemma efron_stein_new).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from steadyarm.engines.played.recut import Changes, counts_with_changes
from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.estimates import Estimate, mean_estimate

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Influence:
    """A run's counts before and after one reward was changed."""

    before: Integers
    after: Integers

    @property
    def change(self) -> Integers:
        """How many pulls each arm gained."""
        return self.after - self.before


def influence(
    policy: Policy,
    instance: Instance,
    *,
    seed: int = 0,
    run: int = 0,
    arm: int,
    pull: int,
    reward: float,
    outside_class: bool = False,
) -> Influence:
    """Play a run, and again with the reward of one pull of one arm overridden.

    Args:
        policy: an own-history policy.
        instance: what the arms give.
        seed: names the reward table.
        run: the number of the run.
        arm: whose reward is overridden.
        pull: which of its pulls, from 1.
        reward: what that pull gives instead.
        outside_class: run even if the instance lies outside the policy's class (M, σ).

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")
    >>> one = sa.influence(policy, sa.equal_arms(2), seed=1, arm=0, pull=3, reward=50.0)
    >>> int(one.change.sum()), bool(one.change[0] > 0)
    (0, True)
    """
    own = _own_history(policy)
    own.check_instance(instance, outside_class=outside_class)
    arm = checks.integer(arm, "arm", at_least=0, at_most=own.n_arms - 1, remedy="Arms are numbered from 0.")
    pull = checks.integer(
        pull, "pull", at_least=1, at_most=own.horizon, remedy="The first pull of an arm is number 1."
    )
    reward = checks.real(reward, "reward")
    before, after = counts_with_changes(
        own,
        instance,
        checks.seed(seed),
        checks.run(run),
        Changes(np.array([arm]), np.array([pull]), np.array([reward])),
    )
    return Influence(before, after[0])


def most_influential(
    policy: Policy,
    instance: Instance,
    *,
    seed: int = 0,
    run: int = 0,
    copy_seed: int | None = None,
    most: int = 10,
) -> list[tuple[int, int, int]]:
    """Return the pulls of a run whose replacement by an independent copy moves the most pulls.

    Each is (arm, pull from 1, pulls moved), the largest first. The copies are the same cells of the table
    of another seed.

    Args:
        policy: an own-history policy.
        instance: what the arms give.
        seed: names the reward table.
        run: the number of the run.
        copy_seed: names the table of the copies; `seed + 1` unless given.
        most: how many pulls to return.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=200, constants="sharp")
    >>> moved = [pulls for _, _, pulls in sa.most_influential(policy, sa.equal_arms(2), most=3)]
    >>> len(moved), moved == sorted(moved, reverse=True)
    (3, True)
    """
    before, after, arms, pulls = _replace_all(_own_history(policy), instance, seed, run, copy_seed)
    moved = np.abs(after - before).max(axis=1)
    order = np.argsort(-moved, kind="stable")[: checks.integer(most, "most", at_least=1)]
    return [(int(arms[place]), int(pulls[place]), int(moved[place])) for place in order]


def efron_stein(
    policy: Policy,
    instance: Instance,
    *,
    runs: int = 20,
    seed: int = 0,
    copy_seed: int | None = None,
) -> list[Estimate]:
    """Estimate, for each arm, the Efron–Stein bound ½ Σ E(N − N^(a,m))² on the variance of its count.

    Every reward that a run reads is replaced by an independent copy, one at a time.

    Args:
        policy: an own-history policy.
        instance: what the arms give.
        runs: how many runs to average over.
        seed: names the reward table.
        copy_seed: names the table of the copies; `seed + 1` unless given.

    >>> import steadyarm as sa
    >>> policy, nu = sa.SLEUCB(n_arms=2, horizon=200, constants="sharp"), sa.equal_arms(2)
    >>> bound = sa.efron_stein(policy, nu, runs=5)[0]
    >>> bool(sa.simulate(policy, nu, runs=200).sd[0] ** 2 < bound.high)
    True
    """
    own = _own_history(policy)
    own.check_instance(instance)
    sums = []
    for run in range(checks.integer(runs, "runs", at_least=1)):
        before, after, _, _ = _replace_all(own, instance, seed, run, copy_seed)
        sums.append(0.5 * ((after - before).astype(float) ** 2).sum(axis=0))
    return [mean_estimate(column) for column in np.array(sums).T]


def _replace_all(
    policy: OwnHistoryPolicy, instance: Instance, seed: int, run: int, copy_seed: int | None
) -> tuple[Integers, Integers, Integers, Integers]:
    """Replace each reward that a run reads by an independent copy: counts before, after, arms, pulls."""
    seed = checks.seed(seed)
    copies = checks.seed((seed + 1) % 2**64 if copy_seed is None else copy_seed)
    nothing = np.zeros(0, dtype=np.int64)
    before, _ = counts_with_changes(policy, instance, seed, run, Changes(nothing, nothing, np.zeros(0)))
    arms = np.repeat(np.arange(policy.n_arms), before)
    pulls = np.concatenate([np.arange(1, count + 1) for count in before])
    table = reward_table(instance, seed=copies, run=run, pulls=int(before.max()))
    before, after = counts_with_changes(
        policy, instance, seed, run, Changes(arms, pulls, table[arms, pulls - 1])
    )
    return before, after, arms, pulls


def _own_history(policy: Policy) -> OwnHistoryPolicy:
    checks.instance_of(policy, Policy, "policy")
    if not isinstance(policy, OwnHistoryPolicy):
        raise NotSupported(
            f"influence needs an index of each arm's own history; {policy.title} has none. "
            "Use SLEUCB, MOSS, UCB or another own-history policy."
        )
    return policy
