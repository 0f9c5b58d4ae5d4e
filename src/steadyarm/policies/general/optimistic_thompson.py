"""Optimistic Thompson sampling: a bonus on the posterior mean, for steadier allocations."""

import math
from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.derived import DerivedParameter
from steadyarm.policies.general.gaussian_thompson import SamplesMeans, ThompsonParameters


@dataclass(frozen=True, kw_only=True)
class OptimisticThompson(DerivedParameter, SamplesMeans):
    """Play the arm with the largest sample from N(mean + σb/√n, σ²/n).

    The bonus is reconstructed from the published guarantees, which ask for a b that grows slowly with T.

    Attributes:
        b: the bonus in standard deviations of the posterior; √max(1, log log T) by default.

    >>> policy = OptimisticThompson(n_arms=2, horizon=1_000_000)
    >>> round(policy.b, 2)
    1.62
    >>> play = policy.start(seed=1)
    >>> for reward in (0.0, 50.0):
    ...     arm = play.ask()
    ...     play.tell(arm, reward)
    >>> play.ask() == arm
    True
    """

    title: ClassVar[str] = "optimistic Thompson sampling"
    source: ClassVar[str] = "Yan & Zhong 2026 (reconstructed from the published guarantees)"
    derived: ClassVar[str] = "b"

    b: float = None  # type: ignore[assignment]  # None: √max(1, log log T)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("b", checks.real(self.b, "b", at_least=0.0, at_most=1e100))

    @property
    def derived_value(self) -> float:
        """Return b = √max(1, log log T)."""
        return math.sqrt(max(1.0, log(log(float(self.horizon)))))

    @property
    def parameters(self) -> ThompsonParameters:
        """The standard deviation and the mean of √n times the sample's distance from the arm's mean."""
        return ThompsonParameters(self.noise_scale, self.noise_scale * self.b)
