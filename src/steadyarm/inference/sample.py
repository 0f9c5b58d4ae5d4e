"""`Sample`: what is known of the arms' rewards, of one experiment or of many runs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from steadyarm.errors import NotSupported
from steadyarm.numerics.arrays import Floats, Integers


@dataclass(frozen=True, eq=False)
class Sample:
    """What is known of the arms' rewards: arrays (…, arms), so that many runs are one sample too.

    Attributes:
        counts: how many rewards are known.
        sums: their sums.
        squares: sums of their squares; None where nobody kept them.
        deviations: V = Σ(x − mean of the rewards before it)², from the second reward on; None likewise.
        rewards: "gaussian", "bernoulli" or "bounded".
        low: the smallest possible reward, −inf for Gaussian ones.
        high: the largest.
        noise_scale: the known σ of each Gaussian arm; None if it is estimated.

    >>> sample = Sample(np.array([4, 0]), np.array([1.0, 0.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> sample.means, sample.variances
    (array([0.25,  nan]), array([0.1875,    nan]))
    """

    counts: Integers
    sums: Floats
    squares: Floats | None
    deviations: Floats | None
    rewards: str
    low: float
    high: float
    noise_scale: Floats | None

    @property
    def means(self) -> Floats:
        """The mean of the rewards, NaN without any."""
        return _over(self.sums, self.counts)

    @property
    def variances(self) -> Floats:
        """The variance of a reward: known, p(1 − p) at the estimated p, or estimated from the squares."""
        if self.noise_scale is not None:
            known: Floats = np.broadcast_to(self.noise_scale**2, np.shape(self.counts))
            return known
        means = self.means
        if self.rewards == "bernoulli":
            chances: Floats = means * (1.0 - means)
            return chances
        if self.squares is None:
            raise NotSupported(
                "an estimated variance needs the sums of the squared rewards; they are not there. "
                "Give squares=, or a play, which keeps them."
            )
        return _over(np.maximum(0.0, self.squares - self.sums * means), self.counts - 1)

    @property
    def varies(self) -> npt.NDArray[np.bool_]:
        """Whether a variance can be told: known, that of 0/1 rewards, or estimated and more than rounding errors."""
        if self.noise_scale is not None or self.rewards == "bernoulli" or self.squares is None:
            return np.ones(np.shape(self.counts), bool)
        rounding = 4.0 * np.finfo(float).eps * self.counts * self.squares
        seen: npt.NDArray[np.bool_] = self.squares - self.sums * np.nan_to_num(self.means) > rounding
        return seen

    @property
    def degrees(self) -> Floats:
        """The degrees of freedom of the variances: infinite where they are not estimated from the squares."""
        if self.noise_scale is not None or self.rewards == "bernoulli":
            return np.full(np.shape(self.counts), np.inf)
        degrees: Floats = np.maximum(self.counts - 1.0, 0.0)
        return degrees

    def runs(self, runs: int | Integers) -> Sample:
        """Return the sample of one run of many, or of some."""

        def of(values: Floats | None) -> Floats | None:
            return None if values is None else values[runs]

        return Sample(
            self.counts[runs],
            self.sums[runs],
            of(self.squares),
            of(self.deviations),
            self.rewards,
            self.low,
            self.high,
            self.noise_scale,
        )

    def taken(self, arms: list[int]) -> Sample:
        """Return the sample of some arms, one for each place in the list."""

        def of(values: Floats | None) -> Floats | None:
            return None if values is None else np.asarray(values)[..., arms]

        return Sample(
            self.counts[..., arms],
            self.sums[..., arms],
            of(self.squares),
            of(self.deviations),
            self.rewards,
            self.low,
            self.high,
            of(self.noise_scale),
        )


def _over(values: Floats, counts: Integers) -> Floats:
    quotient: Floats = np.full(np.shape(values), np.nan)
    return np.divide(values, counts, out=quotient, where=np.asarray(counts) > 0)
