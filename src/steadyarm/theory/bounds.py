"""Theorems 1 and 2 of the paper as plain functions: what SLE-UCB guarantees and what nobody can beat.

A bound is a statement about the worst instance of a class, never a measurement. Below a horizon of about
10⁷ the paper's constants make the regret bound trivial (it equals 2MT, which no policy exceeds);
`guarantee` says so in words.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from steadyarm.errors import NotSupported, OutsideClass
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.uniformity import uniformity_note
from steadyarm.words import amount


def regret_bound(policy: Policy) -> float:
    """Return Theorem 2's bound on worst-case regret, never above the trivial 2MT.

    >>> policy = SLEUCB(n_arms=2, horizon=10**9)
    >>> regret_bound(policy) < 2.0 * policy.horizon
    True
    """
    policy = _sle_ucb(policy)
    return (
        min(trivial_regret(policy), _tunable_regret(policy)) if policy.guaranteed else trivial_regret(policy)
    )


def instability_bound(policy: Policy) -> float:
    """Return Theorem 2's bound on worst-case instability: 2√T + 18√2·σT/(αβ√K).

    It is stated as the theorem has it: at short horizons it may lie above what can happen, where `guarantee` caps
    it. A β by hand has no guarantee but (T − K)/2, which no count exceeds.

    >>> instability_bound(SLEUCB(n_arms=2, horizon=10**6)) < 10**6 / 2
    True
    """
    policy = _sle_ucb(policy)
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
    policy = _sle_ucb(policy)
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


@dataclass(frozen=True)
class Guarantee:
    """What Theorem 2 promises for a policy, never more than can happen, and in words what that is worth."""

    regret: float
    instability: float
    product: float
    policy: SLEUCB
    widest_gap: float

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Plain sentences about each promise that says nothing, and about an allocation that hardly adapts."""
        return (*_notes(self.policy, self.widest_gap), *uniformity_note(self.policy, self.widest_gap))


def guarantee(policy: Policy, *, widest_gap: float | None = None) -> Guarantee:
    """Return the promises, capped at what can happen, with plain sentences about each that says nothing.

    `widest_gap` is how far apart two means can be: 2M, or less where rewards have a narrower range. No policy loses
    more than that a round, and no count between 1 and T − K + 1 has a standard deviation above (T − K)/2.

    >>> for note in guarantee(SLEUCB(n_arms=2, horizon=10_000, alpha=0.5)).notes:
    ...     print(note)
    The regret bound is trivial: it is 2MT = 20,000, which no policy exceeds; it starts to say ...
    The instability bound holds, but the uniform product bound needs alpha >= 1; alpha is 0.5.
    """
    policy = _sle_ucb(policy)
    most = 2.0 * policy.mean_bound
    gap = most if widest_gap is None else checks.real(widest_gap, "widest_gap", above=0.0, at_most=most)
    regret = min(regret_bound(policy), gap * policy.horizon)
    instability = min(instability_bound(policy), largest_instability(policy))
    return Guarantee(regret, instability, regret * instability, policy, gap)


def guarantee_on(policy: SLEUCB, instance: Instance) -> Guarantee:
    """Return what is promised for instances of the class whose rewards have the range that this one's have.

    >>> from steadyarm.model.instance import Instance
    >>> guarantee_on(SLEUCB(n_arms=2, horizon=1000, noise_scale=0.5), Instance.bernoulli([0.5, 0.6])).regret
    1000.0
    """
    return guarantee(policy, widest_gap=min(2.0 * policy.mean_bound, instance.high - instance.low))


def notes_on(policy: Policy, instance: Instance) -> tuple[str, ...]:
    """Return what the guarantees do not say about a policy on an instance, in plain sentences.

    >>> from steadyarm.model.families import equal_gap
    >>> notes_on(SLEUCB(n_arms=2, horizon=10**9), equal_gap(2, gap=1.5))[0][:68]
    "The instance is outside the policy's class, so no guarantee applies:"
    """
    if not isinstance(policy, SLEUCB):
        return policy.notes
    notes = guarantee_on(policy, instance).notes
    try:
        policy.check_instance(instance)
    except OutsideClass as outside:
        reason = str(outside).split(". Raise")[0]
        notes += (f"The instance is outside the policy's class, so no guarantee applies: {reason}.",)
    return notes


def _notes(policy: SLEUCB, widest_gap: float) -> list[str]:
    notes = []
    if not policy.guaranteed:
        return [f"beta = {policy.beta:g} was set by hand: Theorem 2 guarantees nothing for it."]
    most = widest_gap * policy.horizon
    if regret_bound(policy) >= most:
        name = "2MT = " if widest_gap == 2.0 * policy.mean_bound else ""
        begins = first_nontrivial_horizon(policy, widest_gap)
        when = f"it starts to say something at a horizon of about {about(begins)}"
        notes.append(
            f"The regret bound is trivial: it is {name}{amount(most)}, which no policy exceeds; "
            f"{when if math.isfinite(begins) else 'no horizon that can be played is long enough for it'}."
        )
    if instability_bound(policy) >= largest_instability(policy):
        notes.append(
            f"The instability bound is trivial: it is (T − K)/2 = {largest_instability(policy):,.0f}, which no "
            "count exceeds."
        )
    if policy.alpha < 1.0:
        notes.append(
            "The instability bound holds, but the uniform product bound needs alpha >= 1; "
            f"alpha is {policy.alpha:g}."
        )
    return notes


def about(number: float) -> str:
    """Return a large number in words, to two digits.

    >>> about(12_345_678.0), about(3.456e21)
    ('12,000,000', '3.5e+21')
    """
    return f"{float(f'{number:.1e}'):,.0f}" if number < 1e15 else f"{number:.1e}"


def first_nontrivial_horizon(policy: SLEUCB, widest_gap: float | None = None) -> float:
    """Return about the horizon from which the regret bound of such a policy says more than what can happen.

    >>> 1e6 < first_nontrivial_horizon(SLEUCB(n_arms=2, horizon=100)) < 1e7
    True
    """
    gap = 2.0 * policy.mean_bound if widest_gap is None else widest_gap
    low, high = math.log(policy.n_arms + 1.0), math.log(checks.LARGEST_HORIZON)
    if _is_trivial(policy, gap, high):
        return math.inf
    while high - low > 1e-3:
        middle = (low + high) / 2.0
        low, high = (middle, high) if _is_trivial(policy, gap, middle) else (low, middle)
    return math.exp(high)


def _is_trivial(policy: SLEUCB, gap: float, log_horizon: float) -> bool:
    longer = policy.replace(horizon=max(policy.n_arms + 1, math.floor(math.exp(log_horizon))))
    return _tunable_regret(longer) >= gap * longer.horizon


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


def _sle_ucb(policy: Policy) -> SLEUCB:
    checks.instance_of(policy, Policy, "policy")
    if not isinstance(policy, SLEUCB):
        raise NotSupported(f"Theorem 2 is about SLE-UCB; it says nothing about {policy.title}.")
    return policy


def _class(horizon: float, mean_bound: float, noise_scale: float) -> tuple[float, float, float]:
    return (
        checks.real(horizon, "horizon", above=2.0),
        checks.real(mean_bound, "mean_bound", above=0.0),
        checks.real(noise_scale, "noise_scale", above=0.0),
    )
