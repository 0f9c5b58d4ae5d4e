"""Stable Thompson sampling: a posterior that is wider than it need be, for steadier allocations."""

import math
from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.derived import DerivedParameter
from steadyarm.policies.general.gaussian_thompson import SamplesMeans, ThompsonParameters


@dataclass(frozen=True, kw_only=True)
class StableThompson(DerivedParameter, SamplesMeans):
    """Play the arm with the largest sample from N(mean, γσ²/n).

    Stability is an asymptotic claim: it needs γ/log log T → ∞ and γ/√log T → 0. The default
    γ = √(log T / max(1, log log T)) meets both, and grows from 1.0 at T = 3 to 2.3 at T = 10⁶.

    Attributes:
        gamma: γ, the factor on the posterior variance.

    >>> policy = StableThompson(n_arms=2, horizon=1_000_000)
    >>> round(policy.gamma, 2)
    2.29
    >>> play = policy.start(seed=1)
    >>> for reward in (0.0, 50.0):
    ...     arm = play.ask()
    ...     play.tell(arm, reward)
    >>> play.ask() == arm
    True
    """

    title: ClassVar[str] = "stable Thompson sampling"
    source: ClassVar[str] = "Halder, Pan & Khamaru 2025 (summary read; the default γ is ours)"
    derived: ClassVar[str] = "gamma"

    gamma: float = None  # type: ignore[assignment]  # None: √(log T / max(1, log log T))

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("gamma", checks.real(self.gamma, "gamma", above=0.0, at_most=1e100))

    @property
    def derived_value(self) -> float:
        """Return γ = √(log T / max(1, log log T))."""
        log_horizon = log(float(self.horizon))
        return math.sqrt(log_horizon / max(1.0, log(log_horizon)))

    @property
    def parameters(self) -> ThompsonParameters:
        """The standard deviation σ√γ of √n times the sample."""
        return ThompsonParameters(self.noise_scale * math.sqrt(self.gamma))
