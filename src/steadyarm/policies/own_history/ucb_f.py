"""UCB-f: optimism with a width of one's own choice, the first policy with a tunable instability."""

from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.derived import DerivedParameter
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class UCBf(DerivedParameter, OwnHistoryPolicy):
    """Play the arm with the largest mean + f/√n.

    The width is reconstructed from the published guarantees: regret O(√T·f), instability O(T·log T/f).

    Attributes:
        f: the exploration function, or its value f(T), in the unit of the rewards; log T by default.

    >>> policy = UCBf(n_arms=2, horizon=100, f=3.0)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.indices
    array([3., 4.])
    """

    title: ClassVar[str] = "UCB-f"
    source: ClassVar[str] = "Chen & Lu 2026 (reconstructed from the published guarantees)"
    derived: ClassVar[str] = "f"

    f: float = None  # type: ignore[assignment]  # None: log T

    def __post_init__(self) -> None:
        super().__post_init__()
        if callable(self.f):
            self._set("f", self.f(self.horizon))
        self._set("f", checks.real(self.f, "f", above=0.0, at_most=1e100, remedy="Leave it out for log T."))

    @property
    def derived_value(self) -> float:
        """Return f = log T."""
        return log(float(self.horizon))

    @property
    def curves(self) -> Curves:
        """Width f/√n."""
        return Curves(horizon=float(self.horizon), root=self.f)
