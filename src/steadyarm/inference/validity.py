"""When an ordinary interval, made for a count that is fixed in advance, is valid after an adaptive experiment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from steadyarm.inference.sample import Sample
from steadyarm.model.instance import Instance
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.prediction import predict

VALID_SPREAD = 0.1
"""Of a count, at which an ordinary interval has lost next to nothing of its coverage."""


class Choice(NamedTuple):
    """A method, and why it was chosen."""

    method: str
    reason: str


def choose_method(sample: Sample, policy: Policy | None, finished: bool) -> Choice:
    """Return the narrowest method that is valid: an ordinary one if counts are nearly the same in every run.

    `finished` says that the rounds that were planned are over, so that nobody looks again.
    """
    ordinary = "wilson" if sample.rewards == "bernoulli" else "wald"
    if policy is None:
        return Choice("anytime", "nothing is known of how the pulls were chosen and when one looks")
    if not finished:
        return Choice("anytime", "the planned rounds are not over, so one may look again")
    if counts_are_fixed(policy):
        return Choice(ordinary, f"{policy.title} fixes every count in advance")
    steady, why = counts_are_steady(sample, policy)
    return Choice(ordinary if steady else "anytime", why)


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
