"""One policy measured on many instances, each of them once, while a bar is told how far it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from steadyarm.engines.choice import cheapest_engine
from steadyarm.engines.progress import Report
from steadyarm.engines.result import Simulation
from steadyarm.errors import NotSupported
from steadyarm.policies.core.policy import Policy
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.worst_case.space import Point, Space
from steadyarm.theory.prediction import Prediction, predict

QUANTITIES = ("regret", "instability")


class Measured(NamedTuple):
    """What a simulation said about an instance; on the way to a worst case nobody asks for intervals."""

    regret: float
    instability: float


class Meter:
    """Tells a progress bar the finished share of some work, in seconds of CPU time as `run_cost` estimates them."""

    def __init__(self, report: Report, expected: float) -> None:
        self._report, self._expected, self._done = report, max(expected, 1e-9), 0.0

    def part(self, seconds: float) -> Report:
        """Return the report of a piece of the work."""
        before = self._done
        return lambda share: self._report(min(1.0, (before + seconds * share) / self._expected))

    def add(self, seconds: float) -> None:
        """Take note of a finished piece."""
        self._done += seconds
        self._report(min(1.0, self._done / self._expected))


@dataclass(frozen=True, eq=False)
class PolicyEvaluator:
    """Where a policy is measured and predicted on the points of a space."""

    policy: Policy
    space: Space
    laboratory: Laboratory
    level: float
    meter: Meter
    memory: dict[tuple[object, ...], Measured] = field(default_factory=dict)
    foreseen: dict[Point, Prediction] = field(default_factory=dict)

    def measure(self, point: Point, *, runs: int, seed: int, horizon: int | None = None) -> Measured:
        """Simulate the policy, or its like of another horizon, on a point."""
        horizon = self.policy.horizon if horizon is None else horizon
        key = (point, runs, seed, horizon)
        if key not in self.memory:
            found = self.simulate(point, runs=runs, seed=seed, horizon=horizon)
            self.memory[key] = Measured(float(found.run_regrets.mean()), float(found.sd.max()))
        return self.memory[key]

    def simulate(self, point: Point, *, runs: int, seed: int, horizon: int | None = None) -> Simulation:
        """Simulate the policy on a point and keep all of it."""
        policy = self.policy
        if horizon is not None and horizon != policy.horizon:
            policy = policy.replace(horizon=horizon)
        instance = self.space.instance(point)
        engine, seconds = cheapest_engine(policy, instance)
        found = self.laboratory.simulate(
            policy,
            instance,
            runs=runs,
            seed=seed,
            engine=engine,
            level=self.level,
            report=self.meter.part(runs * seconds),
        )
        self.meter.add(runs * seconds)
        return found

    def predict(self, point: Point) -> Prediction:
        """Predict the policy on a point."""
        if point not in self.foreseen:
            self.foreseen[point] = predict(self.policy, self.space.instance(point))
        return self.foreseen[point]

    def trusts_predictions(self, points: list[Point]) -> bool:
        """Whether the policy can be predicted, and most predictions on these points are to be trusted."""
        try:
            return 2 * sum(self.predict(point).trusted for point in points) >= len(points)
        except NotSupported:
            return False

    def predicted(self, of: str) -> Callable[[Point], float]:
        """Return the prediction of a quantity as a function of the point; −∞ where there is none."""

        def score(point: Point) -> float:
            value = float(getattr(self.predict(point), of))
            return value if math.isfinite(value) else -math.inf

        return score
