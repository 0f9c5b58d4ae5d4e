"""What an experimenter says of the rewards, and the instances that it allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.instance import LAWS, Instance, coin_deviation, sub_gaussian_scale

_LARGEST = 1e100  # of any number that describes rewards


class MeanRange(NamedTuple):
    """Where means can lie and how noisy rewards can be, as compiled functions take it.

    Rewards lie between start and end; both are infinite for Gaussian rewards.
    """

    low: float
    high: float
    start: float
    end: float
    variance: float


class RewardClass(NamedTuple):
    """What the experimenter says of the rewards: their law, M, σ, their range and that of their means.

    `noise_scale` is the σ for expectations; `sub_gaussian` that for theorems, which needs more where rates of 0/1
    rewards lie in a range; None where it is the same.
    """

    rewards: str
    mean_bound: float
    noise_scale: float
    mean_range: MeanRange
    sub_gaussian: float | None = None

    @property
    def proof_scale(self) -> float:
        """The σ for which rewards are σ-sub-Gaussian."""
        return self.noise_scale if self.sub_gaussian is None else self.sub_gaussian

    @property
    def widest_gap(self) -> float:
        """How far apart two means can be at most; a round loses no more."""
        return self.mean_range.high - self.mean_range.low

    @property
    def cost_in_words(self) -> str:
        """What the share of a cost is a share of.

        >>> class_of("bernoulli").cost_in_words, class_of("gaussian").cost_in_words
        ('of the best possible reward', 'of all that could be lost')
        """
        return "of the best possible reward" if self.mean_range.start == 0.0 else "of all that could be lost"

    def instance(self, means: Sequence[float]) -> Instance:
        """Return the noisiest arms of the class with these means.

        Rewards between two ends are noisiest at the ends. Unless they are 0 and 1, Gaussian rewards of the same
        variance stand in for them.

        >>> class_of("bernoulli").instance([0.5, 0.25]).rewards
        'bernoulli'
        >>> class_of("bounded", low=0.0, high=4.0).instance([2.0, 0.5]).noise_scales
        (2.0, 1.3228756555322954)
        """
        if self.rewards == "bernoulli":
            return Instance.bernoulli(means)
        if self.rewards == "gaussian":
            return Instance.gaussian(means, self.noise_scale)
        start, end = self.mean_range.start, self.mean_range.end
        quiet = 1e-9 * (end - start)  # a mean at an end leaves no noise, which no law has
        scales = [
            max(quiet, min(self.noise_scale, math.sqrt((end - mean) * (mean - start)))) for mean in means
        ]
        return Instance.gaussian(means, scales)


def class_of_rates(low: float, high: float) -> RewardClass:
    """Return 0/1 rewards with rates between two: as noisy as at the rate that is nearest to ½.

    >>> conversions = class_of_rates(0.02, 0.04)
    >>> round(conversions.noise_scale, 3), round(conversions.proof_scale, 3), round(conversions.widest_gap, 3)
    (0.196, 0.38, 0.02)
    """
    noisiest = min(max(0.5, low), high)
    noise = coin_deviation(noisiest)
    allowed = MeanRange(low, high, 0.0, 1.0, noise**2)
    return RewardClass("bernoulli", high, noise, allowed, sub_gaussian_scale(noisiest))


def class_of_means(low: float, high: float, noise_scale: float) -> RewardClass:
    """Return Gaussian rewards with means between two.

    >>> class_of_means(9.0, 12.0, 30.0).widest_gap
    3.0
    """
    allowed = MeanRange(low, high, -math.inf, math.inf, noise_scale**2)
    return RewardClass("gaussian", max(abs(low), abs(high)), noise_scale, allowed)


def class_of(
    rewards: str | None = None,
    mean_bound: float | None = None,
    noise_scale: float | None = None,
    low: float | None = None,
    high: float | None = None,
) -> RewardClass:
    """Return the class that the experimenter described: Gaussian rewards, if nothing was said.

    >>> class_of("gaussian").widest_gap
    2.0
    >>> bounded = class_of("bounded", low=-2.0, high=4.0)
    >>> bounded.mean_bound, bounded.noise_scale, bounded.widest_gap
    (4.0, 3.0, 6.0)
    """
    rewards = "gaussian" if rewards is None else rewards
    checks.one_of(rewards, "rewards", LAWS)
    if rewards != "bounded" and not (low is None and high is None):
        raise InvalidInput(f"low and high are for bounded rewards; these are {rewards}. Leave them out.")
    least = checks.real(0.0 if low is None else low, "low", at_least=-_LARGEST, at_most=_LARGEST)
    most = checks.real(
        1.0 if high is None else high,
        "high",
        above=least,
        at_most=_LARGEST,
        remedy="Rewards lie between low and high.",
    )
    if rewards == "gaussian":
        bound, noise = 1.0, 1.0
    else:
        bound, noise = max(abs(least), abs(most)), (most - least) / 2.0
    bound = (
        bound if mean_bound is None else checks.real(mean_bound, "mean_bound", above=0.0, at_most=_LARGEST)
    )
    noise = (
        noise if noise_scale is None else checks.real(noise_scale, "noise_scale", above=0.0, at_most=_LARGEST)
    )
    if rewards == "bernoulli" and noise < 0.5:
        raise InvalidInput(
            f"noise_scale must be at least 0.5 for 0/1 rewards; got {noise!r}. They are ½-sub-Gaussian whatever "
            "their rate, and no guarantee holds with less. Leave noise_scale out."
        )
    start, end = (-math.inf, math.inf) if rewards == "gaussian" else (least, most)
    lowest, highest = max(start, -bound), min(end, bound)
    if highest <= lowest:
        raise InvalidInput(
            f"means within ±{bound:g} cannot come from rewards between {least:g} and {most:g}. "
            "Give a larger mean_bound, or leave it out."
        )
    return RewardClass(rewards, bound, noise, MeanRange(lowest, highest, start, end, noise**2))
