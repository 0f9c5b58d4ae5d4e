"""`simulate`: any policy on any instance, by the cheapest exact engine, as estimates with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.engines import reference, step
from steadyarm.engines.pool import play_all
from steadyarm.engines.progress import Report, progress_bar
from steadyarm.errors import InvalidInput, NotSupported, SimulationInterrupted
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.base import Policy
from steadyarm.theory.estimates import (
    Estimate,
    check_level,
    largest_sd_estimate,
    mean_estimate,
    sd_estimate,
)

ENGINES: dict[str, ModuleType] = {"step": step, "reference": reference}  # "auto" takes the first that can

DEFAULT_RUNS = 1000
_PILOT_RUNS = 400
_MOST_RUNS = 2**32


@dataclass(frozen=True, eq=False)
class Simulation:
    """The terminal pull counts of many runs, and what they say.

    Attributes:
        counts: (runs, arms) whole numbers; row r is run r.
        engine: the engine that played them.
        seed: the seed; run r of the same seed has the same rewards under every policy.
    """

    policy: Policy
    instance: Instance
    counts: npt.NDArray[np.int64]
    engine: str
    seed: int
    level: float = 0.95

    @property
    def runs(self) -> int:
        """How many runs were played."""
        return int(self.counts.shape[0])

    @cached_property
    def run_regrets(self) -> npt.NDArray[np.float64]:
        """The regret of each run: what its pulls cost in expected reward."""
        return self.counts @ np.array(self.instance.gaps)

    @cached_property
    def regret(self) -> Estimate:
        """The expected regret (Definition 1)."""
        return mean_estimate(self.run_regrets, self.level)

    @cached_property
    def instability(self) -> Estimate:
        """The largest standard deviation of an arm's pull count (Definition 1)."""
        return largest_sd_estimate(self.counts, self.level)

    @cached_property
    def mean_counts(self) -> npt.NDArray[np.float64]:
        """The average pull count of each arm."""
        return self.counts.mean(axis=0)

    @cached_property
    def sd(self) -> npt.NDArray[np.float64]:
        """The standard deviation of each arm's pull count."""
        if self.runs < 2:
            return np.full(self.instance.n_arms, math.nan)
        return self.counts.std(axis=0, ddof=1)

    def arm(self, arm: int) -> tuple[Estimate, Estimate]:
        """Return one arm's mean count and standard deviation, both with intervals."""
        arm = checks.integer(arm, "arm", at_least=0, at_most=self.instance.n_arms - 1)
        column = self.counts[:, arm]
        return mean_estimate(column, self.level), sd_estimate(column, self.level)

    def to_dict(self) -> dict[str, Any]:
        """Return what was run and what came out as a plain dict, fit for JSON."""
        return {
            "policy": self.policy.to_dict(),
            "instance": self.instance.to_dict(),
            "runs": self.runs,
            "seed": self.seed,
            "engine": self.engine,
            "regret": self.regret.to_dict(),
            "instability": self.instability.to_dict(),
            "mean_counts": self.mean_counts.tolist(),
            "sd": [deviation if math.isfinite(deviation) else None for deviation in self.sd.tolist()],
        }

    def __repr__(self) -> str:
        return (
            f"Simulation({self.policy.title}, {self.instance.n_arms} arms, {self.policy.horizon:,} rounds, "
            f"{self.runs:,} runs by {self.engine}: regret {self.regret}, instability {self.instability})"
        )


