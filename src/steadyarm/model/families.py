"""Families of Gaussian instances: the paper's two and two more that experiments use."""

from steadyarm.model import checks
from steadyarm.model.instance import Instance


def equal_gap(n_arms: int, gap: float, *, noise_scale: float = 1.0, best_arm: int = 0) -> Instance:
    """Return ν(Δ), the paper's hard family (eq. equal_gap_gaussian_family): means 0 and −Δ elsewhere.

    >>> equal_gap(n_arms=3, gap=0.05).means
    (0.0, -0.05, -0.05)
    """
    return _one_apart(n_arms, 0.0, 0.0 - _gap(gap), noise_scale, best_arm)


def one_better(n_arms: int, gap: float, *, noise_scale: float = 1.0, best_arm: int = 0) -> Instance:
    """Return the paper's minimax family (proof of eq. standard_minimax_lower_bound): mean δ and 0 elsewhere.

    >>> one_better(n_arms=3, gap=0.05, best_arm=2).means
    (0.0, 0.0, 0.05)
    """
    return _one_apart(n_arms, _gap(gap), 0.0, noise_scale, best_arm)


def equal_arms(n_arms: int, mean: float = 0.0, *, noise_scale: float = 1.0) -> Instance:
    """Return arms that are all alike: no regret to lose, and instability at its barest.

    >>> equal_arms(n_arms=2).means
    (0.0, 0.0)
    """
    n_arms = checks.n_arms(n_arms)
    return Instance.gaussian((checks.real(mean, "mean"),) * n_arms, noise_scale)


def ladder(n_arms: int, gap: float, *, noise_scale: float = 1.0) -> Instance:
    """Return arms in equal steps downwards: arm i has mean −i·gap.

    >>> ladder(n_arms=4, gap=0.25).means
    (0.0, -0.25, -0.5, -0.75)
    """
    n_arms, gap = checks.n_arms(n_arms), _gap(gap)
    return Instance.gaussian(tuple(0.0 - arm * gap for arm in range(n_arms)), noise_scale)


def _one_apart(n_arms: int, best: float, rest: float, noise_scale: float, best_arm: int) -> Instance:
    n_arms = checks.n_arms(n_arms)
    best_arm = checks.integer(best_arm, "best_arm", at_least=0, at_most=n_arms - 1)
    means = [rest] * n_arms
    means[best_arm] = best
    return Instance.gaussian(means, noise_scale)


def _gap(gap: float) -> float:
    return checks.real(gap, "gap", at_least=0.0)
