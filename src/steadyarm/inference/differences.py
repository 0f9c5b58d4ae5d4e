"""`differences`: how much better one arm is than another, with intervals that hold together, and a decision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.inference.decisions import Difference, Differences
from steadyarm.inference.given import gather
from steadyarm.inference.methods import check_method, interval_ends, quantiles
from steadyarm.inference.mixtures import coin_difference_lows, normal_difference_half_widths
from steadyarm.inference.sample import Sample
from steadyarm.model import checks
from steadyarm.model.arrays import Floats
from steadyarm.theory.estimates import check_level

METHODS_OF_DIFFERENCES = ("wald", "wilson", "anytime")

Pairs = Sequence[tuple[int, int]]


def differences(
    play: Any = None,
    sums: Any = None,
    *,
    control: int | str | None = None,
    arms: Sequence[str] | None = None,
    level: float = 0.95,
    method: str = "auto",
    optimal_at: float | None = None,
    **given: Any,
) -> Differences:
    """Estimate the differences between the arms' means: of all pairs, or of each arm to a control.

    Their intervals hold together with probability `level`, by Bonferroni: each of m at 1 − (1 − level)/m. Ordinary
    ones: Wald's with both variances (Welch's, if they are estimated), or Newcombe's from Wilson's intervals of
    0/1 rewards. Anytime-valid ones: the differences that remain when the evidence against both means, added up, is
    below log(1/α); of bounded rewards, those that two intervals leave.

    Args:
        play: a play; or counts, with sums, as for `intervals`, and everything else that it takes.
        sums: the sums of the rewards.
        control: the arm that all others are compared with, by name or number; all pairs are compared without it.
        arms: names for the arms; their numbers unless given.
        level: of all intervals together.
        method: "auto", "wald", "wilson" or "anytime", as for `intervals`.
        optimal_at: pulls at which anytime-valid intervals are narrowest.
        **given: counts, squares, deviations, rewards, low, high, noise_scale, finished, as for `intervals`.

    >>> found = differences([150, 150], [8, 21], rewards="bernoulli", method="wilson", arms=["A", "B"])
    >>> print(found[0].decision)
    B is better than A, at the planned end
    >>> found.best
    ('B',)
    """
    level = check_level(level)
    checks.one_of(method, "method", ("auto", *METHODS_OF_DIFFERENCES))
    known = gather(play, sums, optimal_at=optimal_at, **given)
    sample, (chosen, reason) = known.sample, known.method(method)
    chosen = method_of_differences(chosen)
    names = _names(arms, len(sample.counts))
    pairs = _pairs(names, control)
    each = 1.0 - (1.0 - level) / len(pairs)
    ends = difference_ends(sample, chosen, each, pairs, optimal_at=known.optimal_at)
    means = sample.means
    rows = tuple(
        Difference(names[arm], names[other], float(means[arm] - means[other]), low, high, chosen)
        for (arm, other), low, high in zip(pairs, *(end.tolist() for end in ends), strict=True)
    )
    return Differences(rows, names, level, chosen, reason)


def method_of_differences(method: str) -> str:
    """Return the method for differences that goes with one for means: Newcombe's is made of Wilson's intervals."""
    return "wilson" if method == "exact" else method


def difference_ends(
    sample: Sample, method: str, level: float, pairs: Pairs, *, optimal_at: float
) -> tuple[Floats, Floats]:
    """Return both ends of the interval of mean[arm] − mean[other] for each pair (arm, other), each at `level`.

    >>> coins = Sample(np.array([150, 150]), np.array([8.0, 21.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> for method in METHODS_OF_DIFFERENCES:
    ...     low, high = difference_ends(coins, method, 0.95, [(1, 0)], optimal_at=150)
    ...     print(method, low.round(4), high.round(4))
    wald [0.0205] [0.1528]
    wilson [0.0195] [0.1563]
    anytime [-0.0292] [0.2134]
    """
    check_method(sample, method)
    one, other = sample.taken([arm for arm, _ in pairs]), sample.taken([arm for _, arm in pairs])
    span = sample.high - sample.low
    enough = 1 if np.isinf(sample.degrees).all() else 2
    known = np.minimum(one.counts, other.counts) >= enough
    if method == "wald":
        known = known & one.varies & other.varies
    sides = _filled(one, known), _filled(other, known)
    if method == "wilson":
        low, high = _joined(*sides, method, level, optimal_at, newcombe=True)
    elif method == "wald":
        low, high = _welch(*sides, level)
    elif sample.rewards == "gaussian":
        counts, scales = zip(*((side.counts, np.asarray(side.noise_scale)) for side in sides), strict=True)
        half = normal_difference_half_widths(counts, scales, level, optimal_at)
        middle = sides[0].means - sides[1].means
        low, high = middle - half, middle + half
    elif sample.rewards == "bernoulli":
        # The upper end is the lower one of the opposite difference; both at once.
        counts, ones = np.stack([side.counts for side in sides]), np.stack([side.sums for side in sides])
        low, high = coin_difference_lows((counts, counts[::-1]), (ones, ones[::-1]), level, optimal_at)
        high = -high
    else:
        low, high = _joined(*sides, method, 1.0 - (1.0 - level) / 2.0, optimal_at)
    return np.where(known, np.maximum(low, -span), -span), np.where(known, np.minimum(high, span), span)


def pairs_of(n_arms: int, control: int | None) -> list[tuple[int, int]]:
    """Return the pairs that are compared: all of them, or each arm with a control.

    >>> pairs_of(3, None), pairs_of(3, 1)
    ([(1, 0), (2, 0), (2, 1)], [(0, 1), (2, 1)])
    """
    if control is None:
        return [(arm, other) for other, arm in combinations(range(n_arms), 2)]
    return [(arm, control) for arm in range(n_arms) if arm != control]


def _welch(one: Sample, other: Sample, level: float) -> tuple[Floats, Floats]:
    """Return Welch's ends, which are Wald's if no variance is estimated."""
    errors = [side.variances / side.counts for side in (one, other)]
    error = errors[0] + errors[1]
    shares = [part**2 / side.degrees for part, side in zip(errors, (one, other), strict=True)]
    spread = shares[0] + shares[1]
    degrees = np.divide(error**2, spread, out=np.full(error.shape, np.inf), where=spread > 0.0)
    half = quantiles(degrees, level) * np.sqrt(error)
    middle = one.means - other.means
    return middle - half, middle + half


def _joined(
    one: Sample, other: Sample, method: str, level: float, optimal_at: float, newcombe: bool = False
) -> tuple[Floats, Floats]:
    """Return the ends of a difference from those of both means: added up, or their squares as by Newcombe.

    R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
    methods", Statistics in Medicine 17 (1998) 873–890, method 10.
    """
    a, b = (interval_ends(side, method, level, optimal_at=optimal_at) for side in (one, other))
    if not newcombe:
        return a[0] - b[1], a[1] - b[0]
    middle = one.means - other.means
    below = np.hypot(one.means - a[0], b[1] - other.means)
    above = np.hypot(a[1] - one.means, other.means - b[0])
    return middle - below, middle + above


def _filled(sample: Sample, known: Any) -> Sample:
    """Return a sample in which pairs that nothing is known of have three rewards of nought, to be left out later."""

    def of(values: Any, filler: float) -> Any:
        return None if values is None else np.where(known, values, filler)

    middle = min(max(sample.low, 0.0), sample.high)
    return Sample(
        of(sample.counts, 3),
        of(sample.sums, 3.0 * middle),
        of(sample.squares, 3.0 * middle**2),
        of(sample.deviations, 0.0),
        sample.rewards,
        sample.low,
        sample.high,
        None if sample.noise_scale is None else np.broadcast_to(sample.noise_scale, np.shape(sample.counts)),
    )


def _names(arms: Sequence[str] | None, n_arms: int) -> tuple[Any, ...]:
    if arms is None:
        return tuple(range(n_arms))
    if isinstance(arms, str) or len(arms) != n_arms or len(set(arms)) != n_arms:
        raise InvalidInput(f"arms must be {n_arms} different names; got {arms!r}.")
    return tuple(arms)


def _pairs(names: tuple[Any, ...], control: int | str | None) -> list[tuple[int, int]]:
    if len(names) < 2:
        raise InvalidInput("a difference needs two arms or more; got one.")
    if control is None:
        return pairs_of(len(names), None)
    if isinstance(names[0], str) and isinstance(control, int) and not isinstance(control, bool):
        control = names[checks.integer(control, "control", at_least=0, at_most=len(names) - 1)]
    if control not in names:
        raise InvalidInput(f"control must be one of {', '.join(map(repr, names))}; got {control!r}.")
    return pairs_of(len(names), names.index(control))
