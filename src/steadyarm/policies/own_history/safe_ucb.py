"""Safe UCB: a bonus that falls like 1/n, against heavy tails of the regret."""

import math
from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class SafeUCB(OwnHistoryPolicy):
    """Play the arm with the largest mean + ση√(T·log T / K)/n.

    More exploration at first and less at the end than 1/√n gives: a large regret becomes exponentially rare.

    Attributes:
        eta: η, the strength of the bonus.

    >>> policy = SafeUCB(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "Safe UCB"
    source: ClassVar[str] = "Simchi-Levi, Zheng & Zhu 2022 (from memory)"

    eta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("eta", checks.real(self.eta, "eta", above=0.0, at_most=1e100))

    @property
    def curves(self) -> Curves:
        """Width ση√(T·log T / K)/n."""
        horizon = float(self.horizon)
        strength = self.noise_scale * self.eta * math.sqrt(horizon * log(horizon) / self.n_arms)
        return Curves(horizon=horizon, inverse=strength)
