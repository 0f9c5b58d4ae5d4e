"""Algorithm 1 written down once more, as literally as can be, to hold the library against.

It shares nothing with the package: its own logarithm, whole prefixes at every step, and a scan of all arms.
"""

import math


def constants(n_arms, horizon, mean_bound, noise_scale, alpha):
    """Line 2 of Algorithm 1: ι, B, β, λ."""
    iota = math.sqrt(math.log(n_arms * horizon))
    clip = mean_bound + 4.0 * noise_scale * iota
    beta = 8.0 * clip * iota
    return iota, clip, beta, alpha * beta * math.sqrt(n_arms / horizon)


def index(rewards, beta, lam, horizon):
    """Equations (lower_envelope_ucb) and (stabilized_index) for an arm with these clipped rewards."""
    prefixes = range(1, len(rewards) + 1)
    envelope = min(math.fsum(rewards[:s]) / s + beta / math.sqrt(s) for s in prefixes)
    return envelope + lam * math.log(horizon / len(rewards))


def choices(table, horizon, clip, beta, lam, priority):
    """The arms chosen after the initial pulls, for a table of potential rewards."""
    n_arms = len(table)
    seen = [[min(clip, max(-clip, row[0]))] for row in table]
    chosen = []
    for _ in range(horizon - n_arms):
        values = [index(rewards, beta, lam, horizon) for rewards in seen]
        best = max(values)
        arm = min((i for i in range(n_arms) if values[i] >= best - 1e-12), key=lambda i: priority[i])
        chosen.append(arm)
        seen[arm].append(min(clip, max(-clip, table[arm][len(seen[arm])])))
    return chosen
