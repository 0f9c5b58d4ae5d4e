"""Claim 24: the two-armed policy made from a K-armed one (Remark fixed_k_reduction)."""

from __future__ import annotations

import numpy as np

from steadyarm.model.families import equal_gap
from steadyarm.model.instance import Instance
from steadyarm.model.table import reward_table
from steadyarm.policies.own_history.moss import MOSS
from steadyarm.policies.padded import Padded
from steadyarm.study.verify.claims.base import LEVEL, Finding, Setting, at_most, tightest
from steadyarm.study.verify.claims.sequences import Integers
from steadyarm.theory.estimates import largest_sd_estimate, mean_estimate

_ARMS, _HORIZON, _GAP = 4, 150, 0.5


def padding(setting: Setting) -> Finding:
    """Claim 24: R_B ≤ R_A and S_B ≤ S_A + ½, with A on the two arms and K − 2 dummies at −M.

    In every run B loses no more than the A inside it, and N_B = (T + N_1 − N_2)/2 up to ½; over runs, B is
    held against A played by itself.
    """
    runs, findings, aside = setting.size(100, 600), [], []
    for inner in (
        setting.sle_ucb(n_arms=_ARMS, horizon=_HORIZON, beta=2.0),
        MOSS(n_arms=_ARMS, horizon=_HORIZON),
    ):
        policy = setting.padded(inner)
        two = equal_gap(2, _GAP)
        all_arms = Instance.gaussian([*two.means, *[-policy.mean_bound] * (_ARMS - 2)])
        outer, inside = _play(policy, two, setting.seed, runs)
        lost = outer @ np.array(two.gaps) - inside @ np.array(all_arms.gaps)
        stray = np.abs(outer[:, 0] - (_HORIZON + inside[:, 0] - inside[:, 1]) / 2.0).max()
        aside.append(at_most(float(lost.max()), 0.0, f"regret of B above A's in a run, {inner.title}"))
        aside.append(at_most(float(stray), 0.5, f"|N_B − (T + N_1 − N_2)/2| in a run, {inner.title}"))

        alone = setting.play(inner, all_arms, 5 * runs)
        regret, spread = mean_estimate(outer @ np.array(two.gaps), LEVEL), largest_sd_estimate(outer, LEVEL)
        aside.append(at_most(regret.low, alone.regret.high, f"R_B against R_A, {inner.title}"))
        words = f"S_B = {spread} against S_A = {alone.instability}, {inner.title}"
        findings.append(at_most(spread.low, alone.instability.high + 0.5, words))
    return tightest(findings, f"lower end of S_B against S_A + ½, {runs} runs of B; R_B ≤ R_A in each", aside)


def _play(policy: Padded, instance: Instance, seed: int, runs: int) -> tuple[Integers, Integers]:
    """Return the counts of the two real arms, and those of the play inside."""
    outer, inside = [], []
    for run in range(runs):
        table = reward_table(instance, seed=seed, run=run, pulls=policy.horizon)
        play = policy.start(seed=seed, run=run)
        pulled = [0, 0]
        while play.round < policy.horizon:
            arm = play.ask()
            play.tell(arm, float(table[arm, pulled[arm]]))
            pulled[arm] += 1
        outer.append(play.counts)
        inside.append(play.inner.counts)
    return np.array(outer), np.array(inside)
