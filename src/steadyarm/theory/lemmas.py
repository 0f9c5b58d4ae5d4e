"""The lemmas and the steps of the proofs as plain functions, with the paper's constants and labels.

`bounds.py` has the two theorems; here is what they are made of. Each function cites the equation it states.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import minimax_constant

PRIORITY_VARIANCE_BOUND = 1.0
"""Term (⋆): how much of a count's variance the priority can make, eq. (permutation_variance_bound)."""


def index_gap_bound(policy: SLEUCB, fewer: npt.ArrayLike, more: npt.ArrayLike) -> Floats:
    """Return λ·log(n₂/n₁), by which an index falls at least from n₁ to n₂ pulls: eq. (index_gap).

    >>> float(index_gap_bound(SLEUCB(n_arms=2, horizon=100), 5, 5))
    0.0
    """
    bound: Floats = policy.lam * np.log(np.asarray(more, dtype=float) / np.asarray(fewer, dtype=float))
    return bound


def clipping_bias_bound(n_arms: int, horizon: float, noise_scale: float = 1.0) -> float:
    """Return σ(KT)⁻⁶, the most that clipping moves a mean: eq. (clipping_bias_bound).

    >>> clipping_bias_bound(n_arms=2, horizon=500)
    1e-18
    """
    return noise_scale * math.pow(_items(n_arms, horizon), -6.0)


def concentration_failure_bound(n_arms: int, horizon: float) -> float:
    """Return 2(KT)⁻⁷, which bounds the probability of the bad event: Lemma clipped_concentration.

    >>> concentration_failure_bound(n_arms=2, horizon=500)
    2e-21
    """
    return 2.0 * math.pow(_items(n_arms, horizon), -7.0)


def union_failure_bound(n_arms: int, horizon: float, clip: float, beta: float) -> float:
    """Return 2KT·exp(−β²/(8B²)), the same for any β: Hoeffding and the union in that lemma's proof.

    >>> policy = SLEUCB(n_arms=2, horizon=500)
    >>> bound = union_failure_bound(2, 500, policy.clip, policy.beta)
    >>> math.isclose(bound, concentration_failure_bound(2, 500))
    True
    """
    return 2.0 * _items(n_arms, horizon) * math.exp(-((beta / clip) ** 2) / 8.0)


def gap_per_pull_bound(policy: SLEUCB, pulls: npt.ArrayLike) -> Floats:
    """Return 3β/(2√N) + λ·log(T/N): no arm further below the best is pulled again: eq. (gap_per_pull).

    >>> policy = SLEUCB(n_arms=2, horizon=10_000)
    >>> bool(gap_per_pull_bound(policy, 4000) < gap_per_pull_bound(policy, 4))
    True
    """
    count = np.asarray(pulls, dtype=float)
    bound: Floats = 1.5 * policy.beta / np.sqrt(count) + policy.lam * np.log(policy.horizon / count)
    return bound


def good_event_regret_bound(policy: SLEUCB) -> float:
    """Return (3 + α·log 2K)β√(KT) + 2σT(KT)⁻⁶: eq. (term_one_regret_bound), paper's constants.

    >>> from steadyarm.theory.bounds import regret_bound
    >>> policy = SLEUCB(n_arms=2, horizon=10**9)
    >>> good_event_regret_bound(policy) + bad_event_regret_bound(policy) < regret_bound(policy)
    True
    """
    bias = 2.0 * policy.horizon * clipping_bias_bound(policy.n_arms, policy.horizon, policy.noise_scale)
    scale = policy.beta * math.sqrt(policy.n_arms * policy.horizon)
    return (3.0 + policy.alpha * math.log(2.0 * policy.n_arms)) * scale + bias


def bad_event_regret_bound(policy: SLEUCB) -> float:
    """Return 4MT(KT)⁻⁷: eq. (term_two_regret_bound).

    >>> bad_event_regret_bound(SLEUCB(n_arms=2, horizon=500)) == 2 * 500 * concentration_failure_bound(2, 500)
    True
    """
    failure = concentration_failure_bound(policy.n_arms, policy.horizon)
    return 2.0 * policy.mean_bound * policy.horizon * failure


