"""A policy for tests: an index with a tilt and any width, with an envelope or without."""

from dataclasses import dataclass

from steadyarm.policies import OwnHistoryPolicy
from steadyarm.policies.core.curves import Curves


@dataclass(frozen=True, kw_only=True)
class Tilted(OwnHistoryPolicy):
    title = "tilted"
    source = "a test"

    tilt: float
    root: float = 0.0
    log_scale: float = 0.0
    log_reach: float = 1.0
    clip: float = float("inf")
    envelope: bool = False
    kink: float = float("inf")
    bend: float = 0.0

    @property
    def curves(self):
        return Curves(
            horizon=float(self.horizon),
            clip=self.clip,
            root=self.root,
            log_scale=self.log_scale,
            log_reach=self.log_reach,
            tilt=self.tilt,
            envelope=self.envelope,
            kink=self.kink,
            bend=self.bend,
        )
