"""`exact`: the law of the pulls and successes of a small trial, computed and not simulated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from steadyarm.engines.exact.cut import cut_weights
from steadyarm.engines.exact.recursion import recursion_weights
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy

LONGEST = 400
"""The longest trial: its 11 million ends take a few seconds and some hundred megabytes."""

Event = npt.NDArray[np.bool_] | Callable[[Integers, Integers], npt.NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class ExactLaw:
    """The law of how a trial of two arms with 0/1 rewards ends, without any simulation error.

    Attributes:
        counts: (ends, 2) the pulls of both arms at each possible end.
        successes: (ends, 2) the ones among their rewards.
        chances: (ends,) the probability of each end; they add up to one.
    """

    policy: Policy
    instance: Instance
    counts: Integers
    successes: Integers
    chances: Floats

    def mean(self, values: npt.ArrayLike) -> Floats:
        """Return the expectation of a quantity that has a value, or a row of values, at each end."""
        means: Floats = self.chances @ np.asarray(values, dtype=float)
        return means

    def probability(self, event: Event) -> float:
        """Return the probability of an event: a yes or no at each end, or a function of counts and successes.

        The type I error of a test is the probability that it rejects where the means are equal, its power that
        where they are not, and the coverage of an interval that of holding the mean.
        """
        happens = np.asarray(event(self.counts, self.successes) if callable(event) else event)
        if happens.shape != self.chances.shape or happens.dtype != bool:
            raise InvalidInput(
                f"an event must be one yes or no for each of the {len(self.chances):,} ends; got an array of "
                f"{happens.dtype} with shape {happens.shape}."
            )
        return float(self.chances[happens].sum())

    @cached_property
    def mean_counts(self) -> Floats:
        """The expected pulls of each arm."""
        return self.mean(self.counts)

    @cached_property
    def sd(self) -> Floats:
        """The standard deviation of each arm's pulls."""
        return np.sqrt(self.mean((self.counts - self.mean_counts) ** 2))

    @property
    def regret(self) -> float:
        """The expected regret (Definition 1)."""
        return float(self.mean_counts @ np.array(self.instance.gaps))

    @property
    def instability(self) -> float:
        """The standard deviation of a pull count (Definition 1); with two arms both have the same."""
        return float(self.sd.max())

    @property
    def expected_successes(self) -> float:
        """The expected number of ones, of both arms together."""
        return float(self.mean(self.successes.sum(axis=1)))

    @cached_property
    def count_law(self) -> Floats:
        """The probability that arm 0 has 0, 1, …, T pulls."""
        return np.bincount(self.counts[:, 0], self.chances, self.policy.horizon + 1).astype(float)

    @cached_property
    def bias(self) -> Floats:
        """The expectation of successes over pulls less the mean, for each arm, given that it was pulled at all."""
        pulled = self.counts > 0
        rates = np.divide(self.successes, self.counts, out=np.zeros(pulled.shape), where=pulled)
        biases: Floats = self.mean(rates) / self.mean(pulled) - np.array(self.instance.means)
        return biases

    def __repr__(self) -> str:
        return (
            f"ExactLaw({self.policy.title}, means {self.instance.means}, {self.policy.horizon:,} rounds: "
            f"regret {self.regret:.4g}, instability {self.instability:.4g})"
        )


def exact(policy: Policy, instance: Instance, *, outside_class: bool = False) -> ExactLaw:
    """Compute the law of a small trial of two arms with 0/1 rewards: pulls and successes of both arms at the horizon.

    The probability of an end is the number of reward sequences that lead there, weighted by the policy's own random
    choices, times the probability of any one of them. Ties go to either arm with probability one half, once and for all
    rounds. Random choices are taken as ideal ones; floating-point indices are compared as the engines compare them.

    It knows all own-history policies, index policies that see counts and sums only (UCB1, KL-UCB, OCUCB, …), Beta and
    Gaussian Thompson sampling, ε-greedy, and explore then commit; other policies say why they have no such law.

    Args:
        policy: a record for two arms and at most 400 rounds.
        instance: two arms with 0/1 rewards.
        outside_class: compute even an instance that lies outside the policy's class (M, σ).

    >>> import steadyarm as sa
    >>> law = exact(sa.BetaThompson(n_arms=2, horizon=60), sa.Instance.bernoulli([1.0, 1.0]))
    >>> round(float(law.sd[0] ** 2), 9)  # Pólya's urn: T(T + 2)/12
    310.0
    >>> law = exact(sa.UCB(n_arms=2, horizon=60, noise_scale=0.5), sa.Instance.bernoulli([0.3, 0.5]))
    >>> round(law.regret, 4), round(law.instability, 4)
    (3.4509, 7.403)
    """
    checks.instance_of(policy, Policy, "policy")
    policy.check_instance(instance, outside_class=checks.boolean(outside_class, "outside_class"))
    if refusal := exact_refusal(policy, instance):
        raise NotSupported(f"the exact law cannot be computed: {refusal} Use simulate instead.")
    weights, horizon = end_weights(policy), policy.horizon
    counts, successes, chances = [], [], []
    for n, slab in enumerate(weights):
        first, second = (
            _likelihoods(mean, pulls) for mean, pulls in zip(instance.means, (n, horizon - n), strict=True)
        )
        probable = slab * first[:, None] * second
        ends = np.argwhere(probable > 0.0)
        counts.append(np.full((len(ends), 2), (n, horizon - n)))
        successes.append(ends)
        chances.append(probable[probable > 0.0])
    return ExactLaw(policy, instance, *map(np.concatenate, (counts, successes, chances)))


def exact_refusal(policy: Policy, instance: Instance) -> str:
    """Return why there is no exact law of a policy on an instance; nothing if there is one."""
    if instance.rewards != "bernoulli" or instance.n_arms != 2:
        return f"it takes two arms with 0/1 rewards; got {instance.n_arms} with {instance.rewards} rewards."
    if policy.horizon > LONGEST:
        return f"it takes at most {LONGEST} rounds; got {policy.horizon:,}."
    if isinstance(policy, OwnHistoryPolicy):
        return ""
    try:
        policy.two_armed_chances((1, 1))
    except NotSupported as reason:
        return str(reason)
    return ""


@lru_cache(maxsize=4)
def end_weights(policy: Policy) -> list[Floats]:
    """Return how many reward sequences lead to each end, weighted by the policy's own chances and by priority.

    Entry n has the ends with n pulls of arm 0, by the successes of arm 0 and arm 1. The means have no part in it.
    """
    if isinstance(policy, OwnHistoryPolicy) and policy.curves.envelope:
        return cut_weights(policy)
    weights = recursion_weights(policy)
    # The other order of priority is the mirror image.
    return [0.5 * (one + other.T) for one, other in zip(weights, reversed(weights), strict=True)]


def _likelihoods(mean: float, pulls: int) -> Floats:
    """Return the probability of any one sequence of so many rewards, by its ones."""
    ones = np.arange(pulls + 1)
    likelihoods: Floats = mean**ones * (1.0 - mean) ** (pulls - ones)
    return likelihoods
