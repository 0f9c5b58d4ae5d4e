"""KL-UCB++: minimax and asymptotically optimal at once."""

from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model import checks
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class KLUCBpp(OwnHistoryPolicy):
    """Play the arm with the largest q such that n·d(mean, q) ≤ log⁺(y·(1 + log⁺(y)²)), y = T/(Kn).

    Attributes:
        rewards: "gaussian" takes d(p, q) = (p − q)²/2σ²; "bernoulli" takes the divergence of two coins and
            needs rewards between 0 and 1.

    >>> policy = KLUCBpp(n_arms=2, horizon=100, rewards="bernoulli")
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "KL-UCB++"
    source: ClassVar[str] = "Ménard & Garivier 2017; published code (read)"

    rewards: str = "gaussian"

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.one_of(self.rewards, "rewards", ("gaussian", "bernoulli"))
        self._set("unit_rewards", self.rewards == "bernoulli")

    @property
    def curves(self) -> Curves:
        """Width σ√(2·level/n), or the divergence's own bound at level/n."""
        bernoulli = self.rewards == "bernoulli"
        return Curves(
            horizon=float(self.horizon),
            log_scale=0.0 if bernoulli else 2.0 * self.noise_scale**2,
            log_reach=self.horizon / self.n_arms,
            long_log=True,
            bernoulli=bernoulli,
        )
