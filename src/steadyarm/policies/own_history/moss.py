"""MOSS: minimax-optimal regret, and a bonus that vanishes once an arm has had its share."""

from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model import checks
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class MOSS(OwnHistoryPolicy):
    """Play the arm with the largest mean + σ√((constant/n)·log⁺(T/(Kn))).

    `constant = 4` is Algorithm 7 of Lattimore & Szepesvári, for which R ≤ 39√(KT) + ΣΔ at unit noise.
    Audibert & Bubeck's original √(log⁺(T/(Kn))/n) for rewards in [0, 1] is `constant = 4` with
    `noise_scale = 0.5`.

    >>> policy = MOSS(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "MOSS"
    source: ClassVar[str] = "Audibert & Bubeck 2009; Lattimore & Szepesvári, Algorithm 7 (read)"

    constant: float = 4.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("constant", checks.real(self.constant, "constant", above=0.0))

    @property
    def curves(self) -> Curves:
        """Width √(constant·σ²·log⁺((T/K)/n)/n)."""
        return Curves(
            horizon=float(self.horizon),
            log_scale=self.constant * self.noise_scale**2,
            log_reach=self.horizon / self.n_arms,
        )
