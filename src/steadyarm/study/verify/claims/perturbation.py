"""Claims 11 to 14: what one changed reward does to an index, to the counts and to their variance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from steadyarm.engines.played.recut import Changes, counts_with_changes
from steadyarm.model.families import equal_arms, equal_gap
from steadyarm.model.instance import Instance
from steadyarm.model.priority import draw_priority
from steadyarm.model.table import reward_table
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import Finding, Floats, Setting, at_least, at_most, exactly, tightest
from steadyarm.study.verify.claims.edge import edge_cases, edge_prefix, edge_rewards
from steadyarm.study.verify.claims.index import cases
from steadyarm.study.verify.claims.sequences import Integers, Sequences, is_good
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.lemmas import count_change_bound

_WITHIN = 1e-3  # how far inside the edge of the event an array stays that one reward may move
_WILD = 1e6  # a reward beyond every clip


def index_perturbation(setting: Setting) -> Finding:
    """Claim 11: with one reward changed, |I′(n) − I(n)| ≤ 9|Y′ − Y|/n from that pull on, and 0 before.

    The changed rewards are independent copies, and the whole run stays on the concentration event. Where averages run
    along its edge an index looks back ninefold, and a change of the reward that it looks back to moves it as much.
    """
    cells, largest, before, checked = setting.size(60, 400), 0.0, 0.0, 0
    random = np.random.default_rng(setting.seed)
    for policy, instance in cases(setting, horizon=1000):
        for run in range(5):
            table = reward_table(instance, seed=setting.seed, run=run, pulls=policy.horizon)
            copy = reward_table(instance, seed=setting.seed + 1, run=run, pulls=policy.horizon)
            arm = int(random.integers(policy.n_arms))
            pulls = _spread(random, policy.horizon, cells)
            ratio, early, count = _index_changes(policy, instance, table, copy, arm, pulls)
            largest, before, checked = max(largest, ratio), max(before, early), checked + count
    on_edge = [_edge_change(policy) for policy in edge_cases(setting)]
    before = max(before, *(early for _, early, _ in on_edge))
    return tightest(
        [
            at_most(largest, 9.0, f"{checked} changed rewards"),
            *(at_most(ratio, 9.0, "a change on the edge of the event") for ratio, _, _ in on_edge),
            exactly(sum(count for _, _, count in on_edge), len(on_edge), "changes that stay on the event"),
            exactly(before, 0.0, "change of an index before the changed pull"),
            at_least(float(checked), 1.0, "changed rewards on the event"),
        ],
        "largest |I′(n) − I(n)|·n/|Y′ − Y|",
    )


def _edge_change(policy: SLEUCB) -> tuple[float, float, int]:
    """Lower the reward at the prefix that the envelope looks back to, so little that the event holds."""
    table = np.array([edge_rewards(policy, inside=1.0 - _WITHIN)] * policy.n_arms)
    lower, pull = table.copy(), edge_prefix(policy)
    lower[:, pull - 1] -= 0.2 * _WITHIN * policy.beta * np.sqrt(pull)
    return _index_changes(policy, equal_arms(policy.n_arms), table, lower, 0, np.array([pull]))


def _spread(random: np.random.Generator, horizon: int, cells: int) -> Integers:
    """Return pull numbers, early ones more often, the first among them."""
    drawn = np.exp(random.uniform(0.0, np.log(horizon), cells)).astype(np.int64)
    return np.unique(np.append(drawn, 1))


def _index_changes(
    policy: SLEUCB, instance: Instance, table: Floats, copy: Floats, arm: int, pulls: Integers
) -> tuple[float, float, int]:
    """Return the largest |I′ − I|·n/|Y′ − Y|, the largest change before, and how many cells count."""
    old = Sequences(policy, table)
    if not is_good(policy, old.mean[None], instance)[0]:
        return 0.0, 0.0, 0
    rows = np.repeat(table[arm][None], len(pulls), axis=0)
    rows[np.arange(len(pulls)), pulls - 1] = copy[arm, pulls - 1]
    new = Sequences(policy, rows)
    good = _arm_is_good(policy, new.mean, instance.means[arm])
    change = np.abs(new.rewards - old.rewards[arm]).max(axis=-1)
    good &= change > 0.0
    n = np.arange(1, policy.horizon + 1)
    moved = np.abs(new.index - old.index[arm])[good]
    late = n >= pulls[good][:, None]
    rounding = 8.0 * np.spacing(np.abs(old.index[arm]).max())
    ratio = np.where(late, np.maximum(moved - rounding, 0.0) * n / change[good][:, None], 0.0)
    early = np.where(late, 0.0, moved)
    return float(ratio.max(initial=0.0)), float(early.max(initial=0.0)), int(good.sum())


def _arm_is_good(policy: SLEUCB, mean: Floats, centre: float) -> npt.NDArray[np.bool_]:
    n = np.arange(1, mean.shape[-1] + 1)
    within: npt.NDArray[np.bool_] = np.abs(mean - centre) <= policy.beta / (2.0 * np.sqrt(n)) + 1e-12
    return np.asarray(within.all(axis=-1))


def unread_reward(setting: Setting) -> Finding:
    """Claim 12: a reward beyond an arm's last pull changes no count: eq. (pull_count_unchanged).

    The offline rule knows all rewards in advance, so there this is a fact and not a matter of course.
    """
    runs, changed, checked = setting.size(15, 100), 0, 0
    for policy, instance in cases(setting, horizon=300):
        for run in range(runs):
            table = reward_table(instance, seed=setting.seed, run=run, pulls=policy.horizon)
            priority = draw_priority(policy.n_arms, setting.seed, run)
            before = _offline_counts(setting, policy, table, priority)
            for arm in range(policy.n_arms):
                for pull in {before[arm] + 1, before[arm] + 2, policy.horizon}:
                    for reward in (-_WILD, _WILD):
                        other = table.copy()
                        other[arm, min(pull, policy.horizon) - 1] = reward
                        after = _offline_counts(setting, policy, other, priority)
                        changed += not np.array_equal(before, after)
                        checked += 1
    return exactly(changed, 0, f"changed rewards after an arm's last pull that moved a count, of {checked}")


def _offline_counts(setting: Setting, policy: SLEUCB, table: Floats, priority: list[int]) -> Integers:
    arms, _ = setting.offline(Sequences(policy, table).index, priority, policy.horizon)
    return np.bincount(arms, minlength=policy.n_arms)


def count_change(setting: Setting) -> Finding:
    """Claim 13: one changed reward moves every count by at most 1 + 9|Y′ − Y|/λ, and none more than its own arm's.

    Every reward that a run reads is replaced by a copy, one at a time, and the run is cut again.
    """
    runs, findings, checked = setting.size(6, 40), [], 0
    kind = setting.sle_ucb
    for policy, instance in (
        (kind(n_arms=3, horizon=600, constants="sharp", alpha=1.0), equal_arms(3)),
        (kind(n_arms=3, horizon=600, constants="sharp", alpha=50.0), equal_arms(3)),
        (kind(n_arms=2, horizon=600, alpha=0.5), equal_gap(2, 0.5)),
    ):
        for run in range(runs):
            ratio, excess, count = _count_changes(setting, policy, instance, run)
            checked += count
            findings.append(at_most(ratio, 1.0, f"K = {policy.n_arms}, α = {policy.alpha:g}"))
            findings.append(exactly(excess, 0.0, "pulls by which an arm moved more than the changed one"))
    findings.append(at_least(float(checked), 1.0, "changed rewards on the event"))
    return tightest(findings, f"largest |N_j(Y′) − N_j(Y)| over 1 + 9|Y′ − Y|/λ, {checked} changed rewards")


def _count_changes(
    setting: Setting, policy: SLEUCB, instance: Instance, run: int
) -> tuple[float, float, int]:
    table = reward_table(instance, seed=setting.seed, run=run, pulls=policy.horizon)
    copy = reward_table(instance, seed=setting.seed + 1, run=run, pulls=policy.horizon)
    nothing = np.zeros(0, dtype=np.int64)
    counts, _ = counts_with_changes(
        policy, instance, setting.seed, run, Changes(nothing, nothing, np.zeros(0))
    )
    arms = np.repeat(np.arange(policy.n_arms), counts)
    pulls = np.concatenate([np.arange(1, count + 1) for count in counts])
    rewards = copy[arms, pulls - 1]
    before, after = counts_with_changes(policy, instance, setting.seed, run, Changes(arms, pulls, rewards))
    change = np.clip(rewards, -policy.clip, policy.clip) - np.clip(
        table[arms, pulls - 1], -policy.clip, policy.clip
    )
    good = _stays_good(policy, instance, table, arms, pulls, change)
    moved = np.abs(after - before)
    own = moved[np.arange(len(arms)), arms]
    ratio = moved.max(axis=1) / count_change_bound(policy, change)
    excess = moved.max(axis=1) - own
    return float(ratio[good].max(initial=0.0)), float(excess.max(initial=0)), int(good.sum())


def _stays_good(
    policy: SLEUCB, instance: Instance, table: Floats, arms: Integers, pulls: Integers, change: Floats
) -> npt.NDArray[np.bool_]:
    """Say for each changed reward whether the run is on the concentration event before and after."""
    mean = Sequences(policy, table).mean
    n = np.arange(1, policy.horizon + 1)
    moved = mean[arms] + np.where(n >= pulls[:, None], change[:, None] / n, 0.0)
    centre = np.array(instance.means)[arms][:, None]
    after: npt.NDArray[np.bool_] = (np.abs(moved - centre) <= policy.beta / (2.0 * np.sqrt(n)) + 1e-12).all(
        axis=1
    )
    before = bool(is_good(policy, mean[None], instance)[0])
    return after & before


def efron_stein_inequality(setting: Setting) -> Finding:
    """Claim 14: Var N ≤ ½ Σ E(N − N^(a,m))², the sum over every reward that a run reads."""
    runs, findings = setting.size(200, 1000), []
    kind = setting.sle_ucb
    for policy, instance in (
        (kind(n_arms=2, horizon=400, constants="sharp", alpha=0.3), equal_arms(2)),
        (kind(n_arms=3, horizon=400, constants="sharp", noise_scale=0.2), equal_gap(3, 0.2, noise_scale=0.2)),
    ):
        bounds = setting.efron_stein(policy, instance, runs=runs, seed=setting.seed)
        result = setting.play(policy, instance, 20 * runs)
        for arm, bound in enumerate(bounds):
            spread = result.arm(arm)[1]
            variance = Estimate(spread.value**2, spread.low**2, spread.high**2, spread.runs, spread.level)
            where = f"arm {arm} of {policy.n_arms}, where the sum is {bound}"
            findings.append(at_most(variance, bound.low, where))
    return tightest(findings, f"Var N against the lower end of ½ Σ E(N − N′)², {runs} runs")
