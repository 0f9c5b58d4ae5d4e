"""`predict`: the fluid prediction of any own-history policy on any instance, and whether to trust it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.model.clipping import kinds_of_arms
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.fluid import fluid_counts, fluid_spread, lag, slope

# Beyond these the prediction was seen to miss played runs by more than 2 % (regret) or 5 % (instability);
# tests/statistical/test_fluid.py holds it to that on random instances.
_LARGEST_SPREAD = 0.30  # standard deviation of a count over the count
_LARGEST_LAG = 0.17  # lag of the running minimum over the standard error of the mean
_SMALLEST_SPREAD = 3.0  # pulls: counts are whole numbers
_FEWEST_PULLS = 8.0


@dataclass(frozen=True, eq=False)
class Prediction:
    """Mean counts and their standard deviations, without playing.

    Attributes:
        counts: the expected pulls of each arm.
        sd: their standard deviations (NaN where the width is flat and nothing can be said).
        regret: the expected regret.
        instability: the largest of the standard deviations.
        level: the common level of the indices at the end.
        trusted: whether the approximation is known to hold here.
        reason: if not, why.
        steadier: whether it is not trusted only because counts spread by less than whole pulls can tell.
    """

    counts: Floats
    sd: Floats
    regret: float
    instability: float
    level: float
    trusted: bool
    reason: str
    steadier: bool = False


@overload
def predict(policy: Policy, instance: Instance) -> Prediction: ...
@overload
def predict(
    policy: Policy | Sequence[Policy], instance: Instance | Sequence[Instance]
) -> Prediction | list[Prediction]: ...


def predict(
    policy: Policy | Sequence[Policy], instance: Instance | Sequence[Instance]
) -> Prediction | list[Prediction]:
    """Predict counts, their spread, regret and instability in closed form.

    A list of policies, or of instances, gives a list of predictions; two lists go in step.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=5_000, beta=6.1)
    >>> found = sa.predict(policy, sa.equal_arms(2))
    >>> [round(count) for count in found.counts], round(found.instability), found.trusted
    ([2500, 2500], 193, True)
    """
    policies = policy if isinstance(policy, Sequence) else [policy]
    instances = instance if isinstance(instance, Sequence) else [instance]
    if len(policies) != len(instances) and 1 not in (len(policies), len(instances)):
        raise InvalidInput(
            f"give one policy, one instance, or as many of both; got {len(policies)} policies and "
            f"{len(instances)} instances."
        )
    length = max(len(policies), len(instances))
    pairs = zip(
        policies if len(policies) > 1 else [*policies] * length,
        instances if len(instances) > 1 else [*instances] * length,
        strict=True,
    )
    found = [_predict(each, nu) for each, nu in pairs]
    one = not isinstance(policy, Sequence) and not isinstance(instance, Sequence)
    return found[0] if one else found


def _predict(policy: Policy, instance: Instance) -> Prediction:
    checks.instance_of(policy, Policy, "policy")
    if not isinstance(policy, OwnHistoryPolicy) or policy.curves.bernoulli:
        raise NotSupported(
            f"the fluid prediction needs an index that is a mean plus a width; that of {policy.title} is not. "
            "Use simulate."
        )
    policy.check_instance(instance, outside_class=True)
    curves = policy.curves
    kinds, copies, which = kinds_of_arms(instance, curves.clip)
    counts, spread = np.empty(copies.size), np.empty(copies.size)
    means, variances = np.ascontiguousarray(kinds[:, 1]), kinds[:, 2]
    level = fluid_counts(curves, means, copies, curves.horizon, counts)
    fluid_spread(curves, variances, copies, counts, spread)
    spread[_flat(curves, counts) | ~np.isfinite(spread) | (spread > policy.horizon)] = np.nan
    reason = _doubt(curves, variances, counts, spread, which)
    steadier = not reason and spread.max() < _SMALLEST_SPREAD
    if steadier:
        reason = f"a spread of {spread.max():.1f} pulls is lost in the rounding to whole pulls"
    largest = float(np.nan if np.isnan(spread).any() else spread.max())
    regret = float((copies * counts) @ (kinds[:, 0].max() - kinds[:, 0]))
    return Prediction(
        counts[which], spread[which], regret, largest, level, not reason, reason, bool(steadier)
    )


def _flat(curves: Curves, counts: Floats) -> npt.NDArray[np.bool_]:
    """Whether each index is flat where it ends, or a little later: a logarithm that ends at log_reach pulls."""
    ends = curves.log_scale > 0.0 and curves.root == curves.inverse == curves.tilt == 0.0
    beyond = counts >= curves.log_reach * (1.0 - 1e-6) if ends else np.zeros(counts.size, dtype=bool)
    flat: npt.NDArray[np.bool_] = beyond | np.array([slope(curves, n) <= 0.0 for n in counts])
    return flat


def _doubt(
    curves: Curves, variances: Floats, counts: Floats, spread: Floats, which: npt.NDArray[np.intp]
) -> str:
    """Return why a prediction is not to be trusted, or nothing."""

    def first_arm(kind: np.intp) -> int:
        return int(np.argmax(which == kind))

    if np.isnan(spread).any():  # of other arms too, if one is flat
        arm = first_arm(_flat(curves, counts).argmax())
        return f"the index of arm {arm} is flat where it ends, so its pulls may jump"
    if counts.min() < _FEWEST_PULLS:
        arm = first_arm(counts.argmin())
        return f"arm {arm} gets about {counts.min():.1f} pulls, too few for a smooth curve"
    relative = spread / counts
    if relative.max() > _LARGEST_SPREAD:
        arm = first_arm(relative.argmax())
        return (
            f"the pulls of arm {arm} spread by {relative.max():.0%} of their mean, too far for a first order"
        )
    noisy = variances > 0.0
    lags = [
        lag(curves, variance, n) / math.sqrt(variance / n)
        for variance, n in zip(variances[noisy], counts[noisy], strict=True)
    ]
    if max(lags, default=0.0) > _LARGEST_LAG:
        return "the width is small beside the noise, so the running minimum of the index matters"
    return ""
