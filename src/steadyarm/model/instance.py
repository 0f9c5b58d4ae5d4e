"""Bandit instances: the reward law of each arm, and whether they lie in a class (M, σ) (Assumption 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType, OutsideClass
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats
from steadyarm.words import counted

if TYPE_CHECKING:
    from steadyarm.model.drift import Drift, DriftingInstance

GAUSSIAN, BERNOULLI, BOUNDED = 0, 1, 2  # the codes by which compiled kernels know the laws
LAWS = ("gaussian", "bernoulli", "bounded")

_AROUND: dict[str, tuple[str, ...]] = {
    "gaussian": ("noise_scale",),
    "bernoulli": (),
    "bounded": ("low", "high", "reach"),
}
"""What each law has besides its means."""
_ANYWAY = "pass outside_class=True (--outside-class) to run without the guarantee."
_LARGEST = 1e100  # means and scales beyond it would overflow in sums of squares
_RANGES = {
    "gaussian": "Rescale the rewards.",
    "bernoulli": "It is a probability.",
    "bounded": "Means lie between low and high.",
}


def coin_deviation(rate: float) -> float:
    """Return √(p(1 − p)), the standard deviation of a reward that is 1 with probability p and else 0.

    >>> coin_deviation(0.5), round(coin_deviation(0.03), 4)
    (0.5, 0.1706)
    """
    return math.sqrt(rate * (1.0 - rate))


def sub_gaussian_scale(rate: float) -> float:
    """Return the least σ for which such a reward is σ-sub-Gaussian (Kearns and Saul): σ² = (1 − 2p)/(2·log((1 − p)/p)).

    M. Kearns & L. Saul, "Large deviation methods for approximate probabilistic inference", UAI 1998.

    >>> sub_gaussian_scale(0.5), round(sub_gaussian_scale(0.03), 4), sub_gaussian_scale(0.0)
    (0.5, 0.3677, 0.0)
    """
    away = abs(1.0 - 2.0 * rate)
    if away < 1e-4:
        return 0.5  # larger by less than 1e-9
    return math.sqrt(away / (4.0 * math.atanh(away))) if away < 1.0 else 0.0


@dataclass(frozen=True)
class Instance:
    """The reward laws of K ≥ 2 arms; build one with `gaussian`, `bernoulli` or `bounded`.

    Attributes:
        rewards: "gaussian", "bernoulli" or "bounded".
        means: the mean reward of each arm.
        noise_scales: for each arm a σ for which its rewards are σ-sub-Gaussian.
        low: the smallest possible reward (−inf for Gaussian rewards).
        high: the largest possible reward (inf for Gaussian rewards).
        reach: how far bounded rewards lie from their mean at most; None for as far as fits.

    >>> nu = Instance.gaussian([0.0, -0.1, -0.1], noise_scale=1.0)
    >>> nu.n_arms, nu.best_mean, nu.gaps
    (3, 0.0, (0.0, 0.1, 0.1))
    """

    rewards: str
    means: tuple[float, ...]
    noise_scales: tuple[float, ...]
    low: float
    high: float
    reach: float | None = None

    def __post_init__(self) -> None:
        checks.one_of(self.rewards, "rewards", LAWS)
        means = checks.reals(self.means, "means")
        scales = checks.reals(self.noise_scales, "noise_scale")
        if len(means) < 2:
            raise InvalidInput(f"means must name two arms or more; got {len(means)}.")
        if len(scales) != len(means):
            raise InvalidInput(
                f"noise_scale must be one number or one for each of the {len(means)} arms; "
                f"got {counted(len(scales), 'number')}."
            )
        for arm, scale in enumerate(scales):
            checks.real(scale, f"noise_scale of arm {arm}", above=0.0, at_most=_LARGEST)
        for arm, mean in enumerate(means):
            low, high = max(self.low, -_LARGEST), min(self.high, _LARGEST)
            checks.real(mean, f"means[{arm}]", at_least=low, at_most=high, remedy=_RANGES[self.rewards])
        object.__setattr__(self, "means", means)
        object.__setattr__(self, "noise_scales", scales)

    @classmethod
    def gaussian(cls, means: Sequence[float], noise_scale: float | Sequence[float] = 1.0) -> Instance:
        """Gaussian rewards; `noise_scale` is one standard deviation for all arms or one for each.

        >>> Instance.gaussian([0.0, 0.5], noise_scale=[1.0, 2.0]).variances
        array([1., 4.])
        """
        means = checks.reals(means, "means")
        if isinstance(noise_scale, Sequence | np.ndarray) and not isinstance(noise_scale, str):
            scales = checks.reals(noise_scale, "noise_scale")
        else:
            scales = (checks.real(noise_scale, "noise_scale"),) * len(means)
        return cls("gaussian", means, scales, -np.inf, np.inf)

    @classmethod
    def bernoulli(cls, means: Sequence[float]) -> Instance:
        """Rewards 0 or 1; `means` are the probabilities of a 1. They are ½-sub-Gaussian (Hoeffding).

        >>> Instance.bernoulli([0.25, 0.5]).gaps
        (0.25, 0.0)
        """
        means = checks.reals(means, "means")
        return cls("bernoulli", means, (0.5,) * len(means), 0.0, 1.0)

    @classmethod
    def bounded(
        cls, means: Sequence[float], low: float = 0.0, high: float = 1.0, reach: float | None = None
    ) -> Instance:
        """Rewards in [low, high], uniform on mean ± reach; without a reach, as far around each mean as fits.

        They are (high − low)/2-sub-Gaussian, like every law on [low, high] (Hoeffding).

        >>> Instance.bounded([1.0, 2.5], low=0.0, high=4.0).noise_scales
        (2.0, 2.0)
        """
        means = checks.reals(means, "means")
        low = checks.real(low, "low", at_least=-_LARGEST)
        high = checks.real(
            high, "high", above=low, at_most=_LARGEST, remedy="Rewards lie between low and high."
        )
        if reach is not None:
            fits = min(min(mean - low, high - mean) for mean in means) if means else 0.0
            reach = checks.real(
                reach,
                "reach",
                above=0.0,
                at_most=fits,
                remedy="Mean ± reach lies between low and high for every arm.",
            )
        return cls("bounded", means, ((high - low) / 2.0,) * len(means), low, high, reach)

    @staticmethod
    def drifting(
        drift: Drift,
        rewards: str = "gaussian",
        *,
        noise_scale: float | Sequence[float] | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> DriftingInstance:
        """Means that move with the rounds; the law of the rewards around them is one of the other three.

        Args:
            drift: how the means move: see `Drift`.
            rewards: "gaussian", "bernoulli" or "bounded".
            noise_scale: of Gaussian rewards; 1 unless given.
            low: the smallest bounded reward; 0 unless given.
            high: the largest bounded reward; 1 unless given.

        >>> from steadyarm.model.drift import Drift
        >>> nu = Instance.drifting(Drift.step([0.2, 0.1], [0.1, 0.2], after=5000), "bernoulli")
        >>> nu.in_round(5000).means, nu.in_round(5001).means
        ((0.2, 0.1), (0.1, 0.2))
        """
        from steadyarm.model.drift import Drift, DriftingInstance, stages_of

        checks.instance_of(drift, Drift, "drift")
        checks.one_of(rewards, "rewards", LAWS)
        given: dict[str, Any] = {"noise_scale": noise_scale, "low": low, "high": high}
        around = {name: value for name, value in given.items() if value is not None}
        for name in around.keys() - _AROUND[rewards]:
            raise InvalidInput(
                f"{name} does not go with {rewards} rewards; got {name}={around[name]!r}. Leave it out."
            )
        return DriftingInstance(drift, stages_of(drift, rewards, around))

    moves: ClassVar[bool] = False
    """Whether the means move with the rounds."""

    kind_of_regret: ClassVar[str] = "regret"
    """What pictures call the regret: dynamic where means move, since the best arm is then that of the round."""

    @property
    def stages(self) -> tuple[Instance, ...]:
        """The instance of each stretch of rounds: this one, as its means stay."""
        return (self,)

    @property
    def ends(self) -> tuple[int, ...]:
        """The last round of every stretch but the last: there is one, which does not end."""
        return ()

    @property
    def ever_best(self) -> tuple[bool, ...]:
        """Whether each arm is a best one."""
        return tuple(gap == 0.0 for gap in self.gaps)

    def check_still(self) -> None:
        """Refuse means that move; these do not."""

    def in_round(self, number: int) -> Instance:  # noqa: ARG002
        """Return the instance of a round."""
        return self

    def average_means(self, rounds: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return the arms' means, averaged over the rounds."""
        return self.means

    def mean_in_words(self, arm: int) -> str:
        """Return an arm's mean for a label."""
        return f"{self.means[arm]:g}"

    @property
    def n_arms(self) -> int:
        """K, the number of arms."""
        return len(self.means)

    @property
    def best_mean(self) -> float:
        """μ*, the largest mean."""
        return max(self.means)

    @cached_property
    def gaps(self) -> tuple[float, ...]:
        """How far each arm's mean lies below the best."""
        best = self.best_mean
        return tuple(best - mean for mean in self.means)

    @cached_property
    def variances(self) -> Floats:
        """The variance of each arm's reward."""
        if self.rewards == "bernoulli":
            return np.array([mean * (1.0 - mean) for mean in self.means])
        return self.scale**2 / 12.0 if self.rewards == "bounded" else self.scale**2

    @property
    def law(self) -> int:
        """The code by which compiled kernels know the law."""
        return LAWS.index(self.rewards)

    @cached_property
    def location(self) -> Floats:
        """First parameter of each arm's law in the kernels: mean, probability, or left end."""
        means = np.array(self.means)
        return means - self._reach if self.rewards == "bounded" else means

    @cached_property
    def scale(self) -> Floats:
        """Second parameter of each arm's law in the kernels: standard deviation, or length."""
        return 2.0 * self._reach if self.rewards == "bounded" else np.array(self.noise_scales)

    @property
    def _reach(self) -> Floats:
        means = np.array(self.means)
        if self.reach is not None:
            return np.full(len(means), self.reach)
        return np.minimum(means - self.low, self.high - means)

    def check_class(self, mean_bound: float | None, noise_scale: float, *, for_theorems: bool = True) -> None:
        """Refuse an instance outside the class (M, σ), naming the arm; M = None leaves the means free.

        A theorem needs σ-sub-Gaussian rewards; what holds to first order needs a standard deviation of at most σ.
        """
        for arm, mean in enumerate(self.means):
            if mean_bound is not None and abs(mean) > mean_bound:
                raise OutsideClass(
                    f"arm {arm} has mean {mean!r}, outside [-M, M] for the policy's mean_bound M = "
                    f"{mean_bound!r}. Raise mean_bound, shift the rewards, or {_ANYWAY}"
                )
        for arm, scale in enumerate(self._least_scales(for_theorems)):
            if scale > noise_scale:
                noisy = f"is {scale!r}-sub-Gaussian" if for_theorems else f"has noise of {scale!r}"
                raise OutsideClass(
                    f"arm {arm} {noisy}, noisier than the policy's noise_scale "
                    f"{noise_scale!r}. Raise noise_scale, or {_ANYWAY}"
                )

    def _least_scales(self, for_theorems: bool) -> Sequence[float]:
        """Return the least σ of each arm; of 0/1 rewards it follows from the rate."""
        if self.rewards != "bernoulli":
            return self.noise_scales
        scale = sub_gaussian_scale if for_theorems else coin_deviation
        return [scale(rate) for rate in self.means]

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `from_dict` makes the same instance."""
        state: dict[str, Any] = {"rewards": self.rewards, "means": list(self.means)}
        if self.rewards == "gaussian":
            state["noise_scale"] = list(self.noise_scales)
        if self.rewards == "bounded":
            state |= {"low": self.low, "high": self.high}
            state |= {} if self.reach is None else {"reach": self.reach}
        return state

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> Instance:
        """Make the instance that `to_dict` described.

        >>> nu = Instance.bounded([0.2, 0.7], low=0.0, high=1.0)
        >>> Instance.from_dict(nu.to_dict()) == nu
        True
        """
        if not isinstance(state, dict):
            raise InvalidType(f"a saved instance must be a dict; got {state!r}.")
        parameters = dict(state)
        if "ends" in parameters:
            from steadyarm.model.drift import Drift

            drift = Drift(parameters.pop("means", ()), parameters.pop("ends"))
            return Instance.drifting(drift, **parameters)
        rewards = checks.one_of(parameters.pop("rewards", None), "rewards", LAWS)
        optional = _AROUND[rewards]
        if parameters.keys() - {"means", *optional} or "means" not in parameters:
            raise InvalidInput(
                f"a saved {rewards} instance must have 'means' and may have {list(optional)}; "
                f"got {sorted(parameters)}."
            )
        built: Instance = getattr(cls, rewards)(**parameters)
        return built
