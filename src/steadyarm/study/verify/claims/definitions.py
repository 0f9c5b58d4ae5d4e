"""Claims 1, 2 and 26: the definitions, Algorithm 1 itself, and the example of Figure 2."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from steadyarm.model.families import equal_gap, ladder
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.registry import all_policies
from steadyarm.study.verify.claims import literal
from steadyarm.study.verify.claims.base import Finding, Floats, Setting, at_most, exactly
from steadyarm.study.verify.claims.sequences import Sequences, play_table

_ROUNDING = 1e-9


def definitions(setting: Setting) -> Finding:
    """Claim 1: regret and instability as `simulate` gives them, against Definition 1 summed round by round.

    And Definition 2 where the worst case is known: round robin's is 2M·T(K−1)/K, at the largest gap 2M.
    """
    runs, findings = setting.size(20, 60), []
    for name in ("SLEUCB", "MOSS", "UCB1", "GaussianThompson"):
        policy = all_policies()[name](n_arms=3, horizon=300)
        for instance in (equal_gap(3, 0.5), ladder(3, 0.4)):
            result = setting.play(policy, instance, runs)
            expected = _round_by_round(policy, instance, runs, setting.seed)
            for measured, summed in zip((result.regret, result.instability), expected, strict=True):
                words = f"{policy.title}: {measured.value:.6g} against {summed:.6g}"
                findings.append(exactly(measured.value, summed, words, slack=_ROUNDING))
    fair = all_policies()["RoundRobin"](n_arms=3, horizon=300)
    gaps = np.linspace(0.0, 2.0, 9)
    worst = max(setting.play(fair, _around_nought(3, gap), 2).regret.value for gap in gaps)
    findings.append(exactly(worst, 400.0, "worst regret of round robin", slack=_ROUNDING))
    differences = sum(not finding.holds for finding in findings)
    detail = f"4 policies × 2 instances, {runs} runs each, summed round by round; round robin's worst case"
    wrong = next((f"; {finding.detail}" for finding in findings if not finding.holds), "")
    return exactly(differences, 0, f"numbers that differ of {len(findings)}: {detail}{wrong}")


def _around_nought(n_arms: int, gap: float) -> Instance:
    """Arms at ±gap/2: the only way to a gap of 2M."""
    return Instance.gaussian([gap / 2.0] + [-gap / 2.0] * (n_arms - 1))


def _round_by_round(policy: Policy, instance: Instance, runs: int, seed: int) -> tuple[float, float]:
    """Definition 1: the mean of Σ_t (μ* − μ_{A_t}), and the largest standard deviation of an N_i(T)."""
    regrets, counts = [], []
    for run in range(runs):
        table = reward_table(instance, seed=seed, run=run, pulls=policy.horizon)
        play = policy.start(seed=seed, run=run)
        pulled, lost = [0] * policy.n_arms, 0.0
        for _ in range(policy.horizon):
            arm = play.ask()
            play.tell(arm, float(table[arm, pulled[arm]]))
            pulled[arm] += 1
            lost += max(instance.means) - instance.means[arm]
        regrets.append(lost)
        counts.append(pulled)
    variances = [
        sum((n - sum(arm) / runs) ** 2 for n in arm) / (runs - 1) for arm in zip(*counts, strict=True)
    ]
    return sum(regrets) / runs, math.sqrt(max(variances))


def algorithm_1(setting: Setting) -> Finding:
    """Claim 2: constants and choices of the play against Algorithm 1 written down once more, ties included.

    The rewards are 0 or 1, or half-steps, so that ties happen all the time. With the paper's constants B is
    below 1, so that clipping matters too.
    """
    cases = setting.size(1000, 10_000)
    random = np.random.default_rng(setting.seed)
    findings = []
    for case in range(cases):
        n_arms = int(random.integers(2, 5))
        horizon = n_arms + int(random.integers(1, 26))
        alpha = float(random.choice([0.1, 1.0, 3.0]))
        priority = [int(rank) for rank in random.permutation(n_arms)]
        if case % 2:
            policy = setting.sle_ucb(
                n_arms=n_arms, horizon=horizon, mean_bound=0.25, noise_scale=0.0625, alpha=alpha
            )
            table = random.integers(0, 2, (n_arms, horizon)).astype(float)
            findings.append(_same_constants(policy))
            _, clip, beta, lam = literal.constants(n_arms, horizon, 0.25, 0.0625, alpha)
        else:
            beta = float(random.choice([0.25, 1.0, 4.0]))
            policy = setting.sle_ucb(n_arms=n_arms, horizon=horizon, beta=beta, alpha=alpha)
            table = random.integers(0, 3, (n_arms, horizon)) / 2.0
            clip, lam = math.inf, alpha * beta * math.sqrt(n_arms / horizon)
        findings.append(_same_choices(policy, table, clip, beta, lam, priority))
    wrong = sum(not finding.holds for finding in findings)
    words = f"cases that differ of {cases} random small ones, half of them with clipped rewards"
    return exactly(wrong, 0, words)


def _same_constants(policy: SLEUCB) -> Finding:
    expected = literal.constants(
        policy.n_arms, policy.horizon, policy.mean_bound, policy.noise_scale, policy.alpha
    )
    found = (policy.iota, policy.clip, policy.beta, policy.lam)
    off = max(abs(one / other - 1.0) for one, other in zip(found, expected, strict=True))
    return at_most(off, 0.0, "relative error of ι, B, β and λ", slack=1e-12)


def _same_choices(
    policy: SLEUCB, table: Floats, clip: float, beta: float, lam: float, priority: Sequence[int]
) -> Finding:
    expected = literal.choices(table.tolist(), policy.horizon, clip, beta, lam, priority)
    chosen, _ = play_table(policy, table, priority)
    first, rest = chosen[: policy.n_arms], chosen[policy.n_arms :]
    differences = sum(one != other for one, other in zip(rest, expected, strict=True))
    differences += sorted(first) != list(range(policy.n_arms))
    return exactly(differences, 0, "choices that differ")


def figure_2(setting: Setting) -> Finding:
    """Claim 26: K = 3, T = 8, ω = (2, 3, 1), I₂(1) > I₁(1) > I₃(1) = I₁(2) > I₂(2): online 2 → 1 → 3 → 1 → 2.

    The offline rule selects (2,2), (1,2), (3,2), (1,3), (2,3), in this order.
    """
    policy = setting.sle_ucb(n_arms=3, horizon=8, beta=1.0)
    table, index = _figure_2_table(policy)
    priority = [2, 3, 1]
    first, second, third = index[0], index[1], index[2]
    ordered = second[0] > first[0] > third[0] == first[1] > second[1]
    others = max(first[2:].max(), second[2:].max(), third[1:].max())
    chosen, _ = play_table(policy, table, priority)
    online = [arm + 1 for arm in chosen[3:]]
    arms, pulls = setting.offline(index, priority, 8)
    items = [(int(arm) + 1, int(pull)) for arm, pull in zip(arms[3:], pulls[3:], strict=True)]
    expected = [(2, 2), (1, 2), (3, 2), (1, 3), (2, 3)]
    differences = sum(one != arm for one, (arm, _) in zip(online, expected, strict=True))
    differences += sum(one != other for one, other in zip(items, expected, strict=False))
    differences += not (ordered and others < second[1])
    words = f"items and choices that differ from the figure; online {' → '.join(map(str, online))}"
    return exactly(differences, 0, words)


def _figure_2_table(policy: SLEUCB) -> tuple[Floats, Floats]:
    """Return rewards whose indices stand as in the figure: arm 3's first ties exactly with arm 1's second."""
    table = np.full((3, 8), -9.0)
    table[0, :2], table[1, :2] = 0.5, (0.6, 0.3)
    goal = Sequences(policy, table).index[0, 1]
    reward = goal - Sequences(policy, np.zeros((1, 1))).index[0, 0]

    def found(reward: float) -> float:
        return float(Sequences(policy, np.array([[reward]])).index[0, 0])

    while found(reward) < goal:
        reward = math.nextafter(reward, math.inf)
    while found(reward) > goal:
        reward = math.nextafter(reward, -math.inf)
    table[2, 0] = reward
    return table, Sequences(policy, table).index
