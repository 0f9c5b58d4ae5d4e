"""KL-UCB-switch: KL-UCB's bound for an arm with few pulls, MOSS's from then on."""

from dataclasses import dataclass
from typing import ClassVar

from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class KLUCBSwitch(OwnHistoryPolicy):
    """Play the arm with the largest q such that n·d(mean, q) ≤ log⁺(T/(Kn)) while n ≤ (T/K)^(1/5).

    Beyond that its index is mean + √(log⁺(T/(Kn))/2n). Rewards lie between 0 and 1, and d is the divergence of two
    coins; the source takes that of the arm's observed rewards, which is the same for coins.

    >>> policy = KLUCBSwitch(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "KL-UCB-switch"
    source: ClassVar[str] = "Garivier, Hadiji, Ménard & Stoltz 2022; published code (read)"
    unit_rewards: ClassVar[bool] = True

    @property
    def switch(self) -> int:
        """The pulls up to which the divergence decides: the largest n with n⁵ ≤ T/K."""
        nearly: int = round((self.horizon / self.n_arms) ** 0.2)
        return nearly if self.n_arms * nearly**5 <= self.horizon else nearly - 1

    @property
    def curves(self) -> Curves:
        """The divergence's own bound at level/n, then the width √(level/2n)."""
        return Curves(
            horizon=float(self.horizon),
            log_scale=0.5,
            log_reach=self.horizon / self.n_arms,
            bernoulli=True,
            switch=float(self.switch),
        )
