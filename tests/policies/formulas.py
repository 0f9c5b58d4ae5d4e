"""A row for every policy: some counts that it gives, and its index written out once more, for K arms and T rounds."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

import steadyarm as sa

K, T, SIGMA = 3, 150, 0.7


def log_plus(x):
    return max(0.0, math.log(x))


def coin_bound(mean, level):
    """The q above the mean whose divergence from it is the level, by a root finder."""

    def excess(q):
        below = mean * math.log(mean / q) if mean > 0 else 0.0
        above = (1 - mean) * math.log((1 - mean) / (1 - q)) if mean < 1 else 0.0
        return below + above - level

    return mean if level <= 0 else brentq(excess, mean, 1 - 1e-15, xtol=1e-14)


def long_level(n):
    y = T / (K * n)
    return log_plus(y * (1 + log_plus(y) ** 2))


def asymptotic_level(t):
    return math.log(1 + t * math.log(t) ** 2)


def steady_index(mean, n, *_):
    policy = sa.Steady(n_arms=K, horizon=T, noise_scale=SIGMA)
    lam, kink, bend = policy.lam, policy.curves.kink, policy.curves.bend
    bonus = SIGMA * math.sqrt(4 / n * log_plus(2 * (SIGMA / lam) ** 2 / n))
    beyond = max(n, kink)
    start, here = bend * math.sqrt(kink / T), bend * math.sqrt(beyond / T)
    fallen = 2 * (math.atanh(here) - math.atanh(start)) * (1 - start**2) / start
    return mean + bonus + lam * (math.log(T / min(n, kink)) - fallen)


class Row(NamedTuple):
    """What is known of a policy."""

    digest: str | None
    """Of its counts on a few runs: stored numbers stay true as long as these do."""
    index: Callable | str | None = None
    """A function of the arm's mean and pulls n, the coming round t, its rewards, and all pulls; or how it is tested."""


ROWS = {
    "SLEUCB": Row("136710cf", "tested against Algorithm 1"),
    "Steady": Row("6edbfcd4", steady_index),
    "MOSS": Row("cd61b365", lambda mean, n, *_: mean + SIGMA * math.sqrt(4 / n * log_plus(T / (K * n)))),
    "UCB": Row("bc3ce1f7", lambda mean, n, *_: mean + SIGMA * math.sqrt(2 * math.log(T**2) / n)),
    "UCBf": Row("c1c632ff", lambda mean, n, *_: mean + math.log(T) / math.sqrt(n)),
    "SafeUCB": Row("0dfe2594", lambda mean, n, *_: mean + SIGMA * math.sqrt(T * math.log(T) / K) / n),
    "KLUCBpp": Row("1b867b06", lambda mean, n, *_: mean + SIGMA * math.sqrt(2 * long_level(n) / n)),
    "KLUCBSwitch": Row(
        "5edc2674",
        lambda mean, n, *_: (
            coin_bound(mean, log_plus(T / (K * n)) / n)
            if n**5 <= T / K
            else mean + math.sqrt(log_plus(T / (K * n)) / (2 * n))
        ),
    ),
    "RoundRobin": Row("72e54e71", lambda _, n, *__: math.log(T / n)),
    "UCB1": Row("04064611", lambda mean, n, t, *_: mean + SIGMA * math.sqrt(2 * math.log(t - 1) / n)),
    "AsymptoticUCB": Row(
        "1db2877b", lambda mean, n, t, *_: mean + SIGMA * math.sqrt(2 * asymptotic_level(t) / n)
    ),
    "AnytimeMOSS": Row(
        "0935fba3", lambda mean, n, t, *_: mean + math.sqrt(2.35 / 2 * log_plus((t - 1) / (K * n)) / n)
    ),
    "KLUCB": Row("1db2877b", lambda mean, n, t, *_: mean + SIGMA * math.sqrt(2 * asymptotic_level(t) / n)),
    "UCBV": Row(
        "33535985",
        lambda mean, n, t, rewards, _: (
            mean + math.sqrt(2 * np.var(rewards) * math.log(t - 1) / n) + 3 * math.log(t - 1) / n
        ),
    ),
    "AdaUCB": Row(
        "5edc2674",
        lambda mean, n, _, __, pulls: (
            mean + SIGMA * math.sqrt(2 / n * log_plus(T / sum(min(n, math.sqrt(n * m)) for m in pulls)))
        ),
    ),
    "OCUCB": Row("d23a80b1", lambda mean, n, t, *_: mean + SIGMA * math.sqrt(3 / n * math.log(2 * T / t))),
    "GaussianThompson": Row("99d96285", "a sample, whose law is tested"),
    "BetaThompson": Row("7839178a", "a sample, whose law is tested"),
    "StableThompson": Row("c13adf0c", "a sample, whose law is tested"),
    "OptimisticThompson": Row("689013e2", "a sample, whose law is tested"),
    "TsallisINF": Row("ffbcf6e0"),
    "Exp3": Row("5f530d00"),
    "EpsilonGreedy": Row("064fd9c6"),
    "ExploreThenCommit": Row("1af15e8e"),
    "SuccessiveElimination": Row("94869b71"),
    "KLUCBpp bernoulli": Row(None, lambda mean, n, *_: coin_bound(mean, long_level(n) / n)),
    "KLUCB bernoulli": Row(None, lambda mean, n, t, *_: coin_bound(mean, asymptotic_level(t) / n)),
}
FORMULAS = {name: row.index for name, row in ROWS.items() if callable(row.index)}
