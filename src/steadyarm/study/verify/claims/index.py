"""Claims 3, 6 and 10: facts about the index that hold on every run (6 and 10 on the concentration event)."""

from __future__ import annotations

import numpy as np

from steadyarm.model.families import equal_arms, equal_gap, ladder
from steadyarm.model.instance import Instance
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import Finding, Setting, at_least, at_most, exactly, tightest
from steadyarm.study.verify.claims.edge import edge_cases, edge_rewards
from steadyarm.study.verify.claims.sequences import Integers, Sequences, is_good, tables_of_runs
from steadyarm.theory.lemmas import gap_per_pull_bound, index_gap_bound, recent_minimizer_bound

Case = tuple[SLEUCB, Instance]


def cases(setting: Setting, horizon: int = 3000) -> list[Case]:
    """Return SLE-UCB with both kinds of constants on Gaussian, bounded and 0/1 rewards."""
    kind = setting.sle_ucb
    return [
        (kind(n_arms=2, horizon=horizon), equal_gap(2, 0.5)),
        (kind(n_arms=3, horizon=horizon, constants="sharp"), equal_gap(3, 0.2)),
        (
            kind(n_arms=3, horizon=horizon, constants="sharp", noise_scale=0.1),
            ladder(3, 0.3, noise_scale=0.1),
        ),
        (
            kind(n_arms=4, horizon=horizon, constants="sharp", noise_scale=0.1, alpha=4.0),
            equal_gap(4, 0.1, noise_scale=0.1),
        ),
        (
            kind(n_arms=3, horizon=horizon, constants="sharp", noise_scale=0.5),
            Instance.bernoulli([0.6, 0.5, 0.2]),
        ),
        (
            kind(n_arms=2, horizon=horizon, mean_bound=0.5, noise_scale=0.15),
            Instance.bounded([0.2, 0.1], low=0.0, high=0.3),
        ),
    ]


def index_gap(setting: Setting) -> Finding:
    """Claim 3: I(n₁) − I(n₂) ≥ λ·log(n₂/n₁) for all n₁ < n₂, so I is strictly decreasing.

    Neighbours are enough: both sides add up. The finding is the smallest excess over a neighbour's bound, in
    units of λ, rounding aside.
    """
    runs, findings = setting.size(20, 100), []
    for policy, instance in cases(setting):
        index = Sequences(policy, tables_of_runs(instance, setting.seed, runs, policy.horizon)).index
        pulls = np.arange(1, policy.horizon)
        steps = index[..., :-1] - index[..., 1:]
        excess = float((steps - index_gap_bound(policy, pulls, pulls + 1)).min() / policy.lam)
        rounding = 8.0 * float(np.spacing(np.abs(index).max())) / policy.lam
        where = f"K = {policy.n_arms}, {policy.constants} constants"
        findings.append(at_least(excess, 0.0, where, slack=rounding))
        findings.append(at_least(float((steps > 0.0).mean()), 1.0, f"share of falling steps, {where}"))
    return tightest(findings, f"smallest excess over λ·log((n+1)/n), in λ: every arm of {runs} runs, every n")


def gap_per_pull(setting: Setting) -> Finding:
    """Claim 6: on the concentration event every pull but the first of arm i has θ* − θ_i ≤ 3β/(2√N) + λ·log(T/N).

    The bound falls with N, so the last pull of each arm in each run decides for all its pulls.
    """
    runs, findings, good_runs = setting.size(50, 300), [], 0
    for policy, instance in cases(setting):
        tables = tables_of_runs(instance, setting.seed, runs, policy.horizon)
        good = is_good(policy, Sequences(policy, tables).mean, instance)
        good_runs += int(good.sum())
        counts = setting.play(policy, instance, runs).counts[good]
        bound = np.where(counts > 1, gap_per_pull_bound(policy, np.maximum(counts - 1, 1)), np.inf)
        gaps = np.broadcast_to(instance.gaps, bound.shape)
        ratio = gaps / bound
        if ratio.size:
            worst = np.unravel_index(int(ratio.argmax()), ratio.shape)
            where = f"N = {counts[worst] - 1} of T = {policy.horizon}, K = {policy.n_arms}"
            findings.append(at_most(float(gaps[worst]), float(bound[worst]), where))
    return tightest(findings, f"the mean gap of an arm pulled once more, in {good_runs} runs on the event")


def recent_minimizer(setting: Setting) -> Finding:
    """Claim 10: on the concentration event the prefix that makes the envelope has s(n) ≥ n/9, for every n.

    Runs hardly come near, so rewards that run along the edge of the event decide: there s(n)/n reaches 1/9.
    """
    runs, findings, good_runs = setting.size(20, 100), [], 0
    for policy, instance in cases(setting):
        found = Sequences(policy, tables_of_runs(instance, setting.seed, runs, policy.horizon))
        good = is_good(policy, found.mean, instance)
        good_runs += int(good.sum())
        findings += _look_back(policy, found.minimizer[good], f"K = {policy.n_arms}")
    for policy in edge_cases(setting):
        found = Sequences(policy, np.array([[edge_rewards(policy)] * policy.n_arms]))
        good = is_good(policy, found.mean, equal_arms(policy.n_arms))
        findings.append(exactly(int(good.sum()), 1, "arrays on the event"))
        findings += _look_back(policy, found.minimizer, f"on the edge of the event, β = {policy.beta:.4g}")
    return tightest(findings, f"smallest s(n)/n over every n of every arm in {good_runs} runs and 3 arrays")


def _look_back(policy: SLEUCB, minimizer: Integers, where: str) -> list[Finding]:
    """Return the smallest s(n)/n, if there is any run."""
    ratio = minimizer / recent_minimizer_bound(np.arange(1, policy.horizon + 1)) / 9.0
    return [at_least(float(ratio.min()), 1.0 / 9.0, where)] if ratio.size else []
