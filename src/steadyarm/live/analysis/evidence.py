"""Evidence that something has gone wrong, which may be looked at whenever you like.

Each function returns log E, where E is 1 or less on average at every moment of a healthy experiment, however arms were
chosen. By Ville's inequality E then ever reaches 1/a with probability a at most: that is a theorem, and holds over the
whole life of an experiment. E compares what came with the best that "nothing has changed" could say of it
(universal inference: Wasserman, Ramdas & Balakrishnan 2020).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaln, xlogy

from steadyarm.numerics.arrays import Floats

_FIRST_CUT, _RATIO = 16, 1.25
_PRIOR_BEFORE = 2.0  # in σ²: the variance of a mean about the first reward
_ANSWERING = (2.0, 0.5)  # of arms that are heard of: most of their units have an answer
_STEP_PRIOR = 32.0  # if a step is small, the mean before it is worth so many rewards after it
# What is staked on an arm; of those against it, the part of the most that can be staked.
_BETS = np.array([0.3, 0.1, 0.02, -0.1, -0.5])


def two_rates(part: Floats, part_sum: Floats, whole: float, whole_sum: float) -> Floats:
    """Return log E against one mean for values in [0, 1]: that a part of them has another mean than the rest.

    For 0/1 values it is a ratio of likelihoods, the numerator averaged over both means by Jeffreys' prior. For others
    E is no larger on average, by convexity.

    >>> two_rates(np.array([100.0]), np.array([90.0]), 200.0, 100.0).round(1)
    array([68.5])
    """
    rest, rest_sum = whole - part, whole_sum - part_sum
    found: Floats = _rate(part, part_sum) + _rate(rest, rest_sum) - _best_rate(whole, whole_sum)
    return found


def never_answered(part: Floats, whole: Floats, answered: Floats) -> Floats:
    """Return log E against one probability of an answer: that a part of the units, which has none, never has one.

    `answered` of the whole are, all of them in the rest.

    >>> never_answered(np.array([100.0]), np.array([101.0]), np.array([1.0])).round(1)
    array([5.4])
    """
    rest: Floats = whole - part
    found: Floats = _rate(rest, answered, *_ANSWERING) - _best_rate(whole, answered)
    return found


def stepped_rates(part: Floats, part_sum: Floats, whole: float, whole_sum: float) -> Floats:
    """Return log E against one mean for values in [0, 1] in order: that it has had a step after the first part.

    As `two_rates`, but for the mean after the step, which is averaged about the one before too: steps may be small.
    """
    rest, rest_sum = whole - part, whole_sum - part_sum
    ones = _STEP_PRIOR * (part_sum + 0.5) / (part + 1.0)
    small, large = _rate(rest, rest_sum, ones, _STEP_PRIOR - ones), _rate(rest, rest_sum)
    found: Floats = _rate(part, part_sum) + _either(small, large) - _best_rate(whole, whole_sum)
    return found


def _either(one: Floats, other: Floats) -> Floats:
    found: Floats = np.logaddexp(one, other) - math.log(2.0)
    return found


def _best_rate(number: Floats | float, total: Floats | float) -> Floats:
    """Return the log of the largest likelihood that any one mean gives."""
    found: Floats = xlogy(total, total) + xlogy(number - total, number - total) - xlogy(number, number)
    return found


def _rate(number: Floats, total: Floats, ones: Floats | float = 0.5, zeros: Floats | float = 0.5) -> Floats:
    """Return the log of the likelihood, averaged over means by a beta prior."""
    rest = np.maximum(number - total, 0.0)  # a sum of fractions may be off by a rounding
    found: Floats = betaln(total + ones, rest + zeros) - betaln(ones, zeros)
    return found


def stepped_means(part: Floats, part_sum: Floats, whole: float, whole_sum: float) -> Floats:
    """Return log E against one mean for 1-sub-Gaussian values less their first one: that the mean has had a step.

    The mean before the step is averaged about the first value, the mean after it about the one before.
    """
    before = _shifted(part, part_sum, np.zeros_like(part), _PRIOR_BEFORE)
    rest, rest_sum, center = whole - part, whole_sum - part_sum, part_sum / part
    small = _shifted(rest, rest_sum, center, 1.0 / _STEP_PRIOR)
    large = _shifted(rest, rest_sum, center, _PRIOR_BEFORE)
    return before + _either(small, large) - whole_sum**2 / (2.0 * whole)


def _shifted(number: Floats, total: Floats, center: Floats, prior: float) -> Floats:
    """Return the log of the likelihood of values, averaged over means about a center, against that of mean 0."""
    away, spread = total - number * center, 1.0 + prior * number
    found: Floats = (
        center * total - 0.5 * number * center**2 - 0.5 * np.log(spread) + prior * away**2 / (2.0 * spread)
    )
    return found


class Steadiness:
    """The rewards of an arm in order, and the evidence that their mean has changed.

    A change is looked for after the 16th reward, the 20th, and so on, each time a quarter later; the evidence is the
    average over all of these up to the horizon, whether they have come or not.

    Args:
        horizon: rewards at most.
        low: the least reward, where there is one.
        scale: the range of the rewards; or, if there is no least one, their σ.

    >>> steadiness = Steadiness(horizon=1000, low=0.0, scale=1.0)
    >>> for reward in [0.0, 1.0] * 100 + [1.0] * 100:
    ...     steadiness.take(reward)
    >>> round(steadiness.evidence())
    31
    """

    def __init__(self, horizon: int, low: float | None, scale: float) -> None:
        self.number, self._sum = 0, 0.0
        self._low, self._scale = low, scale
        self._first: float | None = low
        self._cuts: list[tuple[int, float]] = []
        self._next = _FIRST_CUT
        self._of = 1 + max(0, math.ceil(math.log(max(horizon, 1) / _FIRST_CUT, _RATIO)))

    def take(self, reward: float) -> None:
        """Take the next reward in."""
        if self._first is None:
            self._first = reward
            return
        self.number += 1
        self._sum += (reward - self._first) / self._scale
        if self.number == self._next:
            self._cuts.append((self.number, self._sum))
            self._next = max(self._next + 1, int(self._next * _RATIO))

    def evidence(self) -> float:
        """Return log E that the mean has changed."""
        cuts = self._cuts[:-1] if self._cuts and self._cuts[-1][0] == self.number else self._cuts
        if not cuts:
            return 0.0
        numbers, sums = np.array(cuts).T
        compare = stepped_means if self._low is None else stepped_rates
        found = compare(numbers, sums, float(self.number), self._sum)
        return float(np.logaddexp.reduce(found)) - math.log(self._of)


class Ratio:
    """Arms that were given with known probabilities, and the evidence that they were given otherwise.

    Args:
        n_arms: so many.
        least: the smallest probability that an arm can have.

    >>> ratio = Ratio(2, least=0.5)
    >>> for _ in range(100):
    ...     ratio.take(0, 0.5)
    >>> ratio.evidence().round()
    array([25., 39.])
    """

    def __init__(self, n_arms: int, least: float) -> None:
        most = least / (1.0 - least) if least < 1.0 else 0.0
        self._stakes = np.where(_BETS < 0.0, -np.minimum(-_BETS * most, 0.999), _BETS)
        self._gained = np.zeros((n_arms, len(_BETS)))
        self._counts = np.zeros(n_arms)
        self._logs: dict[float, Floats] = {}
        self.number = 0

    def take(self, arm: int, probability: float) -> None:
        """Take in that an arm was given."""
        gain = self._logs.get(probability)
        if gain is None:
            odds = 1.0 / probability - 1.0
            gain = np.log1p(np.maximum(self._stakes * odds, -0.999))  # `least` is no promise of a forged log
            if len(self._logs) < 1000:
                self._logs[probability] = gain
        self._gained[arm] += gain
        self._counts[arm] += 1
        self.number += 1

    def evidence(self) -> Floats:
        """Return log E of each arm that its share is another one."""
        lost = (self.number - self._counts)[:, None] * np.log1p(-self._stakes)
        found: Floats = np.logaddexp.reduce(self._gained + lost, axis=1) - math.log(len(_BETS))
        return found
