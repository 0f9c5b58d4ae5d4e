"""The adversary: Theorem 1's chain of instances, run against any policy.

From all arms equal to a gap at which the policy has to have learned, in steps so small that no policy can
tell two neighbours apart (KL ≤ ½ between their histories). Over the chain the expected suboptimal pulls must
fall by 3T/8; where they fall, the pull counts cannot be steady (Lemma aggregate_pull_count_comparison).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from steadyarm.engines.progress import Report
from steadyarm.engines.result import Simulation
from steadyarm.engines.simulate import simulate
from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.model.families import equal_arms, equal_gap
from steadyarm.policies.core.policy import Policy
from steadyarm.study.plotting.style import COLOURS
from steadyarm.theory.bounds import forced_instability, instability_lower_bound, largest_regret
from steadyarm.theory.estimates import Estimate, mean_estimate
from steadyarm.theory.lemmas import chain_end, chain_step, chain_steps_bound, history_divergence

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_GAPS = 12  # gaps on the grid that looks for the worst regret


@dataclass(frozen=True)
class Link:
    """One instance of the chain: its gap, the suboptimal pulls and the instability measured on it."""

    gap: float
    suboptimal_pulls: Estimate
    instability: Estimate

    def kl_to(self, other: Link, noise_scale: float) -> float:
        """Return the KL divergence between the histories of two links."""
        return history_divergence(self.suboptimal_pulls.value, other.gap - self.gap, noise_scale)


@dataclass(frozen=True)
class Chain:
    """What the adversary found.

    Attributes:
        links: the instances Δ_0 = 0 < Δ_1 < … < Δ_L = 8R/T.
        regret: R, the largest regret met.
        best_arm: the arm that is made the best: the one with the fewest pulls when all are equal.
    """

    policy: Policy
    mean_bound: float
    links: tuple[Link, ...]
    regret: float
    best_arm: int

    @property
    def forced(self) -> tuple[float, ...]:
        """For each step the instability that one of its two ends must have."""
        return tuple(
            forced_instability(later.suboptimal_pulls.value - earlier.suboptimal_pulls.value)
            for earlier, later in zip(self.links, self.links[1:], strict=False)
        )

    @property
    def worst_step(self) -> int:
        """The step at which the most instability is forced."""
        return int(np.argmax(self.forced))

    @property
    def fall(self) -> float:
        """Σ|G(Δ_{ℓ+1}) − G(Δ_ℓ)|, at least 3T/8."""
        pulls = [link.suboptimal_pulls.value for link in self.links]
        return float(np.abs(np.diff(pulls)).sum())

    @property
    def most_steps(self) -> float:
        """The paper's bound on the number of steps."""
        return chain_steps_bound(self.regret, self.policy.horizon, self.policy.noise_scale)

    @property
    def instability(self) -> Estimate:
        """The largest instability along the chain."""
        return max((link.instability for link in self.links), key=lambda estimate: estimate.value)

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw the measured instability along the chain over what the lemma forces."""
        from steadyarm.study.plotting.figure import figure_of, panels

        gaps = np.array([link.gap for link in self.links])
        measured = np.array([link.instability.value for link in self.links])
        ends = np.array([[link.instability.low, link.instability.high] for link in self.links]).T
        with panels(ax, size, (8.0, 4.6)) as [axes]:
            axes.errorbar(
                gaps, measured, yerr=np.abs(ends - measured), color=COLOURS[0], marker="o", capsize=3
            )
            axes.stairs(self.forced, gaps, color=COLOURS[1], fill=True, alpha=0.35)
            floor = instability_lower_bound(self.regret, self.policy.horizon, self.policy.noise_scale)
            axes.axhline(floor, color=COLOURS[6], linestyle="--", linewidth=1.2)
            axes.annotate(
                "measured", (gaps[0], measured[0]), (6, 6), textcoords="offset points", color=COLOURS[0]
            )
            middle = self.worst_step
            axes.annotate(
                "forced by the step (one of its ends is at least this unstable)",
                (gaps[middle], self.forced[middle]),
                (4, 6),
                textcoords="offset points",
                color=COLOURS[1],
            )
            axes.annotate(
                "no policy of this regret stays below the dashed line everywhere",
                (gaps[-1], floor),
                (0, 5),
                textcoords="offset points",
                ha="right",
            )
            axes.set_ylim(bottom=0.0)
            axes.set_xlabel("gap between the best arm and all others")
            axes.set_ylabel("instability (pulls)")
            axes.set_title(
                f"{self.policy.title} cannot be steady everywhere: "
                f"at a gap near {gaps[middle]:.2g} its pulls must stray"
            )
        return figure_of(axes)


def adversary(
    policy: Policy,
    *,
    mean_bound: float | None = None,
    runs: int = 400,
    seed: int = 0,
    progress: bool | Report | None = False,
) -> Chain:
    """Run Theorem 1's chain against a policy.

    Args:
        policy: whose worst-case regret is at most MT/8.
        mean_bound: M; the policy's own unless given, 1 if it has none.
        runs: of each instance of the chain.
        seed: names the reward table.
        progress: that of each simulation on the way.

    >>> import steadyarm as sa
    >>> chain = adversary(sa.MOSS(n_arms=2, horizon=400), runs=100)
    >>> chain.fall >= 3 * 400 / 8
    True
    """
    checks.instance_of(policy, Policy, "policy")
    bound = (policy.class_bound or 1.0) if mean_bound is None else mean_bound
    bound = checks.real(bound, "mean_bound", above=0.0, remedy="Means lie in [-M, M].")
    noise, horizon = policy.noise_scale, policy.horizon
    level = simulate(
        policy, equal_arms(policy.n_arms, noise_scale=noise), runs=runs, seed=seed, progress=progress
    )
    best = int(np.argmin(level.mean_counts))

    def play(gap: float) -> Simulation:
        instance = equal_gap(policy.n_arms, gap, noise_scale=noise, best_arm=best)
        return simulate(policy, instance, runs=runs, seed=seed, progress=progress)

    least = noise / math.sqrt(horizon)
    grid = np.geomspace(min(least, bound / 2.0), bound, _GAPS)
    regret = max(play(float(gap)).regret.value for gap in grid)
    if regret <= 0.0:
        raise NotSupported(
            f"{policy.title} lost nothing in {runs:,} runs of every instance with a gap up to M = {bound:g}, so there "
            "is no chain to walk along. Use more runs, or a policy that does not know the best arm beforehand."
        )
    while True:  # the regret at the far end may be larger still
        far = chain_end(regret, horizon)
        if far > bound:
            raise NotSupported(
                f"Theorem 1 needs a worst-case regret of at most MT/8 = {largest_regret(horizon, bound):,.0f}; "
                f"{policy.title} has at least {regret:,.0f}. Use a longer horizon or less exploration."
            )
        found = play(far).regret.value
        if found <= regret:
            break
        regret = found

    links = [_link(level, best, 0.0)]
    while links[-1].gap < far:
        gap = min(far, links[-1].gap + chain_step(links[-1].suboptimal_pulls.value, noise))
        links.append(_link(play(gap), best, gap))
    return Chain(policy, bound, tuple(links), regret, best)


def _link(result: Simulation, best: int, gap: float) -> Link:
    pulls = mean_estimate(result.policy.horizon - result.counts[:, best], result.level)
    return Link(gap, pulls, result.instability)
