"""Theorems 1 and 2 of the paper as plain functions: what SLE-UCB guarantees and what nobody can beat.

A bound is a statement about the worst instance of a class, never a measurement. Theorem 2 stands here as the paper
has it; `guarantee` gives the best that is proved.
"""

import math

from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB


def regret_bound(policy: Policy) -> float:
    """Return Theorem 2's bound on worst-case regret, never above the trivial 2MT.

    >>> policy = SLEUCB(n_arms=2, horizon=10**9)
    >>> regret_bound(policy) < 2.0 * policy.horizon
    True
    """
    policy = sle_ucb(policy)
    return (
        min(trivial_regret(policy), _tunable_regret(policy)) if policy.guaranteed else trivial_regret(policy)
    )


def instability_bound(policy: Policy) -> float:
    """Return Theorem 2's bound on worst-case instability: 2√T + 18√2·σT/(αβ√K).

    It is stated as the theorem has it: at short horizons it may lie above what can happen, where `guarantee` caps
    it. The theorem does not speak of a β by hand: then it is (T − K)/2, which no count exceeds.

    >>> instability_bound(SLEUCB(n_arms=2, horizon=10**6)) < 10**6 / 2
    True
    """
    policy = sle_ucb(policy)
    if not policy.guaranteed:
        return largest_instability(policy)
    return 2.0 * math.sqrt(policy.horizon) + _stabilized_spread(policy)


def product_bound(policy: Policy) -> float:
    """Return Theorem 2's explicit bound on regret times instability.

    Paper's constants: 4MT^1.5 + 18√2·σ(5/α + log 2K)T^1.5. The two branches of the regret bound are applied
    to the two terms of the instability bound, as in the theorem's proof; so also for sharp constants.

    >>> policy = SLEUCB(n_arms=2, horizon=10**6)
    >>> regret_bound(policy) * instability_bound(policy) <= product_bound(policy)
    True
    """
    policy = sle_ucb(policy)
    if not policy.guaranteed:
        return trivial_regret(policy) * largest_instability(policy)
    return 2.0 * math.sqrt(policy.horizon) * trivial_regret(policy) + _stabilized_spread(
        policy
    ) * _tunable_regret(policy)


def trivial_regret(policy: SLEUCB) -> float:
    """Return 2MT: the regret that no policy exceeds when all means lie in [−M, M]."""
    return 2.0 * policy.mean_bound * policy.horizon


def largest_instability(policy: Policy) -> float:
    """Return (T − K)/2: the standard deviation that no count exceeds when every arm is played once.

    >>> largest_instability(SLEUCB(n_arms=2, horizon=100))
    49.0
    """
    return (policy.horizon - policy.n_arms) / 2.0


def product_lower_bound(horizon: float, mean_bound: float = 1.0, noise_scale: float = 1.0) -> float:
    """Return Theorem 1: regret × instability of every policy whose worst-case regret is at most MT/8.

    >>> round(product_lower_bound(1e6) / 1e9, 6)
    0.000969
    """
    horizon, mean_bound, noise_scale = _class(horizon, mean_bound, noise_scale)
    c = minimax_constant(mean_bound, noise_scale)
    constant = 3.0 * math.exp(-0.25) * noise_scale * c / (256.0 * (1.0 + math.sqrt(2.0) * c))
    return constant * horizon * math.sqrt(horizon)


def instability_lower_bound(regret: float, horizon: float, noise_scale: float = 1.0) -> float:
    """Return eq. (finite_time_lower_bound_k_arm): the least worst-case instability at a worst-case regret.

    It holds for every policy whose worst-case regret is at most MT/8.

    >>> round(instability_lower_bound(regret=900.0, horizon=10_000), 3)
    6.453
    """
    regret = checks.real(regret, "regret", at_least=0.0)
    horizon, _, noise_scale = _class(horizon, 1.0, noise_scale)
    steps = 1.0 + regret / (noise_scale * math.sqrt(horizon))
    return 3.0 * math.exp(-0.25) / (256.0 * math.sqrt(2.0)) * horizon / steps


def largest_regret(horizon: float, mean_bound: float = 1.0) -> float:
    """Return MT/8: the worst-case regret up to which Theorem 1 speaks of a policy.

    >>> largest_regret(1000)
    125.0
    """
    return mean_bound * horizon / 8.0


def forced_instability(change: float) -> float:
    """Return e^(−1/4)/(4√2)·|G(Δ′) − G(Δ)| (Lemma aggregate_pull_count_comparison).

    One of two instances that no policy can tell apart has at least this instability, where the expected
    suboptimal pulls differ by `change` between them.
    """
    return math.exp(-0.25) / (4.0 * math.sqrt(2.0)) * abs(change)


def minimax_regret_lower_bound(
    n_arms: int, horizon: float, mean_bound: float = 1.0, noise_scale: float = 1.0
) -> float:
    """Return eq. (standard_minimax_lower_bound): min{σ/8, M/4}·√(KT).

    >>> minimax_regret_lower_bound(n_arms=4, horizon=10_000)
    25.0
    """
    n_arms = checks.n_arms(n_arms)
    horizon, mean_bound, noise_scale = _class(horizon, mean_bound, noise_scale)
    checks.real(horizon, "horizon", above=float(n_arms), remedy=f"{n_arms} arms need more rounds than arms.")
    return noise_scale * minimax_constant(mean_bound, noise_scale) * math.sqrt(n_arms * horizon)


def minimax_constant(mean_bound: float, noise_scale: float) -> float:
    """Return c = min{1/8, M/(4σ)}."""
    return min(0.125, mean_bound / (4.0 * noise_scale))


def _tunable_regret(policy: SLEUCB) -> float:
    arms, rounds = float(policy.n_arms), float(policy.horizon)
    stabilizer = policy.alpha * math.log(2.0 * arms)
    scale = policy.beta * math.sqrt(arms * rounds)
    if policy.constants == "paper":
        return (5.0 + stabilizer) * scale
    failure = 4.0 * policy.mean_bound * rounds * math.pow(arms * rounds, -7.0)
    return (1.5 + stabilizer) * scale + 2.0 * policy.mean_bound * arms + failure


def _stabilized_spread(policy: SLEUCB) -> float:
    spread = 18.0 * math.sqrt(2.0) * policy.noise_scale * policy.horizon
    return spread / (policy.alpha * policy.beta * math.sqrt(policy.n_arms))


def sle_ucb(policy: Policy) -> SLEUCB:
    """Return a policy that the theorems are about, or refuse."""
    checks.instance_of(policy, Policy, "policy")
    if not isinstance(policy, SLEUCB):
        raise NotSupported(f"The theorems are about SLE-UCB; they say nothing about {policy.title}.")
    return policy


def _class(horizon: float, mean_bound: float, noise_scale: float) -> tuple[float, float, float]:
    return (
        checks.real(horizon, "horizon", above=2.0),
        checks.real(mean_bound, "mean_bound", above=0.0),
        checks.real(noise_scale, "noise_scale", above=0.0),
    )
