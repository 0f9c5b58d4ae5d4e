"""Round robin: every arm in turn, whatever it gives; no instability and no learning."""

from dataclasses import dataclass
from typing import ClassVar

from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy


@dataclass(frozen=True, kw_only=True)
class RoundRobin(OwnHistoryPolicy):
    """Play the arm with the fewest pulls, told of or not: its index is log(T/n).

    >>> play = RoundRobin(n_arms=3, horizon=100).start(priority=[2, 0, 1])
    >>> arms = []
    >>> for reward in (9.0, -9.0, 0.0, 5.0):
    ...     arms.append(play.ask())
    ...     play.tell(arms[-1], reward)
    >>> arms
    [1, 2, 0, 1]
    """

    title: ClassVar[str] = "round robin"
    source: ClassVar[str] = "folklore (from memory)"

    @property
    def curves(self) -> Curves:
        """A tilt, which counts pulls when they are assigned, and rewards clipped to nothing."""
        return Curves(horizon=float(self.horizon), clip=0.0, tilt=1.0)
