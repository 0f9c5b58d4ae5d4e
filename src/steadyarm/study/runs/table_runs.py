"""Runs on the reward table itself: all policies meet the same rewards, and the moments of what they got are known."""

from __future__ import annotations

from typing import Any

from steadyarm.engines.choice import ENGINES, TABLE_ENGINES
from steadyarm.engines.progress import Report, part
from steadyarm.engines.result import Simulation
from steadyarm.errors import SimulationInterrupted
from steadyarm.model.feedback import feedback_of
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.policies.core.policy import Policy
from steadyarm.study.runs.laboratory import Laboratory

_PLAYED = 0.9  # the share of the work that is not reading the rewards again


def play_with_moments(
    laboratory: Laboratory,
    policy: Policy,
    instance: Instance,
    *,
    label: str,
    engine: str = "auto",
    report: Report,
    **how: Any,
) -> tuple[Simulation, Moments | None]:
    """Play a policy, and add up the rewards of each arm and run if the engine reads the table.

    "auto" is the cheapest engine that does. Rewards that may be lost and means that move are not added up. An
    interruption says whose turn it was, by the label.
    """
    told_at_once = feedback_of(how.get("delay", 0), how.get("batch", 1)).at_once
    if engine == "auto" and told_at_once and not instance.moves:
        engine = table_engine(policy, instance)
    try:
        simulation = laboratory.simulate(
            policy, instance, engine=engine, report=part(report, 0.0, _PLAYED), **how
        )
        if simulation.engine not in TABLE_ENGINES or simulation.feedback.delay.lost or instance.moves:
            return simulation, None
        return simulation, laboratory.reward_moments(simulation, part(report, _PLAYED, 1.0))
    except KeyboardInterrupt as interruption:
        kept = laboratory.hint or "; nothing is kept without a study's folder (--study)"
        raise SimulationInterrupted(f"stopped while playing {label}{kept}", None) from interruption


def table_engine(policy: Policy, instance: Instance) -> str:
    """Return the cheapest engine that reads the reward table."""
    return next(name for name in TABLE_ENGINES if ENGINES[name].refusal(policy, instance) is None)
