"""Algorithm 1 as literally as can be: its own logarithm, whole prefixes at every step, a scan of all arms."""

import math
from collections.abc import Sequence

_TIE = 1e-12  # rounding of the logarithms; no two different indices of the small cases are that close


def constants(
    n_arms: int, horizon: int, mean_bound: float, noise_scale: float, alpha: float
) -> tuple[float, float, float, float]:
    """Line 2 of Algorithm 1: ι, B, β, λ."""
    iota = math.sqrt(math.log(n_arms * horizon))
    clip = mean_bound + 4.0 * noise_scale * iota
    beta = 8.0 * clip * iota
    return iota, clip, beta, alpha * beta * math.sqrt(n_arms / horizon)


def index(rewards: Sequence[float], beta: float, lam: float, horizon: int) -> float:
    """Return the index of an arm with these clipped rewards: eqs. (lower_envelope_ucb), (stabilized_index)."""
    prefixes = range(1, len(rewards) + 1)
    envelope = min(math.fsum(rewards[:s]) / s + beta / math.sqrt(s) for s in prefixes)
    return envelope + lam * math.log(horizon / len(rewards))


def choices(
    table: Sequence[Sequence[float]],
    horizon: int,
    clip: float,
    beta: float,
    lam: float,
    priority: Sequence[int],
) -> list[int]:
    """Return the arms chosen after the initial pulls, lines 5 to 9 of Algorithm 1."""
    arms = range(len(table))
    seen = [[min(clip, max(-clip, row[0]))] for row in table]
    values = [index(rewards, beta, lam, horizon) for rewards in seen]
    chosen = []
    for _ in range(horizon - len(table)):
        best = max(values)
        arm = min((i for i in arms if values[i] >= best - _TIE), key=lambda i: priority[i])
        chosen.append(arm)
        seen[arm].append(min(clip, max(-clip, table[arm][len(seen[arm])])))
        values[arm] = index(seen[arm], beta, lam, horizon)
    return chosen
