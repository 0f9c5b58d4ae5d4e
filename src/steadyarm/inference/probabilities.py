"""Intervals from logged probabilities: every reward weighted by one over the probability that its pull had.

A round's score of an arm is unbiased for the arm's mean in that round, under every policy whose probabilities are known
and positive: no steadiness is needed, and means may even drift, in which case their average over the rounds is
estimated. That the *intervals* hold is first order: by the central limit theorem, or by a strong approximation for all
times at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import ndtri

from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats
from steadyarm.theory.estimates import Estimate, check_level


def weighted_intervals(
    log: Mapping[str, Any],
    *,
    level: float = 0.95,
    method: str = "wald",
    control: int | None = None,
    augmented: bool = True,
    optimal_at: float = 1000,
) -> list[Estimate]:
    """Estimate each arm's mean from a log with probabilities, or its difference from the mean of a control.

    Args:
        log: columns `action` (the arms given, from 0), `reward` and `pscore` (the probability that the arm given had),
            one number a round in the order of the rounds, and `n_actions`: what `live.read_feedback(…).to_obp()` gives.
        level: the confidence level, arm by arm.
        method: "wald", for one look at the end; or "anytime", the asymptotic confidence sequence of Waudby-Smith et
            al., as in Liang and Bojinov's mixture design: for every time to stop, once there are enough rounds.
        control: an arm; then estimates are differences from it, and its own is 0.
        augmented: a score is the arm's mean in earlier rounds plus the weighted surprise, which is as unbiased and
            spreads less; False weights the rewards themselves.
        optimal_at: rounds at which the anytime interval is narrowest, fixed in advance.

    An arm whose rewards are all the same, or only one, has an infinite interval. An estimate's `runs` is the number of
    rounds.

    >>> log = {"action": [0, 1, 1, 0, 1, 1], "reward": [0, 1, 1, 1, 0, 1], "pscore": [0.5] * 6, "n_actions": 2}
    >>> [round(estimate.value, 3) for estimate in weighted_intervals(log, augmented=False)]
    [0.333, 1.0]
    """
    level = check_level(level)
    checks.one_of(method, "method", ("wald", "anytime"))
    best = checks.real(optimal_at, "optimal_at", above=0.0, remedy="It is a number of rounds.")
    action, reward, probability, n_arms = _checked(log)
    scores = round_scores(action, reward, probability, n_arms, checks.boolean(augmented, "augmented"))
    known = np.array([len(set(reward[action == arm].tolist())) > 1 for arm in range(n_arms)])
    if control is not None:
        control = checks.integer(control, "control", at_least=0, at_most=n_arms - 1)
        scores = scores - scores[:, [control]]
        known &= known[control]
    rounds = len(action)
    factor = _factor(method, rounds, level, best)
    estimates = []
    for arm in range(n_arms):
        if arm == control:
            estimates.append(Estimate(0.0, 0.0, 0.0, rounds, level))
        elif known[arm]:
            mean, half = float(scores[:, arm].mean()), factor * float(scores[:, arm].std(ddof=1))
            estimates.append(Estimate(mean, mean - half, mean + half, rounds, level))
        else:
            estimates.append(Estimate(math.nan, -math.inf, math.inf, rounds, level))
    return estimates


def round_scores(action: Any, reward: Any, probability: Any, n_arms: int, augmented: bool = True) -> Floats:
    """Return the score of each arm in each round, (rounds, arms): unbiased for its mean, whatever came before.

    >>> round_scores([0, 1, 0], [1.0, 0.0, 0.0], [0.5, 0.25, 0.5], n_arms=2)
    array([[ 2.,  0.],
           [ 1.,  0.],
           [-1.,  0.]])
    """
    given = np.asarray(action)[:, None] == np.arange(n_arms)
    rewards, weights = np.asarray(reward, dtype=float)[:, None], 1.0 / np.asarray(probability)[:, None]
    if not augmented:
        return np.where(given, rewards * weights, 0.0)
    sums, counts = np.cumsum(given * rewards, axis=0), np.cumsum(given, axis=0)
    before = np.zeros(given.shape)  # the mean of the arm's earlier rewards; 0 without any
    np.divide(sums[:-1], counts[:-1], out=before[1:], where=counts[:-1] > 0)
    return before + np.where(given, (rewards - before) * weights, 0.0)


def _factor(method: str, rounds: int, level: float, best: float) -> float:
    """Return half the width of the interval over the standard deviation of the scores."""
    if method == "wald":
        return float(ndtri((1.0 + level) / 2.0)) / math.sqrt(rounds)
    spread = 2.0 * math.log(1.0 / (1.0 - level))
    rho = best / (spread + math.log1p(spread))
    return math.sqrt((rounds + rho) * (math.log1p(rounds / rho) + spread)) / rounds


def _checked(log: Mapping[str, Any]) -> tuple[Any, Floats, Floats, int]:
    checks.instance_of(log, Mapping, "log")
    if "pscore" not in log:
        raise NotSupported(
            "a log without probabilities (pscore) supports no weighted estimate: what was not random has no "
            "probability to weight by. Run the experiment with a share of random rounds: see Mixed."
        )
    missing = [name for name in ("action", "reward", "n_actions") if name not in log]
    if missing:
        raise InvalidInput(
            f"a log must have the columns action, reward, pscore and n_actions; {missing[0]} is missing."
        )
    action = np.asarray(log["action"])
    try:
        reward, probability = (np.asarray(log[name], dtype=float) for name in ("reward", "pscore"))
    except (TypeError, ValueError) as problem:
        raise InvalidInput(f"reward and pscore must be lists of numbers: {problem}.") from None
    n_arms = checks.n_arms(log["n_actions"])
    if (
        not action.ndim == reward.ndim == probability.ndim == 1
        or not len(action) == len(reward) == len(probability) > 1
    ):
        raise InvalidInput("action, reward and pscore must be flat and of one length, two rounds or more.")
    if action.dtype.kind not in "iu" or action.min() < 0 or action.max() >= n_arms:
        raise InvalidInput(f"action must hold whole numbers from 0 to {n_arms - 1}.")
    if not np.isfinite(reward).all():
        raise InvalidInput("reward must hold finite numbers. Leave out rounds whose reward is not known.")
    if not ((probability > 0.0) & (probability <= 1.0)).all():
        raise InvalidInput("pscore must hold probabilities above 0 and at most 1.")
    return action, reward, probability, n_arms
