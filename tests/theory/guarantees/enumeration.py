"""Exact regret and spread of SLE-UCB at short horizons, where every reward is its arm's mean plus or minus one."""

import math
from collections import defaultdict
from itertools import permutations, product

import numpy as np


def two_arms(policy, gap):
    """Return regret and spread for two arms: arm 0 gets more than n pulls iff its n-th index beats a rival's.

    That rival is the other arm's index after T − 1 − n pulls, and the two are independent.
    """
    rounds = policy.horizon
    laws = [_index_laws(policy, mean) for mean in (gap / 2.0, -gap / 2.0)]
    first, second = 1.0, 1.0  # of arm 0's count: sums of P(N > n) and of (2n + 1)·P(N > n)
    for n in range(1, rounds - 1):
        (mine, weight), (theirs, their_weight) = laws[0][n], laws[1][rounds - 1 - n]
        below = np.concatenate([[0.0], np.cumsum(their_weight)])
        wins = 0.5 * (
            below[np.searchsorted(theirs, mine, "left")] + below[np.searchsorted(theirs, mine, "right")]
        )
        chance = float(weight @ wins)  # ties go either way: the priority is drawn
        first, second = first + chance, second + (2 * n + 1) * chance
    return gap * (rounds - first), math.sqrt(max(second - first**2, 0.0))


def _index_laws(policy, mean):
    """Return the values and the probabilities of an arm's index after n pulls, for each n."""
    law, found = {(0.0, math.inf): 1.0}, {}
    for n in range(1, policy.horizon):
        further = defaultdict(float)
        for (total, least), weight in law.items():
            for step in (-1.0, 1.0):
                bound = (total + step) / n + policy.beta / math.sqrt(n)
                further[total + step, min(least, bound)] += 0.5 * weight
        law = further
        envelope = defaultdict(float)
        for (_, least), weight in law.items():
            envelope[least] += weight
        values = np.array(sorted(envelope))
        tilt = policy.lam * math.log(policy.horizon / n)
        found[n] = (values + mean + tilt).round(12), np.array([envelope[value] for value in values])
    return found


def every_path(policy, means):
    """Return regret and spread for any number of arms: every path of rewards under every priority."""
    arms, weight = policy.n_arms, 0.5**policy.horizon / math.factorial(policy.n_arms)
    first, second = np.zeros(arms), np.zeros(arms)
    for priority in permutations(range(arms)):
        for signs in product((-1.0, 1.0), repeat=policy.horizon):
            play = policy.start(priority=list(priority))
            for sign in signs:
                arm = play.ask()
                play.tell(arm, means[arm] + sign)
            first += weight * play.counts
            second += weight * play.counts**2
    regret = float(first @ (max(means) - np.array(means)))
    return regret, float(np.sqrt(np.maximum(second - first**2, 0.0)).max())
