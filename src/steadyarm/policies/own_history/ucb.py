"""UCB with a fixed confidence level: optimism for a horizon that is known."""

import math
from dataclasses import dataclass
from typing import ClassVar

from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.derived import ConfidenceLevel
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class UCB(ConfidenceLevel, OwnHistoryPolicy):
    """Play the arm with the largest mean + σ√(2·log(1/δ)/n).

    With δ = 1/T² the regret is at most 3·ΣΔ + Σ 16·log T/Δ at unit noise.

    Attributes:
        delta: δ, the chance that a mean lies above its bound; 1/T² by default.

    >>> policy = UCB(n_arms=2, horizon=100)
    >>> policy.delta
    0.0001
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "UCB"
    source: ClassVar[str] = "Lattimore & Szepesvári, Algorithm 3 (read)"

    @property
    def curves(self) -> Curves:
        """Width σ√(2·log(1/δ))/√n."""
        return Curves(horizon=float(self.horizon), root=self.noise_scale * math.sqrt(-2.0 * log(self.delta)))
