"""Intervals for the arms' means after an adaptive experiment: Wald's, and one that holds at all times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.model import checks
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.play import Play
from steadyarm.theory.estimates import Estimate, check_level

METHODS = ("wald", "anytime")

_NARROWEST_AT = 1000  # pulls; any number will do that is not taken from the data
_NOISE = "It is the σ for which rewards are σ-sub-Gaussian: 1/2 for rewards in [0, 1]."


def intervals(
    play: Play | Sequence[int] | npt.NDArray[np.int64] | None = None,
    sums: Sequence[float] | npt.NDArray[np.float64] | None = None,
    *,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
    level: float = 0.95,
    method: str = "wald",
    noise_scale: float | Sequence[float] | None = None,
    optimal_at: float | None = None,
) -> list[Estimate]:
    """Estimate each arm's mean from a play, or from pull counts and reward sums.

    "wald": mean ± z·σ/√n. Valid for an arm when its pull count is nearly the same in every run (standard
    deviation small against the mean, so a steady policy) or was fixed in advance; under an unsteady policy,
    and for an arm with few pulls, it covers less often than it says.

    "anytime": the normal mixture |S − nμ| ≤ √((v + ρ)·(log(1 + v/ρ) + 2·log(1/a))), where v = nσ² and
    a = (1 − level)/2.
    Valid for every σ-sub-Gaussian reward, every policy and every time to stop, at all times at once; it is
    about twice as wide. ρ makes it narrowest at `optimal_at` pulls.

    Args:
        play: a play; or instead
        counts: the pulls of each arm whose reward is known, with
        sums: the sums of these rewards.
        level: the confidence level, arm by arm.
        method: "wald" or "anytime".
        noise_scale: σ, for all arms or one for each; the policy's unless given, 1 without a policy.
        optimal_at: pulls at which the anytime interval is narrowest, fixed in advance: horizon/K for a play,
            1,000 otherwise.

    The sums of a play are those that its index works with. SLE-UCB with the paper's constants clips rewards
    at M + 4σι, which a σ-sub-Gaussian reward exceeds with probability (KT)⁻⁸ at most: in practice never.

    An estimate's `runs` is the arm's pull count; an arm without rewards has an infinite interval.

    >>> for estimate in intervals(counts=[400, 25], sums=[80.0, -5.0]):
    ...     print(estimate)
    0.2000 [0.1020, 0.2980]
    -0.2000 [-0.5920, 0.1920]
    >>> print(intervals(counts=[400, 25], sums=[80.0, -5.0], method="anytime")[0])
    0.2000 [0.0319, 0.3681]
    """
    level = check_level(level)
    checks.one_of(method, "method", METHODS)
    if play is not None and not isinstance(play, Play):
        if counts is not None:
            raise InvalidInput("give a play, or counts with sums; got counts twice.")
        play, counts = None, play
    if isinstance(play, Play):
        if counts is not None or sums is not None:
            raise InvalidInput("give a play, or counts with sums; got both.")
        pulls, totals = _rewards_of(play)
        noise_scale = play.policy.noise_scale if noise_scale is None else noise_scale
        default = play.policy.horizon / play.policy.n_arms
    else:
        pulls, totals = _checked(counts, sums)
        default = _NARROWEST_AT
    scales = _scales(1.0 if noise_scale is None else noise_scale, len(pulls))
    best = checks.real(
        default if optimal_at is None else optimal_at, "optimal_at", above=0.0, remedy="It is a pull count."
    )
    halves = half_widths(method, pulls, scales, level, best)
    estimates = []
    for n, total, half in zip(pulls, totals, halves.tolist(), strict=True):
        if n == 0:
            estimates.append(Estimate(math.nan, -math.inf, math.inf, 0, level))
            continue
        mean = total / n
        estimates.append(Estimate(mean, mean - half, mean + half, n, level))
    return estimates


def anytime_half_width(pulls: float, noise_scale: float, level: float, optimal_at: float) -> float:
    """Return the normal mixture's half-width for a mean of `pulls` rewards.

    >>> round(anytime_half_width(1000, 1.0, 0.95, optimal_at=1000) * 1000**0.5, 2)
    3.28
    """
    return float(half_widths("anytime", pulls, noise_scale, level, optimal_at))


def half_widths(
    method: str, pulls: npt.ArrayLike, noise_scale: npt.ArrayLike, level: float, optimal_at: float
) -> npt.NDArray[np.float64]:
    """Return half the width of the interval for a mean of so many rewards, arrays at once; without any, ∞.

    >>> half_widths("anytime", [1000, 0], 1.0, 0.95, optimal_at=1000).round(4)
    array([0.1037,    inf])
    """
    n, sigma = np.broadcast_arrays(np.asarray(pulls, dtype=float), np.asarray(noise_scale, dtype=float))
    if method == "wald":
        sums = float(ndtri((1.0 + level) / 2.0)) * sigma * np.sqrt(n)
    else:
        a = (1.0 - level) / 2.0
        spread = 2.0 * math.log(1.0 / a)
        # v = nσ² and ρ are both multiples of σ², so σ stands in front.
        rho = optimal_at / (spread + math.log1p(spread))
        sums = sigma * np.sqrt((n + rho) * (np.log1p(n / rho) + spread))
    halves: npt.NDArray[np.float64] = np.full(n.shape, np.inf)
    np.divide(sums, n, out=halves, where=n > 0.0)
    return halves


def _rewards_of(play: Play) -> tuple[list[int], list[float]]:
    """Return how many rewards of each arm a play has seen, and their sums."""
    state = play.to_dict()
    totals = state.get("totals")
    blind = isinstance(play.policy, OwnHistoryPolicy) and play.policy.curves.clip == 0.0
    if totals is None or blind:
        raise NotSupported(
            f"a play of {play.policy.name} does not keep its reward sums. Give counts= and sums= instead."
        )
    return [int(n) for n in state["observed"]], [float(total) for total in totals]


def _checked(counts: object, sums: object) -> tuple[list[int], list[float]]:
    if counts is None or sums is None:
        raise InvalidInput("give a play, or counts= together with sums=.")
    if isinstance(counts, str | bytes | dict | set) or not isinstance(counts, Sequence | np.ndarray):
        raise InvalidType(f"counts must be a flat list of whole numbers; got {counts!r}.")
    if np.ndim(counts) != 1 or not len(counts):
        raise InvalidInput("counts must be a flat list of whole numbers, one for each arm.")
    pulls = [checks.integer(n, f"counts[{arm}]", at_least=0) for arm, n in enumerate(counts)]
    totals = list(checks.reals(sums, "sums"))
    if len(totals) != len(pulls):
        raise InvalidInput(
            f"counts and sums must have one number for each arm; got {len(pulls)} and {len(totals)}."
        )
    return pulls, totals


def _scales(noise_scale: float | Sequence[float], n_arms: int) -> list[float]:
    if isinstance(noise_scale, Sequence | np.ndarray) and not isinstance(noise_scale, str):
        scales = checks.reals(noise_scale, "noise_scale")
        if len(scales) != n_arms:
            raise InvalidInput(
                f"noise_scale must be one number or one for each of the {n_arms} arms; got {len(scales)}."
            )
    else:
        scales = (checks.real(noise_scale, "noise_scale"),) * n_arms
    return [checks.real(scale, "noise_scale", above=0.0, remedy=_NOISE) for scale in scales]
