"""`plan`: which α for the stability or the regret that is wanted, what it costs, what is promised.

The worst cases over the class are first-order predictions, searched over instances of up to three levels with
any number of tied best arms (`worst_cases`). SLE-UCB with sharp constants is planned: its guarantee holds for
every α > 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.errors import CannotBeHad, InvalidInput
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import Guarantee, guarantee, instability_lower_bound, product_lower_bound
from steadyarm.theory.prediction import predict
from steadyarm.theory.reward_class import RewardClass, class_of
from steadyarm.theory.worst_cases import worst_cases

Floats = npt.NDArray[np.float64]
Along = Callable[[float], "TradeOff"]  # the worst cases at an alpha

SMALLEST_ALPHA, LARGEST_ALPHA = 0.01, 1e4
VALID_SPREAD = 0.1  # of a count, at which a Wald interval has lost next to nothing of its coverage
_STEPS = 60  # of the bisection for alpha
_CURVE = 41  # points of the curve that a picture shows


@dataclass(frozen=True)
class TradeOff:
    """The predicted worst cases at one α, and the means of the arms where the first two are."""

    alpha: float
    regret: float
    instability: float
    relative_spread: float
    costliest_means: tuple[float, ...]
    unsteadiest_means: tuple[float, ...]


@dataclass(frozen=True)
class Plan:
    """What to run, what to expect, what is promised and what more would cost.

    Attributes:
        policy: the policy to run.
        expected: predicted worst-case regret and instability, over the class.
        promise: Theorem 2's bounds for it, capped at what can happen, with notes where they say nothing.
        half: the trade-off at which the spread is halved, or None if no α reaches it.
        least_instability: below this no policy of the same regret stays everywhere (None where Theorem 1
            does not apply, its regret being above MT/8).
        curve: the trade-offs along α.
        wish: the wish in words.
        trusted: whether the predictions behind it are known to hold here.
        reward_class: what was said of the rewards.
    """

    policy: SLEUCB
    expected: TradeOff
    promise: Guarantee
    half: TradeOff | None
    least_instability: float | None
    curve: tuple[TradeOff, ...]
    wish: str
    trusted: bool
    reward_class: RewardClass

    @property
    def costliest(self) -> Instance:
        """The instance on which the plan is expected to lose most; simulate it to check the plan."""
        return self.reward_class.instance(self.expected.costliest_means)

    @property
    def unsteadiest(self) -> Instance:
        """The instance on which its counts are expected to spread most."""
        return self.reward_class.instance(self.expected.unsteadiest_means)

    @property
    def most_regret(self) -> float:
        """What any policy can lose at most: the widest gap of the class in every round."""
        return self.reward_class.widest_gap * self.policy.horizon

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers has to know, in plain sentences."""
        rough = () if self.trusted else ("The prediction is rough here; check it by simulation.",)
        return (*self.promise.notes, *rough)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as a plain dict, fit for JSON."""

        def numbers(point: TradeOff | None) -> dict[str, float] | None:
            if point is None:
                return None
            return {"alpha": point.alpha, "regret": point.regret, "instability": point.instability}

        return {
            "policy": self.policy.to_dict(),
            "wish": self.wish,
            "expected": numbers(self.expected),
            "guarantee": {
                "regret": self.promise.regret,
                "instability": self.promise.instability,
                "product": self.promise.product,
                "notes": list(self.promise.notes),
            },
            "half_the_spread": numbers(self.half),
            "least_instability": self.least_instability,
            "product_lower_bound": product_lower_bound(
                self.policy.horizon, self.policy.mean_bound, self.policy.noise_scale
            ),
            "worst_instances": {
                "regret": self.costliest.to_dict(),
                "instability": self.unsteadiest.to_dict(),
            },
            "trusted": self.trusted,
            "notes": list(self.notes),
        }


def plan(
    *,
    n_arms: int,
    horizon: int,
    mean_bound: float | None = None,
    noise_scale: float | None = None,
    rewards: str = "gaussian",
    low: float | None = None,
    high: float | None = None,
    max_sd: float | None = None,
    max_sd_share: float | None = None,
    max_regret: float | None = None,
    valid_intervals: bool = False,
    alpha: float | None = None,
) -> Plan:
    """Plan an experiment from one wish.

    Args:
        n_arms: how many arms.
        horizon: how many rounds.
        mean_bound: M; the means lie in [−M, M]. Default: 1, or what low and high say.
        noise_scale: σ; default 1 for Gaussian rewards, half the range for others.
        rewards: "gaussian", "bernoulli" (0 or 1), or "bounded" (between low and high).
        low: smallest bounded reward, 0 by default.
        high: largest bounded reward, 1 by default.
        max_sd: the wish: at most this standard deviation of an arm's pulls, on every instance.
        max_sd_share: the same as a share of the rounds.
        max_regret: or: at most this expected regret, and then as steady as that allows.
        valid_intervals: or: the cheapest at which ordinary intervals are valid afterwards (every count
            spreads by at most a tenth of itself).
        alpha: or no wish: what this α comes to.

    >>> found = plan(n_arms=2, horizon=100_000, max_sd_share=0.01)
    >>> found.expected.instability <= 1000.0 * 1.001, found.policy.constants
    (True, 'sharp')
    """
    reward_class = class_of(rewards, mean_bound, noise_scale, low, high)
    policy, wish = wished(
        reward_class,
        n_arms=n_arms,
        horizon=horizon,
        max_sd=max_sd,
        max_sd_share=max_sd_share,
        max_regret=max_regret,
        valid_intervals=valid_intervals,
        alpha=alpha,
    )
    return _describe(policy, reward_class, wish)


def wished(
    reward_class: RewardClass,
    *,
    n_arms: int,
    horizon: int,
    max_sd: float | None = None,
    max_sd_share: float | None = None,
    max_regret: float | None = None,
    valid_intervals: bool = False,
    alpha: float | None = None,
) -> tuple[SLEUCB, str]:
    """Return the policy that meets one wish, and the wish in words; `plan` says what it comes to."""
    base = SLEUCB(
        n_arms=n_arms,
        horizon=horizon,
        mean_bound=reward_class.mean_bound,
        noise_scale=reward_class.noise_scale,
        constants="sharp",
    )
    along = partial(trade_off, base, reward_class)
    given = [value is not None for value in (max_sd, max_sd_share, max_regret, alpha)]
    wishes = [*given, checks.boolean(valid_intervals, "valid_intervals")]
    if sum(wishes) != 1:
        raise InvalidInput(
            f"a plan needs exactly one wish; got {sum(wishes)}. Give one of max_sd, max_sd_share, max_regret, "
            "valid_intervals and alpha."
        )
    if alpha is not None:
        policy = base.replace(alpha=alpha)
        return policy, f"alpha = {policy.alpha:g}"
    if max_sd_share is not None:
        max_sd = base.horizon * checks.real(max_sd_share, "max_sd_share", above=0.0, at_most=1.0)
    if valid_intervals:
        wish = "the cheapest allocation after which ordinary intervals are valid"
        alpha = _smallest_alpha(along, base, "relative_spread", VALID_SPREAD, wish)
    elif max_sd is not None:
        limit = checks.real(max_sd, "max_sd", above=0.0)
        wish = f"a standard deviation of at most {limit:,.6g} pulls"
        alpha = _smallest_alpha(along, base, "instability", limit, wish)
    else:
        limit = checks.real(max_regret, "max_regret", above=0.0)
        wish = f"an expected regret of at most {limit:,.6g}"
        alpha = _largest_alpha(along, base, limit)
    return base.replace(alpha=alpha), wish


def recommended(
    reward_class: RewardClass, *, n_arms: int, horizon: int
) -> tuple[SLEUCB, dict[str, bool] | None]:
    """Return the policy for somebody without a wish, and the wish that stands behind it.

    That is the cheapest after which ordinary intervals are valid. With a few rounds an arm there is none; then α
    is 1, and no wish stands behind it.

    >>> policy, wish = recommended(class_of("bernoulli"), n_arms=2, horizon=1000)
    >>> policy.constants, wish
    ('sharp', {'valid_intervals': True})
    """
    wish = {"valid_intervals": True}
    try:
        return wished(reward_class, n_arms=n_arms, horizon=horizon, **wish)[0], wish
    except CannotBeHad:
        return wished(reward_class, n_arms=n_arms, horizon=horizon, alpha=1.0)[0], None


def _describe(policy: SLEUCB, reward_class: RewardClass, wish: str) -> Plan:
    along = partial(trade_off, policy, reward_class)
    expected = along(policy.alpha)
    half = None
    if along(LARGEST_ALPHA).instability <= expected.instability / 2.0:
        half = along(_bisect(along, lambda point: point.instability <= expected.instability / 2.0))
    applies = expected.regret <= policy.mean_bound * policy.horizon / 8.0
    least = instability_lower_bound(expected.regret, policy.horizon, policy.noise_scale) if applies else None
    alphas = np.geomspace(
        min(expected.alpha / 3.0, 0.1), max(30.0, 3.0 * expected.alpha, half.alpha if half else 0.0), _CURVE
    )
    curve = tuple(map(along, alphas.tolist()))
    unsteadiest = reward_class.instance(expected.unsteadiest_means)
    trusted = predict(policy, unsteadiest).trusted
    promise = guarantee(policy, widest_gap=reward_class.widest_gap)
    return Plan(policy, expected, promise, half, least, curve, wish, trusted, reward_class)


def trade_off(policy: SLEUCB, reward_class: RewardClass, alpha: float) -> TradeOff:
    """Predict the worst cases of SLE-UCB at an α over the class."""
    found = worst_cases(policy.replace(alpha=alpha).curves, policy.n_arms, reward_class)
    return TradeOff(
        alpha,
        found.regret.value,
        found.deviation.value,
        found.relative_deviation.value,
        found.regret.means,
        found.deviation.means,
    )


def _bisect(along: Along, wanted: Callable[[TradeOff], bool]) -> float:
    """Return the smallest alpha at which something wanted, monotone in alpha, is so."""
    low, high = math.log(SMALLEST_ALPHA), math.log(LARGEST_ALPHA)
    if wanted(along(SMALLEST_ALPHA)):
        return SMALLEST_ALPHA
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if wanted(along(math.exp(middle))) else (middle, high)
        if high - low < 1e-6:
            break
    return math.exp(high)


def _smallest_alpha(along: Along, policy: SLEUCB, quantity: str, limit: float, wish: str) -> float:
    steadiest = along(LARGEST_ALPHA)
    if getattr(steadiest, quantity) > limit:
        raise CannotBeHad(
            f"{wish} cannot be had with {policy.n_arms} arms and {policy.horizon:,} rounds: the steadiest "
            f"allocation (alpha = {LARGEST_ALPHA:g}) spreads by {steadiest.instability:,.1f} pulls "
            f"({steadiest.instability / policy.horizon:.2%} of the rounds) at a regret of "
            f"{steadiest.regret:,.0f}. Wish for more spread, or plan more rounds."
        )
    return _bisect(along, lambda point: getattr(point, quantity) <= limit)


def _largest_alpha(along: Along, policy: SLEUCB, limit: float) -> float:
    cheapest = along(SMALLEST_ALPHA)
    if cheapest.regret > limit:
        raise CannotBeHad(
            f"an expected regret of at most {limit:,.0f} cannot be had with {policy.n_arms} arms and "
            f"{policy.horizon:,} rounds: SLE-UCB with its guarantee has {cheapest.regret:,.0f} or more on its "
            f"worst instance (alpha = {SMALLEST_ALPHA:g}). Allow more regret, or set beta by hand."
        )
    if along(LARGEST_ALPHA).regret <= limit:
        return LARGEST_ALPHA
    above = _bisect(along, lambda point: point.regret > limit)
    return above * (1.0 - 2e-6)
