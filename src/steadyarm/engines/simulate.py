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

from steadyarm.engines import cuda, reference
from steadyarm.engines.leap import engine as leap
from steadyarm.engines.played import prefix, step
from steadyarm.engines.pool import play_all
from steadyarm.engines.progress import Report, progress_bar
from steadyarm.errors import InvalidInput, NotSupported, SimulationInterrupted
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.base import Policy
from steadyarm.theory.bounds import notes_on
from steadyarm.theory.estimates import (
    Estimate,
    check_level,
    largest_sd_estimate,
    mean_estimate,
    sd_estimate,
)
from steadyarm.words import counted

ENGINES: dict[str, ModuleType] = {"leap": leap, "prefix": prefix, "step": step, "reference": reference}

DEVICES = ("cpu", "cuda")

DEFAULT_RUNS = 1000
_LEAP_FROM = 10**6  # rounds from which leaping is clearly cheaper than playing
_LEAP_FROM_PER_ARM = 10**5
_LONGEST_PLAY = 10**11  # rounds that "auto" is ready to play one by one
_PILOT_RUNS = 400
_MOST_RUNS = 2**32
_RUNS = "Ask for 1 to 2**32 runs."
_ONE_RUN = "One run has no spread: intervals and the instability need two runs or more."


@dataclass(frozen=True, eq=False)
class Simulation:
    """The terminal pull counts of many runs, and what they say.

    Attributes:
        counts: (runs, arms) whole numbers; row r is run `first_run` + r.
        engine: the engine that played them.
        seed: the seed; run r of the same seed has the same rewards under every policy.
        tolerance: the counts are right to this many pulls; 1 is exact.
        device: where they were played: "cpu" or "cuda".
        total_variation: a bound on the distance between the law of a run and the true one; 0 is exact.
    """

    policy: Policy
    instance: Instance
    counts: npt.NDArray[np.int64]
    engine: str
    seed: int
    level: float = 0.95
    tolerance: int = 1
    total_variation: float = 0.0
    first_run: int = 0
    device: str = "cpu"

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the policy, the instance and the runs, in plain sentences."""
        notes = notes_on(self.policy, self.instance)
        return notes if self.runs > 1 else (*notes, _ONE_RUN)

    def to_dict(self) -> dict[str, Any]:
        """Return what was run and what came out as a plain dict, fit for JSON."""
        return {
            "policy": self.policy.to_dict(),
            "instance": self.instance.to_dict(),
            "runs": self.runs,
            "first_run": self.first_run,
            "seed": self.seed,
            "engine": self.engine,
            "device": self.device,
            "tolerance": self.tolerance,
            "total_variation": self.total_variation,
            "regret": self.regret.to_dict(),
            "instability": self.instability.to_dict(),
            "mean_counts": self.mean_counts.tolist(),
            "notes": list(self.notes),
            "sd": [deviation if math.isfinite(deviation) else None for deviation in self.sd.tolist()],
        }

    def __repr__(self) -> str:
        return (
            f"Simulation({self.policy.title}, {self.instance.n_arms} arms, {self.policy.horizon:,} rounds, "
            f"{counted(self.runs, 'run')} by {self.engine}: regret {self.regret}, instability {self.instability})"
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
    first_run: int = 0,
) -> Simulation:
    """Play a policy on an instance many times.

    Args:
        policy: what chooses the arms.
        instance: what the arms give.
        runs: how many independent runs (1,000 unless `precision` is given).
        precision: instead of `runs`: as many as bring the half-width of both intervals, regret and
            instability, below this share of the value.
        seed: names the reward table; results depend on nothing else.
        engine: "auto", "leap", "prefix", "step" or "reference". The first reads other random numbers than
            the rest: a walk instead of a table, the same for all policies.
        device: "cpu", or "cuda": `step` and `prefix` on an NVIDIA GPU (extra `gpu`), the same counts.
        threads: how many threads; all cores by default. The result does not depend on it.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        level: the confidence level of the intervals.
        outside_class: run even if the instance lies outside the policy's class (M, σ).
        first_run: the number of the first run. Runs 1,000 to 1,999 have the rewards and the counts that they
            have as part of a larger simulation, so later ones can be added to earlier ones.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")
    >>> result = sa.simulate(policy, sa.equal_gap(n_arms=2, gap=0.5), runs=200, seed=1)
    >>> result.engine, result.counts.shape, bool((result.counts.sum(axis=1) == 1000).all())
    ('prefix', (200, 2), True)
    >>> result.regret.low < result.regret.value < result.regret.high
    True
    """
    checks.instance_of(policy, Policy, "policy")
    policy.check_instance(instance, outside_class=outside_class)
    if runs is not None and precision is not None:
        raise InvalidInput(
            f"give runs or precision, not both; got runs={runs!r} and precision={precision!r}."
        )
    first_run = checks.integer(
        first_run, "first_run", at_least=0, at_most=_MOST_RUNS - 1, remedy="Runs are numbered from 0."
    )
    runs = checks.integer(
        DEFAULT_RUNS if runs is None else runs,
        "runs",
        at_least=1,
        at_most=_MOST_RUNS - first_run,
        remedy=_RUNS,
    )
    seed = checks.seed(seed)
    level = check_level(level)
    checks.one_of(device, "device", DEVICES)
    checks.boolean(outside_class, "outside_class")
    if progress is not None and not callable(progress):
        checks.boolean(progress, "progress")
    if threads is not None:
        threads = checks.integer(threads, "threads", at_least=1)
    engine, module = pick_engine(engine, policy, instance, device)
    play_range = (
        cuda.prepare(engine, policy, instance, seed)
        if device == "cuda"
        else module.prepare(policy, instance, seed)
    )

    counts = np.zeros((0, policy.n_arms), dtype=np.int64)

    def grow(wanted: int, report: Report) -> Simulation:
        """Return the simulation of that many runs, of which only those that are new are played."""
        nonlocal counts
        have = len(counts)
        more = np.zeros((wanted - have, policy.n_arms), dtype=np.int64)
        counts = np.concatenate([counts, more]) if have else more
        try:
            play_all(play_range, first_run + have, counts[have:], policy.horizon, threads, report)
        except SimulationInterrupted as interruption:
            finished = counts[: have + interruption.partial]  # type: ignore[operator]
            interruption.partial = result(finished) if len(finished) else None
            raise
        return result(counts)

    def result(counts: npt.NDArray[np.int64]) -> Simulation:
        return Simulation(
            policy,
            instance,
            counts,
            engine,
            seed,
            level,
            getattr(play_range, "tolerance", 1),
            getattr(play_range, "total_variation", 0.0),
            first_run,
            device,
        )

    with progress_bar(progress, f"{policy.title}, {policy.horizon:,} rounds") as report:
        if precision is None:
            return grow(runs, report)
        return until_precise(grow, precision, report)


def pick_engine(
    engine: str, policy: Policy, instance: Instance, device: str = "cpu"
) -> tuple[str, ModuleType]:
    """Return the engine that was asked for, or the cheapest that can: leap where it pays, else a player."""
    checks.one_of(engine, "engine", ("auto", *ENGINES))
    if device == "cuda":
        able = [name for name in cuda.ENGINES if cuda.supports(name, policy)]
        if engine == "auto" and able:
            engine = able[0]
        if engine not in able:
            others = f", or engine={' or '.join(map(repr, able))}" if able else ""
            raise NotSupported(
                f"the {engine} engine cannot play {policy.name} on a GPU. Use device='cpu'{others}."
            )
        return engine, ENGINES[engine]
    if (
        engine == "leap"
        and policy.horizon < leap.LEAST_PULLS * policy.n_arms
        and prefix.supports(policy, instance)
    ):
        engine = "prefix"  # too short to leap
    if engine != "auto":
        if not ENGINES[engine].supports(policy, instance):
            why = f": {leap.refusal(policy, instance)}" if engine == "leap" else ""
            raise NotSupported(
                f"the {engine} engine cannot play {policy.name} on {instance.rewards} arms{why}. "
                "Use engine='auto' (--engine auto)."
            )
        return engine, ENGINES[engine]
    long = policy.horizon >= max(_LEAP_FROM, _LEAP_FROM_PER_ARM * policy.n_arms)
    able = [name for name, module in ENGINES.items() if module.supports(policy, instance)]
    name = next(name for name in able if long or name != "leap")
    if name != "leap" and policy.horizon > _LONGEST_PLAY:
        raise NotSupported(
            f"{policy.title} on {instance.rewards} arms has to be played round by round, because "
            f"{leap.refusal(policy, instance)}, and {policy.horizon:,} rounds would take hours a run. Use a horizon "
            f"of at most {_LONGEST_PLAY:,}, or ask for engine={name!r} to insist."
        )
    return name, ENGINES[name]


def until_precise(grow: Callable[[int, Report], Simulation], precision: float, report: Report) -> Simulation:
    """Play a pilot, then as many more runs as its intervals say are needed, until they are narrow enough.

    The runs are numbered from the first on, so the result is that of `simulate` with that many `runs`.
    """
    precision = checks.real(precision, "precision", above=0.0)
    have, need = 0, _PILOT_RUNS
    while True:
        simulation = grow(need, _later_part(report, have / need))
        now = max(simulation.regret.relative_half_width, simulation.instability.relative_half_width)
        if now <= precision:
            return simulation
        if not math.isfinite(now):
            raise InvalidInput(
                f"precision={precision!r} cannot be reached: after {need} runs the regret is "
                f"{simulation.regret}, so a share of it says nothing. Give runs instead."
            )
        wanted = math.ceil(need * (now / precision) ** 2 * 1.02) + 1
        if wanted > _MOST_RUNS - simulation.first_run:
            raise InvalidInput(
                f"precision={precision!r} would take about {wanted:.1e} runs, and the reward table has "
                "2**32. Ask for a coarser one."
            )
        have, need = need, min(wanted, 8 * need)  # a small pilot can mislead; look again on the way


def _later_part(report: Report, before: float) -> Report:
    """Report the share of all the work when a share of it was finished before."""
    return lambda share: report(before + (1.0 - before) * share)
