"""Claims 8, 9 and 15: the offline top-prefix rule and what the priority can change (Section instability)."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from steadyarm.model.families import equal_gap
from steadyarm.model.instance import Instance
from steadyarm.model.priority import draw_priority
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import (
    Finding,
    Floats,
    Setting,
    agrees,
    at_least,
    at_most,
    exactly,
    tightest,
)
from steadyarm.study.verify.claims.sequences import (
    Integers,
    Sequences,
    play_table,
    prefix_counts,
    tables_of_runs,
)
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.lemmas import PRIORITY_VARIANCE_BOUND

_COINS = (0.5, 0.5, 0.5, 0.5)  # arms whose indices tie all the time
_SMALL_BETA = 0.25  # so small that an envelope stays flat for long: ties of many pulls without a stabilizer


def equivalence(setting: Setting) -> Finding:
    """Claim 8: the online greedy rule and the offline top-prefix rule select the same items, in one order.

    Counts by `step`, by `prefix`, by a play round by round and by sorting all items, exactly equal.
    """
    runs = setting.size(40, 300)
    kind = setting.sle_ucb
    cases = [
        (kind(n_arms=4, horizon=200, beta=_SMALL_BETA, noise_scale=0.5), Instance.bernoulli(_COINS)),
        (kind(n_arms=4, horizon=200, noise_scale=0.5), Instance.bernoulli(_COINS)),
        (kind(n_arms=3, horizon=400, constants="sharp"), equal_gap(3, 0.3)),
        (kind(n_arms=2, horizon=400), equal_gap(2, 0.5)),
    ]
    different = sum(_differences(setting, policy, instance, runs) for policy, instance in cases)
    words = f"runs whose items differ between step, prefix, play and offline sort, of {runs * len(cases)}"
    return exactly(different, 0, words)


def _differences(setting: Setting, policy: SLEUCB, instance: Instance, runs: int) -> int:
    tables = tables_of_runs(instance, setting.seed, runs, policy.horizon)
    indices = Sequences(policy, tables).index
    step = setting.play(policy, instance, runs, engine="step").counts
    prefix = setting.play(policy, instance, runs, engine="prefix").counts
    different = 0
    for run in range(runs):
        priority = draw_priority(policy.n_arms, setting.seed, run)
        arms, pulls = setting.offline(indices[run], priority, policy.horizon)
        offline = prefix_counts(arms, pulls, policy.n_arms)
        chosen, play = play_table(policy, tables[run], priority)
        same = offline is not None and all(
            np.array_equal(counts, offline) for counts in (step[run], prefix[run], play.counts)
        )
        different += not (same and chosen == arms.tolist())
    return different


def priority_moves_one(setting: Setting) -> Finding:
    """Claim 9: another priority changes no count by more than 1; the priority's share of the variance is ≤ 1."""
    runs = setting.size(150, 1000)
    counts = _all_priorities(setting, runs)
    spread = counts.max(axis=0) - counts.min(axis=0)  # (runs, arms)
    share = float(counts.mean(axis=1).var(axis=0).max())
    moved = int((spread > 0).any(axis=1).sum())
    findings = [
        at_most(float(spread.max()), 1.0, f"in {moved} runs the priority decides"),
        at_most(share, PRIORITY_VARIANCE_BOUND, "variance of the mean count over priorities"),
        at_least(float(moved), 1.0, "runs in which the priority decides: without one nothing is checked"),
    ]
    return tightest(findings, f"largest change of a count over all 24 priorities, {runs} runs of coins")


def total_variance(setting: Setting) -> Finding:
    """Claim 15: Var N = Var_ω(E_Y N) + E_ω(Var_Y N), and the first term is at most 1.

    The terms come from all 24 priorities on each table; the left side from `simulate`, which draws a
    priority for every run, on other runs.
    """
    runs = setting.size(600, 4000)
    counts = _all_priorities(setting, runs)
    over_priorities = counts.mean(axis=1).var(axis=0)
    over_rewards = counts.var(axis=1, ddof=1).mean(axis=0)
    policy, instance = _coins(setting)
    result = setting.play(policy, instance, 4 * runs)
    findings = [at_most(float(over_priorities.max()), PRIORITY_VARIANCE_BOUND, "Var_ω(E_Y N)")]
    for arm in range(policy.n_arms):
        spread = result.arm(arm)[1]
        total = Estimate(spread.value**2, spread.low**2, spread.high**2, spread.runs, spread.level)
        terms = float(over_priorities[arm] + over_rewards[arm])
        error = 4.0 * terms * _relative_error(counts[:, :, arm])
        findings.append(agrees(total, terms, error, f"Var N of arm {arm} against the sum of its terms"))
    largest = f"Var_ω(E_Y N) ≤ {over_priorities.max():.4f}"
    return tightest(findings, f"24 priorities × {runs} tables, {largest}; {4 * runs} other runs")


def _relative_error(counts: Floats) -> float:
    """Return the standard error of a variance over the variance, from the spread over tables."""
    squares = (counts - counts.mean(axis=1, keepdims=True)) ** 2
    over_tables = squares.mean(axis=0)
    return float(over_tables.std(ddof=1) / np.sqrt(len(over_tables)) / over_tables.mean())


def _coins(setting: Setting) -> tuple[SLEUCB, Instance]:
    policy = setting.sle_ucb(n_arms=4, horizon=80, beta=_SMALL_BETA, noise_scale=0.5)
    return policy, Instance.bernoulli(_COINS)


def _all_priorities(setting: Setting, runs: int) -> Floats:
    """Return the counts of every run under every priority, (priorities, runs, arms), by the offline rule.

    Claim 8 says that it gives what a play gives; the first table is played to make sure.
    """
    policy, instance = _coins(setting)
    tables = tables_of_runs(instance, setting.seed, runs, policy.horizon)
    indices = Sequences(policy, tables).index
    orders = [list(order) for order in permutations(range(policy.n_arms))]
    counts = np.array([[_count(setting, policy, index, order) for index in indices] for order in orders])
    for order, counted in zip(orders, counts, strict=True):
        played = play_table(policy, tables[0], order)[1].counts
        if not np.array_equal(played, counted[0]):
            return np.full(counts.shape, np.nan)
    return counts.astype(float)


def _count(setting: Setting, policy: SLEUCB, index: Floats, priority: list[int]) -> Integers:
    arms, _ = setting.offline(index, priority, policy.horizon)
    return np.bincount(arms, minlength=policy.n_arms)
