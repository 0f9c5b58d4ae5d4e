"""The worst cases that claims hold bounds against: three ways to find where a policy loses and spreads most."""

from __future__ import annotations

import math
from dataclasses import replace

from steadyarm.engines.result import Simulation
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import LEVEL, Setting
from steadyarm.study.worst_case.space import FAMILIES, Point, Space, family_points, space_of
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

Worst = tuple[Estimate, Estimate]  # the largest regret and the largest instability

_FAMILIES = ("equal_gap", "one_worse", "duel")  # one best, two tied best, two close and the others far
_SHARES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # of β√(K/T), the gap at which learning takes about all rounds
_GAPS = 10
_NEARBY = (0.55, 0.75, 1.35, 1.8)  # gaps tried around the best on the grid


def worst_of_families(setting: Setting, policy: SLEUCB, runs: int) -> Worst:
    """Return the largest regret and instability over families, gaps near the one at which learning takes all rounds."""
    space, scale = space_of(policy), policy.beta * math.sqrt(policy.n_arms / policy.horizon)
    gaps = [0.0, *(min(share * scale, space.widest) for share in _SHARES), space.widest]
    points = [Point(FAMILIES[name](policy.n_arms, gap, space.widest)) for name in _FAMILIES for gap in gaps]
    results = [setting.play(policy, space.instance(point), runs) for point in dict.fromkeys(points)]
    return (
        max((result.regret for result in results), key=lambda estimate: estimate.value),
        max((result.instability for result in results), key=lambda estimate: estimate.value),
    )


def worst_of_predicted(setting: Setting, policy: SLEUCB) -> Worst:
    """Find the worst of a few instances, and measure it there again on rewards that the search did not see."""
    fresh = replace(setting, seed=setting.seed + 1)
    tried = [setting.play(policy, instance, setting.size(12, 60)) for instance in _predicted(policy)]
    costliest = max(tried, key=lambda result: result.regret.value).instance
    unsteadiest = max(tried, key=lambda result: result.instability.value).instance
    runs = setting.size(200, 1000)
    measured = {each: fresh.play(policy, each, runs) for each in (costliest, unsteadiest)}
    return measured[costliest].regret, measured[unsteadiest].instability


def _predicted(policy: SLEUCB) -> list[Instance]:
    """Return where the prediction is worst, over the whole class, and gaps at which learning takes about all rounds."""
    n_arms = policy.n_arms
    gap = min(1.0, policy.beta * math.sqrt(n_arms / policy.horizon))
    expected = worst_cases(policy.curves, n_arms, class_of("gaussian"))
    means = {expected.regret.means, expected.deviation.means}
    means |= {
        (0.0,) * best + (-gap,) * (n_arms - best) for best in {1, 2, n_arms - 1, n_arms} if best <= n_arms
    }
    return [Instance.gaussian(each) for each in sorted(means)]


def worst_of_space(setting: Setting, policy: Policy, space: Space) -> Worst:
    """Search a grid of families and the gaps around its best; measure that again on rewards of its own."""
    grid = [point for _, _, point in family_points(space, _FAMILIES, _GAPS, policy.horizon)]
    search = setting.size(60, 200)

    def play(point: Point, runs: int, seed: int) -> Simulation:
        instance = space.instance(point)
        return setting.simulate(policy, instance, runs=runs, seed=seed, level=LEVEL, progress=False)

    found = {point: play(point, search, setting.seed + 1) for point in grid}
    worst = []
    for size in (_regret, _spread):
        best = max(grid, key=lambda point: size(found[point]))
        for scale in _NEARBY:
            point = Point(tuple(min(space.widest, scale * gap) for gap in best.gaps), best.shift)
            found.setdefault(point, play(point, search, setting.seed + 1))
        worst.append(max(found, key=lambda point: size(found[point])))
    fresh = setting.runs or setting.size(400, 4000)
    costliest, unsteadiest = (play(point, fresh, setting.seed) for point in worst)
    return costliest.regret, unsteadiest.instability


def _regret(found: Simulation) -> float:
    return float(found.run_regrets.mean())


def _spread(found: Simulation) -> float:
    return float(found.sd.max())