def simulate(
    policy: Policy,
    instance: Instance,
    *,
    runs: int | None = None,
    precision: float | None = None,
    seed: int = 0,
    engine: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    progress: bool | Report | None = None,
    level: float = 0.95,
    outside_class: bool = False,
) -> Simulation:
    """Play a policy on an instance many times.

    Args:
        policy: what chooses the arms.
        instance: what the arms give.
        runs: how many independent runs (1,000 unless `precision` is given).
        precision: instead of `runs`: as many as bring the half-width of both intervals, regret and
            instability, below this share of the value.
        seed: names the reward table; results depend on nothing else.
        engine: "auto", "step", or "reference".
        device: "cpu".
        threads: how many threads; all cores by default. The result does not depend on it.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        level: the confidence level of the intervals.
        outside_class: run even if the instance lies outside the policy's class (M, σ).

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")
    >>> result = sa.simulate(policy, sa.equal_gap(n_arms=2, gap=0.5), runs=200, seed=1)
    >>> result.engine, result.counts.shape, bool((result.counts.sum(axis=1) == 1000).all())
    ('step', (200, 2), True)
    >>> result.regret.low < result.regret.value < result.regret.high
    True
    """
    checks.instance_of(policy, Policy, "policy")
    policy.check_instance(instance, outside_class=outside_class)
    if runs is not None and precision is not None:
        raise InvalidInput(
            f"give runs or precision, not both; got runs={runs!r} and precision={precision!r}."
        )
    runs = checks.integer(DEFAULT_RUNS if runs is None else runs, "runs", at_least=1, at_most=_MOST_RUNS)
    seed = checks.seed(seed)
    level = check_level(level)
    checks.one_of(device, "device", ("cpu",))
    if threads is not None:
        threads = checks.integer(threads, "threads", at_least=1)
    engine, module = _pick(engine, policy, instance)

    def play(first_run: int, more: int, report: Report) -> npt.NDArray[np.int64]:
        counts = np.zeros((more, policy.n_arms), dtype=np.int64)

        def play_range(*where: Any) -> None:
            module.play_range(policy, instance, seed, *where)

        try:
            play_all(play_range, first_run, counts, policy.horizon, threads, report)
        except SimulationInterrupted as interruption:
            interruption.partial = counts[: interruption.partial]
            raise
        return counts

    def result(counts: npt.NDArray[np.int64]) -> Simulation:
        return Simulation(policy, instance, counts, engine, seed, level)

    with progress_bar(progress, f"{policy.title}, {policy.horizon:,} rounds") as report:
        try:
            if precision is None:
                return result(play(0, runs, report))
            return _until_precise(play, result, checks.real(precision, "precision", above=0.0), report)
        except SimulationInterrupted as interruption:
            counts = interruption.partial
            interruption.partial = result(counts) if len(counts) else None  # type: ignore[arg-type]
            raise


def _pick(engine: str, policy: Policy, instance: Instance) -> tuple[str, ModuleType]:
    checks.one_of(engine, "engine", ("auto", *ENGINES))
    if engine != "auto":
        if not ENGINES[engine].supports(policy, instance):
            raise NotSupported(f"the {engine} engine cannot play {policy.name}. Use engine='auto'.")
        return engine, ENGINES[engine]
    return next((name, module) for name, module in ENGINES.items() if module.supports(policy, instance))


def _until_precise(
    play: Callable[[int, int, Report], npt.NDArray[np.int64]],
    result: Callable[[npt.NDArray[np.int64]], Simulation],
    precision: float,
    report: Report,
) -> Simulation:
    """Play a pilot, then as many more runs as its intervals say are needed, until they are narrow enough.

    The runs are numbers 0, 1, 2, …, so the result is that of `simulate` with that many `runs`.
    """
    counts = play(0, _PILOT_RUNS, lambda _share: None)
    while True:
        simulation = result(counts)
        now = max(simulation.regret.relative_half_width, simulation.instability.relative_half_width)
        if now <= precision:
            return simulation
        have = len(counts)
        if not math.isfinite(now):
            raise InvalidInput(
                f"precision={precision!r} cannot be reached: after {have} runs the regret is "
                f"{simulation.regret}, so a share of it says nothing. Give runs instead."
            )
        need = math.ceil(have * (now / precision) ** 2 * 1.02) + 1
        if need > _MOST_RUNS:
            raise InvalidInput(
                f"precision={precision!r} would take about {need:.1e} runs, and the reward table has 2**32. "
                "Ask for a coarser one."
            )
        need = min(need, 8 * have)  # a small pilot can mislead; look again on the way
        counts = np.concatenate([counts, play(have, need - have, report)])
