"""`simulate`: any policy on any instance, by the cheapest exact engine, as estimates with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from steadyarm.defaults import RUNS
from steadyarm.engines.checkpoints import At, check_room, checkpoints, with_ends, with_horizon
from steadyarm.engines.choice import DEVICES, choose_engine
from steadyarm.engines.interface import Setting
from steadyarm.engines.pool import play_all
from steadyarm.engines.progress import Report, progress_bar
from steadyarm.engines.result import Simulation, noted
from steadyarm.errors import InvalidInput, SimulationInterrupted
from steadyarm.model import checks
from steadyarm.model.feedback import Delay, feedback_of
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.estimates import check_level

_PILOT_RUNS = 400
_MOST_RUNS = 2**32
_HOW_MANY = "Ask for 1 to 2**32 runs."


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
    at: At = None,
    delay: int | Delay = 0,
    batch: int = 1,
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
        at: rounds after which counts on the way are noted too, rising; or how many, spaced for a logarithmic axis
            from K to the horizon, all of these rounds if there are fewer. Final counts are the same with and without.
        delay: how many rounds late rewards come, or a law of that: `Delay.geometric(mean=30)`, `Delay.of([0.2, 0.8])`.
        batch: every how many rounds the policy is told. The reward of round t is told after round b·⌈(t + delay)/b⌉,
            in the order of rounds; `step` and `reference` can play so.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")
    >>> result = sa.simulate(policy, sa.equal_gap(n_arms=2, gap=0.5), runs=200, seed=1)
    >>> result.engine, result.counts.shape, bool((result.counts.sum(axis=1) == 1000).all())
    ('prefix', (200, 2), True)
    >>> result.regret.low < result.regret.value < result.regret.high
    True
    >>> on_the_way = sa.simulate(policy, sa.equal_gap(n_arms=2, gap=0.5), runs=200, seed=1, at=[10, 100, 1000])
    >>> on_the_way.counts_at.shape, bool((on_the_way.counts_at[:, -1] == result.counts).all())
    ((200, 3, 2), True)
    >>> sa.simulate(policy, sa.equal_gap(n_arms=2, gap=0.5), runs=200, seed=1, delay=1000).mean_counts
    array([500., 500.])
    """
    checks.instance_of(policy, Policy, "policy")
    policy.check_instance(instance, outside_class=outside_class)
    first_run = checks.integer(
        first_run, "first_run", at_least=0, at_most=_MOST_RUNS - 1, remedy="Runs are numbered from 0."
    )
    runs = runs_asked(runs, precision, first_run)
    seed = checks.seed(seed)
    level = check_level(level)
    checks.one_of(device, "device", tuple(DEVICES))
    checks.boolean(outside_class, "outside_class")
    if progress is not None and not callable(progress):
        checks.boolean(progress, "progress")
    if threads is not None:
        threads = checks.integer(threads, "threads", at_least=1)
    feedback = feedback_of(delay, batch)
    chosen = choose_engine(engine, policy, instance, device, feedback)
    asked = checkpoints(at, policy)
    moments = with_ends(with_horizon(asked, policy), instance)
    player = chosen.prepare(Setting(policy, instance, seed, moments, feedback))

    counts = np.zeros((0, len(moments), policy.n_arms), dtype=np.int64)

    def grow(wanted: int, report: Report) -> Simulation:
        """Return the simulation of that many runs, of which only those that are new are played."""
        nonlocal counts
        check_room(wanted, asked, moments, policy.n_arms)
        have = len(counts)
        more = np.zeros((wanted - have, *counts.shape[1:]), dtype=np.int64)
        counts = np.concatenate([counts, more]) if have else more
        try:
            play_all(player, first_run + have, counts[have:], threads, report)
        except SimulationInterrupted as interruption:
            finished = counts[: have + interruption.partial]  # type: ignore[operator]
            interruption.partial = result(finished) if len(finished) else None
            raise
        return result(counts)

    def result(counts: Integers) -> Simulation:
        return Simulation(
            policy,
            instance,
            engine=chosen.name,
            seed=seed,
            level=level,
            tolerance=player.tolerance,
            total_variation=player.total_variation,
            first_run=first_run,
            device=device,
            feedback=feedback,
            **noted(instance, asked, moments, counts),
        )

    with progress_bar(progress, f"{policy.title}, {policy.horizon:,} rounds") as report:
        if precision is None:
            return grow(runs, report)
        return until_precise(grow, precision, report)


def runs_asked(runs: int | None, precision: float | None, first_run: int = 0) -> int:
    """Return how many runs are asked for, where they are not asked for by a precision."""
    if runs is not None and precision is not None:
        raise InvalidInput(
            f"give runs or precision, not both; got runs={runs!r} and precision={precision!r}."
        )
    most = _MOST_RUNS - first_run
    return checks.integer(RUNS if runs is None else runs, "runs", at_least=1, at_most=most, remedy=_HOW_MANY)


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
                "2**32. Ask for less precision."
            )
        have, need = need, min(wanted, 8 * need)  # a small pilot can mislead; look again on the way


def _later_part(report: Report, before: float) -> Report:
    """Report the share of all the work when a share of it was finished before."""
    return lambda share: report(before + (1.0 - before) * share)
