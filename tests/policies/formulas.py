"""The formula of every index, written out once more, for K arms, T rounds and noise of scale SIGMA."""

import math

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


# An index is a function of the arm's mean and pulls n, the coming round t, its rewards, and all pulls.
FORMULAS = {
    "MOSS": lambda mean, n, *_: mean + SIGMA * math.sqrt(4 / n * log_plus(T / (K * n))),
    "UCB": lambda mean, n, *_: mean + SIGMA * math.sqrt(2 * math.log(T**2) / n),
    "UCBf": lambda mean, n, *_: mean + math.log(T) / math.sqrt(n),
    "SafeUCB": lambda mean, n, *_: mean + SIGMA * math.sqrt(T * math.log(T) / K) / n,
    "KLUCBpp": lambda mean, n, *_: mean + SIGMA * math.sqrt(2 * long_level(n) / n),
    "KLUCBpp bernoulli": lambda mean, n, *_: coin_bound(mean, long_level(n) / n),
    "Steady": steady_index,
    "KLUCBSwitch": lambda mean, n, *_: (
        coin_bound(mean, log_plus(T / (K * n)) / n)
        if n**5 <= T / K
        else mean + math.sqrt(log_plus(T / (K * n)) / (2 * n))
    ),
    "RoundRobin": lambda _, n, *__: math.log(T / n),
    "UCB1": lambda mean, n, t, *_: mean + SIGMA * math.sqrt(2 * math.log(t - 1) / n),
    "AsymptoticUCB": lambda mean, n, t, *_: mean + SIGMA * math.sqrt(2 * asymptotic_level(t) / n),
    "AnytimeMOSS": lambda mean, n, t, *_: mean + math.sqrt(2.35 / 2 * log_plus((t - 1) / (K * n)) / n),
    "KLUCB": lambda mean, n, t, *_: mean + SIGMA * math.sqrt(2 * asymptotic_level(t) / n),
    "KLUCB bernoulli": lambda mean, n, t, *_: coin_bound(mean, asymptotic_level(t) / n),
    "OCUCB": lambda mean, n, t, *_: mean + SIGMA * math.sqrt(3 / n * math.log(2 * T / t)),
    "UCBV": lambda mean, n, t, rewards, _: (
        mean + math.sqrt(2 * np.var(rewards) * math.log(t - 1) / n) + 3 * math.log(t - 1) / n
    ),
    "AdaUCB": lambda mean, n, _, __, pulls: (
        mean + SIGMA * math.sqrt(2 / n * log_plus(T / sum(min(n, math.sqrt(n * m)) for m in pulls)))
    ),
}
