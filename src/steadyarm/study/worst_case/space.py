"""Where a worst case is looked for: the instances of a policy's class, and the families to begin with.

The paper's hard family comes first; the others are shapes at which one policy or another is at its worst.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.families import equal_arms
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.limit import Limit

REWARDS = ("gaussian", "bernoulli")

Gaps = tuple[float, ...]


class Point(NamedTuple):
    """How far each arm lies below the best, and how far all of them are shifted from the usual place."""

    gaps: Gaps
    shift: float = 0.0


@dataclass(frozen=True)
class Space:
    """All instances with means between `low` and `high`, and the largest noise that the class allows."""

    n_arms: int
    low: float
    high: float
    rewards: str
    noise_scale: float

    @property
    def widest(self) -> float:
        """The largest gap."""
        return self.high - self.low

    def instance(self, point: Point) -> Instance:
        """Return the instance with these gaps.

        Gaussian arms have their best mean at 0, as in the paper, if there is room below; coins lie around
        the middle, where they are noisiest.
        """
        return _instance(self, point)

    def limit(self, horizon: int) -> Limit:
        """Return what no policy can beat on these instances."""
        if self.rewards == "bernoulli":
            return Limit(self.n_arms, horizon, rates=(self.low, self.high))
        return Limit(self.n_arms, horizon, self.widest / 2.0, self.noise_scale)


@lru_cache(maxsize=4096)
def _instance(space: Space, point: Point) -> Instance:
    reach = max(point.gaps)
    usual = 0.0 if space.rewards == "gaussian" else (space.low + space.high + reach) / 2.0
    best = min(space.high, max(space.low + reach, usual + point.shift))
    # Rounding must not push a mean over the edge.
    means = [min(space.high, max(space.low, best - gap)) for gap in point.gaps]
    if space.rewards == "gaussian":
        return Instance.gaussian(means, space.noise_scale)
    return Instance.bernoulli(means)


def space_of(policy: Policy, mean_bound: float | None = None, rewards: str | None = None) -> Space:
    """Return the instances of a policy's class: Gaussian ones, or coins where it takes nothing else.

    >>> import steadyarm as sa
    >>> space_of(sa.MOSS(n_arms=2, horizon=100)).rewards, space_of(sa.Exp3(n_arms=2, horizon=100)).rewards
    ('gaussian', 'bernoulli')
    """
    bound = (policy.class_bound or 1.0) if mean_bound is None else mean_bound
    bound = checks.real(bound, "mean_bound", above=0.0, at_most=1e100, remedy="Means lie in [-M, M].")
    if rewards is None:
        try:
            policy.check_instance(equal_arms(policy.n_arms, noise_scale=policy.noise_scale))
        except InvalidInput:
            rewards = "bernoulli"
        else:
            rewards = "gaussian"
    checks.one_of(rewards, "rewards", REWARDS)
    low, high = (-bound, bound) if rewards == "gaussian" else (0.0, min(1.0, bound))
    space = Space(policy.n_arms, low, high, rewards, policy.noise_scale)
    policy.check_instance(space.instance(Point((0.0,) * policy.n_arms)))
    return space


def _equal_gap(n_arms: int, gap: float, _widest: float) -> Gaps:
    return (0.0, *[gap] * (n_arms - 1))


def _one_worse(n_arms: int, gap: float, _widest: float) -> Gaps:
    return (*[0.0] * (n_arms - 1), gap)


def _half_worse(n_arms: int, gap: float, _widest: float) -> Gaps:
    good = (n_arms + 1) // 2
    return (*[0.0] * good, *[gap] * (n_arms - good))


def _two_best(n_arms: int, gap: float, _widest: float) -> Gaps:
    return (0.0, 0.0, *[gap] * (n_arms - 2))


def _duel(n_arms: int, gap: float, widest: float) -> Gaps:
    return (0.0, gap, *[widest] * (n_arms - 2))


def _ladder(n_arms: int, gap: float, _widest: float) -> Gaps:
    return tuple(gap * arm / (n_arms - 1) for arm in range(n_arms))


FAMILIES: dict[str, Callable[[int, float, float], Gaps]] = {
    "equal_gap": _equal_gap,  # the paper's; its one_better is the same with all means shifted
    "one_worse": _one_worse,
    "half_worse": _half_worse,
    "two_best": _two_best,
    "duel": _duel,  # two arms close together, the others out of the way
    "ladder": _ladder,  # the gap is that of the last arm
}


def family_points(
    space: Space, families: tuple[str, ...], gaps: int, horizon: int
) -> list[tuple[str, float, Point]]:
    """Return the members of the families on a grid of gaps, all arms equal first, nothing twice."""
    grid = np.geomspace(finest_gap(space, horizon), space.widest, max(2, gaps)).tolist()
    grid[-1] = space.widest
    points: dict[Point, tuple[str, float, Point]] = {}
    equal = Point((0.0,) * space.n_arms)
    points[equal] = ("equal_arms", 0.0, equal)
    for name in families:
        for gap in [0.0, *grid]:
            point = Point(FAMILIES[name](space.n_arms, gap, space.widest))
            points.setdefault(point, (name, gap, point))
    return list(points.values())


def finest_gap(space: Space, horizon: int) -> float:
    """Return a gap that nobody notices in so many rounds."""
    return min(space.widest / 2.0, 0.5 * space.noise_scale / math.sqrt(horizon))


def neighbours(space: Space, point: Point, factor: float, finest: float) -> Iterator[Point]:
    """Yield changed copies: all gaps scaled, those of one value, that of one arm, and coins shifted."""
    gaps = point.gaps
    for scale in (factor, 1.0 / factor):
        yield _moved(space, point, [gap * scale for gap in gaps])
    for value in sorted(set(gaps)):
        members = [arm for arm, gap in enumerate(gaps) if gap == value]
        if value > 0.0:
            for scale in (factor, 1.0 / factor):
                yield _moved(space, point, [gap * scale if gap == value else gap for gap in gaps])
        if len(members) > 1:
            several = (value * factor, value / factor) if value > 0.0 else (finest * factor,)
            for target in (*several, 0.0, space.widest):
                changed = list(gaps)
                changed[members[-1]] = target
                yield _moved(space, point, changed)
    if space.rewards != "gaussian":  # a shift of Gaussian means moves no count
        for shift in (0.1, -0.1):
            step = shift * (factor - 1.0) * space.widest
            yield Point(gaps, point.shift + step)


def _moved(space: Space, point: Point, gaps: list[float]) -> Point:
    """Return the point with other gaps, the best arm first and none too far."""
    least = min(gaps)
    return Point(tuple(sorted(min(space.widest, gap - least) for gap in gaps)), point.shift)
