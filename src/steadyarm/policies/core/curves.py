"""An own-history index as two curves of the pull count, given by a few numbers.

    index(n) = envelope?( mean(n) + width(n) ) + tilt(n)
    width(n) = root/√n + √(log_scale · level(n) / n) + inverse/n
    tilt(n)  = tilt · log(horizon/n)                                              up to `kink` pulls
               tilt · ( log(horizon/kink) − κ·( bent(n) − bent(kink) ) )          from there on

with bent(n) = log((1 + u)/(1 − u)), u = bend·√(n/horizon), and the κ at which value and slope meet: the tilt falls
like 1/n at first and like 1/(√n·(1 − u²)) beyond. `bend = 0` leaves the logarithm alone. `envelope?` is the running
minimum over the arm's own past if the flag is set, and level(n) is log⁺(y) with y = log_reach/n, or
log⁺(y·(1 + log⁺(y)²)) if `long_log` is set. With `bernoulli` set, the largest q whose Bernoulli divergence from mean(n)
is at most level(n)/n stands for mean(n) + width(n) up to `switch` pulls.

Because the curves are data, one compiled kernel serves every such policy. Every engine and every play
computes an index with the functions below and nothing else, so all of them see the same bits.
"""

import math
from typing import NamedTuple

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log, product
from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import fma
from steadyarm.policies.core.divergence import bernoulli_upper


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
    kink: float = math.inf
    bend: float = 0.0
    long_log: bool = False
    bernoulli: bool = False
    switch: float = math.inf


def check_curves(curves: Curves, title: str, unit_rewards: bool) -> None:
    """Refuse numbers from which an index could be NaN or a tilt could rise, which the engines do not expect.

    >>> check_curves(Curves(horizon=100.0, log_scale=-2.0), "my policy", unit_rewards=False)
    Traceback (most recent call last):
    ...
    steadyarm.errors.InvalidInput: log_scale in the curves of 'my policy' must be at least 0.0; got -2.0.
    """
    checks.instance_of(curves, Curves, f"curves of {title!r}")
    numbers = curves._asdict()
    for name in ("horizon", "log_scale", "log_reach", "tilt", "clip"):
        if (name, numbers[name]) != ("clip", math.inf):
            checks.real(numbers[name], f"{name} in the curves of {title!r}", at_least=0.0)
    for name in ("root", "inverse"):
        checks.real(numbers[name], f"{name} in the curves of {title!r}")
    if curves.bend != 0.0:
        checks.real(curves.bend, f"bend in the curves of {title!r}", above=0.0, at_most=0.99)
        checks.real(curves.kink, f"kink in the curves of {title!r}", above=0.0, at_most=curves.horizon)
    if curves.bernoulli and not unit_rewards:
        raise InvalidInput(
            f"the curves of {title!r} have bernoulli=True and so need rewards between 0 and 1. Set unit_rewards = True "
            "in the class, so that other rewards are refused."
        )


@inlined
def level(curves: Curves, n: float) -> float:
    """Return the logarithm in the width, zero from log_reach pulls on."""
    if n >= curves.log_reach:
        return 0.0
    y = curves.log_reach / n
    log_y = log(y)
    return log(y * fma(log_y, log_y, 1.0)) if curves.long_log else log_y


@inlined
def width(curves: Curves, n: float) -> float:
    """Return the width after n pulls."""
    total = curves.root / math.sqrt(n)
    if curves.inverse != 0.0:
        total = total + curves.inverse / n
    if curves.log_scale != 0.0:
        total = total + math.sqrt(curves.log_scale * level(curves, n) / n)
    return total


@inlined
def bonus_at(curves: Curves, n: float) -> float:
    """Return what the mean after n pulls is raised by: a width, or for coins a divergence."""
    return level(curves, n) / n if _diverges(curves, n) else width(curves, n)


@inlined
def _diverges(curves: Curves, n: float) -> bool:
    return curves.bernoulli and n <= curves.switch


@inlined
def upper_from_bonus(curves: Curves, mean: float, bonus: float, n: float) -> float:
    """Return mean + width, given bonus = bonus_at(n)."""
    return bernoulli_upper(mean, bonus) if _diverges(curves, n) else mean + bonus


@inlined
def upper(curves: Curves, total: float, n: float) -> float:
    """Return mean(n) + width(n) for an arm whose first n clipped rewards add up to `total`."""
    return upper_from_bonus(curves, total / n, bonus_at(curves, n), n)


@inlined
def tilt(curves: Curves, n: float) -> float:
    """Return the tilt after n pulls."""
    if curves.bend == 0.0:
        return product(curves.tilt, log(curves.horizon / n))
    return product(curves.tilt, _bent_log(curves, n))


@inlined
def tilt_slope(curves: Curves, n: float) -> float:
    """Return how fast the tilt falls after n pulls."""
    if curves.bend == 0.0 or n <= curves.kink:
        return curves.tilt / n
    start, here = _bend_at(curves, curves.kink), _bend_at(curves, n)
    return curves.tilt / n * (1.0 / start - start) / (1.0 / here - here)


@inlined
def _bend_at(curves: Curves, n: float) -> float:
    """Return u = bend·√(n/horizon), which stays below one: engines look a little beyond the horizon."""
    return product(curves.bend, math.sqrt(min(1.0, n / curves.horizon)))


@inlined
def _bent_log(curves: Curves, n: float) -> float:
    """Return what the tilt is a multiple of, where it has a kink."""
    straight = log(curves.horizon / min(n, curves.kink))
    if n <= curves.kink:
        return straight
    start, here = _bend_at(curves, curves.kink), _bend_at(curves, n)
    fallen = log((1.0 + here) / (1.0 - here)) - log((1.0 + start) / (1.0 - start))
    return straight - product(1.0 / start - start, fallen)


@inlined
def own_part(curves: Curves, n: float) -> float:
    """Return what is added to the mean before the running minimum: with an envelope the width, else all of it.

    Without an envelope the play follows the running minimum of the whole index.
    """
    return width(curves, n) if curves.envelope else width(curves, n) + tilt(curves, n)


@inlined
def own_level(curves: Curves, level: float, n: float) -> float:
    """Return the level for mean(s) + own_part(s), s ≤ n, to which an index after n pulls at `level` belongs."""
    return level - tilt(curves, n) if curves.envelope else level


@inlined
def tilted(curves: Curves, value: float, n: float) -> float:
    """Return value + tilt(n)."""
    return value + tilt(curves, n)
