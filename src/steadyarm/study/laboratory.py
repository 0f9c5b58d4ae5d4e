"""Where a study's simulations are run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from steadyarm.engines.progress import Report
from steadyarm.engines.simulate import Simulation, simulate
from steadyarm.engines.sums import reward_sums
from steadyarm.model.instance import Instance
from steadyarm.policies.base import Policy


@dataclass(frozen=True)
class Laboratory:
    """Runs simulations for a study; studies ask it and nothing else for their numbers."""

    threads: int | None = None

    def simulate(
        self,
        policy: Policy,
        instance: Instance,
        *,
        runs: int,
        seed: int,
        engine: str = "auto",
        level: float = 0.95,
        report: Report | None = None,
        outside_class: bool = False,
    ) -> Simulation:
        """Play runs 0, 1, …, `runs` − 1 of a policy on an instance."""
        return simulate(
            policy,
            instance,
            runs=runs,
            seed=seed,
            engine=engine,
            threads=self.threads,
            progress=report or False,
            level=level,
            outside_class=outside_class,
        )

    def reward_sums(self, simulation: Simulation, report: Report | None = None) -> npt.NDArray[np.float64]:
        """Return the sums of the rewards that each arm of each run gave."""
        return reward_sums(
            simulation.instance, simulation.counts, seed=simulation.seed, threads=self.threads, report=report
        )
