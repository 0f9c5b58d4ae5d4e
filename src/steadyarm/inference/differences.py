"""`differences`: how much better one arm is than another, with intervals that hold together, and a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from steadyarm.engines.progress import Report, progress_bar
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.inference.decisions import Difference, Differences
from steadyarm.inference.given import gather
from steadyarm.inference.methods import check_method, interval_ends, ordinary_method, quantiles
from steadyarm.inference.mixtures import coin_difference_lows, normal_difference_half_widths
from steadyarm.inference.p_values import p_values
from steadyarm.inference.pairs import Pairs, newcombe_reach, pairs_of, sides_of, welch_errors
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import REPLAYS, SEED, enough_replays
from steadyarm.inference.simulated_differences import simulated_differences
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats
from steadyarm.theory.estimates import check_level

METHODS_OF_DIFFERENCES = ("wald", "wilson", "anytime")
"""Those that need nothing but counts and sums."""


def differences(
    play: Any = None,
    sums: Any = None,
    *,
    control: int | str | None = None,
    arms: Sequence[str] | None = None,
    level: float = 0.95,
    method: str = "auto",
    optimal_at: float | None = None,
    replays: int = REPLAYS,
    seed: int = SEED,
    progress: bool | Report | None = None,
    counts: Any = None,
    squares: Any = None,
    deviations: Any = None,
    rewards: str | None = None,
    low: float | None = None,
    high: float | None = None,
    noise_scale: Any = None,
    finished: bool | None = None,
) -> Differences:
    """Estimate the differences between the arms' means: of all pairs, or of each arm to a control.

    Their intervals hold together with probability `level`, by Bonferroni: each of m at 1 − (1 − level)/m. Ordinary
    ones: Wald's with both variances (Welch's, if they are estimated), or Newcombe's from Wilson's intervals of
    0/1 rewards. Anytime-valid ones: the differences that remain when the evidence against both means, added up, is
    below log(1/α); of bounded rewards, those that two intervals leave. Simulated ones: the differences under which
    replays of the policy look like the play.

    Each row has two p-values, adjusted alike (m times as large). `p_value` goes with the interval: it is below
    1 − level if the interval leaves out 0, and holds when the interval does. `anytime_p_value` may be looked at
    whenever you like; None where no anytime-valid interval can be computed.

    Args:
        play: a play; or counts, with sums, as for `intervals`, and everything else that it takes.
        sums: the sums of the rewards.
        control: the arm that all others are compared with, by name or number; all pairs are compared without it.
        arms: names for the arms; their numbers unless given.
        level: of all intervals together.
        method: "auto", "wald", "wilson", "anytime" or "simulated", as for `intervals`.
        optimal_at: pulls at which anytime-valid intervals are narrowest.
        replays: how often "simulated" plays the policy to test one difference.
        seed: names the replays' random numbers; not that of rewards that were simulated themselves.
        progress: True or False for a bar while replays are played, or a function of the finished share.
        counts: with all that follows as for `intervals`.
        squares: the sums of the squared rewards.
        deviations: of each reward from the mean before it, squared and added up.
        rewards: "gaussian", "bernoulli" or "bounded".
        low: the smallest possible reward of bounded ones.
        high: the largest.
        noise_scale: σ of Gaussian rewards, or "estimated".
        finished: whether nobody will look again.

    >>> found = differences([150, 150], [8, 21], rewards="bernoulli", method="wilson", arms=["A", "B"])
    >>> print(found[0].decision, round(found[0].p_value, 4))
    B is better than A, at the planned end 0.0128
    >>> found.best
    ('B',)
    """
    level = check_level(level)
    checks.one_of(method, "method", ("auto", *METHODS_OF_DIFFERENCES, "simulated"))
    known = gather(
        play,
        sums,
        counts=counts,
        squares=squares,
        deviations=deviations,
        rewards=rewards,
        low=low,
        high=high,
        noise_scale=noise_scale,
        optimal_at=optimal_at,
        finished=finished,
    )
    sample, (chosen, reason) = known.sample, known.method(method)
    chosen = method_of_differences(chosen)
    names = _names(arms, len(sample.counts))
    pairs = _pairs(names, control)
    each = 1.0 - (1.0 - level) / len(pairs)
    if chosen == "simulated":
        policy, replays = known.replayable(), enough_replays(replays, each)
        start = difference_ends(
            sample, ordinary_method(sample.rewards), each, pairs, optimal_at=known.optimal_at
        )
        with progress_bar(progress, f"replays of {policy.title}") as report:
            *ends, chances, played = simulated_differences(
                policy, sample, each, pairs, start, replays=replays, seed=checks.seed(seed), report=report
            )
        reason = f"{reason}; {played:,} replays of {policy.title} were played"
    else:
        ends = list(difference_ends(sample, chosen, each, pairs, optimal_at=known.optimal_at))
        chances = p_values(sample, chosen, each, pairs, optimal_at=known.optimal_at)
    try:
        check_method(sample, "anytime")
        anytime = _adjusted(p_values(sample, "anytime", each, pairs, optimal_at=known.optimal_at))
    except NotSupported:
        anytime = [None] * len(pairs)
    means = sample.means
    columns = (pairs, *(end.tolist() for end in ends), _adjusted(chances), anytime)
    rows = tuple(
        Difference(
            names[arm], names[other], float(means[arm] - means[other]), least, most, chosen, chance, ever
        )
        for (arm, other), least, most, chance, ever in zip(*columns, strict=True)
    )
    return Differences(rows, names, level, chosen, reason)


def _adjusted(chances: Floats) -> list[float | None]:
    """Return p-values for all pairs together, by Bonferroni as the intervals."""
    return [min(1.0, len(chances) * chance) for chance in chances.tolist()]


def method_of_differences(method: str) -> str:
    """Return the method for differences that goes with one for means: Newcombe's is made of Wilson's intervals."""
    return "wilson" if method == "exact" else method


def difference_ends(
    sample: Sample, method: str, level: float, pairs: Pairs, *, optimal_at: float
) -> tuple[Floats, Floats]:
    """Return both ends of the interval of mean[arm] − mean[other] for each pair (arm, other), each at `level`.

    >>> coins = Sample(np.array([150, 150]), np.array([8.0, 21.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> for method in METHODS_OF_DIFFERENCES:
    ...     low, high = difference_ends(coins, method, 0.95, [(1, 0)], optimal_at=150)
    ...     print(method, low.round(4), high.round(4))
    wald [0.0205] [0.1528]
    wilson [0.0195] [0.1563]
    anytime [-0.0292] [0.2134]
    """
    check_method(sample, method)
    span = sample.high - sample.low
    sides = sides_of(sample, method, pairs)
    one, other, known = sides
    middle = one.means - other.means
    if method == "wilson":
        below, above = newcombe_reach(sides, float(quantiles(np.inf, level)))
        low, high = middle - below, middle + above
    elif method == "wald":
        errors, degrees = welch_errors(sides)
        half = quantiles(degrees, level) * errors
        low, high = middle - half, middle + half
    elif sample.rewards == "gaussian":
        scales = (np.asarray(one.noise_scale), np.asarray(other.noise_scale))
        half = normal_difference_half_widths((one.counts, other.counts), scales, level, optimal_at)
        low, high = middle - half, middle + half
    elif sample.rewards == "bernoulli":
        # The upper end is the lower one of the opposite difference; both at once.
        counts, ones = np.stack([one.counts, other.counts]), np.stack([one.sums, other.sums])
        low, high = coin_difference_lows((counts, counts[::-1]), (ones, ones[::-1]), level, optimal_at)
        high = -high
    else:
        each = 1.0 - (1.0 - level) / 2.0
        a, b = (interval_ends(side, method, each, optimal_at=optimal_at) for side in (one, other))
        low, high = a[0] - b[1], a[1] - b[0]
    return np.where(known, np.maximum(low, -span), -span), np.where(known, np.minimum(high, span), span)


def _names(arms: Sequence[str] | None, n_arms: int) -> tuple[Any, ...]:
    if arms is None:
        return tuple(range(n_arms))
    if isinstance(arms, str) or len(arms) != n_arms or len(set(arms)) != n_arms:
        raise InvalidInput(f"arms must be {n_arms} different names; got {arms!r}.")
    return tuple(arms)


def _pairs(names: tuple[Any, ...], control: int | str | None) -> list[tuple[int, int]]:
    if len(names) < 2:
        raise InvalidInput("a difference needs two arms or more; got one.")
    if control is None:
        return pairs_of(len(names), None)
    if isinstance(names[0], str) and isinstance(control, int) and not isinstance(control, bool):
        control = names[checks.integer(control, "control", at_least=0, at_most=len(names) - 1)]
    if isinstance(control, bool) or control not in names:
        raise InvalidInput(f"control must be one of {', '.join(map(repr, names))}; got {control!r}.")
    return pairs_of(len(names), names.index(control))
