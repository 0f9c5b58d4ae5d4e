"""Both worst cases of many policies: searched for, measured on fresh rewards, side by side on a cluster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from steadyarm.engines.progress import Report
from steadyarm.engines.result import Simulation
from steadyarm.engines.workers import Threads, work_through
from steadyarm.errors import SimulationInterrupted
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.worst_case.budget import Participant
from steadyarm.study.worst_case.evaluator import Meter, PolicyEvaluator
from steadyarm.study.worst_case.search import search_worst_instance
from steadyarm.study.worst_case.space import Space
from steadyarm.theory.estimates import Estimate


@dataclass(frozen=True)
class Worst:
    """The two worst cases of a policy: the runs on each, and which family led to it."""

    regret: Simulation
    instability: Simulation
    families: tuple[str, str]


def measure_worst_cases(
    participants: Sequence[tuple[Participant, Space]],
    laboratory: Laboratory,
    *,
    seed: int,
    level: float,
    report: Report,
    what: str,
) -> list[Worst]:
    """Find and measure both worst cases of every participant; `what` they are is for the message of an interruption.

    A search is one small simulation after the other and leaves most of a cluster idle, so there the searches of
    several participants go on at once. Results depend on neither.
    """

    def measure(place: int, told: Report) -> Worst:
        participant, space = participants[place]
        meter = Meter(told, participant.seconds)
        evaluator = PolicyEvaluator(participant.policy, space, laboratory, level, meter)
        return _worst_cases(evaluator, participant, seed)

    workers = Threads(measure, min(laboratory.side_by_side, len(participants)))
    found: dict[int, Worst] = {}
    try:
        with closing(work_through(workers, [each.seconds for each, _ in participants], report)) as done:
            found.update(done)
    except KeyboardInterrupt as interruption:
        message = f"stopped after {len(found)} of {len(participants)} {what}{laboratory.hint}"
        raise SimulationInterrupted(message, None) from interruption
    return [found[place] for place in range(len(participants))]


def _worst_cases(evaluator: PolicyEvaluator, participant: Participant, seed: int) -> Worst:
    points, families = [], []
    for of in ("regret", "instability"):
        worst, _ = search_worst_instance(evaluator, of, participant.search)
        points.append(worst.point)
        families.append(worst.row["family"])
    alike = points[0] == points[1] and participant.runs == participant.regret_runs
    regret = evaluator.simulate(points[0], runs=participant.regret_runs, seed=seed)
    instability = regret if alike else evaluator.simulate(points[1], runs=participant.runs, seed=seed)
    return Worst(regret, instability, (families[0], families[1]))


def product_estimate(regret: Estimate, instability: Estimate) -> Estimate:
    """Return R·S; the two are measured on different instances, so relative errors add in squares."""
    value = regret.value * instability.value
    if value <= 0.0:
        return Estimate(0.0, 0.0, 0.0, instability.runs, instability.level)

    def end(sign: float, regret_end: float, instability_end: float) -> float:
        ratios = (regret_end / regret.value, instability_end / instability.value)
        if min(ratios) <= 0.0:
            return 0.0
        return value * math.exp(sign * math.sqrt(sum(math.log(ratio) ** 2 for ratio in ratios)))

    low, high = end(-1.0, regret.low, instability.low), end(1.0, regret.high, instability.high)
    return Estimate(value, low, high, instability.runs, instability.level)
