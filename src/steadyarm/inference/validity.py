"""When an ordinary interval, made for a count that is fixed in advance, is valid after an adaptive experiment."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.inference.methods import ordinary_method
from steadyarm.inference.sample import Sample
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.prediction import predict

AUTO = "auto"
"""What `sa.intervals` and `sa.differences` take by themselves, run by run."""

ANYTIME = "anytime"
"""The method that is valid however the pulls were chosen, and whenever somebody looks."""

VALID_SPREAD = 0.1
"""Of a count, at which an ordinary interval has lost next to nothing of its coverage."""


FEWEST = 5
"""Successes, and failures, of an arm from which on Wilson's interval is near its level."""

_LARGEST_RATIO = 0.2  # of the range of bounded rewards to s·√n


class Choice(NamedTuple):
    """A method, and why it was chosen."""

    method: str
    reason: str


def choose_method(sample: Sample, policy: Policy | None, finished: bool) -> Choice:
    """Return the narrowest method that is valid: an ordinary one if counts are nearly the same in every run.

    `finished` says that the rounds that were planned are over, so that nobody looks again.
    """
    ordinary = ordinary_method(sample.rewards)
    if policy is None:
        return Choice(ANYTIME, "nothing is known about how the pulls were chosen or when you look")
    if not finished:
        return Choice(ANYTIME, "rounds or rewards are still to come, so you may look again")
    if sample.rewards == "bernoulli" and _rarest(sample) < FEWEST:
        ordinary = "exact"
    if sample.rewards == "bounded" and not _tame(sample):
        return Choice(ANYTIME, "the rewards of an arm may be too skewed for their number")
    if counts_are_fixed(policy):
        return Choice(ordinary, f"{policy.title} fixes every count in advance")
    steady, why = counts_are_steady(sample, policy)
    return Choice(ordinary if steady else ANYTIME, why)


def chosen_methods(sample: Sample, policy: Policy) -> npt.NDArray[np.str_]:
    """Return what `choose_method` takes at the end of each run of a sample of many."""
    runs = (sample.runs(run) for run in range(len(sample.counts)))
    return np.array([choose_method(run, policy, finished=True).method for run in runs])


def ends_as_chosen(
    sample: Sample, chosen: npt.NDArray[np.str_], ends: Callable[[Sample, str], tuple[Floats, Floats]]
) -> tuple[Floats, Floats]:
    """Return both ends for each run of a sample of many, by the method that was chosen for it."""
    parts = {name: np.flatnonzero(chosen == name) for name in np.unique(chosen).tolist()}
    found = {name: ends(sample.runs(runs), name) for name, runs in parts.items()}
    order = np.argsort(np.concatenate(list(parts.values())))
    low, high = (np.concatenate([pair[side] for pair in found.values()])[order] for side in (0, 1))
    return low, high


def _rarest(sample: Sample) -> float:
    """Return the fewest successes, or failures, of an arm."""
    return float(np.minimum(sample.sums, sample.counts - sample.sums).min())


def _tame(sample: Sample) -> bool:
    """Whether the normal law is near for every arm: range/(s·√n), which bounds Berry and Esseen's error, is small."""
    if np.min(sample.counts) < 2 or not sample.varies.all():
        return False
    spans = (sample.high - sample.low) ** 2 / (sample.variances * sample.counts)
    return bool(spans.max() <= _LARGEST_RATIO**2)


def counts_are_fixed(policy: Policy) -> bool:
    """Whether no reward decides a pull.

    >>> import steadyarm as sa
    >>> counts_are_fixed(sa.RoundRobin(n_arms=2, horizon=50)), counts_are_fixed(sa.MOSS(n_arms=2, horizon=50))
    (True, False)
    """
    return isinstance(policy, OwnHistoryPolicy) and policy.curves.clip == 0.0


def counts_are_steady(sample: Sample, policy: Policy) -> tuple[bool, str]:
    """Whether counts are predicted to spread by no more than `VALID_SPREAD`, at the estimated means; and why."""
    if not isinstance(policy, OwnHistoryPolicy) or policy.curves.bernoulli:
        return False, f"the spread of the counts of {policy.title} cannot be predicted"
    if np.min(sample.counts) < 2:
        return False, "an arm has fewer than two rewards"
    prediction = predict(policy, _estimated_instance(sample))
    if not (prediction.trusted or prediction.steadier):
        return False, f"the spread of the counts cannot be predicted: {prediction.reason}"
    spread = float((prediction.sd / prediction.counts).max())
    words = f"counts are predicted to spread by up to {spread:.1%} of themselves from run to run"
    if spread <= VALID_SPREAD:
        return True, f"{words}, little enough for an interval that takes them as fixed"
    return False, f"{words}, too much for an interval that takes them as fixed"


def _estimated_instance(sample: Sample) -> Instance:
    if sample.rewards == "bernoulli":  # not 0 or 1, where rewards would have no variance
        return Instance.bernoulli(((sample.sums + 2.0) / (sample.counts + 4.0)).tolist())
    scales = np.sqrt(np.maximum(sample.variances, 1e-12))
    return Instance.gaussian(sample.means.tolist(), scales.tolist())
