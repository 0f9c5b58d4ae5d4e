"""An own-history index as two curves of the pull count, given by a few numbers.

    index(n) = envelope?( mean(n) + width(n) ) + tilt(n)
    width(n) = root/√n + √(log_scale · log⁺(log_reach/n) / n) + inverse/n
    tilt(n)  = tilt · log(horizon/n)

where `envelope?` is the running minimum over the arm's own past if the flag is set. Because the curves are
data, one compiled kernel serves every such policy. Every engine and every play computes an index with the
two functions below and nothing else, so all of them see the same bits.
"""

import math
from typing import NamedTuple

from steadyarm.model.arithmetic import log
from steadyarm.model.compiled import compiled
from steadyarm.model.operations import fma


class Curves(NamedTuple):
    """The numbers behind an own-history index; rewards are clipped to [−clip, clip] first."""

    horizon: float
    clip: float = math.inf
    root: float = 0.0
    log_scale: float = 0.0
    log_reach: float = 1.0
    inverse: float = 0.0
    envelope: bool = False
    tilt: float = 0.0


@compiled
def upper(curves: Curves, total: float, n: float) -> float:
    """Return mean(n) + width(n) for an arm whose first n clipped rewards add up to `total`."""
    share = 1.0 / n
    width = curves.root * math.sqrt(share)
    if curves.inverse != 0.0:
        width = fma(curves.inverse, share, width)
    if curves.log_scale != 0.0 and n < curves.log_reach:
        width = width + math.sqrt(curves.log_scale * log(curves.log_reach / n) * share)
    return fma(total, share, width)


@compiled
def tilted(curves: Curves, value: float, n: float) -> float:
    """Return value + tilt(n)."""
    if curves.tilt == 0.0:
        return value
    return fma(curves.tilt, log(curves.horizon / n), value)