def recent_minimizer_bound(pulls: npt.ArrayLike) -> Floats:
    """Return n/9: the prefix that makes the envelope is at least so long: eq. (recent_minimizer_chain_new).

    >>> float(recent_minimizer_bound(90))
    10.0
    """
    return np.asarray(pulls, dtype=float) / 9.0


def index_perturbation_bound(change: npt.ArrayLike, pulls: npt.ArrayLike) -> Floats:
    """Return 9|Y′ − Y|/n, for n from the changed pull on: eq. (index_perturbation_bound_new).

    >>> float(index_perturbation_bound(-2.0, 9))
    2.0
    """
    bound: Floats = 9.0 * np.abs(np.asarray(change, dtype=float)) / np.asarray(pulls, dtype=float)
    return bound


def count_change_bound(policy: SLEUCB, change: npt.ArrayLike) -> Floats:
    """Return 1 + 9|Y′ − Y|/λ, for every arm's count: eq. (count_change_on_good_event_new).

    >>> float(count_change_bound(SLEUCB(n_arms=2, horizon=100), 0.0))
    1.0
    """
    bound: Floats = 1.0 + 9.0 * np.abs(np.asarray(change, dtype=float)) / policy.lam
    return bound


def squared_change_bound(policy: SLEUCB, reached: float) -> float:
    """Return (1 + 9√2·σ/λ)²·P(m ≤ N_a) + 4T²(KT)⁻⁷: eq. (expectation_of_perturbation_new).

    `reached` is the probability that the changed pull is made at all.

    >>> squared_change_bound(SLEUCB(n_arms=2, horizon=100), 0.0) < 1e-10
    True
    """
    failure = 4.0 * policy.horizon**2 * math.pow(_items(policy.n_arms, policy.horizon), -7.0)
    return _influence(policy) ** 2 * reached + failure


def conditional_variance_bound(policy: SLEUCB) -> float:
    """Return (1 + 9√2·σ/λ)²T, term (⋆⋆): eqs. (conditional_variance_bound_4) and (term_starstar_bound).

    >>> policy = SLEUCB(n_arms=2, horizon=100)
    >>> 1.0 + conditional_variance_bound(policy) < variance_bound(policy)
    True
    """
    return _influence(policy) ** 2 * policy.horizon


def variance_bound(policy: SLEUCB) -> float:
    """Return 4(1 + 9√2·σ/λ)²T, whose root is Theorem 2's instability bound (Section instability_combine).

    >>> from steadyarm.theory.bounds import instability_bound
    >>> policy = SLEUCB(n_arms=2, horizon=100)
    >>> math.isclose(math.sqrt(variance_bound(policy)), instability_bound(policy))
    True
    """
    return 4.0 * conditional_variance_bound(policy)


def tuning_range(policy: SLEUCB) -> float:
    """Return the largest α at which the policy's regret bound is at most 2MT (Section main_theorem).

    With the paper's constants (5 + α·log 2K)β√(KT) = 2MT there: α is of order √(T/K)/(log K·log KT). A
    value below 1 says that the bound is trivial at this horizon for every α ≥ 1.

    >>> tuning_range(SLEUCB(n_arms=2, horizon=10_000)) < 1.0 < tuning_range(SLEUCB(n_arms=2, horizon=10**8))
    True
    """
    if not policy.guaranteed:
        raise NotSupported("a beta by hand has no regret bound, so its alpha has no range. Leave beta out.")
    scale = policy.beta * math.sqrt(policy.n_arms * policy.horizon)
    rest = 5.0 * scale
    if policy.constants == "sharp":
        rest = 1.5 * scale + 2.0 * policy.mean_bound * policy.n_arms + bad_event_regret_bound(policy)
    return (2.0 * policy.mean_bound * policy.horizon - rest) / (scale * math.log(2.0 * policy.n_arms))


def simplified_regret(n_arms: int, horizon: float, alpha: float) -> float:
    """Return α·log K·log(KT)·√(KT), the order of regret: eq. (simplified_regret_instability_bounds).

    >>> round(simplified_regret(2, 5000, 1.0))
    638
    """
    return alpha * math.log(n_arms) * math.log(n_arms * horizon) * math.sqrt(n_arms * horizon)


def simplified_instability(n_arms: int, horizon: float, alpha: float) -> float:
    """Return T/(α√K·log(KT)), the order of instability: eq. (simplified_regret_instability_bounds).

    >>> round(simplified_instability(2, 5000, 1.0))
    384
    """
    return horizon / (alpha * math.sqrt(n_arms) * math.log(n_arms * horizon))


