"""What a planner's slider needs in one answer: the prediction, the promises, the frontier and what lies beyond it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.analysis.results import finite
from steadyarm.live.core.configuration import WISHES, check_scales
from steadyarm.live.core.problems import Problem
from steadyarm.model import Instance, checks
from steadyarm.policies import SLEUCB, OwnHistoryPolicy, all_policies
from steadyarm.theory import guarantee, instability_lower_bound, predict, product_lower_bound
from steadyarm.theory.bounds import largest_instability
from steadyarm.theory.planning import TradeOff, trade_off, wished
from steadyarm.theory.reward_class import RewardClass, class_of
from steadyarm.theory.worst_cases import worst_cases

MOST_ARMS = 10_000
RIVALS = ("MOSS", "UCB", "UCBf", "SafeUCB")
_MEMBERS = (
    "arms",
    "horizon",
    "mean_bound",
    "noise_scale",
    "rewards",
    "low",
    "high",
    "constants",
    "alpha",
    "means",
    *WISHES,
)
ALPHAS = np.geomspace(0.05, 50.0, 25)
_EDGE = 25  # points of the edge of the excluded region


def answer(question: Any) -> Any:
    """Plan from an α or a wish.

    >>> found = answer({"arms": 3, "horizon": 100_000, "alpha": 2.0})
    >>> len(found["counts"]), found["expected"]["alpha"], found["rivals"][0]["policy"]
    (3, 2.0, 'MOSS')
    """
    if not isinstance(question, dict):
        raise Problem("invalid", "a question must be a JSON object.")
    unknown = question.keys() - set(_MEMBERS)
    if unknown:
        raise Problem("invalid", f"a plan has no member {min(unknown)!r}. It has {', '.join(_MEMBERS)}.")
    try:
        return finite(_answer({name: value for name, value in question.items() if value is not None}))
    except Problem:
        raise
    except SteadyarmError as refused:
        raise Problem("invalid", str(refused)) from None


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    n_arms = checks.integer(asked.get("arms"), "arms", at_least=2, at_most=MOST_ARMS)
    horizon = checks.horizon(asked.get("horizon"), n_arms)
    wishes = {name: asked[name] for name in WISHES if name in asked}
    if wishes and asked.keys() & {"alpha", "constants"}:
        raise InvalidInput(
            "a wish finds alpha, with sharp constants. Leave alpha and constants out, or the wish."
        )
    reward_class = class_of(
        asked.get("rewards", "gaussian"),
        asked.get("mean_bound"),
        asked.get("noise_scale"),
        asked.get("low"),
        asked.get("high"),
    )
    scales = {"mean_bound": reward_class.mean_bound, "noise_scale": reward_class.noise_scale}
    check_scales(scales | asked)
    if wishes:
        policy, wish = wished(reward_class, n_arms=n_arms, horizon=horizon, **wishes)
    else:
        policy = SLEUCB(
            n_arms=n_arms,
            horizon=horizon,
            alpha=asked.get("alpha", 1.0),
            constants=asked.get("constants", "sharp"),
            **scales,
        )
        wish = f"alpha = {policy.alpha:g}"
    return _described(policy, reward_class, wish, asked.get("means"))


def _described(policy: SLEUCB, reward_class: RewardClass, wish: str, means: Any) -> dict[str, Any]:
    expected = trade_off(policy, reward_class, policy.alpha)
    costliest, unsteadiest = map(
        reward_class.instance, (expected.costliest_means, expected.unsteadiest_means)
    )
    if means is None:
        instance = costliest
    else:  # only their differences matter, so they may lie anywhere, with all the noise of the class
        instance = Instance.gaussian(checks.reals(means, "means"), noise_scale=policy.noise_scale)
    predicted, promise = predict(policy, instance), guarantee(policy, widest_gap=reward_class.widest_gap)
    curve = _curve(policy.replace(alpha=1.0), reward_class)
    rivals = _rivals(policy.n_arms, policy.horizon, reward_class)
    return {
        "policy": policy.to_dict(),
        "wish": wish,
        "expected": _point(expected),
        "guarantee": {
            "regret": promise.regret,
            "instability": promise.instability,
            "product": promise.product,
            "notes": list(promise.notes),
        },
        "most": {
            "regret": reward_class.widest_gap * policy.horizon,
            "instability": largest_instability(policy),
        },
        "product_lower_bound": product_lower_bound(policy.horizon, policy.mean_bound, policy.noise_scale),
        "instance": {"means": list(instance.means)},
        "hardest": {
            "regret": costliest.to_dict(),
            "instability": unsteadiest.to_dict(),
        },
        "counts": predicted.counts.tolist(),
        "sd": predicted.sd.tolist(),
        "regret": predicted.regret,
        "instability": predicted.instability,
        "trusted": predicted.trusted,
        "reason": predicted.reason,
        "curve": list(curve),
        "excluded": _excluded(policy, min(each["regret"] for each in (*curve, *rivals) if each["regret"])),
        "rivals": list(rivals),
    }


@lru_cache(maxsize=64)
def _curve(policy: SLEUCB, reward_class: RewardClass) -> tuple[dict[str, float], ...]:
    """Return the frontier along α; it is the same for every α of a class, so a slider finds it ready."""
    points = []
    for alpha in ALPHAS.tolist():
        promise = guarantee(policy.replace(alpha=alpha), widest_gap=reward_class.widest_gap)
        promised = {
            "guaranteed_regret": promise.regret,
            "guaranteed_instability": promise.instability,
        }
        points.append(_point(trade_off(policy, reward_class, alpha)) | promised)
    return tuple(points)


def _excluded(policy: SLEUCB, least: float) -> list[dict[str, float]]:
    """Return the edge of the region where no policy is: least instability for each regret (Theorem 1).

    It begins well below the least regret that anybody has, since a chart shows some room beside that.
    """
    most = policy.mean_bound * policy.horizon / 8.0
    regrets = np.geomspace(min(most / 1e4, least / 4.0), most, _EDGE)
    return [
        {
            "regret": float(regret),
            "instability": instability_lower_bound(float(regret), policy.horizon, policy.noise_scale),
        }
        for regret in regrets
    ]


@lru_cache(maxsize=64)
def _rivals(n_arms: int, horizon: int, reward_class: RewardClass) -> tuple[dict[str, Any], ...]:
    """Return rivals' predicted worst cases on the same instances."""
    points = []
    for name in RIVALS:
        rival = all_policies()[name](n_arms=n_arms, horizon=horizon, noise_scale=reward_class.noise_scale)
        assert isinstance(rival, OwnHistoryPolicy)
        worst = worst_cases(rival.curves, n_arms, reward_class)
        extremes = (worst.regret, worst.deviation)
        trusted = all(
            np.isfinite(predict(rival, reward_class.instance(extreme.means)).instability)
            for extreme in extremes
        )
        points.append(
            {
                "policy": name,
                "title": rival.title,
                "regret": worst.regret.value
                if trusted
                else None,  # a flat width, like MOSS's, has no prediction
                "instability": worst.deviation.value if trusted else None,
                "trusted": trusted,
            }
        )
    return tuple(points)


def _point(point: TradeOff) -> dict[str, float]:
    return {"alpha": point.alpha, "regret": point.regret, "instability": point.instability}
