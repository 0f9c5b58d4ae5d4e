"""Pairs of arms that are compared: which ones, and what is known of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.inference.methods import wilson_reach
from steadyarm.inference.sample import Sample
from steadyarm.numerics.arrays import Floats

Pairs = Sequence[tuple[int, int]]


def pairs_of(n_arms: int, control: int | None) -> list[tuple[int, int]]:
    """Return the pairs that are compared: all of them, or each arm with a control.

    >>> pairs_of(3, None), pairs_of(3, 1)
    ([(1, 0), (2, 0), (2, 1)], [(0, 1), (2, 1)])
    """
    if control is None:
        return [(arm, other) for other, arm in combinations(range(n_arms), 2)]
    return [(arm, control) for arm in range(n_arms) if arm != control]


class Sides(NamedTuple):
    """Both arms of each pair, and of which pairs enough is known; the others have stand-ins, to be left out later."""

    one: Sample
    other: Sample
    known: npt.NDArray[np.bool_]


def sides_of(sample: Sample, method: str, pairs: Pairs) -> Sides:
    """Return what is known of the pairs (arm, other), for a method of differences."""
    one, other = sample.taken([arm for arm, _ in pairs]), sample.taken([arm for _, arm in pairs])
    enough = 1 if np.isinf(sample.degrees).all() else 2
    known = np.minimum(one.counts, other.counts) >= enough
    if method == "wald":
        known = known & one.varies & other.varies
        known = known & (np.nan_to_num(one.variances) + np.nan_to_num(other.variances) > 0.0)
    return Sides(_filled(one, known), _filled(other, known), known)


def welch_errors(sides: Sides) -> tuple[Floats, Floats]:
    """Return the standard errors of the differences, and their degrees of freedom as by Welch."""
    parts = [side.variances / side.counts for side in (sides.one, sides.other)]
    total = parts[0] + parts[1]
    degrees = (sides.one.degrees, sides.other.degrees)
    spread = sum(part**2 / each for part, each in zip(parts, degrees, strict=True))
    whole = np.divide(total**2, spread, out=np.full(total.shape, np.inf), where=np.asarray(spread) > 0.0)
    return np.sqrt(total), whole


def newcombe_reach(sides: Sides, z: Floats | float) -> tuple[Floats, Floats]:
    """Return how far Newcombe's interval of a difference reaches below and above it, z standard errors from Wilson's.

    R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven
    methods", Statistics in Medicine 17 (1998) 873–890, method 10.
    """
    (a_below, a_above), (b_below, b_above) = (
        wilson_reach(side.means, side.counts, z) for side in (sides.one, sides.other)
    )
    return np.hypot(a_below, b_above), np.hypot(a_above, b_below)


def _filled(sample: Sample, known: Any) -> Sample:
    """Return a sample in which pairs that nothing is known of have three rewards of nought."""

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