def simplified_constants(mean_bound: float, noise_scale: float) -> tuple[float, float]:
    """Return what the two O(·) of eq. (simplified_regret_instability_bounds) hide, for 1 ≤ α ≤ tuning range.

    β lies between 32σ·log(KT) and (8M/√log 4 + 32σ)·log(KT), and K ≥ 2: the rest is arithmetic.

    >>> regret, instability = simplified_constants(1.0, 1.0)
    >>> round(regret), round(instability, 2)
    (357, 0.89)
    """
    beta = 8.0 * mean_bound / math.sqrt(math.log(4.0)) + 32.0 * noise_scale
    regret = (5.0 / math.log(2.0) + 2.0) * beta
    spread = 18.0 * math.sqrt(2.0) / 32.0
    return regret, spread + mean_bound / (8.0 * noise_scale * math.log(4.0))


def chain_end(regret: float, horizon: float) -> float:
    """Return Δ⋆ = 8R/T, where Theorem 1's chain ends.

    >>> chain_end(regret=50.0, horizon=1000)
    0.4
    """
    return 8.0 * regret / horizon


def chain_step(suboptimal_pulls: float, noise_scale: float = 1.0) -> float:
    """Return σ/√G(Δ), the longest step that cannot be told: eq. (delta_chain_definition).

    Where no suboptimal arm is pulled, no step can be told, however long.

    >>> chain_step(suboptimal_pulls=400.0), chain_step(suboptimal_pulls=0.0)
    (0.05, inf)
    """
    return noise_scale / math.sqrt(suboptimal_pulls) if suboptimal_pulls > 0.0 else math.inf


def chain_steps_bound(regret: float, horizon: float, noise_scale: float = 1.0) -> float:
    """Return 1 + 8R/(σ√T), the most steps of the chain: eq. (number_of_steps_bound).

    >>> chain_steps_bound(regret=100.0, horizon=1600)
    21.0
    """
    return 1.0 + 8.0 * regret / (noise_scale * math.sqrt(horizon))


def chain_fall_bound(horizon: float) -> float:
    """Return 3T/8, by which the suboptimal pulls fall at least along the chain: eq. (telescoping_drop).

    >>> chain_fall_bound(horizon=800)
    300.0
    """
    return 3.0 * horizon / 8.0


def history_divergence(suboptimal_pulls: float, change: float, noise_scale: float = 1.0) -> float:
    """Return G(Δ)(Δ′ − Δ)²/(2σ²), the KL divergence of two histories (Lemma aggregate_pull_count_comparison).

    >>> history_divergence(256.0, chain_step(256.0))
    0.5
    """
    return suboptimal_pulls * change**2 / (2.0 * noise_scale**2)


def minimax_gap(n_arms: int, horizon: float, mean_bound: float = 1.0, noise_scale: float = 1.0) -> float:
    """Return δ = 4cσ√(K/T), the gap of the minimax instances (proof of eq. standard_minimax_lower_bound).

    >>> minimax_gap(n_arms=2, horizon=800)
    0.025
    """
    constant = minimax_constant(mean_bound, noise_scale)
    return 4.0 * constant * noise_scale * math.sqrt(n_arms / horizon)


def product_at_regret_lower_bound(regret: float, horizon: float, noise_scale: float = 1.0) -> float:
    """Return (3e^(−1/4)σ/(256√2))·R/(σ√T + R)·T^1.5: eq. (finite_time_product_form).

    >>> product_at_regret_lower_bound(100.0, 10_000) < product_at_regret_lower_bound(1000.0, 10_000)
    True
    """
    constant = 3.0 * math.exp(-0.25) * noise_scale / (256.0 * math.sqrt(2.0))
    return constant * regret / (noise_scale * math.sqrt(horizon) + regret) * horizon * math.sqrt(horizon)


def _items(n_arms: int, horizon: float) -> float:
    """KT, the number of cells of the reward table."""
    return float(checks.n_arms(n_arms)) * checks.real(horizon, "horizon", above=0.0)


def _influence(policy: SLEUCB) -> float:
    return 1.0 + 9.0 * math.sqrt(2.0) * policy.noise_scale / policy.lam
